import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Database } from '../../../../data/database.ts';
import { claimApproval, findApproval } from '../../../../data/identity/approvals.ts';
import { endUserTokens } from '../../../../data/identity/revocations.ts';
import { VENUE_OWNER } from '../../../../domain/identity/venue.ts';
import { call } from '../../fixtures/call.ts';
import { createCurrency } from '../../fixtures/create-currency.ts';
import { createTrader, type Trader, type TraderTerms } from '../../fixtures/create-trader.ts';
import { type Client, type ErrorBody, signedIn } from '../../fixtures/exchange-client.ts';
import { migrate } from '../../fixtures/migrate.ts';
import { tokenRequest } from '../../fixtures/sign-in.ts';

let db: Database;
let asker: Client;
let other: Client;
let customer: Trader;
let bot: { readonly trader: Trader; readonly client: Client };

const OPERATOR: TraderTerms = { owner: VENUE_OWNER, roles: ['operator'] };

beforeAll(async () => {
  db = await migrate();
  await createCurrency(db);
  asker = await signedIn(await createTrader(db, OPERATOR));
  other = await signedIn(await createTrader(db, OPERATOR));
  customer = await createTrader(db);
  bot = await botOf(asker);
  const body = { required: true, reason: 'two pairs of eyes' };
  expect((await asker.put('/v1/operator/approvals', body)).status).toBe(200);
});

afterEach(() => {
  vi.restoreAllMocks();
});

/** A service with the powers of an operator, whose secret an operator has been shown. */
async function botOf(operator: Client) {
  const trader = await createTrader(db, { ...OPERATOR, service: true });
  const terms = { id: 'bot', owner: VENUE_OWNER, name: 'Bot', kind: 'machine', userId: trader.userId };
  const made = await operator.post<{ data: { secret: string } }>('/v1/operator/oauth-clients', terms);
  const form = { grant_type: 'client_credentials', client_id: 'bot', client_secret: made.body.data.secret };
  expect((await tokenRequest(form)).status).toBe(200);
  return { trader, client: await signedIn(trader, { client_id: 'bot', gty: 'client_credentials' }) };
}

const deposit = (amount = 5) => ({ accountId: customer.accountId, assetId: 'usd', amount });

const under = (approval: string) => ({ 'x-operator-approval': approval });

async function ask(path = '/v1/operator/deposits', body: object = deposit()): Promise<string> {
  const { status, body: answer } = await asker.post<ErrorBody>(path, body);
  expect([status, answer.error.details.reason]).toEqual([409, 'approval_required']);
  return String(answer.error.details.approval);
}

const approve = (by: Client, id: string) => by.post(`/v1/operator/approvals/${id}/approve`, { reason: 'seen' });

async function cash(): Promise<number> {
  const row = await db.$client
    .prepare("SELECT coalesce(sum(available), 0) AS cash FROM balances WHERE account = ? AND asset = 'usd'")
    .bind(customer.accountId)
    .first<{ cash: number }>();
  return row?.cash ?? 0;
}

