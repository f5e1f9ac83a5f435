import { sql } from 'drizzle-orm';
import { uuidv7 } from 'uuidv7';
import { beforeAll, describe, expect, test } from 'vitest';
import { createAsset } from '../../../../data/catalog/assets.ts';
import { listPayableAssets } from '../../../../data/catalog/payable-assets.ts';
import type { Database } from '../../../../data/database.ts';
import { VENUE_OWNER } from '../../../../domain/identity/venue.ts';
import { USD } from '../../fixtures/create-currency.ts';
import { createPair } from '../../fixtures/create-pair.ts';
import { createTrader, type Trader, type TraderTerms } from '../../fixtures/create-trader.ts';
import { type Client, signedIn } from '../../fixtures/exchange-client.ts';
import { expectRightLedger } from '../../fixtures/expect-right-ledger.ts';
import { migrate } from '../../fixtures/migrate.ts';

let db: Database;
let venueOperator: Trader;
let operator: Client;

beforeAll(async () => {
  db = await migrate();
  await createPair(db, 'ACME');
  venueOperator = await createTrader(db, { owner: VENUE_OWNER, roles: ['operator'] });
  operator = await signedIn(venueOperator);
});

interface Requested {
  readonly data: { readonly id: string; readonly status: string };
}

interface Customer {
  readonly trader: Trader;
  readonly client: Client;
}

async function customer(terms: TraderTerms = { cash: 100_00 }): Promise<Customer> {
  const trader = await createTrader(db, terms);
  return { trader, client: await signedIn(trader) };
}

type Kind = 'deposits' | 'withdrawals';

const ask = ({ client }: Customer, kind: Kind, amount: number, headers?: Record<string, string>) =>
  client.post<Requested>(`/v1/account/${kind}`, { assetId: USD, amount, reference: 'IBAN XX00' }, headers);

async function asked(by: Customer, kind: Kind, amount: number): Promise<string> {
  const { status, body } = await ask(by, kind, amount);
  expect([status, body.data.status]).toEqual([200, 'requested']);
  return body.data.id;
}

const decide = (id: string, decision: string, headers?: Record<string, string>) =>
  operator.post<Requested>(`/v1/operator/transfer-requests/${id}/${decision}`, { reason: 'checked' }, headers);

const cashOf = async ({ client }: Customer) => {
  const { data } = (await client.get<{ data: { cashBalance: number; buyingPower: number } }>('/v1/account')).body;
  return [data.cashBalance, data.buyingPower];
};

