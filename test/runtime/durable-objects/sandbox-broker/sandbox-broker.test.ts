import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type {
  BrokerClient,
  BrokerEvent,
  BrokerEventPage,
  BrokerOrderTerms,
} from '../../../../domain/broker/broker-client.ts';
import type { MarketDataSource } from '../../../../domain/broker/market-data-source.ts';
import { DAY_MS } from '../../../../domain/calendar/durations.ts';
import type { Result } from '../../../../domain/result.ts';
import type { SandboxFaults } from '../../../../domain/sandbox-broker/faults.ts';
import { venueOf } from '../../../../durable-objects/broker/broker-of.ts';
import { sandboxBrokerOf } from '../../../../durable-objects/sandbox-broker/api.ts';

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const NO_FAULTS: SandboxFaults = {
  seed: 1,
  reject_pm: 0,
  lateRequest_ms_max: 0,
  duplicate_pm: 0,
  delay_pm: 0,
  delay_ms_max: 0,
  drop_pm: 0,
  recovery_ms: 0,
  lostAnswer_pm: 0,
  awayUntil_ms: 0,
};

let symbol: string;
let broker: BrokerClient & MarketDataSource;

beforeEach(() => {
  symbol = Array.from(crypto.getRandomValues(new Uint8Array(8)), (byte) => LETTERS[byte % 26]).join('');
  broker = venueOf(env, 'broker');
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
});

afterEach(() => {
  vi.useRealTimers();
});

const later = (ms: number) => vi.setSystemTime(Date.now() + ms);
const sandbox = () => sandboxBrokerOf(env, symbol);

async function kill(): Promise<void> {
  await runInDurableObject(env.SANDBOX_BROKER.getByName(symbol), async (_, state) => {
    await state.storage.sync();
    state.abort('killed by a test');
  }).catch(() => undefined);
}

const order = (terms: Partial<BrokerOrderTerms> = {}): BrokerOrderTerms => ({
  clientOrderId: 'one',
  symbol,
  side: 'buy',
  type: 'market',
  timeInForce: 'ioc',
  quantity: '300',
  limitPrice: null,
  stopPrice: null,
  ...terms,
});
const resting = (clientOrderId = 'one') =>
  order({ clientOrderId, type: 'limit', timeInForce: 'gtc', limitPrice: '1', quantity: '10' });

function value<T, E>(result: Result<T, E>): T {
  if (!result.ok) throw new Error(JSON.stringify(result.error));
  return result.value;
}

/** All events by a poller that stores its cursor, asking again until nothing more has come for a while. */
async function poll(polls = 1, wait_ms = 0): Promise<BrokerEvent[]> {
  const events: BrokerEvent[] = [];
  let cursor: string | null = null;
  for (let at = 0; at < polls; at++) {
    const page: BrokerEventPage = value(await broker.events(symbol, cursor, []));
    events.push(...page.events);
    cursor = page.cursor;
    later(wait_ms);
  }
  return events;
}

const shares = (events: readonly BrokerEvent[]) => {
  const executions = new Map<string, number>();
  for (const event of events) {
    if (event.type === 'fill' || event.type === 'partial_fill')
      executions.set(event.executionId, Number(event.quantity));
  }
  return [...executions.values()].reduce((total, each) => total + each, 0);
};

