import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../../../data/database.ts';
import { LIMIT_STATE_MS } from '../../../../durable-objects/order-book/cycle/trading-band.ts';
import { createKeyHolder, type KeyHolder } from '../../fixtures/book-client.ts';
import { createCurrency } from '../../fixtures/create-currency.ts';
import { createPair } from '../../fixtures/create-pair.ts';
import { FeedSocket } from '../../fixtures/feed-socket.ts';
import { giveHolding } from '../../fixtures/give-balance.ts';
import { migrate } from '../../fixtures/migrate.ts';
import { haltVenue, setRules } from '../../fixtures/operate.ts';
import { skipTime } from '../../fixtures/skip-time.ts';

let db: Database;
let buyer: KeyHolder;
let seller: KeyHolder;
let others: readonly KeyHolder[];
let pairs = 0;

beforeAll(async () => {
  db = await migrate();
  await createCurrency(db);
  buyer = await createKeyHolder(db, { cash: 1_000_000_00 });
  seller = await createKeyHolder(db);
  others = [await createKeyHolder(db, { cash: 1_000_00 }), await createKeyHolder(db, { cash: 1_000_00 })];
});

/** A market at 10.00 with a band of 1 %. */
async function banded(bandHaltSeconds: number): Promise<string> {
  pairs += 1;
  const market = { bandBps: 100, bandHaltSeconds, referencePrice: 10_00 };
  const { symbol, baseAsset } = await createPair(db, `ST${pairs}`, { market });
  await giveHolding({ accountId: seller.accountId, asset: baseAsset, lots: [{ quantity: 1_000 }] });
  return symbol;
}

async function change(symbol: string, rules: Parameters<typeof setRules>[1]): Promise<void> {
  await setRules(symbol, rules);
  expect(await env.ORDER_BOOK.getByName(symbol).reconfigure()).toBe(true);
}

async function place(holder: KeyHolder, symbol: string, side: 'buy' | 'sell', size: number, price: number) {
  const answer = await holder.client.post('/v1/orders', { symbol, side, type: 'limit', size, price });
  expect(answer.status).toBe(200);
}

describe.each(['many pairs', 'one pair'])('the status of a market, on a connection that follows %s', (way) => {
  const follow = async (symbol: string) => {
    const feed = await FeedSocket.open(way === 'one pair' ? `/v1/ws?symbol=${symbol}` : '/v1/ws');
    feed.subscribe('status', symbol);
    await feed.next('subscribed');
    return feed;
  };

  it('comes first, with its price band, and again when an operator or the venue halts it, and when it goes on', async () => {
    const symbol = await banded(0);
    const feed = await follow(symbol);
    expect(await feed.next('status')).toMatchObject({
      channel: 'status',
      symbol,
      status: 'open',
      reason: null,
      halted_until: null,
      band: { low: 9.9, high: 10.1 },
    });
    await change(symbol, { status: 'halted' });
    await feed.next('status', ({ status, reason }) => status === 'halted' && reason === 'market');
    await change(symbol, { status: 'open' });
    await expect.poll(() => feed.of('status').at(-1)).toMatchObject({ status: 'open', reason: null });
    await haltVenue(true);
    await env.ORDER_BOOK.getByName(symbol).reconfigure();
    await feed.next('status', ({ reason }) => reason === 'venue');
    await haltVenue(false);
    await env.ORDER_BOOK.getByName(symbol).reconfigure();
    await expect.poll(() => feed.of('status').at(-1)).toMatchObject({ status: 'open' });
    await change(symbol, { status: 'closed' });
    await feed.next('status', ({ status, reason }) => status === 'closed' && reason === null);
    feed.close();
  });

  it('tells of the halt that trading at the end of the band brings, until when it lasts, and that it is over', async () => {
    const symbol = await banded(3_600);
    const feed = await follow(symbol);
    await place(seller, symbol, 'sell', 3, 10.1);
    for (const holder of [buyer, ...others]) await place(holder, symbol, 'buy', 1, 10.1);
    skipTime(LIMIT_STATE_MS);
    const from = Date.now();
    const late = { symbol, side: 'buy', type: 'limit', size: 1, price: 9.9 };
    expect((await buyer.client.post('/v1/orders', late)).status).toBe(400);
    const halt = await feed.next('status', ({ status }) => status === 'halted');
    expect(halt).toMatchObject({ reason: 'price_band' });
    expect(Number(halt.halted_until) - from).toBeGreaterThanOrEqual(3_600_000);
    skipTime(3_600_000);
    await place(buyer, symbol, 'buy', 1, 10);
    await expect
      .poll(() => feed.of('status').at(-1))
      .toMatchObject({
        status: 'open',
        reason: null,
        halted_until: null,
        band: { low: 10, high: 10.2 },
      });
    feed.close();
  });

  it('tells of a band that is another', async () => {
    const symbol = await banded(0);
    const feed = await follow(symbol);
    await change(symbol, { bandBps: 500 });
    expect(await feed.next('status', ({ band }) => band?.high === 10.5)).toMatchObject({ band: { low: 9.5 } });
    await change(symbol, { bandBps: 0 });
    await feed.next('status', ({ band }) => band === null);
    feed.close();
  });
});
