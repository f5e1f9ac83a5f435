import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, test } from 'vitest';
import { createAsset } from '../../../../data/catalog/assets.ts';
import type { Database } from '../../../../data/database.ts';
import { createMarket } from '../../../../data/markets/markets.ts';
import { VENUE_OWNER } from '../../../../domain/identity/venue.ts';
import { createKeyHolder } from '../../fixtures/book-client.ts';
import { callWorker } from '../../fixtures/call-worker.ts';
import { createPair } from '../../fixtures/create-pair.ts';
import { createTrader } from '../../fixtures/create-trader.ts';
import { type Client, signedIn, tokensOf } from '../../fixtures/exchange-client.ts';
import { expectRightLedger } from '../../fixtures/expect-right-ledger.ts';
import { giveBalance } from '../../fixtures/give-balance.ts';
import { migrate } from '../../fixtures/migrate.ts';
import { limitOrder, placed } from '../../fixtures/placing.ts';
import { type TradingClient, tradingClient } from '../../fixtures/trading-client.ts';

const YEAR_AGO = Date.now() - 366 * 86_400_000;

let db: Database;
let operator: Client;

beforeAll(async () => {
  db = await migrate();
  await createPair(db, 'FIRM', { market: { makerFeeBps: 100, takerFeeBps: 100 } });
  await createPair(db, 'GONE');
  await createPair(db, 'COIN', {
    asset: { category: 'crypto', rail: 'digital', tracksLots: false },
    market: { makerFeeBps: 100, takerFeeBps: 100 },
  });
  operator = await signedIn(await createTrader(db, { owner: VENUE_OWNER, roles: ['operator'] }));
});

interface Transaction {
  readonly id: string;
  readonly timestamp: string;
  readonly side: string | null;
  readonly realizedPnl: number | null;
}

const rich = () => tradingClient(db, { cash: 1_000_000_00 });
const transactionsOf = async (client: Client, query = '') =>
  (await client.get<{ data: Transaction[] }>(`/v1/core-transactions${query}`)).body.data;
const realizedOf = async (client: Client) => (await client.get<{ realized: unknown }>('/v1/portfolio')).body.realized;

/** The id of the trade that the two make. */
async function trade(asset: string, seller: TradingClient, buyer: TradingClient, quantity: number, price: number) {
  await placed(seller, limitOrder(asset, 'SELL', quantity, price));
  await placed(buyer, limitOrder(asset, 'BUY', quantity, price));
  return (await transactionsOf(seller))[0]?.id as string;
}

function holder(asset = 'firm'): Promise<TradingClient> {
  const lots = [
    { quantity: 4, cost: 40_00, acquiredAt: YEAR_AGO },
    { quantity: 6, cost: 90_00, acquiredAt: YEAR_AGO + 1 },
  ];
  return tradingClient(db, {}, { asset, lots });
}

const bust = (tradeId: string) => operator.post(`/v1/operator/trades/${tradeId}/bust`, { reason: 'a typo' });
const correct = (tradeId: string, price: number) =>
  operator.post(`/v1/operator/trades/${tradeId}/correction`, { reason: 'a typo', price });

