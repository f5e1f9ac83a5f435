import fc from 'fast-check';
import { expect, it } from 'vitest';
import { HeldKeys } from '../../../durable-objects/gate/held-keys.ts';

const LIMIT = { limit: 10, windowMs: 1_000 };

/** Keys that exist begin with `real`; every look-up ends when it is told to. */
function heldKeys() {
  const waiting: (() => void)[] = [];
  const keys = new HeldKeys(async (keyId) => {
    await new Promise<void>((resolve) => waiting.push(resolve));
    return keyId.startsWith('real') ? ({ active: true } as never) : null;
  });
  const answerAll = () => {
    for (const answer of waiting.splice(0)) answer();
  };
  return { keys, answerAll };
}

it('T-10: in no window is more drawn on a key than its limit, whatever other keys are asked for meanwhile', async () => {
  const step = fc.record({
    id: fc.oneof(
      fc.constant('real'),
      fc.string().map((text) => `guess-${text}`),
      fc.nat(300).map((of) => `real-${of}`),
    ),
    count: fc.integer({ min: 1, max: 150 }),
    settles: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
      const { keys, answerAll } = heldKeys();
      let drawn = 0;
      const pending: Promise<unknown>[] = [];
      for (const { id, count, settles } of steps) {
        for (let at = 0; at < count; at++)
          pending.push(
            keys.get(id === 'real' ? id : `${id}-${at}`, 0).then((key) => {
              if (id === 'real' && key?.windows.of('orders').draw(0, 1, LIMIT).type === 'counted') drawn++;
            }),
          );
        if (settles) {
          answerAll();
          await Promise.resolve();
        }
      }
      for (let turn = 0; turn < 5; turn++) {
        answerAll();
        await new Promise((resolve) => setImmediate(resolve));
      }
      await Promise.all(pending);
      expect(drawn).toBeLessThanOrEqual(LIMIT.limit);
    }),
    { numRuns: 50 },
  );
});

it('T-10: keys that have drawn nothing for a minute are forgotten, those that have are not', async () => {
  let loads = 0;
  const keys = new HeldKeys(async () => {
    loads++;
    return { active: true } as never;
  });
  (await keys.get('busy', 0))?.windows.of('private').draw(0, 1, { limit: 1, windowMs: 60_000 });
  for (let at = 0; at < 200; at++) await keys.get(`idle-${at}`, 0);
  (await keys.get('busy', 30_000))?.windows.of('private').draw(30_000, 0, { limit: 1, windowMs: 60_000 });
  const before = loads;
  await keys.get('one more', 59_000);
  expect(
    (await keys.get('busy', 59_000))?.windows.of('private').draw(59_000, 1, { limit: 1, windowMs: 60_000 }).type,
  ).toBe('limited');
  expect(loads).toBe(before + 1);
  await keys.get('yet one more', 61_000);
  await keys.get('idle-0', 61_000);
  expect(loads).toBe(before + 3);
});

it('T-10: a key that took long to prove is not forgotten while what it drew then counts', async () => {
  const keys = new HeldKeys(async () => ({ active: true }) as never);
  const limit = { limit: 1, windowMs: 60_000 };
  const slow = await keys.get('slow', 0);
  slow?.windows.of('private').draw(5_000, 1, limit);
  for (let at = 0; at < 200; at++) await keys.get(`other-${at}`, 61_000);
  expect((await keys.get('slow', 61_000))?.windows.of('private').draw(61_000, 1, limit).type).toBe('limited');
});

it('T-10: of an id that is no key’s nothing is kept, not even that it is none', async () => {
  let loads = 0;
  const keys = new HeldKeys(async () => {
    loads++;
    return null;
  });
  expect([await keys.get('guess', 0), await keys.get('guess', 0)]).toEqual([null, null]);
  expect(loads).toBe(2);
});
