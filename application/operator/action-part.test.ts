import { expect, test } from 'vitest';
import { actionPart } from './action-part.ts';

const action = { id: '01a203b2-6db6-71a8-badb-4e778898fcfb', actor: 'olivia', requestId: 'r' };

test('a part has a UUIDv7 of its action’s time, another one for each name, and the same one each time', async () => {
  const [one, again, other] = await Promise.all(['A-USD', 'A-USD', 'B-USD'].map((name) => actionPart(action, name)));
  expect(one?.id).toMatch(/^01a203b2-6db6-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(again).toEqual(one);
  expect(other?.id).not.toBe(one?.id);
});