describe('an order', () => {
  it('is accepted, filled by several events, and shown with what has filled', async () => {
    expect(value(await broker.submit(order({ quantity: '2500' })))).toMatchObject({ status: 'open', filled: '0' });
    later(3_000);
    const events = await poll();
    expect(shares(events)).toBe(2_500);
    expect(events.length).toBeGreaterThan(1);
    expect(value(await broker.order(symbol, 'one'))).toMatchObject({ status: 'filled', filled: '2500' });
    expect(value(await broker.position(symbol))).toBe('2500');
    const routing = (await sandbox().routing('one')) ?? {};
    expect(Object.values(routing).reduce((total, { filled }) => total + filled, 0)).toBe(25_000_000);
  });

  it('that is submitted again is the same order, also after its end and after a kill', async () => {
    const first = value(await broker.submit(resting()));
    await kill();
    expect(value(await broker.submit(resting()))).toEqual(first);
    expect(value(await broker.openOrders(symbol, null)).orders).toHaveLength(1);
    value(await broker.cancel(symbol, 'one'));
    later(1_000);
    expect(value(await broker.submit(resting()))).toMatchObject({ status: 'canceled' });
    later(1_000);
    expect((await poll()).map(({ type }) => type)).toEqual(['done']);
  });

  it('is one of many that are taken in one call, each with its own answer', async () => {
    value(await broker.submit(resting()));
    const many = [resting(), order({ clientOrderId: 'two', quantity: '0' }), resting('three'), resting('three')];
    const answers = value(await sandbox().submitMany(many));
    expect(answers.map((answer) => (answer.ok ? answer.value.clientOrderId : answer.error.reason))).toEqual([
      'one',
      'refused',
      'three',
      'three',
    ]);
    await kill();
    expect(value(await broker.openOrders(symbol, null)).orders).toHaveLength(2);
    const tooMany = Array.from({ length: 65 }, (_, at) => resting(`many-${at}`));
    expect(await sandbox().submitMany(tooMany)).toMatchObject({ ok: false, error: { code: 'invalid_order' } });
    expect(value(await broker.openOrders(symbol, null)).orders).toHaveLength(2);
  });

  it('with other terms under a known id is refused', async () => {
    value(await broker.submit(resting()));
    const answer = await broker.submit({ ...resting(), quantity: '11' });
    expect(answer).toMatchObject({ ok: false, error: { reason: 'refused', code: 'conflict' } });
  });

  it('is not lost by a kill at any moment: it fills, its events are kept and numbered once', async () => {
    value(await broker.submit(order({ quantity: '5000' })));
    await kill();
    later(4);
    await poll();
    await kill();
    later(5_000);
    const events = await poll();
    await kill();
    expect(await poll()).toEqual(events);
    expect(shares(events)).toBe(5_000);
    expect(new Set(events.map(({ id }) => id)).size).toBe(events.length);
    expect(value(await broker.position(symbol))).toBe('5000');
  });

  it('that is unknown cannot be cancelled or replaced; one that has ended cannot either', async () => {
    const change = { revision: 1, quantity: '5', limitPrice: '1' };
    expect(await broker.cancel(symbol, 'none')).toMatchObject({ error: { code: 'unknown_order' } });
    expect(await broker.replace(symbol, 'none', change)).toMatchObject({ error: { code: 'unknown_order' } });
    value(await broker.submit(order()));
    later(3_000);
    expect(await broker.cancel(symbol, 'one')).toMatchObject({ error: { code: 'order_ended' } });
    expect(await broker.replace(symbol, 'one', change)).toMatchObject({ error: { code: 'order_ended' } });
    expect(value(await broker.order(symbol, 'none'))).toBeNull();
  });

  it('of a symbol that is none is refused', async () => {
    expect(await broker.submit(order({ symbol: 'no-symbol' }))).toMatchObject({ error: { code: 'unknown_symbol' } });
    expect(await broker.book('no-symbol', 1)).toMatchObject({ error: { code: 'unknown_symbol' } });
    expect(value(await broker.quotes(['no-symbol']))).toEqual(new Map());
  });
});

describe('events', () => {
  it('come in pages, each once for a reader that keeps its cursor', async () => {
    for (let at = 0; at < 520; at++) value(await broker.submit(resting(`o${at}`)));
    for (let at = 0; at < 520; at++) value(await broker.cancel(symbol, `o${at}`));
    later(1_000);
    const first = value(await broker.events(symbol, null, []));
    expect([first.events.length, first.more]).toEqual([500, true]);
    const second = value(await broker.events(symbol, first.cursor, []));
    expect([second.events.length, second.more]).toEqual([20, false]);
    const third = value(await broker.events(symbol, second.cursor, []));
    expect(third).toEqual({ events: [], cursor: second.cursor, more: false });
  });

  it('after a cursor that is none of the broker are refused', async () => {
    for (const cursor of ['7', '-1', 'x']) {
      expect(await broker.events(symbol, cursor, [])).toMatchObject({ error: { code: 'unknown_cursor' } });
    }
  });

  it('that are doubled, delayed, dropped and overtaken all come, with the same ids, across kills', async () => {
    const faults = {
      ...NO_FAULTS,
      duplicate_pm: 300,
      delay_pm: 400,
      delay_ms_max: 3_000,
      drop_pm: 200,
      recovery_ms: 9_000,
    };
    expect(await sandbox().setFaults(faults)).toBe(true);
    for (let at = 0; at < 12; at++) {
      value(await broker.submit(order({ clientOrderId: `o${at}`, quantity: '2000' })));
      later(700);
      if (at % 4 === 0) await kill();
    }
    const events = await poll(40, 1_000);
    expect(shares(events)).toBe(24_000);
    const ids = events.map(({ id }) => id);
    expect(new Set(ids).size).toBeLessThan(ids.length);
    const times = events.map(({ at_ms }) => at_ms);
    expect(times).not.toEqual([...times].sort((a, b) => a - b));
    expect(value(await broker.position(symbol))).toBe('24000');
  });

  it('tell of an execution that was busted, or corrected, once', async () => {
    value(await broker.submit(order({ quantity: '2500' })));
    later(3_000);
    const [first, second] = (await poll()).filter(({ type }) => type === 'partial_fill' || type === 'fill');
    if (first?.type !== 'partial_fill' || second === undefined || !('executionId' in second))
      throw new Error('no fills');
    expect(await sandbox().bust(first.executionId)).toBe(true);
    expect(await sandbox().bust(first.executionId)).toBe(false);
    expect(await sandbox().correct(second.executionId, { price: '1.01', quantity: '1' })).toBe(true);
    expect(await sandbox().bust('none')).toBe(false);
    expect((await poll()).slice(-2)).toMatchObject([
      { type: 'bust', executionId: first.executionId, clientOrderId: 'one' },
      { type: 'correct', executionId: second.executionId, price: '1.01', quantity: '1' },
    ]);
  });
});

