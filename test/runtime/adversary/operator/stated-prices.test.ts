import { beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../../../data/database.ts';
import { VENUE_OWNER } from '../../../../domain/identity/venue.ts';
import { anyone, createKeyHolder, type KeyHolder } from '../../fixtures/book-client.ts';
import { createCurrency } from '../../fixtures/create-currency.ts';
import { createPair } from '../../fixtures/create-pair.ts';
import { createTrader } from '../../fixtures/create-trader.ts';
import { signedIn } from '../../fixtures/exchange-client.ts';
import { expectRightLedger } from '../../fixtures/expect-right-ledger.ts';
import { giveHolding } from '../../fixtures/give-balance.ts';
import { migrate } from '../../fixtures/migrate.ts';
import { settle } from '../../fixtures/settle.ts';
import { skipTime } from '../../fixtures/skip-time.ts';

const MINUTE_MS = 60_000;

let db: Database;
let seller: KeyHolder;
let buyers: readonly KeyHolder[];

beforeAll(async () => {
  db = await migrate();
  await createCurrency(db);
  seller = await createKeyHolder(db);
  buyers = [await createKeyHolder(db, { cash: 1_000_00 }), await createKeyHolder(db, { cash: 1_000_00 })];
});

/** The beginning of a later minute, in whose first seconds what follows happens. */
function minutesLater(count: number): void {
  skipTime(count * MINUTE_MS - (Date.now() % MINUTE_MS));
}

/** A market at 10.00 with a band of 1 %. */
async function banded(symbol: string): Promise<string> {
  minutesLater(1);
  const pair = await createPair(db, symbol, { market: { bandBps: 100, referencePrice: 10_00 } });
  await giveHolding({ accountId: seller.accountId, asset: pair.baseAsset, lots: [{ quantity: 100 }] });
  return pair.symbol;
}

const place = (holder: KeyHolder, symbol: string, side: 'buy' | 'sell', price: number, size = 1) =>
  holder.client.post('/v1/orders', { symbol, side, type: 'limit', size, price });

/** Three accounts trade at this price. */
async function agreeOn(symbol: string, price: number): Promise<void> {
  expect(await place(seller, symbol, 'sell', price, 2)).toMatchObject({ status: 200 });
  for (const buyer of buyers)
    expect(await place(buyer, symbol, 'buy', price)).toMatchObject({ body: { status: 'filled' } });
}

/** The band as anybody is shown it, and as an order is refused by it. */
async function bandsOf(symbol: string): Promise<readonly unknown[]> {
  await settle(symbol);
  const { body } = await anyone().get('/v1/markets');
  const markets = body.markets as { symbol: string; price_band: object }[];
  const shown = markets.flatMap((market) => (market.symbol === symbol ? [market.price_band] : []));
  const refused = await place(seller, symbol, 'sell', 100);
  const { details } = refused.body.error as { details: object };
  return [...shown, details];
}

const both = (low: number, high: number) => [
  { low, high },
  { reason: 'outside_price_band', low, high },
];

describe('the band that anybody is shown', () => {
  it('is that by which orders are refused, as minutes turn in which nothing happens', async () => {
    const symbol = await banded('QUIET');
    expect(await bandsOf(symbol)).toMatchObject(both(9.9, 10.1));
    await agreeOn(symbol, 10.1);
    expect(await bandsOf(symbol)).toMatchObject(both(9.9, 10.1));
    minutesLater(1);
    expect(await bandsOf(symbol)).toMatchObject(both(9.92, 10.12));
    minutesLater(2);
    expect(await bandsOf(symbol)).toMatchObject(both(9.96, 10.16));
    minutesLater(10);
    expect(await bandsOf(symbol)).toMatchObject(both(10, 10.2));
  });

  it('lies around the reference price that an operator states, be it the same one again, and stays there', async () => {
    const symbol = await banded('HELD');
    await agreeOn(symbol, 10.1);
    minutesLater(10);
    expect(await bandsOf(symbol)).toMatchObject(both(10, 10.2));
    const operator = await signedIn(await createTrader(db, { owner: VENUE_OWNER, roles: ['operator'] }));
    const state = (referencePrice: number) => operator.patch(`/v1/operator/markets/${symbol}`, { referencePrice });
    expect(await state(10)).toMatchObject({ status: 200, body: { data: { after: { referencePrice: 10 } } } });
    expect(await bandsOf(symbol)).toMatchObject(both(9.9, 10.1));
    minutesLater(10);
    expect(await place(buyers[0] as KeyHolder, symbol, 'buy', 9.9)).toMatchObject({ status: 200 });
    expect(await bandsOf(symbol)).toMatchObject(both(9.9, 10.1));
    expect(await state(12)).toMatchObject({ status: 200 });
    expect(await bandsOf(symbol)).toMatchObject(both(11.88, 12.12));
    await agreeOn(symbol, 12.1);
    minutesLater(1);
    expect(await bandsOf(symbol)).toMatchObject(both(11.9, 12.14));
    await expectRightLedger();
  });
});
