import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { HOUR_MS } from '../../../../domain/calendar/durations.ts';
import {
  ANSWER_UNITS_MAX,
  type IdempotencyKeyHolder,
  type IdempotencyKeysApi,
  WAIT_MS_MAX,
} from '../../../../durable-objects/idempotency-keys/api.ts';
import { KeyRecords } from '../../../../durable-objects/idempotency-keys/key-records.ts';
import { hurry } from '../../fixtures/hurry.ts';
import { stopClock } from '../../fixtures/stop-clock.ts';

const ANSWER = { status: 201, body: '{"id":"1"}' };

let scope: string;

beforeEach(() => {
  scope = crypto.randomUUID();
});

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const stub = () => env.IDEMPOTENCY_KEYS.getByName(scope);
const keys = () => stub() as unknown as IdempotencyKeysApi;
const claimOf = (key: string, requestHash = 'h') => ({ key, requestHash, claimId: crypto.randomUUID() });
const storage = <T>(read: (storage: DurableObjectStorage) => T | Promise<T>) =>
  runInDurableObject(stub(), (_, state) => read(state.storage));
const rows = () =>
  storage(({ sql }) =>
    sql
      .exec('SELECT key FROM keys ORDER BY seq')
      .toArray()
      .map((row) => row.key),
  );

const rowsChanged = () => storage(({ sql }) => sql.exec<{ n: number }>('SELECT total_changes() AS n').one().n);

function later(ms: number): void {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + ms });
}

async function kill(): Promise<void> {
  await runInDurableObject(stub(), (_, state) => state.abort('killed by a test')).catch(() => undefined);
}

/** A claim that is the first with its key. */
async function claimed(key: string): Promise<IdempotencyKeyHolder> {
  const claim = claimOf(key);
  const state = await keys().claim(claim);
  if (state.type !== 'claimed') throw new Error(`the key is ${state.type}`);
  return { key, claimId: claim.claimId, resourceId: state.resourceId };
}

describe('a claim', () => {
  it('survives a kill at once: released or lost, the repetition runs under the same id', async () => {
    const [released, lost] = [await claimed('released'), await claimed('lost')];
    await kill();
    await keys().release(released);
    await kill();
    expect(await keys().claim(claimOf('released'))).toEqual({ type: 'claimed', resourceId: released.resourceId });
    later(31_000);
    expect(await keys().claim(claimOf('lost'))).toEqual({ type: 'claimed', resourceId: lost.resourceId });
  });

  it('is one row written, and so is its answer', async () => {
    await claimed('first');
    const before = await rowsChanged();
    const holder = await claimed('k');
    await keys().answer(holder, ANSWER);
    expect((await rowsChanged()) - before).toBe(2);
  });

  it('whose answer was lost on its way is repeated, and is the holder still', async () => {
    const claim = claimOf('k');
    const state = await keys().claim(claim);
    expect(await keys().claim(claim)).toEqual(state);
  });

  it('of two at once lets one run', async () => {
    const [one, other] = [claimOf('k'), claimOf('k')];
    const [first, second] = [keys().claim(one), keys().claim(other)];
    const winner = await Promise.race([first, second]);
    expect(winner).toEqual({ type: 'claimed', resourceId: one.claimId });
    await keys().answer({ ...one, resourceId: one.claimId }, ANSWER);
    expect(await second).toEqual({ type: 'answered', ...ANSWER });
  });

  it('that waits takes the place of one that is released, one at a time', async () => {
    const first = await claimed('k');
    const waiting = [claimOf('k'), claimOf('k')];
    stopClock();
    hurry(WAIT_MS_MAX, HOUR_MS);
    const states = waiting.map((claim) => keys().claim(claim));
    await scheduler.wait(50);
    await keys().release(first);
    const next = await Promise.race(states.map(async (state, index) => ({ index, state: await state })));
    expect(next.state).toEqual({ type: 'claimed', resourceId: first.resourceId });
    const holder = { ...(waiting[next.index] as { key: string; claimId: string }), resourceId: first.resourceId };
    await keys().answer(holder, ANSWER);
    expect(await states[1 - next.index]).toEqual({ type: 'answered', ...ANSWER });
  });

  it('beyond so many that wait is told at once that the request runs', async () => {
    await claimed('k');
    const states = Array.from({ length: 32 + 1 }, () => keys().claim(claimOf('k')));
    stopClock();
    hurry(WAIT_MS_MAX, HOUR_MS);
    expect(await Promise.race(states)).toEqual({ type: 'in_flight' });
    await kill();
    await Promise.allSettled(states);
  });
});

