import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { handedOverEventId, tradeEventId } from '../../domain/partner/trade-event-id.ts';
import { type SilentEndpoints, takenTrades } from './taken-trades.ts';

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

const ENDPOINTS = [
  { id: 'hangs', organization: 'a' },
  { id: 'throws', organization: 'a' },
  { id: 'answers', organization: 'b' },
];
const TOLD = new Map([
  ['a', ['trade']],
  ['b', ['trade']],
]);

const EVENTS = new Map([
  ['agent', tradeEventId('trade', 'transfer.initiated')],
  ['next agent', handedOverEventId('trade', 'b')],
]);

/** Endpoints' objects, of which one never answers until it is mended, and whom somebody has asked. */
function objects() {
  const asked: string[] = [];
  const state = { isMended: false };
  const deliveredAt = async (id: string) => {
    asked.push(id);
    if (id === 'throws') throw new Error('overloaded');
    if (id === 'hangs' && !state.isMended) return new Promise<never>(() => undefined);
    return new Map([[EVENTS.get(id) ?? 'trade', 7]]);
  };
  const env = { WEBHOOK_ENDPOINT: { getByName: (id: string) => ({ deliveredAt: () => deliveredAt(id) }) } };
  return { env: env as unknown as Pick<Env, 'WEBHOOK_ENDPOINT'>, asked, state };
}

test('one that does not answer within a second is not asked again for a minute', async () => {
  const { env, asked, state } = objects();
  const silent: SilentEndpoints = new Map();
  const first = takenTrades(env, ENDPOINTS, TOLD, silent);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(await first).toEqual(new Map([['trade', new Map([['b', 7]])]]));
  expect(asked.splice(0).toSorted()).toEqual(['answers', 'hangs', 'throws', 'throws']);
  state.isMended = true;
  await vi.advanceTimersByTimeAsync(59_999);
  // Nothing is waited for: no timer has to go off.
  await takenTrades(env, ENDPOINTS, TOLD, silent);
  expect(asked.splice(0)).not.toContain('hangs');
  await vi.advanceTimersByTimeAsync(1);
  const later = await takenTrades(env, ENDPOINTS, TOLD, silent);
  expect(later.get('trade')).toEqual(new Map(['a', 'b'].map((organization) => [organization, 7])));
  expect(silent.size).toBe(0);
});

test('an agent has taken a trade with what it is to register of it', async () => {
  const { env } = objects();
  for (const id of ['agent', 'next agent'])
    expect(await takenTrades(env, [{ id, organization: 'b' }], TOLD)).toEqual(
      new Map([['trade', new Map([['b', 7]])]]),
    );
});

test('an organization has taken a trade when the first of its endpoints did, and is asked for what it was told of alone', async () => {
  const times: Readonly<Record<string, number>> = { late: 9, early: 5 };
  const asked: string[][] = [];
  const deliveredAt = (id: string) => async (events: readonly string[]) => {
    asked.push(events.filter((event) => ['trade', 'another'].includes(event)));
    return new Map([[events[0] ?? '', times[id] ?? 7]]);
  };
  const env = { WEBHOOK_ENDPOINT: { getByName: (id: string) => ({ deliveredAt: deliveredAt(id) }) } };
  const told = new Map([
    ['a', ['trade']],
    ['b', ['another']],
  ]);
  for (const ids of [
    ['late', 'early', 'late'],
    ['early', 'late'],
  ]) {
    const endpoints = ids.map((id) => ({ id, organization: 'a' }));
    const taken = await takenTrades(env as unknown as Pick<Env, 'WEBHOOK_ENDPOINT'>, endpoints, told);
    expect(taken).toEqual(new Map([['trade', new Map([['a', 5]])]]));
  }
  expect(new Set(asked.flat())).toEqual(new Set(['trade']));
});
