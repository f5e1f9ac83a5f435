import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { uuidv7 } from 'uuidv7';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Database } from '../../../../../data/database.ts';
import { VENUE_OWNER } from '../../../../../domain/identity/venue.ts';
import { createCurrency, USD } from '../../../fixtures/create-currency.ts';
import { createTrader, type Trader } from '../../../fixtures/create-trader.ts';
import { anyone, type Client, signedIn } from '../../../fixtures/exchange-client.ts';
import { expectRightLedger } from '../../../fixtures/expect-right-ledger.ts';
import { migrate } from '../../../fixtures/migrate.ts';

let db: Database;
let venueOperator: Trader;
let operator: Client;

beforeAll(async () => {
  db = await migrate();
  await createCurrency(db);
  venueOperator = await createTrader(db, { owner: VENUE_OWNER, roles: ['operator'] });
  operator = await signedIn(venueOperator);
});

interface Created {
  readonly data: { readonly userId: string; readonly accountId: string };
}

const asset = (body: Record<string, unknown>, headers?: Record<string, string>) =>
  operator.post('/v1/operator/assets', { category: 'privates', scale: 0, ...body }, headers);

const market = (body: Record<string, unknown>, headers?: Record<string, string>) => {
  const sizes = { lotSize: 1, minSize: 1, maxSize: 1_000 };
  const terms = { quoteAssetId: USD, priceScale: 2, tickSize: 0.05, ...sizes, ...body };
  return operator.post('/v1/operator/markets', terms, headers);
};

const user = (body: Record<string, unknown>, headers?: Record<string, string>) =>
  operator.post<Created>(
    '/v1/operator/users',
    { owner: 'lakeside', name: 'Ada Park', email: 'ada@example.com', ...body },
    headers,
  );

async function member(facts: Record<string, unknown>): Promise<{ accountId: string; client: Client }> {
  const { body } = await user({ facts });
  return {
    accountId: body.data.accountId,
    client: await signedIn({ userId: body.data.userId, owner: 'lakeside' }),
  };
}

test('an organization, its users, an asset and its market are made by an operator, and the users trade', async () => {
  const organization = { id: 'lakeside', name: 'Lakeside Trust' };
  expect(await operator.post('/v1/operator/organizations', organization)).toMatchObject({
    status: 200,
    body: { data: organization, message: 'ok' },
  });
  const listing = {
    id: 'fern',
    symbol: 'FERN',
    name: 'Fern Labs',
    regulation: 'reg_d_506c',
    accreditationType: '506c',
    offeringType: '506c',
    issuerName: 'Fern Labs Inc.',
    exchange: 'Private market',
    image: 'https://example.com/fern.png',
  };
  expect(await asset(listing)).toMatchObject({
    status: 200,
    body: {
      data: { ...listing, marketRail: 'private', status: 'APPROVED', executionRoute: 'internal', tracksLots: true },
    },
  });
  expect(await market({ baseAssetId: 'fern', takerFeeBps: 20, referencePrice: 10 })).toMatchObject({
    status: 200,
    body: {
      data: { symbol: 'FERN-USD', tickSize: 0.05, rules: { status: 'open', takerFeeBps: 20, referencePrice: 10 } },
    },
  });
  const seller = await member({ kycStatus: 'completed' });
  const buyer = await member({ kycStatus: 'completed' });
  const verification = {
    verifier: 'Quill & Partners LLP',
    evidence: 'vault/7',
    verifiedAt: new Date(Date.now() - 86_400_000).toISOString(),
    expiresAt: new Date(Date.now() + 86_400_000).toISOString(),
  };
  expect(await operator.post(`/v1/operator/accounts/${buyer.accountId}/verifications`, verification)).toMatchObject({
    status: 200,
  });
  const unproven = await member({ kycStatus: 'completed' });
  const deposits = [
    { accountId: seller.accountId, assetId: 'fern', amount: 10, lots: [{ quantity: 10, restrictionEndDate: null }] },
    { accountId: buyer.accountId, assetId: USD, amount: 1_000 },
    { accountId: unproven.accountId, assetId: USD, amount: 1_000 },
  ];
  for (const deposit of deposits) {
    expect(await operator.post('/v1/operator/deposits', deposit)).toMatchObject({ status: 200 });
  }
  const order = { assetId: 'fern', orderType: 'limit', quantity: 4, limitPrice: 10.05 };
  expect(await seller.client.post('/v1/orders', { ...order, side: 'SELL' })).toMatchObject({ status: 200 });
  expect(await unproven.client.post('/v1/orders', { ...order, side: 'BUY' })).toMatchObject({
    status: 400,
    body: { error: { code: 'ACCREDITATION_REQUIRED' } },
  });
  expect(await buyer.client.post('/v1/orders', { ...order, side: 'BUY' })).toMatchObject({ status: 200 });
  expect(await buyer.client.get('/v1/portfolio')).toMatchObject({
    body: { data: [{ assetId: 'fern', quantity: 4 }] },
  });
  expect(await anyone().get('/v1/assets/fern')).toMatchObject({
    status: 200,
    body: { data: { symbol: 'FERN', accreditationType: '506c', offeringType: '506c' } },
  });
  await expectRightLedger();
});