describe('an answer', () => {
  it('survives a kill', async () => {
    await keys().answer(await claimed('k'), ANSWER);
    await kill();
    expect(await keys().claim(claimOf('k'))).toEqual({ type: 'answered', ...ANSWER });
  });

  it('is the first that was given, be it by a request whose lease was over', async () => {
    const slow = await claimed('k');
    later(31_000);
    const next = claimOf('k');
    await keys().claim(next);
    await keys().release(slow);
    const asking = keys().claim(claimOf('k'));
    await keys().answer(slow, ANSWER);
    await keys().answer({ ...next, resourceId: slow.resourceId }, { status: 400, body: '{}' });
    expect(await asking).toEqual({ type: 'answered', ...ANSWER });
    expect(await keys().claim(claimOf('k'))).toEqual({ type: 'answered', ...ANSWER });
  });

  it('that is too long is not kept: the repetition runs again, under the same id', async () => {
    const holder = await claimed('k');
    await keys().answer(holder, { status: 200, body: '€'.repeat(ANSWER_UNITS_MAX) });
    expect(await keys().claim(claimOf('k'))).toEqual({
      type: 'answered',
      status: 200,
      body: '€'.repeat(ANSWER_UNITS_MAX),
    });
    const other = await claimed('longer');
    await keys().answer(other, { status: 200, body: '€'.repeat(ANSWER_UNITS_MAX + 1) });
    expect(await keys().claim(claimOf('longer'))).toEqual({ type: 'claimed', resourceId: other.resourceId });
  });
});

describe('the alarm', () => {
  it('deletes what is older than 24 h, and rests until the next is', async () => {
    await keys().answer(await claimed('old'), ANSWER);
    later(12 * HOUR_MS);
    await claimed('young');
    vi.useRealTimers();
    later(24 * HOUR_MS + 1_000);
    const now = Date.now();
    expect(await runDurableObjectAlarm(stub())).toBe(true);
    expect(await rows()).toEqual(['young']);
    expect((await storage((kept) => kept.getAlarm())) ?? 0).toBeGreaterThan(now + 11 * HOUR_MS);
  });

  it('leaves nothing of an object without keys, which then takes keys again', async () => {
    await claimed('k');
    later(24 * HOUR_MS + 1_000);
    expect(await runDurableObjectAlarm(stub())).toBe(true);
    expect(
      await storage(({ sql }) => sql.exec("SELECT name FROM sqlite_schema WHERE name = 'keys'").toArray()),
    ).toEqual([]);
    expect(await storage((kept) => kept.getAlarm())).toBeNull();
    await claimed('k');
    expect(await storage((kept) => kept.getAlarm())).toBeGreaterThan(Date.now());
  });

  it('is set again after a kill no more than once', async () => {
    await claimed('one');
    const at = await storage((kept) => kept.getAlarm());
    await kill();
    await claimed('other');
    expect(await storage((kept) => kept.getAlarm())).toBe(at);
  });
});

describe('bounds', () => {
  const LIMITS = { keysMax: 3, bytesMax: 1_000_000_000, forgottenMax: 2 };
  const NOW = 1_800_000_000_000;

  it('the oldest keys go first, and none that is in flight', async () => {
    await storage((state) => {
      const records = new KeyRecords(state, LIMITS);
      const take = (key: string, now: number) => records.take(claimOf(key), key, now);
      for (const key of ['a', 'b', 'c']) expect(take(key, NOW)).toBe(true);
      expect(take('d', NOW + 1_000)).toBe(false);
      expect(take('d', NOW + 31_000)).toBe(true);
      expect(['a', 'b', 'c', 'd'].filter((key) => records.find(key) !== null)).toEqual(['c', 'd']);
    });
  });

  it('are of the size of all answers too, and room comes back with what is forgotten', async () => {
    await storage((state) => {
      const records = new KeyRecords(state, { keysMax: 1_000, bytesMax: 300_000, forgottenMax: 5 });
      for (let n = 0; n < 50; n++) {
        const claim = claimOf(`k${n}`);
        expect(records.take(claim, claim.claimId, NOW + n * 60_000)).toBe(true);
        records.answer({ ...claim, resourceId: claim.claimId }, { status: 200, body: 'x'.repeat(20_000) });
      }
      expect(state.sql.databaseSize).toBeLessThan(400_000);
      expect(records.find('k49')).not.toBeNull();
      expect(records.find('k0')).toBeNull();
    });
  });
});
