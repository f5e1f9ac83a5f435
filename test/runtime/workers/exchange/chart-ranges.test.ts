import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { DAY_MS } from '../../../../domain/calendar/durations.ts';
import { createKeyHolder } from '../../fixtures/book-client.ts';
import { createPair } from '../../fixtures/create-pair.ts';
import { anyone } from '../../fixtures/exchange-client.ts';
import { giveHolding } from '../../fixtures/give-balance.ts';
import { migrate } from '../../fixtures/migrate.ts';
import { settle } from '../../fixtures/settle.ts';

/** Days that a range reaches back to, today among them. */
const RANGES = { '1d': 1, '5d': 5, '1m': 30, '3m': 91, '6m': 182, '1y': 365, '5y': 1_826 } as const;

/** Days ago: the last within each range, and the first that is not. */
const TRADED = [...Object.values(RANGES).flatMap((days) => [days - 1, days])].sort((a, b) => b - a);

/** Noon, so that no trade comes to lie on the day after. */
const NOON = Math.floor(Date.now() / DAY_MS) * DAY_MS + DAY_MS / 2;

const sizeOf = (daysAgo: number) => 1 + (daysAgo % 7);

/** A price of its own for each day. */
const priceOf = (daysAgo: number) => (10_00 + daysAgo) / 100;

beforeAll(async () => {
  const ago = (days: number) => vi.setSystemTime(NOON - days * DAY_MS);
  vi.useFakeTimers({ toFake: ['Date'] });
  ago(TRADED[0] ?? 0);
  const db = await migrate();
  await createPair(db, 'SPAN');
  const seller = await createKeyHolder(db);
  const buyer = await createKeyHolder(db, { cash: 1_000_000_00 });
  await giveHolding({ accountId: seller.accountId, asset: 'span', lots: [{ quantity: 1_000 }] });
  for (const days of TRADED) {
    ago(days);
    const order = { symbol: 'SPAN-USD', type: 'limit', size: sizeOf(days), price: priceOf(days) };
    for (const [{ client }, side] of [
      [seller, 'sell'],
      [buyer, 'buy'],
    ] as const) {
      const { status, body } = await client.post('/v1/orders', { ...order, side });
      expect(status, JSON.stringify(body)).toBeLessThan(300);
    }
    await settle('SPAN-USD');
  }
  ago(0);
});

afterAll(() => {
  vi.useRealTimers();
});

test.each(Object.entries(RANGES))(
  'X-BAR-02: the chart of %s has the days of its own trades, back to the last of them',
  async (range, days) => {
    const { status, body } = await anyone().get(`/v1/assets/span/chart?range=${range}&interval=1d`);
    expect(status).toBe(200);
    const bars = TRADED.filter((daysAgo) => daysAgo < days).map((daysAgo) => {
      const price = priceOf(daysAgo);
      const time = NOON - DAY_MS / 2 - daysAgo * DAY_MS;
      return { time, open: price, high: price, low: price, close: price, volume: sizeOf(daysAgo) };
    });
    expect(body).toEqual({ data: bars, stale: false });
  },
);