describe('where the venue asks for a second operator', () => {
  test('M-13: a deposit is made once another has approved it, once, as it was asked for', async () => {
    const before = await cash();
    const id = await ask();
    expect((await asker.post('/v1/operator/deposits', deposit(), under(id))).status).toBe(409);
    expect((await approve(other, id)).status).toBe(200);
    expect((await asker.post('/v1/operator/deposits', deposit(6), under(id))).status).toBe(409);
    expect((await other.post('/v1/operator/deposits', deposit(), under(id))).status).toBe(409);
    expect((await asker.post('/v1/operator/withdrawals', deposit(), under(id))).status).toBe(409);
    expect(await cash()).toBe(before);
    expect((await asker.post('/v1/operator/deposits', deposit(), under(id))).status).toBe(200);
    expect((await asker.post('/v1/operator/deposits', deposit(), under(id))).status).toBe(409);
    expect(await cash()).toBe(before + 500);
  });

  test('M-13: whoever asked does not approve, by whatever client they come', async () => {
    const id = await ask();
    expect((await approve(asker, id)).body).toMatchObject({ error: { details: { reason: 'same_person' } } });
    expect((await approve(bot.client, id)).body).toMatchObject({ error: { details: { reason: 'same_person' } } });
    const { body } = await bot.client.post<ErrorBody>('/v1/operator/deposits', deposit());
    const asked = String(body.error.details.approval);
    expect((await approve(asker, asked)).status).toBe(409);
    expect((await approve(other, asked)).status).toBe(200);
  });

  test('is no machine, also where nobody who asked knows its secret; it may reject', async () => {
    const others = await createTrader(db, { ...OPERATOR, service: true });
    const machine = await signedIn(others, { client_id: 'of nobody here', gty: 'client_credentials' });
    const id = await ask();
    expect(await approve(machine, id)).toMatchObject({
      status: 409,
      body: { error: { details: { reason: 'machine' } } },
    });
    expect((await machine.post(`/v1/operator/approvals/${id}/reject`, { reason: 'no' })).status).toBe(200);
    const another = await ask();
    expect((await approve(other, another)).status).toBe(200);
  });

  test('M-13: the call that asked, sent again under its own key, makes nothing and uses no approval', async () => {
    const person = {
      owner: VENUE_OWNER,
      name: 'New',
      email: 'new@example.com',
      phone: '+15550199888',
      roles: ['operator'],
    };
    const key = { 'idempotency-key': crypto.randomUUID() };
    const asked = await asker.post<ErrorBody>('/v1/operator/users', person, key);
    const id = String(asked.body.error.details.approval);
    await approve(other, id);
    const again = await asker.post<ErrorBody>('/v1/operator/users', person, { ...key, ...under(id) });
    expect([again.status, again.body.error.details.reason]).toEqual([409, 'approval_required']);
    expect((await asker.post('/v1/operator/users', person, under(id))).status).toBe(200);
  });

  test('M-13: whoever a call pays does not approve it', async () => {
    const paid = await createTrader(db, OPERATOR);
    const id = await ask('/v1/operator/deposits', { ...deposit(), accountId: paid.accountId });
    expect((await approve(await signedIn(paid), id)).body).toMatchObject({
      error: { details: { reason: 'about_you' } },
    });
  });

  describe('M-13: whoever is behind what a call names by its id does not decide on it', () => {
    const row = (sql: string, ...values: unknown[]) =>
      db.$client
        .prepare(sql)
        .bind(...values)
        .run();
    const TRADE = `INSERT INTO trades (id, book, sequence, asset_id, quote_asset, price, quantity, notional, taker_side, buy_order,
      sell_order, buyer, seller, buyer_fee, seller_fee, executed_at) VALUES (?1, ?1, 1, 'a', 'usd', 1, 1, 1, 'buy', 'b', 's', ?2, ?3, 0, 0, 1)`;
    const ORDER = `INSERT INTO orders (id, account, owner, asset_id, open, status, side, type, time_in_force, quantity, reserve_asset,
      created_at, updated_at) VALUES (?1, ?2, 'o', 'a', 0, 'filled', 'buy', 'market', 'GTC', 1, 'usd', 1, 1)`;

    test.each<[string, string, object, (id: string, account: string, userId: string) => Promise<unknown>]>([
      [
        'whose money is paid out',
        '/v1/operator/transfer-requests/ID/execute',
        { reason: 'x' },
        (id, account) =>
          row(
            `INSERT INTO transfer_requests (id, account, type, asset, amount, state, created_at, updated_at)
             VALUES (?1, ?2, 'withdrawal', 'usd', 1, 'approved', 1, 1)`,
            id,
            account,
          ),
      ],
      [
        'who has bought in the trade',
        '/v1/operator/trades/ID/bust',
        { reason: 'x' },
        (id, account) => row(TRADE, id, account, customer.accountId),
      ],
      [
        'who has sold in it',
        '/v1/operator/trades/ID/correction',
        { reason: 'x', price: 1 },
        (id, account) => row(TRADE, id, customer.accountId, account),
      ],
      [
        'whose order a broker reports on',
        '/v1/operator/markets/MSFT-USD/broker-breaks/ID/resolve',
        { action: 'book', reason: 'x', accountId: 'another' },
        async (id, account) => {
          await row(ORDER, `order of ${id}`, account);
          await row(
            `INSERT INTO broker_breaks (book, id, kind, order_id, detail, at) VALUES ('MSFT-USD', ?1, 'order_ended', ?2, '', 1)`,
            id,
            `order of ${id}`,
          );
        },
      ],
      [
        'for whom a client speaks',
        '/v1/operator/oauth-clients/ID/rotate',
        { reason: 'x' },
        (id, _, userId) =>
          row(
            `INSERT INTO oauth_clients (id, owner, name, grants, user_id, created_at) VALUES (?1, 'exchange', 'C', '[]', ?2, 1)`,
            id,
            userId,
          ),
      ],
    ])('%s', async (_, path, body, has) => {
      const theirs = await createTrader(db, OPERATOR);
      const named = crypto.randomUUID();
      await has(named, theirs.accountId, theirs.userId);
      const id = await ask(path.replace('ID', named), body);
      expect((await approve(await signedIn(theirs), id)).body).toMatchObject({
        error: { details: { reason: 'about_you' } },
      });
      expect((await approve(other, id)).status).toBe(200);
    });
  });

  test('M-13: an approval ends with the kill switch of whoever gave it, but for what was begun by it', async () => {
    const third = await createTrader(db, OPERATOR);
    const gives = async (id: string) => expect((await approve(await signedIn(third), id)).status).toBe(200);
    const [begun, id] = [await ask(), await ask()];
    await gives(begun);
    await gives(id);
    await db.$client.prepare('UPDATE operator_approvals SET used_by = ? WHERE id = ?').bind('an action', begun).run();
    await endUserTokens(db, third.userId, Date.now() + 1_000);
    expect((await asker.post('/v1/operator/deposits', deposit(), under(id))).status).toBe(409);
    const row = await findApproval(db, begun);
    const claim = { id: begun, hash: row?.hash ?? '', askedBy: row?.askedBy ?? '', now: Date.now() };
    expect(await claimApproval(db, { ...claim, action: { id: 'an action' } })).toBe(true);
    expect(await claimApproval(db, { ...claim, action: { id: 'another' } })).toBe(false);
  });

  test('M-13: nobody approves what is about them, in whatever case the path has their id', async () => {
    const third = await createTrader(db, OPERATOR);
    const change = { roles: ['operator', 'auditor'], reason: 'more to do' };
    const { body } = await asker.patch<ErrorBody>(`/v1/operator/users/${third.userId.toUpperCase()}`, change);
    const approved = await approve(await signedIn(third), String(body.error.details.approval));
    expect(approved.body).toMatchObject({ error: { details: { reason: 'about_you' } } });
  });

  test('M-13: an approval ends with the powers of whoever gave it', async () => {
    const third = await createTrader(db, OPERATOR);
    const [id, kept] = [await ask(), await ask()];
    for (const one of [id, kept]) expect((await approve(await signedIn(third), one)).status).toBe(200);
    const setRoles = (roles: string[]) =>
      db.$client.prepare('UPDATE users SET roles = ? WHERE id = ?').bind(JSON.stringify(roles), third.userId).run();
    await setRoles(['auditor']);
    expect((await asker.post('/v1/operator/deposits', deposit(), under(id))).status).toBe(409);
    await setRoles(['auditor', 'operator']);
    expect((await asker.post('/v1/operator/deposits', deposit(), under(kept))).status).toBe(200);
  });

  test('M-13: what a second operator rejects is not made', async () => {
    const id = await ask();
    const rejected = await other.post(`/v1/operator/approvals/${id}/reject`, { reason: 'no' });
    expect(rejected).toMatchObject({ status: 200, body: { data: { state: 'rejected' } } });
    expect((await approve(other, id)).status).toBe(409);
    expect((await asker.post('/v1/operator/deposits', deposit(), under(id))).status).toBe(409);
  });

  test('M-13: what was approved may be rejected until it is used, and is not made then', async () => {
    const reject = (by: Client, id: string) => by.post(`/v1/operator/approvals/${id}/reject`, { reason: 'a mistake' });
    const third = await signedIn(await createTrader(db, OPERATOR));
    const [id, used] = [await ask(), await ask()];
    for (const one of [id, used]) expect((await approve(other, one)).status).toBe(200);
    const before = await cash();
    expect((await reject(asker, id)).body).toMatchObject({ error: { details: { reason: 'same_person' } } });
    expect((await reject(third, id)).body).toMatchObject({ data: { state: 'rejected' } });
    expect((await approve(other, id)).body).toMatchObject({ error: { details: { reason: 'decided' } } });
    expect((await asker.post('/v1/operator/deposits', deposit(), under(id))).status).toBe(409);
    expect(await cash()).toBe(before);
    expect((await asker.post('/v1/operator/deposits', deposit(), under(used))).status).toBe(200);
    expect((await reject(other, used)).body).toMatchObject({ error: { details: { reason: 'decided' } } });
    const trail = await db.$client
      .prepare("SELECT id FROM domain_events WHERE subject = ? AND type = 'operator.approval_rejected'")
      .bind(id)
      .all();
    expect(trail.results).toHaveLength(1);
  });

  test.each([
    ['POST', '/v1/operator/withdrawals', () => deposit()],
    ['POST', '/v1/operator/transfer-requests/some/execute', () => ({ reason: 'x' })],
    ['POST', '/v1/operator/trades/01a203b2-6db6-71a8-badb-4e778898fcfb/bust', () => ({ reason: 'x' })],
    ['POST', '/v1/operator/trades/01a203b2-6db6-71a8-badb-4e778898fcfb/correction', () => ({ reason: 'x', price: 1 })],
    [
      'POST',
      '/v1/operator/users',
      () => ({ owner: VENUE_OWNER, name: 'X', email: 'x@example.com', roles: ['operator'] }),
    ],
    ['PATCH', '/v1/operator/users/U', () => ({ roles: ['operator'], reason: 'x' })],
    ['PATCH', '/v1/operator/users/U', () => ({ phone: '+15550199123', reason: 'x' })],
    ['POST', '/v1/operator/users/U/reactivate', () => ({ reason: 'x' })],
    [
      'POST',
      '/v1/operator/oauth-clients',
      () => ({ id: 'c', owner: 'org-test', name: 'C', kind: 'machine', userId: customer.userId }),
    ],
    ['POST', '/v1/operator/oauth-clients/bot/rotate', () => ({ reason: 'x' })],
    // Whoever is answered there gets tokens of whoever signs in.
    [
      'POST',
      '/v1/operator/oauth-clients',
      () => ({
        id: 'c',
        owner: 'org-test',
        name: 'C',
        kind: 'application',
        redirectUris: ['https://c.northwind.com/'],
      }),
    ],
    ['PUT', '/v1/operator/oauth-clients/c/redirect-uris', () => ({ redirectUris: [], reason: 'x' })],
    ['PUT', '/v1/operator/event-roles/event_viewer', () => ({ permissions: [], reason: 'x' })],
    ['PUT', '/v1/operator/approvals', () => ({ required: false, reason: 'x' })],
    ['PATCH', '/v1/operator/accounts/A/facts', () => ({ annualIncome: 9_000_000 })],
    ['POST', '/v1/operator/users/U/family', () => ({ relativeId: 'some', relationship: 'spouse', evidence: 'x' })],
    ['POST', '/v1/operator/accreditation-verifications/some/allow', () => ({ reason: 'x' })],
    ['POST', '/v1/operator/partners/some/approve', () => ({ reason: 'x' })],
    ['POST', '/v1/operator/partners/some/reinstate', () => ({ reason: 'x' })],
    // A check that holds lets a suspended agent go on.
    ['POST', '/v1/operator/partners/some/recheck', () => ({ reason: 'x' })],
    ['POST', '/v1/operator/corporate-actions/01a203b2-6db6-71a8-badb-4e778898fcfb/release', () => ({ reason: 'x' })],
    ['PUT', '/v1/operator/corporate-actions/notice', () => ({ sharesHours: 0, otherHours: 0 })],
    ['POST', '/v1/operator/bridge/organizations/some/keys', () => ({ scheme: 'frost-ed25519' })],
    ['POST', '/v1/operator/bridge/organizations/some/keys/reshare', () => ({ scheme: 'frost-ed25519' })],
    ['POST', '/v1/operator/bridge/organizations/some/keys/rotate', () => ({ scheme: 'frost-ed25519' })],
  ])('M-13: %s %s waits', async (method, path, body) => {
    const target = path.replace('/U', `/${customer.userId}`).replace('/A/', `/${customer.accountId}/`);
    const send = method === 'POST' ? asker.post : method === 'PUT' ? asker.put : asker.patch;
    const answer = await send<ErrorBody>(target, body());
    expect([answer.status, answer.body.error.details.reason]).toEqual([409, 'approval_required']);
  });

  test.each([
    ['/v1/operator/partners/some/suspend', 404],
    ['/v1/operator/corporate-actions/01a203b2-6db6-71a8-badb-4e778898fcfb/hold', 404],
    ['/v1/operator/corporate-actions/01a203b2-6db6-71a8-badb-4e778898fcfb/cancel', 404],
  ])('M-13: what stops somebody waits for nobody: %s', async (path, status) => {
    expect((await asker.post(path, { reason: 'x' })).status).toBe(status);
  });

  test('M-13: each step is an alert of its own in the log, without what was stated', async () => {
    const lines = vi.spyOn(console, 'warn').mockImplementation(() => {});
    const id = await ask();
    await approve(other, id);
    await asker.post('/v1/operator/deposits', deposit(), under(id));
    const alerts = lines.mock.calls
      .map(([line]) => JSON.parse(String(line)))
      .filter(({ event }) => event === 'operator_alert');
    expect(alerts.map(({ outcome }) => outcome)).toEqual(['asked', 'approved', 'made']);
    expect(alerts.every((alert) => alert.call === 'POST /exchange/v1/operator/deposits')).toBe(true);
  });

  test('M-13: what waits is read by operators of the venue and by nobody else', async () => {
    const id = await ask();
    const listed = await other.get<{ data: { id: string }[] }>('/v1/operator/approvals');
    expect(listed.body.data.some((each) => each.id === id)).toBe(true);
    const elsewhere = await signedIn(await createTrader(db, { roles: ['operator'] }));
    expect((await elsewhere.get('/v1/operator/approvals')).status).toBe(403);
    expect((await approve(elsewhere, id)).status).toBe(403);
    expect((await call(`POST /exchange/v1/operator/approvals/${id}/approve`, { json: { reason: 'x' } })).status).toBe(
      401,
    );
  });
});
