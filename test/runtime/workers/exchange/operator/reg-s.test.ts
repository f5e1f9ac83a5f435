import { beforeAll, describe, expect, test } from 'vitest';
import type { Database } from '../../../../../data/database.ts';
import { addMonths } from '../../../../../domain/calendar/add-months.ts';
import { VENUE_OWNER } from '../../../../../domain/identity/venue.ts';
import { createPair } from '../../../fixtures/create-pair.ts';
import { createTrader } from '../../../fixtures/create-trader.ts';
import { type Client, signedIn } from '../../../fixtures/exchange-client.ts';
import { expectRightLedger } from '../../../fixtures/expect-right-ledger.ts';
import { migrate } from '../../../fixtures/migrate.ts';
import { limitOrder, placed } from '../../../fixtures/placing.ts';
import { orderOf, type TradingClient, tradingClient } from '../../../fixtures/trading-client.ts';

let db: Database;
let operator: Client;

beforeAll(async () => {
  db = await migrate();
  await createPair(db, 'NORD', { asset: { regulation: 'reg_s' } });
  operator = await signedIn(await createTrader(db, { owner: VENUE_OWNER, roles: ['operator'] }));
});

const monthsAgo = (months: number): number => addMonths(Date.now(), -months);

/** A person outside the US who got 10 shares in the offering, by the operator's door. */
async function allotted(acquiredAt: number): Promise<TradingClient> {
  const client = await tradingClient(db, { usPerson: false });
  const lots = [{ quantity: 10, acquisitionDate: new Date(acquiredAt).toISOString() }];
  const answer = await operator.post('/v1/operator/deposits', {
    accountId: client.accountId,
    assetId: 'nord',
    amount: 10,
    lots,
  });
  expect(answer.status).toBe(200);
  return client;
}

const american = () => tradingClient(db, { cash: 1_000_00 });
const foreigner = () => tradingClient(db, { cash: 1_000_00, usPerson: false });

async function lotsOf(client: Client): Promise<unknown> {
  const { body } = await client.get<{ data: { lots: unknown[] }[] }>('/v1/exchange-portfolio');
  return body.data[0]?.lots;
}

describe('Reg S: until the distribution compliance period ends', () => {
  const acquired = monthsAgo(3);
  const end = new Date(addMonths(acquired, 12)).toISOString();

  test('a lot of a holder outside the US carries the end of the period', async () => {
    expect(await lotsOf(await allotted(acquired))).toMatchObject([{ restrictionEndDate: end, isRestricted: true }]);
  });

  test('a US buyer does not get it, a buyer outside the US does, and inherits what is left of the period', async () => {
    const seller = await allotted(acquired);
    const sell = await placed(seller, limitOrder('nord', 'SELL', 10, 7));
    const us = await american();
    const refused = await placed(us, limitOrder('nord', 'BUY', 10, 7));
    expect(await orderOf(us, refused)).toMatchObject({ status: 'PENDING', filledQuantity: 0 });
    expect(await orderOf(seller, sell)).toMatchObject({ status: 'PENDING', filledQuantity: 0 });
    const buyer = await foreigner();
    await placed(buyer, limitOrder('nord', 'BUY', 10, 7));
    expect(await orderOf(seller, sell)).toMatchObject({ status: 'EXECUTED' });
    expect(await lotsOf(buyer)).toMatchObject([{ quantity: 10, restrictionEndDate: end, isRestricted: true }]);

    const resold = await placed(buyer, limitOrder('nord', 'SELL', 10, 7));
    expect(await orderOf(buyer, resold)).toMatchObject({ status: 'PENDING', filledQuantity: 0 });
    expect(await orderOf(us, refused)).toMatchObject({ status: 'PENDING', filledQuantity: 0 });
    await us.delete(`/v1/orders/${refused}`);
    await buyer.delete(`/v1/orders/${resold}`);
    await expectRightLedger();
  });
});

test('Reg S: after the period a US buyer gets it', async () => {
  const seller = await allotted(monthsAgo(13));
  const sell = await placed(seller, limitOrder('nord', 'SELL', 10, 7));
  const us = await american();
  const buy = await placed(us, limitOrder('nord', 'BUY', 10, 7));
  expect(await orderOf(us, buy)).toMatchObject({ status: 'EXECUTED' });
  expect(await orderOf(seller, sell)).toMatchObject({ status: 'EXECUTED', isRestrictedOrder: false });
  expect(await lotsOf(us)).toMatchObject([{ quantity: 10, isRestricted: false }]);
});
