import { eq } from 'drizzle-orm';
import { uuidv7 } from 'uuidv7';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Database } from '../../../../../data/database.ts';
import { domainEvents } from '../../../../../data/schema/audit.ts';
import { lots } from '../../../../../data/schema/ledger.ts';
import { trades } from '../../../../../data/schema/orders.ts';
import { VENUE_OWNER } from '../../../../../domain/identity/venue.ts';
import { createKeyHolder, type KeyHolder } from '../../../fixtures/book-client.ts';
import { USD } from '../../../fixtures/create-currency.ts';
import { createPair } from '../../../fixtures/create-pair.ts';
import { createTrader, type TraderTerms } from '../../../fixtures/create-trader.ts';
import { type Client, signedIn } from '../../../fixtures/exchange-client.ts';
import { expectRightLedger } from '../../../fixtures/expect-right-ledger.ts';
import { FeedSocket } from '../../../fixtures/feed-socket.ts';
import { giveBalance, giveHolding } from '../../../fixtures/give-balance.ts';
import { migrate } from '../../../fixtures/migrate.ts';
import { settle } from '../../../fixtures/settle.ts';

const ACQUIRED = Date.UTC(2026, 1, 3);
const RESTRICTED_UNTIL = Date.now() + 90 * 86_400_000;

let db: Database;
let operator: Client;
let pairs = 0;
const fees = { makerFeeBps: 20, takerFeeBps: 35 };

/** The asset of a market that no other test trades in. */
async function freshAsset(): Promise<string> {
  pairs += 1;
  return (await createPair(db, `ERR${pairs}`, { market: fees })).baseAsset;
}

beforeAll(async () => {
  db = await migrate();
  await createPair(db, 'COIN', { asset: { category: 'crypto', tracksLots: false, scale: 0 }, market: fees });
  await createPair(db, 'FOLK', { asset: { regulation: 'reg_cf' } });
  operator = await signedIn(await createTrader(db, { owner: VENUE_OWNER, roles: ['operator'] }));
});

interface Held {
  readonly available: number;
  readonly held: number;
}

async function balancesOf({ accountId }: KeyHolder): Promise<Record<string, Held>> {
  const { body } = await operator.get<{ data: { balances: (Held & { assetId: string })[] } }>(
    `/v1/operator/accounts/${accountId}`,
  );
  return Object.fromEntries(body.data.balances.map(({ assetId, available, held }) => [assetId, { available, held }]));
}

async function holder(terms: TraderTerms = {}): Promise<KeyHolder> {
  return createKeyHolder(db, { cash: 10_000_00, ...terms });
}

const symbolOf = (asset: string): string => `${asset.toUpperCase()}-USD`;

async function seller(asset: string, terms: TraderTerms = {}): Promise<KeyHolder> {
  const made = await holder(terms);
  if (asset === 'coin') await giveBalance({ accountId: made.accountId, asset, amount: 30, cost: 300_00 });
  else
    await giveHolding({
      accountId: made.accountId,
      asset,
      lots: [
        { quantity: 4, cost: 41_00, acquiredAt: ACQUIRED },
        {
          quantity: 26,
          cost: 520_00,
          acquiredAt: ACQUIRED + 1,
          restrictionEndsAt: RESTRICTED_UNTIL,
          offeringType: 'reg_d_506b',
        },
      ],
    });
  return made;
}

async function place({ client }: KeyHolder, symbol: string, side: 'buy' | 'sell', size: number, price: number) {
  const answer = await client.post('/v1/orders', { symbol, side, type: 'limit', size, price });
  expect(answer.body).toMatchObject({ order_id: expect.any(String) });
  return answer.body as { order_id: string };
}

/** The id of the trade that the two make. */
async function deal(from: KeyHolder, to: KeyHolder, symbol: string, size: number, price: number): Promise<string> {
  const sell = await place(from, symbol, 'sell', size, price);
  await place(to, symbol, 'buy', size, price);
  await settle(symbol);
  const trade = await db.select().from(trades).where(eq(trades.sellOrder, sell.order_id)).get();
  if (trade === undefined) throw new Error('the orders did not meet');
  return trade.id;
}