describe('POST /v1/operator/assets', () => {
  test('under one Idempotency-Key lists once; another asset of the id or the symbol is a CONFLICT', async () => {
    const key = { 'idempotency-key': uuidv7() };
    const first = await asset({ id: 'moss', symbol: 'MOSS', name: 'Moss' }, key);
    expect(first).toMatchObject({ status: 200 });
    expect((await asset({ id: 'moss', symbol: 'MOSS', name: 'Moss' }, key)).body).toEqual(first.body);
    for (const other of [
      { id: 'moss', symbol: 'MOSS2', name: 'Other' },
      { id: 'moss2', symbol: 'MOSS', name: 'Other' },
    ]) {
      expect(await asset(other)).toMatchObject({ status: 409, body: { error: { code: 'CONFLICT' } } });
    }
  });

  test.each([
    ['stocks', 'broker', true],
    ['commodities', 'broker', false],
    ['privates', 'internal', true],
    ['crypto', 'prime', false],
  ])('%s execute on the route %s unless the asset says otherwise, and keep lots: %s', async (category, route, lots) => {
    const symbol = category.toUpperCase();
    expect(await asset({ symbol, name: symbol, category })).toMatchObject({
      body: { data: { executionRoute: route, tracksLots: lots } },
    });
    expect(await asset({ symbol: `${symbol}X`, name: symbol, category, executionRoute: 'internal' })).toMatchObject({
      body: { data: { executionRoute: 'internal' } },
    });
  });

  test('refuses an accreditation type that does not fit the regulation', async () => {
    expect(await asset({ symbol: 'BAD', name: 'Bad', regulation: 'reg_d_506b' })).toMatchObject({
      status: 400,
      body: { error: { code: 'VALIDATION_ERROR', details: { required: '506b' } } },
    });
  });

  test.each([
    { symbol: 'lower' },
    { scale: 9 },
    { category: 'currency' },
    { image: 'javascript:alert(1)' },
    { surprise: true },
  ])('refuses %o', async (wrong) => {
    expect(await asset({ symbol: 'WRONG', name: 'Wrong', ...wrong })).toMatchObject({
      status: 400,
      body: { error: { code: 'VALIDATION_ERROR' } },
    });
  });
});

describe('POST /v1/operator/markets', () => {
  test('refuses numbers beyond the scale, parts of a lot, fractions of a quote unit, unknown assets and a second market', async () => {
    await asset({ id: 'reed', symbol: 'REED', name: 'Reed', scale: 2 });
    const refused = async (body: Record<string, unknown>) => (await market({ baseAssetId: 'reed', ...body })).body;
    const base = { lotSize: 1, minSize: 1 };
    expect(await refused({ ...base, tickSize: 0.001 })).toMatchObject({ error: { details: { field: 'tickSize' } } });
    expect(await refused({ ...base, minSize: 1.5 })).toMatchObject({ error: { details: { reason: 'not_on_lot' } } });
    expect(await refused({ lotSize: 0.01, minSize: 0.01, tickSize: 0.01 })).toMatchObject({
      error: { details: { reason: 'notional_not_whole' } },
    });
    expect(await refused({ ...base, takerFeeBps: 2_000 })).toMatchObject({
      error: { details: { reason: 'fee_out_of_range' } },
    });
    expect(await market({ baseAssetId: 'nothing' })).toMatchObject({ status: 404 });
    expect(await market({ baseAssetId: 'reed', quoteAssetId: 'nothing' })).toMatchObject({ status: 404 });
    expect(await market({ baseAssetId: 'reed' })).toMatchObject({
      status: 200,
      body: { data: { rules: { bandBps: 2_000, bandHaltSeconds: 0 } } },
    });
    expect(await market({ baseAssetId: 'reed' })).toMatchObject({ status: 409 });
  });
});

