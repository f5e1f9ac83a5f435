import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { FixMessage } from '../codec/fix-message.ts';
import { SessionFile } from '../store/session-file.ts';
import type { SessionPort } from '../transport/session-port.ts';
import type { Outgoing } from './application.ts';
import type { Exchange, ExchangeAnswer } from './exchange.ts';
import { OrderDesk } from './order-desk.ts';
import { OrderNames } from './order-names.ts';
import { OrderPlacing, type Taken } from './order-placing.ts';
import type { WireFill } from './wire.ts';

const newOrder = (sequence: number, clOrdId: string): Taken => {
  const fields = [
    [8, 'FIX.4.4'],
    [9, '0'],
    [35, 'D'],
    [11, clOrdId],
    [55, 'ACME-USD'],
    [54, '1'],
    [38, '10'],
    [40, '1'],
  ] as const;
  const message: FixMessage = { fields, text: '' };
  return { sequence, message, recovered: false, since_ms: Date.now() };
};

const placed = (order_id: string) => ({
  order: {
    order_id,
    client_order_id: null,
    symbol: 'ACME-USD',
    side: 'buy',
    type: 'market',
    time_in_force: 'IOC',
    price: null,
    stop_price: null,
    size: 10,
    filled_size: 0,
    average_price: null,
    status: 'open',
    reason: null,
    expires_at: null,
  },
});

const fill = (order_id: string): WireFill => ({
  trade_id: `t-${order_id}`,
  order_id,
  symbol: 'ACME-USD',
  side: 'buy',
  price: 10,
  size: 10,
  liquidity: 'taker',
  filled_size: null,
  remaining_size: null,
  timestamp: 1_000,
});

/** A session before an exchange that gives one answer; `answer` is the store's part. */
function placing(call: () => Promise<ExchangeAnswer>, answer: SessionPort['answer']) {
  const sent: Outgoing[] = [];
  const store = new SessionFile(join(mkdtempSync(join(tmpdir(), 'fix-placing-')), 'session.jsonl'), 0);
  const port: SessionPort = { store, answer, send: (outgoing) => void sent.push(outgoing) };
  const feedUrl = new URL('ws://localhost');
  const exchange: Exchange = { call, feedUrl, isHealthy: async () => true, close: async () => undefined };
  const terms = {
    port,
    exchange,
    desk: new OrderDesk(port, new OrderNames(store)),
    placed: () => undefined,
    isClosed: () => false,
  };
  return { orders: new OrderPlacing(terms), sent };
}

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe('placing orders', () => {
  it('goes on with the others when the store fails for one, reports the fills that came meanwhile, and answers that one later', async () => {
    const written = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
    const answered: number[] = [];
    const bodies: unknown[] = [
      { results: [placed('o1'), placed('o2')] },
      { results: [{ error: { code: 'CONFLICT', message: '', details: {} } }] },
      { orders: [placed('o1').order] },
    ];
    let isFull = true;
    const { orders, sent } = placing(
      async () => {
        if (isFull) orders.hold(fill('o2'));
        return { type: 'ok', body: bodies.shift(), next: null };
      },
      (sequence) => {
        if (isFull && sequence === 1) throw new Error('the disk is full');
        answered.push(sequence);
      },
    );
    const under = orders.place({}, [newOrder(1, 'c1'), newOrder(2, 'c2')]);
    expect(orders.isUnderWay).toBe(true);
    const unanswered = await under;
    expect(orders.isUnderWay).toBe(false);
    expect(answered).toEqual([2]);
    isFull = false;
    // Taken up again it is found where it stands, and answered.
    expect(await orders.place({}, unanswered)).toEqual([]);
    expect(answered).toEqual([2, 1]);
    // ExecID, OrdStatus
    expect(sent.map(({ body }) => body.filter(([tag]) => tag === 17 || tag === 39).map(([, value]) => value))).toEqual([
      ['t-o2-B', '2'],
    ]);
    expect(JSON.parse(String(written.mock.calls[0]?.[0]))).toMatchObject({ level: 'error', event: 'placing_failed' });
  });

  it('sends the same orders again after an answer that nobody can read: they may have been placed', async () => {
    vi.spyOn(process.stdout, 'write').mockReturnValue(true);
    vi.useFakeTimers();
    const answered: number[] = [];
    const bodies: unknown[] = [null, { results: [placed('o1')] }];
    const { orders } = placing(
      async () => ({ type: 'ok', body: bodies.shift(), next: null }),
      (sequence) => void answered.push(sequence),
    );
    const under = orders.place({}, [newOrder(1, 'c1')]);
    await vi.advanceTimersByTimeAsync(100);
    expect(orders.isUnderWay).toBe(true);
    await vi.advanceTimersByTimeAsync(1_000);
    await under;
    expect(answered).toEqual([1]);
    expect(orders.isUnderWay).toBe(false);
  });
});