describe('a broker', () => {
  it('that is away answers nothing and does nothing', async () => {
    value(await broker.submit(resting()));
    await sandbox().setFaults({ ...NO_FAULTS, awayUntil_ms: Date.now() + 5_000 });
    const away = { ok: false, error: { reason: 'unavailable' } };
    expect(await broker.submit(resting('two'))).toMatchObject(away);
    expect(await broker.cancel(symbol, 'one')).toMatchObject(away);
    expect(await broker.events(symbol, null, [])).toMatchObject(away);
    expect(await broker.order(symbol, 'one')).toMatchObject(away);
    expect(value(await broker.quotes([symbol]))).toEqual(new Map());
    expect(await broker.bars(symbol, { interval: '1h', from_ms: 0, to_ms: Date.now() })).toMatchObject(away);
    later(5_001);
    expect(value(await broker.order(symbol, 'two'))).toBeNull();
    expect(value(await broker.order(symbol, 'one'))).toMatchObject({ status: 'open' });
  });

  it('whose answers are lost has done what it was asked: the same call again has it once', async () => {
    await sandbox().setFaults({ ...NO_FAULTS, lostAnswer_pm: 1_000 });
    expect(await broker.submit(order())).toMatchObject({ error: { reason: 'unavailable' } });
    expect(await broker.submit(order())).toMatchObject({ error: { reason: 'unavailable' } });
    await sandbox().setFaults(null);
    later(3_000);
    expect(value(await broker.submit(order()))).toMatchObject({ status: 'filled', filled: '300' });
    expect(value(await broker.position(symbol))).toBe('300');
  });

  it('has its quote and its book, of one moment', async () => {
    const quote = value(await broker.quotes([symbol, 'no symbol'])).get(symbol);
    const book = value(await broker.book(symbol, 3));
    expect(book.bids[0]?.price).toBe(quote?.bid);
    expect(book.asks.map(({ price }) => Number(price))).toHaveLength(3);
    expect(quote?.at_ms).toBe(Date.now());
  });

  it('has five years of daily bars, the same after a kill, and the last one is the day of its quote', async () => {
    const span = { interval: '1d', from_ms: Date.now() - 1_826 * DAY_MS, to_ms: Date.now() } as const;
    const bars = value(await broker.bars(symbol, span));
    expect(bars).toHaveLength(1_826);
    await kill();
    expect(value(await broker.bars(symbol, span))).toEqual(bars);
    const quote = value(await broker.quotes([symbol])).get(symbol);
    expect(bars.at(-1)).toMatchObject({ open: quote?.open, high: quote?.high, low: quote?.low, close: quote?.last });
    expect(await broker.bars('no symbol', span)).toMatchObject({ error: { code: 'unknown_symbol' } });
  });

  it('that is lost is away', async () => {
    const lost = { SANDBOX_BROKER: { getByName: () => ({ submit: () => Promise.reject(new Error('lost')) }) } };
    const answer = await venueOf({ ...env, ...lost } as unknown as Env, 'broker').submit(order());
    expect(answer).toMatchObject({ error: { reason: 'unavailable' } });
  });

  it('has no faults where the var does not allow them', async () => {
    await runInDurableObject(env.SANDBOX_BROKER.getByName(symbol), async (instance) => {
      Object.defineProperty(instance, 'env', { value: { ...env, SANDBOX_FAULTS: '' } });
    });
    expect(await sandbox().setFaults(NO_FAULTS)).toBe(false);
    expect(await sandbox().bust('any')).toBe(false);
  });
});