describe('a withdrawal', () => {
  test('holds its amount from the moment it is asked for, and leaves once, when an operator executes it', async () => {
    const user = await customer();
    const id = await asked(user, 'withdrawals', 60);
    expect(await cashOf(user)).toEqual([100, 40]);
    const order = { assetId: 'acme', side: 'BUY', orderType: 'limit', quantity: 5, limitPrice: 10 };
    expect(await user.client.post('/v1/orders', order)).toMatchObject({
      status: 400,
      body: { error: { code: 'INSUFFICIENT_BALANCE' } },
    });
    await expectRightLedger();
    expect((await decide(id, 'execute')).status).toBe(409);
    expect((await decide(id, 'approve')).body.data.status).toBe('approved');
    expect(await cashOf(user)).toEqual([100, 40]);
    expect((await decide(id, 'execute')).body.data.status).toBe('executed');
    expect(await cashOf(user)).toEqual([40, 40]);
    expect((await decide(id, 'execute')).status).toBe(409);
    expect((await decide(id, 'reject')).status).toBe(409);
    expect(await cashOf(user)).toEqual([40, 40]);
    expect(await user.client.get('/v1/core-transactions?type=withdrawal')).toMatchObject({
      body: { data: [{ id, type: 'withdrawal', quantity: 60, status: 'completed' }] },
    });
    await expectRightLedger();
  });

  test('under one Idempotency-Key is asked for once and executed once', async () => {
    const user = await customer();
    const key = { 'idempotency-key': uuidv7() };
    const first = await ask(user, 'withdrawals', 10, key);
    expect((await ask(user, 'withdrawals', 10, key)).body).toEqual(first.body);
    const { id } = first.body.data;
    await decide(id, 'approve');
    const execution = { 'idempotency-key': uuidv7() };
    const executed = await Promise.all([decide(id, 'execute', execution), decide(id, 'execute', execution)]);
    expect(executed.map(({ body }) => body.data.status)).toEqual(['executed', 'executed']);
    expect(await cashOf(user)).toEqual([90, 90]);
  });

  test.each([
    ['rejected', (id: string) => decide(id, 'reject')],
    ['cancelled', (id: string, { client }: Customer) => client.delete<Requested>(`/v1/account/withdrawals/${id}`)],
  ] as const)('that is %s gives back what it held', async (status, end) => {
    const user = await customer();
    const id = await asked(user, 'withdrawals', 60);
    expect((await end(id, user)).body.data.status).toBe(status);
    expect(await cashOf(user)).toEqual([100, 100]);
    expect((await decide(id, 'approve')).status).toBe(409);
    await expectRightLedger();
  });

  test('that is approved is not its user’s to cancel any more; an operator may still reject it', async () => {
    const user = await customer();
    const id = await asked(user, 'withdrawals', 60);
    await decide(id, 'approve');
    expect(await user.client.delete(`/v1/account/withdrawals/${id}`)).toMatchObject({
      status: 409,
      body: { error: { code: 'CONFLICT', details: { status: 'approved' } } },
    });
    expect((await decide(id, 'reject')).body.data.status).toBe('rejected');
    expect(await cashOf(user)).toEqual([100, 100]);
  });

  test('of more than is available is refused, what open orders hold included', async () => {
    const user = await customer();
    const order = { assetId: 'acme', side: 'BUY', orderType: 'limit', quantity: 5, limitPrice: 10 };
    expect((await user.client.post('/v1/orders', order)).status).toBe(200);
    expect(await ask(user, 'withdrawals', 60)).toMatchObject({
      status: 400,
      body: { error: { code: 'INSUFFICIENT_BALANCE', details: { required: 60, available: 50 } } },
    });
    expect((await ask(user, 'withdrawals', 50)).status).toBe(200);
  });
});

test('a deposit brings money when it is executed, and nothing before', async () => {
  const user = await customer();
  const id = await asked(user, 'deposits', 25.5);
  await decide(id, 'approve');
  expect(await cashOf(user)).toEqual([100, 100]);
  expect(await decide(id, 'execute')).toMatchObject({
    body: { data: { status: 'executed', type: 'deposit', amount: 25.5, reference: 'IBAN XX00', reason: 'checked' } },
  });
  expect(await cashOf(user)).toEqual([125.5, 125.5]);
  const { body } = await operator.get(`/v1/operator/audit-trail?subject=${user.trader.accountId}`);
  expect(body).toMatchObject({
    data: [
      {
        type: 'operator.transfer_executed',
        actor: venueOperator.userId,
        details: { transferRequest: id, reason: 'checked' },
        before: { state: 'approved', available: 100_00 },
        after: { state: 'executed', available: 125_50 },
      },
      { type: 'operator.transfer_approved', before: { state: 'requested' }, after: { state: 'approved' } },
    ],
  });
  await expectRightLedger();
});

test('refuses securities, unknown assets, what is no amount, unknown fields, and more open requests than may be', async () => {
  const user = await customer();
  const body = { assetId: USD, amount: 1 };
  const statusOf = async (change: object) =>
    (await user.client.post('/v1/account/deposits', { ...body, ...change })).status;
  expect(await statusOf({ assetId: 'acme' })).toBe(400);
  expect(await statusOf({ assetId: 'nothing' })).toBe(404);
  expect(await statusOf({ amount: 0.001 })).toBe(400);
  expect(await statusOf({ amount: -1 })).toBe(400);
  expect(await statusOf({ lots: [] })).toBe(400);
  for (let open = 0; open < 10; open++) expect(await statusOf({})).toBe(200);
  expect(await statusOf({})).toBe(409);
});

