import { expect, test } from 'vitest';
import { err, ok, type Result } from '../../domain/result.ts';
import { LatestKnown } from './latest-known.ts';

const TERMS = { fresh_ms: 1_000, wait_ms: 20, keysMax: 2 };

/** A source that says a higher number each time it is asked. */
function source() {
  const asked = { count: 0, isAway: false };
  const ask = async (): Promise<Result<number, string>> => {
    asked.count++;
    return asked.isAway ? err('away') : ok(asked.count);
  };
  return { asked, ask };
}

test('a source is asked once while what it said is fresh', async () => {
  const { asked, ask } = source();
  const known = new LatestKnown<number>(TERMS);
  expect(await known.read('A', 0, ask)).toEqual({ value: 1, isStale: false });
  expect(await known.read('A', 999, ask)).toEqual({ value: 1, isStale: false });
  expect(await known.read('A', 1_000, ask)).toEqual({ value: 2, isStale: false });
  expect(asked.count).toBe(2);
});

test('of a source that is away the last answer is shown, as stale, and it is not asked each time', async () => {
  const { asked, ask } = source();
  const known = new LatestKnown<number>(TERMS);
  await known.read('A', 0, ask);
  asked.isAway = true;
  expect(await known.read('A', 5_000, ask)).toEqual({ value: 1, isStale: true });
  expect(await known.read('A', 5_999, ask)).toEqual({ value: 1, isStale: true });
  expect(asked.count).toBe(2);
  asked.isAway = false;
  expect(await known.read('A', 6_000, ask)).toEqual({ value: 3, isStale: false });
});

test('a source that hangs, or throws, is away', async () => {
  const known = new LatestKnown<number>(TERMS);
  expect(await known.read('A', 0, () => new Promise(() => undefined))).toBeNull();
  expect(await known.read('B', 0, () => Promise.reject(new Error('lost')))).toBeNull();
});

test('of too many keys the one that was read longest ago is forgotten', async () => {
  const { asked, ask } = source();
  const known = new LatestKnown<number>(TERMS);
  for (const key of ['A', 'B', 'C']) await known.read(key, 0, ask);
  await known.read('C', 1, ask);
  await known.read('B', 1, ask);
  expect(asked.count).toBe(3);
  await known.read('A', 1, ask);
  expect(asked.count).toBe(4);
});
