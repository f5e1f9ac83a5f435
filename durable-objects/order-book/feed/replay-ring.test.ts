import { expect, test } from 'vitest';
import { ReplayRing } from './replay-ring.ts';

test('what a journal replayed twice says again is kept once', () => {
  const ring = new ReplayRing<string>(10);
  for (let replay = 0; replay < 2; replay++) for (const sequence of [1, 2, 3]) ring.push(sequence, `trade ${sequence}`);
  ring.push(4, 'trade 4');
  expect(ring.after(1, 4)).toEqual(['trade 2', 'trade 3', 'trade 4']);
});
