import { describe, expect, it } from 'vitest';
import { uuidAt } from '../../clients/ccxt/uuid-at.ts';
import { BASE, driver, lastOf, NOW, ORDER, type Sent } from './played-ccxt.ts';

describe('lists', () => {
  const queryOf = ({ path }: Sent) => new URL(path, BASE).searchParams;
  const HOUR = 3_600_000;

  it('follow a page that is short, and even an empty one', async () => {
    const { exchange } = driver({
      'GET /v1/orders': (call: Sent) =>
        queryOf(call).has('cursor')
          ? { orders: [{ ...ORDER, status: 'filled', order_id: 'old' }] }
          : { orders: [], next: 'o-0' },
    });
    expect((await exchange.fetchClosedOrders('ACME/USD', undefined, 50)).map(({ id }) => id)).toEqual(['old']);
  });

  it('have every open order, and no part of them where there are too many', async () => {
    const open = (call: Sent) => {
      const page = Number(queryOf(call).get('cursor') ?? 0);
      return { orders: [{ ...ORDER, order_id: `o-${page}`, status: 'open' }], next: page + 1 };
    };
    const { exchange } = driver({ 'GET /v1/orders': open }, { pagesMax: 3 });
    await expect(exchange.fetchOpenOrders('ACME/USD')).rejects.toThrow(/goes on behind 3 pages/);
    const ended = driver({
      'GET /v1/orders': (call: Sent) => ({
        ...open(call),
        ...(queryOf(call).get('cursor') === '2' && { next: undefined }),
      }),
    });
    expect(await ended.exchange.fetchOpenOrders('ACME/USD')).toHaveLength(3);
  });

  it('have the first since a moment, though the exchange tells the newest first', async () => {
    const orders = (call: Sent) => {
      const newest = Number(queryOf(call).get('cursor') ?? 9);
      const page = [newest, newest - 1];
      return { orders: page.map((at) => ({ ...ORDER, order_id: `o-${at}`, created_at: NOW + at })), next: newest - 2 };
    };
    const { exchange, sent } = driver({ 'GET /v1/orders': orders });
    expect((await exchange.fetchOrders('ACME/USD', NOW + 3, 2)).map(({ id }) => id)).toEqual(['o-3', 'o-4']);
    expect(sent.filter(({ path }) => path.startsWith('/v1/orders'))).toHaveLength(4);

    const transfer = (at: number) => ({
      transfer_id: `t-${at}`,
      type: 'deposit',
      asset: 'USD',
      amount: 1,
      status: 'completed',
      timestamp: NOW + at,
    });
    const transfers = driver({
      'GET /v1/account/transfers': (call: Sent) =>
        queryOf(call).has('cursor') ? { transfers: [transfer(1)] } : { transfers: [transfer(2)], next: 'c' },
    });
    expect((await transfers.exchange.fetchDeposits('USD', NOW, 1)).map(({ id }) => id)).toEqual(['t-1']);
  });

  it('have own trades without those that were taken back', async () => {
    const fill = (trade_id: string, status: string) => ({
      trade_id,
      order_id: 'o',
      symbol: 'ACME-USD',
      side: 'buy',
      price: 20,
      size: 1,
      fee: 0,
      timestamp: NOW,
      status,
    });
    const { exchange } = driver({
      'GET /v1/fills': { fills: [fill('a', 'executed'), fill('b', 'bust'), fill('c', 'correction')] },
    });
    expect((await exchange.fetchMyTrades('ACME/USD', NOW)).map(({ id }) => id)).toEqual(['a', 'c']);
    expect((await exchange.fetchOrderTrades('o', 'ACME/USD')).map(({ id }) => id)).toEqual(['a', 'c']);
  });

  it('have the newest own trades where nobody says since when, or say that these are too many', async () => {
    const more = driver({ 'GET /v1/fills': { fills: [], next: 'x' } }, { pagesMax: 2 });
    await expect(more.exchange.fetchMyTrades('ACME/USD')).rejects.toThrow(/goes on behind 2 pages/);
  });

  it('have the newest entries of the ledger, each with an id of its own', async () => {
    const leg = { timestamp: NOW, kind: 'fee', reference: 't', asset: 'USD', amount: -0.2 };
    const { exchange, sent } = driver({
      'GET /v1/account/ledger': (call: Sent) => {
        if (queryOf(call).has('to')) return { entries: [{ ...leg, timestamp: NOW - 48 * HOUR, reference: 'old' }] };
        return queryOf(call).has('cursor')
          ? { entries: [leg, leg] }
          : { entries: [{ ...leg, asset: 'ACME' }], next: 'c' };
      },
    });
    Object.assign(exchange, { milliseconds: () => NOW });
    const entries = await exchange.fetchLedger('USD', undefined, 3);
    expect(entries.map(({ referenceId }) => referenceId)).toEqual(['old', 't', 't']);
    expect(new Set(entries.map(({ id }) => id)).size).toBe(3);
    expect(sent.slice(-3).map((call) => [queryOf(call).get('from'), queryOf(call).get('to')])).toEqual([
      [String(NOW - 24 * HOUR), null],
      [String(NOW - 24 * HOUR), null],
      [String(NOW - 192 * HOUR), String(NOW - 24 * HOUR)],
    ]);
  });

  it('have candles from `since` on, oldest first, behind quiet hours, too', async () => {
    const candle = (at: number) => ({ timestamp: at, open: 1, high: 1, low: 1, close: 1, volume: 1 });
    const traded = [200, 300, 301].map((place) => NOW - 1_000 * HOUR + place * HOUR);
    const { exchange, sent } = driver({
      'GET /v1/candles/': (call: Sent) => {
        const [from, before] = ['from', 'cursor'].map((name) => Number(queryOf(call).get(name)));
        const found = traded.filter((at) => at >= Number(from) && at < Number(before)).reverse();
        return found.length > 2 ? { candles: found.slice(0, 2).map(candle), next: 1 } : { candles: found.map(candle) };
      },
    });
    Object.assign(exchange, { milliseconds: () => NOW });
    const read = await exchange.fetchOHLCV('ACME/USD', '1h', NOW - 1_000 * HOUR, 3);
    expect(read.map(([at]) => at)).toEqual(traded);
    const calls = sent.filter(({ path }) => path.startsWith('/v1/candles'));
    expect(queryOf(calls[0] as Sent).get('cursor')).toBe(String(NOW - 997 * HOUR));
    expect(calls.length).toBeLessThan(10);
  });

  it('have the time of the answer with each ticker', async () => {
    const { exchange } = driver({ 'GET /v1/tickers': { timestamp: NOW, tickers: [{ symbol: 'ACME-USD', last: 20 }] } });
    expect((await exchange.fetchTickers())['ACME/USD']).toMatchObject({ last: 20, timestamp: NOW });
  });

  it('begin with own trades behind the moment that is asked for', async () => {
    const { exchange, sent } = driver({ 'GET /v1/fills': { fills: [] } });
    await exchange.fetchMyTrades('ACME/USD', NOW, 5);
    expect(lastOf(sent).path).toContain(`cursor=${uuidAt(NOW)}&symbol=ACME-USD`);
    expect(uuidAt(NOW).replaceAll('-', '').slice(0, 12)).toBe(NOW.toString(16).padStart(12, '0'));
  });
});