describe('POST /v1/operator/users', () => {
  test('proves nothing by itself: KYC is pending and no accreditation stands', async () => {
    const { body } = await user({});
    expect(body).toMatchObject({
      data: { roles: ['trader'], facts: { kycStatus: 'pending', accreditationStatus: 'none', usPerson: true } },
    });
    const client = await signedIn({ userId: body.data.userId, owner: 'lakeside' });
    const order = { assetId: 'fern', side: 'BUY', orderType: 'limit', quantity: 1, limitPrice: 10 };
    expect(await client.post('/v1/orders', order)).toMatchObject({ status: 403 });
  });

  test('refuses a phone number that is taken or is none, and an organization that does not exist', async () => {
    expect(await user({ phone: '+15550109999' })).toMatchObject({ status: 200 });
    expect(await user({ phone: '+15550109999' })).toMatchObject({ status: 409 });
    expect(await user({ phone: '555' })).toMatchObject({ status: 400 });
    expect(await user({ owner: 'nobody' })).toMatchObject({ status: 404 });
  });

  test('under one Idempotency-Key makes one user, whose answer comes again', async () => {
    const key = { 'idempotency-key': uuidv7() };
    const first = await user({ email: 'once@example.com' }, key);
    expect((await user({ email: 'once@example.com' }, key)).body).toEqual(first.body);
    const kept = await runInDurableObject(env.IDEMPOTENCY_KEYS.getByName(venueOperator.accountId), (_, { storage }) =>
      JSON.stringify(storage.sql.exec('SELECT * FROM keys').toArray()),
    );
    expect(kept).toContain(key['idempotency-key']);
    expect(kept).not.toContain('once@example.com');
  });
});

test('an operator of another organization than the venue creates nothing', async () => {
  const theirs = await signedIn(await createTrader(db, { owner: 'lakeside', roles: ['operator'] }));
  const bodies = {
    organizations: { id: 'mine', name: 'Mine' },
    users: { owner: 'lakeside', name: 'Eve', email: 'eve@example.com' },
    assets: { symbol: 'MINE', name: 'Mine', category: 'privates', scale: 0 },
    markets: { baseAssetId: 'fern', quoteAssetId: USD, priceScale: 2, tickSize: 1, lotSize: 1, minSize: 1, maxSize: 1 },
  };
  for (const [path, body] of Object.entries(bodies)) {
    expect(await theirs.post(`/v1/operator/${path}`, body)).toMatchObject({ status: 403 });
  }
});

interface Trail {
  readonly data: { readonly id: string; readonly type: string; readonly subject: string; readonly actor: string }[];
}

describe('GET /v1/operator/audit-trail', () => {
  test('says who created, paid in and changed what, newest first, with the state before and after', async () => {
    const { accountId } = await member({ kycStatus: 'completed' });
    await operator.post('/v1/operator/deposits', { accountId, assetId: USD, amount: 12.5 });
    await operator.post(`/v1/operator/accounts/${accountId}/freeze`, undefined);
    const { body } = await operator.get<Trail>(`/v1/operator/audit-trail?subject=${accountId}`);
    expect(body.data.map(({ type }) => type)).toEqual([
      'operator.account_facts',
      'operator.deposit',
      'operator.user_created',
    ]);
    expect(body.data[0]).toMatchObject({
      actor: venueOperator.userId,
      requestId: expect.stringMatching(/./),
      before: { frozen: false },
      after: { frozen: true },
      timestamp: expect.stringMatching(/^\d{4}-.*Z$/),
    });
    expect(body.data[1]).toMatchObject({ details: { asset: USD, amount: 12_50 }, after: { available: 12_50 } });
  });

  test('goes on page by page by its Link header', async () => {
    const first = await operator.get<Trail>('/v1/operator/audit-trail?limit=2');
    const next = /<([^>]+)>; rel="next"/.exec(first.headers.get('link') ?? '')?.[1];
    const second = await operator.get<Trail>(`/v1/operator/audit-trail${new URL(next ?? '').search}`);
    const ids = [...first.body.data, ...second.body.data].map(({ id }) => id);
    expect(ids).toHaveLength(4);
    expect(ids).toEqual(ids.toSorted().toReversed());
  });

  test('shows an operator of another organization what was done to that organization alone', async () => {
    const theirs = await signedIn(await createTrader(db, { owner: 'lakeside', roles: ['operator'] }));
    const { body } = await theirs.get<Trail>('/v1/operator/audit-trail');
    const types = new Set(body.data.map(({ type }) => type));
    expect(types).toContain('operator.organization_created');
    expect(types).toContain('operator.user_created');
    expect(types).not.toContain('operator.asset_created');
    const strangers = await signedIn(await createTrader(db, { owner: 'strangers', roles: ['operator'] }));
    expect(await strangers.get<Trail>('/v1/operator/audit-trail')).toMatchObject({ status: 200, body: { data: [] } });
    const trader = await signedIn(await createTrader(db, { owner: 'lakeside' }));
    expect(await trader.get('/v1/operator/audit-trail')).toMatchObject({ status: 403 });
  });

  test('is append-only: the database refuses to change or delete an action', async () => {
    const { body } = await operator.get<Trail>('/v1/operator/audit-trail?limit=1');
    const id = body.data[0]?.id ?? '';
    const run = async (statement: string) => db.$client.prepare(statement).bind(id).run();
    await expect(run(`UPDATE domain_events SET payload = '{}' WHERE id = ?`)).rejects.toThrow(/append-only/);
    await expect(run('DELETE FROM domain_events WHERE id = ?')).rejects.toThrow(/append-only/);
    await run('UPDATE domain_events SET dispatched_at = 1 WHERE id = ?');
  });
});
