import { type SQL, sql } from 'drizzle-orm';
import { uuidv7 } from 'uuidv7';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Database } from '../../../../../data/database.ts';
import { VENUE_OWNER } from '../../../../../domain/identity/venue.ts';
import { createTestKey } from '../../../fixtures/api-key.ts';
import { ConsoleBrowser } from '../../../fixtures/console-browser.ts';
import { USD } from '../../../fixtures/create-currency.ts';
import { createPair } from '../../../fixtures/create-pair.ts';
import { createTrader, type Trader } from '../../../fixtures/create-trader.ts';
import { type Client, signedIn } from '../../../fixtures/exchange-client.ts';
import { migrate } from '../../../fixtures/migrate.ts';
import { limitOrder, placed } from '../../../fixtures/placing.ts';
import { type TradingClient, tradingClient } from '../../../fixtures/trading-client.ts';

interface Listed {
  readonly data: readonly Readonly<Record<string, unknown>>[];
}

let db: Database;
let olivia: Trader;
let operator: Client;
let elsewhere: Client;
let trader: TradingClient;
let request: string;

/** Whoever asks, page by page: the ids in their order. */
async function walk(client: Client, path: string, id: string): Promise<unknown[]> {
  const seen: unknown[] = [];
  let next: string | null = path;
  while (next !== null) {
    const { status, headers, body }: { status: number; headers: Headers; body: Listed } =
      await client.get<Listed>(next);
    expect(status).toBe(200);
    seen.push(...body.data.map((row) => row[id]));
    const link: string | undefined = /<([^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1];
    next = link === undefined ? null : link.slice(link.indexOf('/v1/'));
  }
  return seen;
}

beforeAll(async () => {
  db = await migrate();
  await createPair(db, 'ACME');
  await createPair(db, 'CLUB', { asset: { accreditationType: '506c', regulation: 'reg_d_506c' } });
  olivia = await createTrader(db, { owner: VENUE_OWNER, roles: ['operator'] });
  operator = await signedIn(olivia);
  elsewhere = await signedIn(await createTrader(db, { owner: 'org-other', roles: ['operator'] }));
  trader = await tradingClient(db, { cash: 1_000_00 });
  const asked = await trader.post<{ data: { id: string } }>('/v1/account/deposits', { assetId: USD, amount: 5 });
  expect(asked.status).toBe(200);
  request = asked.body.data.id;
});

test('each list is read by who has the power for it, and by nobody else', async () => {
  const paths = [
    '/v1/operator/organizations',
    '/v1/operator/refusals',
    '/v1/operator/refusals/rules',
    `/v1/operator/users/${trader.userId}`,
    `/v1/operator/transfer-requests/${request}`,
  ];
  for (const path of paths) {
    expect((await operator.get(path)).status, path).toBe(200);
    expect((await trader.get(path)).status, path).toBe(403);
  }
  // Approvals are the venue's.
  expect((await elsewhere.get(`/v1/operator/approvals/${uuidv7()}`)).status).toBe(403);
  expect((await operator.get(`/v1/operator/approvals/${uuidv7()}`)).status).toBe(404);
});

test('what belongs to another organization is not found', async () => {
  for (const path of [`/v1/operator/users/${trader.userId}`, `/v1/operator/transfer-requests/${request}`])
    expect((await elsewhere.get(path)).status, path).toBe(404);
  expect(await walk(elsewhere, '/v1/operator/organizations', 'id')).toEqual(['org-other']);
  const all = await walk(operator, '/v1/operator/organizations?limit=1', 'id');
  expect(all).toEqual([...new Set(all)].toSorted());
  expect(all).toEqual(expect.arrayContaining(['org-other', 'org-test', VENUE_OWNER]));
});

test('a page has a bounded number of rows, and a cursor is one of its list', async () => {
  for (const query of ['refusals?limit=501', 'refusals?limit=0', 'refusals?cursor=x', 'refusals?rule=none'])
    expect((await operator.get(`/v1/operator/${query}`)).status, query).toBe(400);
  expect((await operator.get('/v1/operator/organizations?limit=1001')).status).toBe(400);
  expect((await operator.get(`/v1/operator/organizations?cursor=${'x'.repeat(201)}`)).status).toBe(400);
  expect((await operator.get('/v1/operator/approvals?state=none')).status).toBe(400);
  expect((await operator.get('/v1/operator/refusals/rules?day=tomorrow')).status).toBe(400);
});

describe('refused orders', () => {
  const club = limitOrder('club', 'BUY', 1, 10);

  test('are listed by rule and account with what would help, and counted by rule', async () => {
    for (let n = 0; n < 3; n++) expect((await trader.post('/v1/orders', club)).status).toBeGreaterThanOrEqual(400);
    const mine = `/v1/operator/refusals?accountId=${trader.accountId}`;
    const { body } = await operator.get<Listed>(mine);
    expect(body.data).toHaveLength(3);
    expect(body.data[0]).toMatchObject({
      accountId: trader.accountId,
      userId: trader.userId,
      name: `Trader ${trader.userId}`,
      assetId: 'club',
      rule: expect.any(String),
      remedy: expect.stringMatching(/./),
      count: 1,
    });
    const { rule } = body.data[0] as { rule: string };
    const ids = body.data.map(({ id }) => id);
    expect(await walk(operator, `${mine}&rule=${rule}&limit=1`, 'id')).toEqual(ids);
    expect(await walk(operator, `${mine}&rule=market_open`, 'id')).toEqual([]);
    const today = await operator.get<Listed>('/v1/operator/refusals/rules');
    expect(today.body.data).toContainEqual(expect.objectContaining({ rule, refusals: 3, accounts: 1 }));
    expect(await walk(operator, '/v1/operator/refusals/rules?day=2020-01-01', 'rule')).toEqual([]);
  });

  test('of another organization are neither listed nor counted', async () => {
    expect(await walk(elsewhere, `/v1/operator/refusals?accountId=${trader.accountId}`, 'id')).toEqual([]);
    expect(await walk(elsewhere, '/v1/operator/refusals/rules', 'rule')).toEqual([]);
  });
});

test('a person is shown with powers, keys and what a kill switch would end', async () => {
  const key = await createTestKey(trader);
  await placed(trader, limitOrder('acme', 'BUY', 1, 10));
  expect((await operator.get(`/v1/operator/users/${trader.userId}`)).body).toMatchObject({
    data: {
      accountId: trader.accountId,
      powers: [],
      keys: [{ id: key.id }],
      ends: { sessions: 0, openOrders: { orders: 1, markets: 1 } },
    },
  });
  expect((await operator.get(`/v1/operator/users/${olivia.userId}`)).body).toMatchObject({
    data: { powers: expect.arrayContaining(['run_venue', 'see_identities']) },
  });
  expect((await operator.get(`/v1/operator/accounts/${trader.accountId}`)).body).toMatchObject({
    data: { openOrders: { orders: 1, markets: 1 }, name: `Trader ${trader.userId}` },
  });
});

test('keys and sessions are told to those who may end them alone', async () => {
  await createTestKey(trader);
  const auditor = await signedIn(await createTrader(db, { owner: VENUE_OWNER, roles: ['auditor'] }));
  const manager = await signedIn(await createTrader(db, { roles: ['access_manager'] }));
  const path = `/v1/operator/users/${trader.userId}`;
  const untold = await auditor.get(path);
  expect(untold.body).toMatchObject({ data: { keys: null, ends: { sessions: null } } });
  expect((await manager.get(path)).body).toMatchObject({ data: { keys: expect.any(Array), ends: { sessions: 0 } } });
});

test('each filter has an index that it is read by', async () => {
  const plan = async (query: SQL) => JSON.stringify(await db.all(sql`EXPLAIN QUERY PLAN ${query}`));
  const trail = sql`SELECT id FROM domain_events e WHERE e.type GLOB 'operator.*'`;
  expect(await plan(sql`${trail} AND e.type = ${'operator.x'} ORDER BY e.id DESC LIMIT ${5}`)).toContain(
    'domain_events_operator_type',
  );
  expect(await plan(sql`${trail} AND e.subject = ${'x'} ORDER BY e.id DESC LIMIT ${5}`)).toContain(
    'domain_events_operator_subject',
  );
  expect(await plan(sql`SELECT id FROM accounts WHERE frozen = 1 AND id > ${'a'} ORDER BY id LIMIT ${5}`)).toContain(
    'accounts_frozen',
  );
});

test('frozen accounts are listed by themselves', async () => {
  const frozen = await createTrader(db, { frozen: true });
  const listed = await walk(operator, '/v1/operator/accounts?frozen=true', 'accountId');
  expect(listed).toContain(frozen.accountId);
  expect(listed).not.toContain(trader.accountId);
});

test('the trail is read by who acted and by kind', async () => {
  const other = await signedIn(await createTrader(db, { owner: VENUE_OWNER, roles: ['operator'] }));
  const freeze = (by: Client) => by.post(`/v1/operator/accounts/${trader.accountId}/freeze`, { reason: 'asked to' });
  expect((await freeze(operator)).status).toBe(200);
  const unfreeze = await other.post(`/v1/operator/accounts/${trader.accountId}/unfreeze`, { reason: 'asked to' });
  expect(unfreeze.status).toBe(200);
  const { body } = await operator.get<Listed>(
    `/v1/operator/audit-trail?subject=${trader.accountId}&actor=${olivia.userId}`,
  );
  expect(body.data.length).toBeGreaterThan(0);
  expect(body.data.every(({ actor }) => actor === olivia.userId)).toBe(true);
  const { type } = body.data[0] as { type: string };
  const ofType = await operator.get<Listed>(`/v1/operator/audit-trail?type=${type}`);
  expect(ofType.body.data.every((row) => row.type === type)).toBe(true);
  expect(await walk(operator, '/v1/operator/audit-trail?type=operator.none', 'id')).toEqual([]);
});

test('a call that waits for a second operator is made from the console once it is approved', async () => {
  const second = await signedIn(await createTrader(db, { owner: VENUE_OWNER, roles: ['operator'] }));
  expect((await second.put('/v1/operator/approvals', { required: true, reason: 'two of us' })).status).toBe(200);
  const browser = new ConsoleBrowser();
  await browser.signIn(olivia.phone);
  const pay = (headers: Record<string, string> = {}) =>
    browser.ask('POST /call/exchange/v1/operator/deposits', {
      json: { accountId: trader.accountId, assetId: USD, amount: 1.25 },
      headers: { 'idempotency-key': uuidv7(), ...headers },
    });
  const asked = await pay();
  expect(asked).toMatchObject({ status: 409, body: { error: { details: { reason: 'approval_required' } } } });
  const { approval } = (asked.body as { error: { details: { approval: string } } }).error.details;
  const path = `/v1/operator/approvals/${approval}`;
  expect((await operator.get(path)).body).toMatchObject({ data: { own: true, state: 'asked' } });
  expect((await second.get(path)).body).toMatchObject({ data: { own: false, body: { amount: 1.25 } } });
  expect(await walk(second, '/v1/operator/approvals?state=asked', 'id')).toContain(approval);
  expect(await walk(second, '/v1/operator/approvals?state=approved', 'id')).not.toContain(approval);
  expect((await pay({ 'x-operator-approval': approval })).status).toBe(409);
  expect((await second.post(`${path}/approve`, { reason: 'seen' })).status).toBe(200);
  expect((await pay({ 'x-operator-approval': approval })).status).toBe(200);
  expect((await operator.get(path)).body).toMatchObject({ data: { usedBy: expect.any(String) } });
});