describe('what a sale has realised', () => {
  test('is what it brought after its fee, less what its own lots had cost, first in, first out', async () => {
    const seller = await holder();
    await trade('firm', seller, await rich(), 5, 20);
    const [sale, deposit] = await transactionsOf(seller);
    expect(sale).toMatchObject({ total: 100, fee: 1, currency: 'USD', costBasis: 40 + 15, realizedPnl: 44 });
    expect(deposit).toMatchObject({ type: 'deposit', currency: null, costBasis: null, realizedPnl: null });
    await trade('firm', seller, await rich(), 5, 10);
    expect((await transactionsOf(seller))[0]).toMatchObject({ costBasis: 75, realizedPnl: 50 - 0.5 - 75 });
    expect(await realizedOf(seller)).toEqual({
      currency: 'USD',
      realizedPnl: 18.5,
      isPartial: false,
      assets: [{ assetId: 'firm', symbol: 'FIRM', realizedPnl: 18.5, isPartial: false }],
    });
    await expectRightLedger();
  });

  test('counts the fee of the purchase as cost, and goes by the average where the asset has no lots', async () => {
    const dealer = await rich();
    const source = await rich();
    await giveBalance({ accountId: source.accountId, asset: 'coin', amount: 100 });
    await trade('coin', source, dealer, 10, 30);
    await trade('coin', source, dealer, 10, 10);
    await trade('coin', dealer, await rich(), 5, 25);
    const [sale, purchase] = await transactionsOf(dealer);
    // (303 + 101) / 20 a coin.
    expect(sale).toMatchObject({ side: 'SELL', costBasis: 101, fee: 1.25, realizedPnl: 125 - 1.25 - 101 });
    expect(purchase).toMatchObject({ side: 'BUY', currency: 'USD', costBasis: null, realizedPnl: null });
    const { body } = await dealer.get<{ data: unknown[] }>('/v1/portfolio');
    expect(body.data).toMatchObject([{ assetId: 'coin', quantity: 15, averageCost: 20.2, realizedPnl: 22.75 }]);
    const shown = await dealer.get<{ data: unknown[] }>('/v1/exchange-portfolio');
    expect(shown.body.data).toMatchObject([{ assetId: 'coin', realizedPnl: 22.75 }]);
  });

  test('is told asset by asset and in all, also of what is sold out; a stranger has none', async () => {
    const seller = await holder();
    await giveBalance({ accountId: seller.accountId, asset: 'coin', amount: 10, cost: 500_00 });
    await trade('coin', seller, await rich(), 10, 40);
    await trade('firm', seller, await rich(), 4, 20);
    const { body } = await seller.get<{ data: { assetId: string }[] }>('/v1/portfolio');
    expect(body.data.map(({ assetId }) => assetId)).toEqual(['firm']);
    expect(body).toMatchObject({
      realized: {
        realizedPnl: -104 + 39.2,
        assets: [
          { assetId: 'coin', realizedPnl: -104 },
          { assetId: 'firm', realizedPnl: 39.2 },
        ],
      },
    });
    expect(await realizedOf(await rich())).toEqual({ currency: 'USD', realizedPnl: 0, isPartial: false, assets: [] });
  });

  test('is nothing once the trade is taken back, and follows the price that a correction gives it', async () => {
    const seller = await holder();
    const buyer = await rich();
    const first = await trade('firm', seller, buyer, 4, 20);
    const second = await trade('firm', seller, buyer, 6, 20);
    expect(await realizedOf(seller)).toMatchObject({ realizedPnl: 80 - 0.8 - 40 + (120 - 1.2 - 90) });
    expect((await correct(second, 10)).status).toBe(200);
    expect((await transactionsOf(seller))[0]).toMatchObject({ total: 60, fee: 0.6, costBasis: 90, realizedPnl: -30.6 });
    expect(await realizedOf(seller)).toMatchObject({ realizedPnl: 8.6 });
    expect((await bust(first)).status).toBe(200);
    expect((await transactionsOf(seller))[1]).toMatchObject({ id: first, status: 'busted', realizedPnl: 0 });
    expect(await realizedOf(seller)).toMatchObject({ realizedPnl: -30.6 });
    await trade('firm', seller, buyer, 4, 20);
    expect((await transactionsOf(seller))[0], 'the lots are back at what they had cost').toMatchObject({
      costBasis: 40,
      realizedPnl: 39.2,
    });
    await expectRightLedger();
  });

  test('stands in the statement, of the time that is asked for', async () => {
    const seller = await holder();
    const buyer = await rich();
    await trade('firm', seller, buyer, 4, 20);
    await trade('firm', seller, buyer, 6, 20);
    const [second, first] = await transactionsOf(seller);
    const statement = async (query: string) => {
      const path = `http://localhost/exchange/v1/core-transactions?format=csv&type=trade&${query}`;
      const answer = await callWorker(path, { headers: await tokensOf(seller) });
      return (await answer.text()).split('\r\n').slice(0, -1);
    };
    const names =
      'timestamp,id,type,assetId,side,quantity,price,total,fee,status,currency,costBasis,realizedPnl,adjustedAt,settlementDate';
    const row = (of: Transaction | undefined, rest: string) => `${of?.timestamp},${of?.id},trade,firm,SELL,${rest}`;
    const rows = [
      row(second, '6,20,120,1.2,completed,USD,90,28.8,,'),
      row(first, '4,20,80,0.8,completed,USD,40,39.2,,'),
    ];
    expect(await statement('')).toEqual([names, ...rows]);
    expect(await statement(`from=${second?.timestamp}`)).toEqual([names, rows[0]]);
    expect(await statement(`to=${second?.timestamp}`)).toEqual([names, rows[1]]);
  });

  test('is not told of a sale whose cost the ledger has not told', async () => {
    const seller = await holder('gone');
    const tradeId = await trade('gone', seller, await rich(), 2, 20);
    // As trades stand that settled before costs were told.
    await env.DB.batch([
      env.DB.prepare('UPDATE trades SET seller_cost = NULL WHERE id = ?1').bind(tradeId),
      env.DB.prepare('DELETE FROM realized_profits WHERE account = ?1').bind(seller.accountId),
    ]);
    expect((await transactionsOf(seller))[0]).toMatchObject({ currency: 'USD', costBasis: null, realizedPnl: null });
    const partial = { assetId: 'gone', symbol: 'GONE', realizedPnl: 0, isPartial: true };
    expect(await realizedOf(seller)).toMatchObject({ realizedPnl: 0, isPartial: true, assets: [partial] });
    await trade('gone', seller, await rich(), 2, 25);
    expect(await realizedOf(seller)).toMatchObject({ realizedPnl: 30, isPartial: true });
    expect((await bust(tradeId)).status).toBe(200);
    expect(await realizedOf(seller)).toMatchObject({ realizedPnl: 30 });
  });

  test('of a sale for another currency is told in dollars, at the rate of its time; without a rate it is not', async () => {
    await createAsset(db, { id: 'eur', symbol: 'EUR', name: 'Euro', category: 'currency', scale: 2, createdAt: 0 });
    const scales = { priceScale: 2, tickSize: 1, lotSize: 1, quantityMin: 1, quantityMax: 1_000 };
    await createMarket(db, { baseAsset: 'coin', quoteAsset: 'eur', ...scales, createdAt: 0 });
    const [from, to] = [await createKeyHolder(db), await createKeyHolder(db)];
    await giveBalance({ accountId: from.accountId, asset: 'coin', amount: 10, cost: 50_00 });
    await giveBalance({ accountId: to.accountId, asset: 'eur', amount: 1_000_00 });
    const terms = { symbol: 'COIN-EUR', type: 'limit', size: 2, price: 30 };
    const deal = async () => {
      await from.client.post('/v1/orders', { ...terms, side: 'sell' });
      await to.client.post('/v1/orders', { ...terms, side: 'buy' });
    };
    await deal();
    const dealer = await signedIn(from);
    expect((await transactionsOf(dealer))[0]).toMatchObject({ currency: 'EUR', costBasis: null, realizedPnl: null });
    const partial = [{ assetId: 'coin', realizedPnl: 0, isPartial: true }];
    expect(await realizedOf(dealer)).toMatchObject({ assets: partial });

    const rate = (numerator: number) => operator.put('/v1/operator/rates/eur', { numerator, denominator: 100 });
    expect((await rate(110)).status).toBe(200);
    await deal();
    const first = { currency: 'EUR', total: 60, costBasis: 10, realizedPnl: 56 };
    expect((await transactionsOf(dealer))[0]).toMatchObject(first);
    expect((await rate(200)).status).toBe(200);
    await deal();
    expect(await transactionsOf(dealer)).toMatchObject([{ ...first, realizedPnl: 110 }, first, {}, {}]);
    expect(await realizedOf(dealer), 'sums are of sales for dollars').toMatchObject({ assets: partial });
    await expectRightLedger();
  });
});