test('to pay out names where it goes', async () => {
  const user = await customer();
  for (const reference of [{}, { reference: null }, { reference: '' }, { reference: '  ' }]) {
    const asked = await user.client.post('/v1/account/withdrawals', { assetId: USD, amount: 1, ...reference });
    expect([reference, asked.status]).toEqual([reference, 400]);
  }
  expect(await cashOf(user)).toEqual([100, 100]);
  expect((await user.client.post('/v1/account/deposits', { assetId: USD, amount: 1 })).status).toBe(200);
});

test('is nothing for who has not been identified, or is frozen', async () => {
  for (const terms of [{ kycStatus: 'pending' }, { frozen: true }] as const)
    expect((await ask(await customer(terms), 'deposits', 1)).status).toBe(403);
});

describe('lists', () => {
  const idsIn = async (client: Client, path: string) =>
    (await client.get<{ data: { id: string }[] }>(path)).body.data.map(({ id }) => id);

  test('show a user their own requests by status, newest first, and an operator everyone’s', async () => {
    const [user, other] = [await customer(), await customer()];
    const first = await asked(user, 'withdrawals', 1);
    const second = await asked(user, 'withdrawals', 2);
    const theirs = await asked(other, 'withdrawals', 3);
    await decide(first, 'reject');
    expect(await idsIn(user.client, '/v1/account/withdrawals')).toEqual([second, first]);
    expect(await idsIn(user.client, '/v1/account/withdrawals?status=requested')).toEqual([second]);
    expect(await idsIn(user.client, '/v1/account/deposits')).toEqual([]);
    const waiting = await idsIn(operator, '/v1/operator/transfer-requests?type=withdrawal&status=requested&limit=2');
    expect(waiting).toEqual([theirs, second]);
    expect(await idsIn(operator, `/v1/operator/transfer-requests?accountId=${other.trader.accountId}`)).toEqual([
      theirs,
    ]);
    expect((await user.client.delete(`/v1/account/withdrawals/${theirs}`)).status).toBe(404);
    expect((await user.client.delete(`/v1/account/deposits/${second}`)).status).toBe(404);
  });

  test('show a user both kinds in one list and each by its id, and answer those of others as unknown', async () => {
    const [user, other] = [await customer(), await customer()];
    const first = await asked(user, 'withdrawals', 1);
    const second = await asked(user, 'deposits', 2);
    const theirs = await asked(other, 'deposits', 3);
    expect(await idsIn(user.client, '/v1/account/transfer-requests')).toEqual([second, first]);
    expect(await idsIn(user.client, '/v1/account/transfer-requests?limit=1')).toEqual([second]);
    expect(await idsIn(user.client, `/v1/account/transfer-requests?limit=1&cursor=${second}`)).toEqual([first]);
    const one = await user.client.get<{ data: { paymentReference: string } }>(
      `/v1/account/transfer-requests/${second}`,
    );
    expect(one.body.data).toMatchObject({ id: second, type: 'deposit', status: 'requested', amount: 2 });
    expect(one.body.data.paymentReference.replaceAll('-', '').toLowerCase()).toBe(second.slice(-12));
    expect((await user.client.get(`/v1/account/transfer-requests/${theirs}`)).status).toBe(404);
    expect((await user.client.get(`/v1/account/transfer-requests/${uuidv7()}`)).status).toBe(404);
  });

  test('are found by an operator by the reference that stands on the payment, and another organization’s are not', async () => {
    const [user, other] = [await customer(), await customer({ cash: 100_00, owner: 'org-elsewhere' })];
    const [id, theirs] = [await asked(user, 'deposits', 1), await asked(other, 'deposits', 2)];
    const referenceOf = async (request: string) =>
      (await operator.get<{ data: { paymentReference: string } }>(`/v1/operator/transfer-requests/${request}`)).body
        .data.paymentReference;
    const [mine, elsewhere] = [await referenceOf(id), await referenceOf(theirs)];
    const list = '/v1/operator/transfer-requests?paymentReference=';
    for (const shown of [mine, mine.replaceAll('-', ''), mine.toLowerCase().replaceAll('-', '%20')])
      expect([shown, await idsIn(operator, `${list}${shown}`)]).toEqual([shown, [id]]);
    expect(await idsIn(operator, `${list}${mine}&type=withdrawal`)).toEqual([]);
    expect(await idsIn(operator, `/v1/operator/search?id=${mine}`)).toEqual([id]);
    const apart = await signedIn(await createTrader(db, { owner: 'org-elsewhere', roles: ['operator'] }));
    expect(await idsIn(apart, `${list}${mine}`)).toEqual([]);
    expect(await idsIn(apart, `/v1/operator/search?id=${mine}`)).toEqual([]);
    expect(await idsIn(apart, `${list}${elsewhere}`)).toEqual([theirs]);
    for (const other of ['7F3A', '%25', `${mine}-0`]) expect((await operator.get(`${list}${other}`)).status).toBe(400);
  });

  test('show an operator of another organization that organization’s alone, who decides none', async () => {
    const apart = await customer({ cash: 100_00, owner: 'org-apart' });
    const id = await asked(apart, 'withdrawals', 1);
    const theirs = await signedIn(await createTrader(db, { owner: 'org-apart', roles: ['operator'] }));
    expect(await idsIn(theirs, '/v1/operator/transfer-requests')).toEqual([id]);
    const decided = await theirs.post(`/v1/operator/transfer-requests/${id}/approve`, { reason: 'mine' });
    expect(decided.status).toBe(403);
  });
});

