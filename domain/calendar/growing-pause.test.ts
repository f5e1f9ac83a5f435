import { expect, test } from 'vitest';
import { GrowingPause } from './growing-pause.ts';

test('each pause is twice the one before, up to the longest, and begins anew once it is ended', () => {
  const pause = new GrowingPause(5, 30);
  expect([1, 2, 3, 4, 5].map(() => pause.next_ms())).toEqual([5, 10, 20, 30, 30]);
  pause.end();
  expect([pause.next_ms(), pause.next_ms()]).toEqual([5, 10]);
});
