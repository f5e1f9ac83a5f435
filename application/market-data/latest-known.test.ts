import { describe, expect, test } from 'vitest';
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
    return asked.isAway ? err({ reason: 'away' }) : ok(new Map(known.map((key) => [key, asked.count])));
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

describe('while a key is asked for', () => {
  /** A source that answers when the test says so. */
  function slow() {
    const calls: { readonly keys: readonly string[]; answer(value: number): void }[] = [];
    const ask: AskSource<number> = (keys) =>
      new Promise((resolve) => {
        calls.push({ keys, answer: (value) => resolve(ok(new Map(keys.map((key) => [key, value])))) });
      });
    return { calls, ask };
  }

  test('who else comes for it waits for that call, and asks only for what nobody has asked for', async () => {
    const { calls, ask } = slow();
    const known = new LatestKnown<number>({ ...TERMS, wait_ms: 5_000, keysMax: 9 });
    const first = known.read(['A', 'B'], 0, ask);
    const second = known.read(['B', 'C'], 1, ask);
    expect(calls.map(({ keys }) => keys)).toEqual([['A', 'B'], ['C']]);
    calls[0]?.answer(1);
    calls[1]?.answer(2);
    expect(await first).toEqual(
      new Map([
        ['A', fresh(1)],
        ['B', fresh(1)],
      ]),
    );
    expect(await second).toEqual(
      new Map([
        ['B', fresh(1)],
        ['C', fresh(2)],
      ]),
    );
  });

  test('a call that is never answered is waited for no longer than one is, and then made anew', async () => {
    const known = new LatestKnown<number>(TERMS);
    const { calls, ask } = slow();
    const lost = known.read(['A'], 0, ask);
    expect(await known.read(['A'], 10, ask)).toEqual(new Map());
    await lost;
    const again = known.read(['A'], 2_000, ask);
    expect(calls).toHaveLength(2);
    calls[1]?.answer(7);
    expect(await again).toEqual(new Map([['A', fresh(7)]]));
  });

  test('who needs it whatever anybody else is shown does not wait for a call that may find no room', async () => {
    const { calls, ask } = slow();
    const known = new LatestKnown<number>(TERMS);
    const shown = known.read(['A'], 0, ask);
    const needed = known.read(['A'], 1, ask, false);
    const joined = known.read(['A'], 2, ask);
    expect(calls).toHaveLength(2);
    calls[1]?.answer(2);
    expect(await needed).toEqual(new Map([['A', fresh(2)]]));
    expect(await joined).toEqual(new Map([['A', fresh(2)]]));
    await shown;
  });
});

describe('a source without room for more calls', () => {
  const noRoom: AskSource<number> = async () => err({ reason: 'no_room', retryAfter_ms: 3_000 });

  test('is asked again when there is room: until then what it said last is stale', async () => {
    const { asked, ask } = source();
    const known = new LatestKnown<number>(TERMS);
    await known.read(['A'], 0, ask);
    expect(await known.read(['A'], 2_000, noRoom)).toEqual(new Map([['A', { value: 1, isStale: true }]]));
    expect(known.waitForRoom_ms(2_500)).toBe(2_500);
    expect(await known.read(['B'], 4_999, ask)).toEqual(new Map());
    expect(asked.count).toBe(1);
    expect(known.waitForRoom_ms(5_000)).toBeNull();
    expect(await known.read(['A', 'B'], 5_000, ask)).toEqual(
      new Map([
        ['A', fresh(2)],
        ['B', fresh(2)],
      ]),
    );
  });

  test('is asked all the same for what is needed', async () => {
    const { ask } = source();
    const known = new LatestKnown<number>(TERMS);
    await known.read(['A'], 0, noRoom);
    expect(await known.read(['A'], 1, ask, false)).toEqual(new Map([['A', fresh(1)]]));
  });
});