const bust = (tradeId: string, headers: Record<string, string> = { 'idempotency-key': uuidv7() }) =>
  operator.post<{ data: unknown }>(`/v1/operator/trades/${tradeId}/bust`, { reason: 'erroneous price' }, headers);
const correct = (tradeId: string, price: number) =>
  operator.post(
    `/v1/operator/trades/${tradeId}/correction`,
    { reason: 'a comma', price },
    { 'idempotency-key': uuidv7() },
  );

const accredited = { accreditationStatus: 'completed', accreditationType: '506b' } as const;
const lotsOf = ({ accountId }: KeyHolder) =>
  db.select().from(lots).where(eq(lots.account, accountId)).orderBy(lots.acquiredAt, lots.id);
const fillsOf = async ({ client }: KeyHolder) => (await client.get('/v1/fills')).body.fills;

describe('POST /v1/operator/trades/{id}/bust', () => {
  test('gives back cash, fees and shares; the seller has the lots again with date, restriction and cost', async () => {
    const asset = await freshAsset();
    const [from, to] = [await seller(asset), await holder(accredited)];
    const before = [await balancesOf(from), await balancesOf(to), await lotsOf(from)] as const;
    const tradeId = await deal(from, to, symbolOf(asset), 10, 50);
    expect((await balancesOf(to))[USD]?.available).toBeLessThan(9_500);

    const answer = await bust(tradeId);
    expect(answer).toMatchObject({
      status: 200,
      body: {
        data: { type: 'bust', tradeId, before: { price: 50, quantity: 10, notional: 500 }, after: { notional: 0 } },
      },
    });
    expect(await balancesOf(from)).toEqual(before[0]);
    expect((await balancesOf(to))[USD]).toEqual(before[1][USD]);
    expect((await balancesOf(to))[asset]).toEqual({ available: 0, held: 0 });
    expect(await lotsOf(to)).toEqual([]);
    const back = await lotsOf(from);
    const whole = (rows: readonly { quantity: number; cost: number }[]) => ({
      quantity: rows.reduce((sum, { quantity }) => sum + quantity, 0),
      cost: rows.reduce((sum, { cost }) => sum + cost, 0),
    });
    expect(whole(back)).toEqual(whole(before[2]));
    expect(back).toMatchObject([
      { quantity: 4, cost: 41_00, acquiredAt: ACQUIRED, restrictionEndsAt: null },
      { acquiredAt: ACQUIRED + 1, restrictionEndsAt: RESTRICTED_UNTIL, offeringType: 'reg_d_506b' },
      { acquiredAt: ACQUIRED + 1, restrictionEndsAt: RESTRICTED_UNTIL, offeringType: 'reg_d_506b' },
    ]);
    await expectRightLedger();
  });

  test('is in the audit trail of either side’s organization, without who the other side is', async () => {
    const asset = await freshAsset();
    const [from, to] = [await seller(asset, { owner: 'org-from' }), await holder({ owner: 'org-to' })];
    const tradeId = await deal(from, to, symbolOf(asset), 3, 20);
    await bust(tradeId);
    const trailOf = async (owner: string) => {
      const auditor = await signedIn(await createTrader(db, { owner, roles: ['auditor'] }));
      const { body } = await auditor.get<{ data: { subject: string }[] }>(
        `/v1/operator/audit-trail?subject=${tradeId}`,
      );
      return body.data;
    };
    const said = { reason: 'erroneous price', symbol: symbolOf(asset) };
    const [sold, bought] = [await trailOf('org-from'), await trailOf('org-to')];
    expect(sold).toMatchObject([
      { type: 'operator.trade_bust', before: { quantity: 3, sellerFee: expect.anything() } },
    ]);
    expect(sold).toMatchObject([{ details: { ...said, seller: from.accountId } }]);
    expect(bought).toMatchObject([
      { details: { ...said, buyer: to.accountId }, before: { buyerFee: expect.anything() } },
    ]);
    expect(JSON.stringify(sold)).not.toMatch(new RegExp(`${to.accountId}|buyerFee`));
    expect(JSON.stringify(bought)).not.toMatch(new RegExp(`${from.accountId}|sellerFee`));
    expect(await trailOf('org-of-neither')).toEqual([]);
  });

  test('is done once a trade, and answered as before to a repetition', async () => {
    const asset = await freshAsset();
    const [from, to] = [await seller(asset), await holder()];
    const tradeId = await deal(from, to, symbolOf(asset), 3, 20);
    const key = { 'idempotency-key': uuidv7() };
    const first = await bust(tradeId, key);
    const after = await balancesOf(from);
    expect((await bust(tradeId, key)).body).toEqual(first.body);
    for (const again of [await bust(tradeId), await correct(tradeId, 10)])
      expect(again).toMatchObject({
        status: 409,
        body: { error: { code: 'CONFLICT', details: { reason: 'already_adjusted' } } },
      });
    expect(await balancesOf(from)).toEqual(after);
  });

  test('two operators at once take it back once', async () => {
    const asset = await freshAsset();
    const [from, to] = [await seller(asset), await holder()];
    const before = (await balancesOf(to))[USD];
    const tradeId = await deal(from, to, symbolOf(asset), 3, 20);
    const answers = await Promise.all([bust(tradeId), bust(tradeId), bust(tradeId)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    expect((await balancesOf(to))[USD]).toEqual(before);
    await expectRightLedger();
  });

  test('is refused where a side no longer has what must go back, which is named; nothing is done', async () => {
    const asset = await freshAsset();
    const [from, to, third] = [await seller(asset), await holder(), await holder()];
    const tradeId = await deal(from, to, symbolOf(asset), 4, 25);
    await operator.post('/v1/operator/withdrawals', { accountId: from.accountId, assetId: USD, amount: 10_090 });
    await deal(to, third, symbolOf(asset), 1, 25);
    const before = [await balancesOf(from), await balancesOf(to)];
    const details = {
      reason: 'not_returnable',
      missing: [
        { side: 'seller', accountId: from.accountId, assetId: USD, required: 99.8, available: 9.8 },
        { side: 'buyer', accountId: to.accountId, assetId: asset, required: 4, available: 3 },
      ],
    };
    expect(await bust(tradeId)).toMatchObject({ status: 409, body: { error: { code: 'CONFLICT', details } } });
    expect([await balancesOf(from), await balancesOf(to)]).toEqual(before);
    await expectRightLedger();
  });

  test('shares that an order of the buyer holds are not available', async () => {
    const asset = await freshAsset();
    const [from, to] = [await seller(asset), await holder()];
    const tradeId = await deal(from, to, symbolOf(asset), 4, 25);
    const ask = await place(to, symbolOf(asset), 'sell', 2, 900);
    expect(await bust(tradeId)).toMatchObject({ status: 409 });
    await to.client.delete(`/v1/orders/${ask.order_id}`);
    expect(await bust(tradeId)).toMatchObject({ status: 200 });
  });

  test('works for an asset without lots, with its average cost', async () => {
    const [from, to] = [await seller('coin'), await holder()];
    const before = [await balancesOf(from), (await balancesOf(to))[USD]] as const;
    const tradeId = await deal(from, to, 'COIN-USD', 10, 70);
    expect(await bust(tradeId)).toMatchObject({ status: 200 });
    expect(await balancesOf(from)).toEqual(before[0]);
    expect((await balancesOf(to))[USD]).toEqual(before[1]);
    await expectRightLedger();
  });

  test('gives the Reg CF limit back what the purchase had taken', async () => {
    const [from, to] = [await seller('folk'), await holder()];
    const tradeId = await deal(from, to, 'FOLK-USD', 4, 600);
    const more = { symbol: 'FOLK-USD', side: 'buy', type: 'limit', size: 4, price: 600 };
    expect(await to.client.post('/v1/orders', more)).toMatchObject({
      body: { error: { code: 'INVESTMENT_LIMIT_EXCEEDED' } },
    });
    expect(await bust(tradeId)).toMatchObject({ status: 200 });
    expect(await to.client.post('/v1/orders', more)).toMatchObject({ status: 200 });
    await expectRightLedger();
  });

  test('gives a key back the loss of the day', async () => {
    const asset = await freshAsset();
    const from = await createKeyHolder(db, { cash: 0 }, { dailyLossMax: 10_00 });
    await giveHolding({ accountId: from.accountId, asset, lots: [{ quantity: 10, cost: 200_00 }] });
    const tradeId = await deal(from, await holder(), symbolOf(asset), 1, 12);
    const sale = { symbol: symbolOf(asset), side: 'sell', type: 'limit', size: 1, price: 13 };
    expect(await from.client.post('/v1/orders', sale)).toMatchObject({
      body: { error: { code: 'RISK_LIMIT_EXCEEDED' } },
    });
    expect(await bust(tradeId)).toMatchObject({ status: 200 });
    expect(await from.client.post('/v1/orders', sale)).toMatchObject({ status: 200 });
    await expectRightLedger();
  });

  test('is told on the own account of both, with the balances that it leaves', async () => {
    const asset = await freshAsset();
    const [from, to] = [await seller(asset), await holder()];
    const tradeId = await deal(from, to, symbolOf(asset), 2, 30);
    const feeds = await Promise.all(
      [to, from].map(async ({ headers }) => {
        const feed = await FeedSocket.open('/v1/ws', headers);
        feed.say({ type: 'subscribe', channel: 'account' });
        await feed.next('balances_snapshot');
        return feed;
      }),
    );
    await bust(tradeId);
    for (const [at, feed] of feeds.entries()) {
      expect(await feed.next('trade_bust')).toMatchObject({
        channel: 'account',
        symbol: symbolOf(asset),
        trade_id: tradeId,
        side: at === 0 ? 'buy' : 'sell',
        price: 30,
        size: 2,
        corrected_price: null,
        corrected_fee: 0,
      });
      await feed.next('balance', (balance) => balance.asset === 'USD');
      feed.close();
    }
  });

  test('is told on the trades channel, to the two whose fill it was, and shown by their fills', async () => {
    const asset = await freshAsset();
    const [from, to] = [await seller(asset), await holder()];
    const tradeId = await deal(from, to, symbolOf(asset), 2, 30);
    const feed = await FeedSocket.open('/v1/ws');
    feed.subscribe('trades', symbolOf(asset));
    await feed.next('subscribed');
    const own = await FeedSocket.open(`/v1/ws?symbol=${symbolOf(asset)}`, to.headers);
    own.subscribe('orders', symbolOf(asset));
    await own.next('subscribed');
    await bust(tradeId);
    expect(await feed.next('trade_bust')).toMatchObject({
      channel: 'trades',
      symbol: symbolOf(asset),
      trade_id: tradeId,
      price: 30,
      size: 2,
      corrected_price: null,
    });
    expect(await own.next('trade_bust')).toMatchObject({
      channel: 'orders',
      trade_id: tradeId,
      side: 'buy',
      corrected_fee: 0,
    });
    const shown = {
      trade_id: tradeId,
      status: 'bust',
      price: 30,
      corrected_price: null,
      adjusted_at: expect.any(Number),
    };
    expect(await fillsOf(to)).toMatchObject([{ side: 'buy', ...shown }]);
    expect(await fillsOf(from)).toMatchObject([{ side: 'sell', ...shown }]);
    const { body } = await (await signedIn(to)).get<{ data: { id: string; status: string }[] }>(
      '/v1/core-transactions',
    );
    expect(body.data.find(({ id }) => id === tradeId)).toMatchObject({
      status: 'busted',
      adjustedAt: expect.stringMatching(/^\d{4}-/),
    });
  });

  test('and a correction are listed in profile A in the sequence in which they were made', async () => {
    const asset = await freshAsset();
    const [from, to] = [await seller(asset), await holder(accredited)];
    const made = [];
    for (const size of [1, 2, 3]) made.push(await deal(from, to, symbolOf(asset), size, 20));
    const [first = '', second = '', third = ''] = made;
    await bust(third);
    await correct(first, 10);
    await bust(second);
    const user = await signedIn(to);
    interface Adjusted {
      readonly id: string;
      readonly adjustmentSequence: number;
    }
    const listed = async (query = '') => {
      const { status, body } = await user.get<{ data: Adjusted[] }>(`/v1/core-transactions/adjusted${query}`);
      expect(status).toBe(200);
      return body.data;
    };
    const all = await listed();
    expect(all).toMatchObject([
      { id: third, side: 'BUY', status: 'busted', quantity: 3 },
      { id: first, status: 'completed', price: 10, total: 10, adjustedAt: expect.any(String) },
      { id: second, status: 'busted' },
    ]);
    expect(await listed('?limit=2')).toEqual(all.slice(0, 2));
    expect(await listed(`?cursor=${all[1]?.adjustmentSequence}`)).toEqual(all.slice(2));
    const sold = await (await signedIn(from)).get<{ data: Adjusted[] }>('/v1/core-transactions/adjusted');
    expect(sold.body.data.map(({ id }) => id)).toEqual([third, first, second]);
  });

  test('is written down with operator and reason', async () => {
    const asset = await freshAsset();
    const tradeId = await deal(await seller(asset), await holder(), symbolOf(asset), 1, 30);
    await bust(tradeId);
    const event = await db.select().from(domainEvents).where(eq(domainEvents.subject, tradeId)).get();
    expect(event?.type).toBe('operator.trade_bust');
    expect(JSON.parse(event?.payload ?? '')).toMatchObject({
      actor: expect.any(String),
      details: { reason: 'erroneous price', symbol: symbolOf(asset) },
      before: { quantity: 1 },
      after: null,
    });
  });

  test('needs a reason, a trade that is there, and an operator of the venue', async () => {
    const asset = await freshAsset();
    const tradeId = await deal(await seller(asset), await holder(), symbolOf(asset), 1, 30);
    expect(await operator.post(`/v1/operator/trades/${tradeId}/bust`, {})).toMatchObject({ status: 400 });
    expect(await bust(uuidv7())).toMatchObject({ status: 404, body: { error: { code: 'NOT_FOUND' } } });
    const elsewhere = await signedIn(await createTrader(db, { roles: ['operator'] }));
    expect(await elsewhere.post(`/v1/operator/trades/${tradeId}/bust`, { reason: 'x' })).toMatchObject({ status: 403 });
  });
});

describe('POST /v1/operator/trades/{id}/correction', () => {
  test('settles the difference of price and fees; shares stay where they are', async () => {
    const asset = await freshAsset();
    const [from, to] = [await seller(asset), await holder()];
    const before = [(await balancesOf(from))[USD], (await balancesOf(to))[USD]] as const;
    const tradeId = await deal(from, to, symbolOf(asset), 4, 500);
    expect(await correct(tradeId, 50)).toMatchObject({
      status: 200,
      body: {
        data: {
          type: 'correction',
          before: { price: 500, buyerFee: 7 },
          after: { price: 50, quantity: 4, buyerFee: 0.7 },
        },
      },
    });
    expect((await balancesOf(from))[USD]?.available).toBeCloseTo(Number(before[0]?.available) + 200 - 0.4, 6);
    expect((await balancesOf(to))[USD]?.available).toBeCloseTo(Number(before[1]?.available) - 200 - 0.7, 6);
    expect((await balancesOf(to))[asset]).toEqual({ available: 4, held: 0 });
    expect(await lotsOf(to)).toMatchObject([{ quantity: 4, cost: 200_70 }]);
    expect(await fillsOf(to)).toMatchObject([
      { trade_id: tradeId, status: 'correction', price: 500, corrected_price: 50, corrected_fee: 0.7 },
    ]);
    await expectRightLedger();
  });

  test('upwards needs the buyer to have the difference', async () => {
    const asset = await freshAsset();
    const [from, to] = [await seller(asset), await holder({ cash: 120_00 })];
    const tradeId = await deal(from, to, symbolOf(asset), 4, 25);
    expect(await correct(tradeId, 250)).toMatchObject({
      status: 409,
      body: { error: { details: { reason: 'not_returnable', missing: [{ side: 'buyer', assetId: USD }] } } },
    });
    for (const price of [25, 0.001, 1e15]) expect(await correct(tradeId, price)).toMatchObject({ status: 400 });
    expect(await correct(tradeId, 27)).toMatchObject({ status: 200 });
    await expectRightLedger();
  });
});
