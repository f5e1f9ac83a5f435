import { env } from 'cloudflare:workers';
import { afterEach, beforeAll, expect, test } from 'vitest';
import type { Database } from '../../../../../data/database.ts';
import { VENUE_OWNER } from '../../../../../domain/identity/venue.ts';
import { USD } from '../../../fixtures/create-currency.ts';
import { createPair } from '../../../fixtures/create-pair.ts';
import { createTrader, type Trader } from '../../../fixtures/create-trader.ts';
import { type Client, signedIn } from '../../../fixtures/exchange-client.ts';
import { expectRightLedger } from '../../../fixtures/expect-right-ledger.ts';
import { clearLedgerFaults, planLedgerFaults } from '../../../fixtures/faulty-ledger.ts';
import { migrate } from '../../../fixtures/migrate.ts';

let db: Database;
let operator: Client;
let trader: Trader;

beforeAll(async () => {
  db = await migrate();
  await createPair(db, 'UNK');
  operator = await signedIn(await createTrader(db, { owner: VENUE_OWNER, roles: ['operator'] }));
  trader = await createTrader(db, { cash: 1_000_00 });
});
afterEach(clearLedgerFaults);

const account = () => `/v1/operator/accounts/${trader.accountId}`;
const transfer = (amount: number) => ({ accountId: trader.accountId, assetId: USD, amount });
const once = (key: string) => ({ 'idempotency-key': key.replaceAll(' ', '-') });

test.each<[string, (key: string) => Promise<{ readonly status: number; readonly body: unknown }>]>([
  ['a deposit', (key) => operator.post('/v1/operator/deposits', transfer(5), once(key))],
  ['a withdrawal', (key) => operator.post('/v1/operator/withdrawals', transfer(3), once(key))],
  ['a freeze', (key) => operator.post(`${account()}/freeze`, undefined, once(key))],
  ['its end', (key) => operator.post(`${account()}/unfreeze`, undefined, once(key))],
  ['facts of an account', () => operator.patch(`${account()}/facts`, { netWorth: 7_000_00 })],
  ['a halt of a market', (key) => operator.post('/v1/operator/markets/UNK-USD/halt', undefined, once(key))],
  ['rules of a market', () => operator.patch('/v1/operator/markets/UNK-USD', { makerFeeBps: 7 })],
  ['a halt of the venue', (key) => operator.post('/v1/operator/venue/halt', undefined, once(key))],
])('%s that the ledger does not answer is 503, and is carried out once when it is repeated', async (what, change) => {
  planLedgerFaults({ kills: (point) => point === 'before_apply' });
  expect(await change(what)).toMatchObject({ status: 503, body: { error: { code: 'SERVICE_UNAVAILABLE' } } });
  clearLedgerFaults();
  expect(await change(what)).toMatchObject({ status: 200 });
});

test('what was carried out so is there once', async () => {
  const [balance] = await env.LEDGER.getByName('ledger:0').balances(trader.accountId);
  expect(balance).toMatchObject({ asset: USD, available: 1_002_00 });
  await expectRightLedger();
});
