import { expect, test } from 'vitest';
import { PausedTries } from './paused-tries.ts';

test('after each failure there is a longer pause and its reason, until it goes well', () => {
  const tries = new PausedTries(5, 20);
  expect([tries.reason, tries.until]).toEqual([null, Number.NEGATIVE_INFINITY]);
  const untils = [100, 105, 200, 300].map((now) => {
    tries.failed(`at ${now}`, now);
    return tries.until;
  });
  expect(untils).toEqual([105, 115, 220, 320]);
  expect(tries.reason).toBe('at 300');
  tries.end();
  expect([tries.reason, tries.until]).toEqual([null, Number.NEGATIVE_INFINITY]);
  tries.failed('again', 400);
  expect(tries.until).toBe(405);
});