test('what may be paid in and out stands with what is available and held, and securities do not', async () => {
  const user = await customer();
  await asked(user, 'withdrawals', 60);
  const { body } = await user.client.get<{ data: { assetId: string; available: number; held: number }[] }>(
    '/v1/account/money',
  );
  expect(body.data.find(({ assetId }) => assetId === USD)).toMatchObject({
    symbol: 'USD',
    decimals: 2,
    available: 40,
    held: 60,
    unsettled: 0,
  });
  expect(body.data.map(({ assetId }) => assetId)).not.toContain('acme');
  const gold = { id: 'aurum', symbol: 'AAA', name: 'Gold', category: 'commodities', scale: 3, createdAt: 1 } as const;
  await createAsset(db, gold);
  expect((await listPayableAssets(db, 1)).map(({ id }) => id)).toEqual([USD]);
});

test('what waits for a user is their own deposits that were approved and a way back in that somebody asked for', async () => {
  const user = await customer();
  const kindsOf = async ({ client }: Customer) =>
    (await client.get<{ data: { kind: string; subject: string | null }[] }>('/v1/account/tasks')).body.data.map(
      ({ kind, subject }) => [kind, subject],
    );
  expect(await kindsOf(user)).toEqual([]);
  const id = await asked(user, 'deposits', 5);
  await decide(await asked(user, 'withdrawals', 5), 'approve');
  expect(await kindsOf(user)).toEqual([]);
  await decide(id, 'approve');
  expect(await kindsOf(user)).toEqual([['deposit_awaited', id]]);
  const now = Date.now();
  await db.run(sql`
    INSERT INTO factor_recoveries (id, user_id, asked_by, reason, asked_at, due_at, state, compromised)
    VALUES (${uuidv7()}, ${user.trader.userId}, 'olivia', 'lost', ${now}, ${now + 86_400_000}, 'waiting', 0)`);
  expect(await kindsOf(user)).toEqual([
    ['factor_recovery', null],
    ['deposit_awaited', id],
  ]);
  const { body } = await user.client.get<{ data: { page: string | null }[] }>('/v1/account/tasks');
  expect(body.data.map(({ page }) => page?.endsWith('/security') ?? null)).toEqual([true, null]);
  expect(await kindsOf(await customer())).toEqual([]);
  await decide(id, 'execute');
  expect(await kindsOf(user)).toEqual([['factor_recovery', null]]);
});
