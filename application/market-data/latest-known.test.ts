import { expect, test } from 'vitest';
import { err, ok } from '../../domain/result.ts';
import { type AskSource, LatestKnown } from './latest-known.ts';

const TERMS = { fresh_ms: 1_000, wait_ms: 20, keysMax: 2 };

/** A source that says a higher number each time it is asked, of every key but X. */
function source() {
  const asked = { count: 0, keys: [] as string[], isAway: false };
  const ask: AskSource<number> = async (keys) => {
    asked.count++;
    asked.keys = [...keys];
    const known = keys.filter((key) => key !== 'X');
    return asked.isAway ? err('away') : ok(new Map(known.map((key) => [key, asked.count])));
  };
  return { asked, ask };
}

const fresh = (value: number) => ({ value, isStale: false });

test('a source is asked once while what it said is fresh', async () => {
  const { asked, ask } = source();
  const known = new LatestKnown<number>(TERMS);
  expect(await known.read(['A'], 0, ask)).toEqual(new Map([['A', fresh(1)]]));
  expect(await known.read(['A'], 999, ask)).toEqual(new Map([['A', fresh(1)]]));
  expect(await known.read(['A'], 1_000, ask)).toEqual(new Map([['A', fresh(2)]]));
  expect(asked.count).toBe(2);
});

test('many keys are one call, for those alone that are not fresh', async () => {
  const { asked, ask } = source();
  const known = new LatestKnown<number>(TERMS);
  await known.read(['A'], 0, ask);
  expect(await known.read(['A', 'B'], 500, ask)).toEqual(
    new Map([
      ['A', fresh(1)],
      ['B', fresh(2)],
    ]),
  );
  expect(asked).toMatchObject({ count: 2, keys: ['B'] });
});

test('a key that the source does not have is not known, and keeps no other from being known', async () => {
  const { asked, ask } = source();
  const known = new LatestKnown<number>(TERMS);
  expect(await known.read(['X', 'A'], 0, ask)).toEqual(new Map([['A', fresh(1)]]));
  await known.read(['X', 'A'], 999, ask);
  expect(asked.count).toBe(1);
});

test('of a source that is away the last answer is shown, as stale, and it is not asked each time', async () => {
  const { asked, ask } = source();
  const known = new LatestKnown<number>(TERMS);
  await known.read(['A'], 0, ask);
  asked.isAway = true;
  expect(await known.read(['A'], 5_000, ask)).toEqual(new Map([['A', { value: 1, isStale: true }]]));
  expect(await known.read(['A'], 5_999, ask)).toEqual(new Map([['A', { value: 1, isStale: true }]]));
  expect(asked.count).toBe(2);
  asked.isAway = false;
  expect(await known.read(['A'], 6_000, ask)).toEqual(new Map([['A', fresh(3)]]));
});

test('a source that hangs, or throws, is away', async () => {
  const known = new LatestKnown<number>(TERMS);
  expect(await known.read(['A'], 0, () => new Promise(() => undefined))).toEqual(new Map());
  expect(await known.read(['B'], 0, () => Promise.reject(new Error('lost')))).toEqual(new Map());
});

test('of too many keys the one that was read longest ago is forgotten', async () => {
  const { asked, ask } = source();
  const known = new LatestKnown<number>(TERMS);
  for (const key of ['A', 'B', 'C']) await known.read([key], 0, ask);
  await known.read(['C', 'B'], 1, ask);
  expect(asked.count).toBe(3);
  await known.read(['A'], 1, ask);
  expect(asked.count).toBe(4);
});
