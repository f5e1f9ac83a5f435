import { env } from 'cloudflare:workers';
import { and, eq } from 'drizzle-orm';
import { uuidv7 } from 'uuidv7';
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { endEverything } from '../../../../application/identity/end-everything.ts';
import { archiveOrders } from '../../../../application/orders/archive-orders.ts';
import { applyChecks } from '../../../../application/partner/investors/apply-checks.ts';
import { carryOnScreening } from '../../../../application/partner/investors/screen-investors.ts';
import { decidePartner } from '../../../../application/partner/registration/decide-partner.ts';
import type { Database } from '../../../../data/database.ts';
import { createApiKey } from '../../../../data/identity/api-keys.ts';
import { endUserTokens } from '../../../../data/identity/revocations.ts';
import { expireChecks } from '../../../../data/partner/investor-checks.ts';
import { findInvestor } from '../../../../data/partner/investors.ts';
import { accounts } from '../../../../data/schema/accounts.ts';
import { investorChecks } from '../../../../data/schema/investors.ts';
import { DAY_MS } from '../../../../domain/calendar/durations.ts';
import type { PartnerAction } from '../../../../domain/partner/organization-state.ts';
import { call } from '../../fixtures/call.ts';
import { giveHolding } from '../../fixtures/give-balance.ts';
import { type IntroducedInvestor, introducedInvestor } from '../../fixtures/introduced-investor.ts';
import { listedSecurity } from '../../fixtures/listed-security.ts';
import { migrate } from '../../fixtures/migrate.ts';
import { createPartner, type Partner } from '../../fixtures/partner-client.ts';
import { settle } from '../../fixtures/settle.ts';

interface Key {
  readonly key_id: string;
  readonly secret: string;
  readonly markets: readonly string[];
  readonly status: string;
}

let db: Database;
let lister: Partner;
let security: { readonly securityId: string; readonly market: string };
let elsewhere: { readonly securityId: string; readonly market: string };

beforeAll(async () => {
  db = await migrate();
  lister = await createPartner(db, 'cross_lister');
  security = await listedSecurity(db, lister, 'KEYS');
  elsewhere = await listedSecurity(db, lister, 'ELSE');
});

afterEach(() => {
  vi.useRealTimers();
});

const pathOf = ({ investorId, accountId }: IntroducedInvestor) =>
  `/v1/investors/${investorId}/accounts/${accountId}/keys`;

async function keyOf(investor: IntroducedInvestor, terms: object = {}): Promise<Key> {
  const body = { name: 'desk', security_ids: [security.securityId], ...terms };
  const made = await lister.client.post<Key>(pathOf(investor), body);
  expect(made.status).toBe(201);
  return made.body;
}

async function order({ key_id, secret }: Key, terms: object = {}): Promise<{ status: number; body: unknown }> {
  const json = {
    symbol: security.market,
    side: 'buy',
    type: 'limit',
    price: 10,
    size: 1,
    time_in_force: 'GTC',
    ...terms,
  };
  const headers = { 'x-api-key': key_id, 'x-api-secret': secret, 'idempotency-key': uuidv7() };
  const answer = await call('POST /book/v1/orders', { headers, json });
  return { status: answer.status, body: answer.body };
}

async function decide(decision: PartnerAction): Promise<void> {
  const action = { id: uuidv7(), actor: 'olivia', requestId: 'test' };
  expect((await decidePartner(env, { id: lister.organization, decision, reason: 'test' }, action)).ok).toBe(true);
}

test('trades for its account on the markets of its securities, and on no other', async () => {
  const buyer = await introducedInvestor(lister, { cash: 1_000_00 });
  const seller = await introducedInvestor(lister);
  await giveHolding({ accountId: seller.accountId, asset: security.securityId, lots: [{ quantity: 5 }] });
  const [buys, sells] = [await keyOf(buyer), await keyOf(seller)];
  expect(buys.markets).toEqual([security.market]);
  expect(await order(sells, { side: 'sell' })).toMatchObject({ status: 200, body: { status: 'open' } });
  expect(await order(buys)).toMatchObject({ status: 200, body: { status: 'filled' } });
  await settle(security.market);
  const held = await env.DB.prepare('SELECT available FROM balances WHERE account = ? AND asset = ?')
    .bind(buyer.accountId, security.securityId)
    .first();
  expect(held).toEqual({ available: 1 });
  expect((await order(buys, { symbol: elsewhere.market })).status).toBe(403);
  const { keys } = (await lister.client.get<{ keys: Key[] }>(pathOf(buyer))).body;
  expect(keys).toMatchObject([{ key_id: buys.key_id, status: 'active' }]);
  expect(JSON.stringify(keys)).not.toContain(buys.secret);
});

test('trades to the last millisecond of the checks of its investor, whatever was read before', async () => {
  const investor = await introducedInvestor(lister, { cash: 1_000_00 });
  const end = Date.now() + 3_600_000;
  await db.update(investorChecks).set({ expiresAt: end }).where(eq(investorChecks.investor, investor.investorId));
  const key = await keyOf(investor);
  vi.useFakeTimers({ toFake: ['Date'], now: end - 1 });
  expect((await order(key, { price: 1 })).status).toBe(200);
  vi.setSystemTime(end);
  expect(await order(key, { price: 1 })).toMatchObject({ status: 403, body: { error: { code: 'FORBIDDEN' } } });
});

test('opens nothing again while facts do not follow yet of checks that have ended or failed', async () => {
  const names = { ended: null, failed: { status: 'failed', reason: 'listed', applied: false } } as const;
  for (const [name, failed] of Object.entries(names))
    for (const all of [false, true]) {
      vi.useRealTimers();
      const investor = await introducedInvestor(lister, { cash: 1_000_00 });
      const key = await keyOf(investor);
      const end = Date.now() + 3_600_000;
      const of = eq(investorChecks.investor, investor.investorId);
      const changed = all ? of : and(of, eq(investorChecks.kind, 'sanctions_screening'));
      await db.update(investorChecks).set({ expiresAt: end }).where(changed);
      vi.useFakeTimers({ toFake: ['Date'], now: end });
      expect((await order(key, { price: 1 })).status, `${name} ${all}`).toBe(403);
      if (failed === null) await expireChecks(db, end, 300);
      else await db.update(investorChecks).set(failed).where(changed);
      // Older than what the Gate keeps.
      vi.setSystemTime(end + 120_000);
      expect((await order(key, { price: 1 })).status, `${name} ${all}, written down`).toBe(403);
      const found = await findInvestor(db, investor.investorId);
      if (found === null) throw new Error('no investor');
      // Facts have followed by the time that a provider is asked, which may hang.
      await db.update(investorChecks).set({ open: true, requestProvider: 'http' }).where(changed);
      const known = async () => {
        const [account] = await db.select().from(accounts).where(eq(accounts.id, investor.accountId));
        return account?.kycStatus;
      };
      const seen: unknown[] = [];
      vi.stubGlobal('fetch', async () => {
        seen.push(await known());
        return new Response('', { status: 503 });
      });
      const http = { SCREENING_PROVIDER: 'http', SCREENING_URL: 'https://screening.example.com', SCREENING_TOKEN: 't' };
      await carryOnScreening({ ...env, ...http } as unknown as Env, found).finally(() => vi.unstubAllGlobals());
      expect(seen.length, `${name} ${all}, asked`).toBeGreaterThan(0);
      expect(seen, `${name} ${all}, asked`).not.toContain('completed');
    }
});

test('is made for listed securities, and for accounts of own investors', async () => {
  const investor = await introducedInvestor(lister);
  const body = { name: 'desk', security_ids: [uuidv7()] };
  expect(await lister.client.post(pathOf(investor), body)).toMatchObject({ status: 400 });
  expect(await lister.client.post(pathOf(investor), { ...body, security_ids: [] })).toMatchObject({ status: 400 });
  const listed = { name: 'desk', security_ids: [security.securityId] };
  const other = await createPartner(db, 'cross_lister');
  expect(await other.client.post(pathOf(investor), listed)).toMatchObject({ status: 404 });
  expect(await other.client.get(pathOf(investor))).toMatchObject({ status: 404 });
  const second = await introducedInvestor(lister);
  expect(await lister.client.post(pathOf({ ...investor, accountId: second.accountId }), listed)).toMatchObject({
    status: 404,
  });
  const agent = await createPartner(db, 'transfer_agent');
  expect(await agent.client.post(pathOf(investor), listed)).toMatchObject({ status: 403 });
});

test('opens what it was made for alone: scopes, addresses, and each of its securities', async () => {
  const investor = await introducedInvestor(lister, { cash: 1_000_00 });
  const reads = await keyOf(investor, { scopes: ['read'] });
  expect(await order(reads)).toMatchObject({ status: 403, body: { error: { details: { scope: 'trade' } } } });
  const elsewhereAlone = await keyOf(investor, { ip_allowlist: ['192.0.2.0/24'] });
  expect((await order(elsewhereAlone)).status).toBe(401);
  const both = [security.securityId, elsewhere.securityId];
  const wide = await keyOf(investor, { security_ids: both });
  expect(new Set(wide.markets)).toEqual(new Set([security.market, elsewhere.market]));
  expect((await order(wide, { symbol: elsewhere.market })).status).toBe(200);
  const body = { name: 'desk', security_ids: [security.securityId, uuidv7()] };
  expect(await lister.client.post(pathOf(investor), body)).toMatchObject({ status: 400 });
});

test('does nothing while its organization is suspended', async () => {
  const key = await keyOf(await introducedInvestor(lister, { cash: 1_000_00 }));
  expect((await order(key)).status).toBe(200);
  await decide('suspend');
  expect((await order(key)).status).toBe(401);
  await decide('reinstate');
  expect((await order(key)).status).toBe(200);
});

test('is ended by its organization, with the orders that it has open', async () => {
  const investor = await introducedInvestor(lister, { cash: 1_000_00 });
  const key = await keyOf(investor);
  expect((await order(key)).status).toBe(200);
  const path = `${pathOf(investor)}/${key.key_id}`;
  const other = await introducedInvestor(lister);
  expect(await lister.client.delete(`${pathOf(other)}/${key.key_id}`)).toMatchObject({ status: 404 });
  const stranger = await createPartner(db, 'cross_lister');
  expect(await stranger.client.delete(path)).toMatchObject({ status: 404 });
  expect((await order(key)).status).toBe(200);
  expect((await lister.client.delete(path)).status).toBe(204);
  expect((await order(key)).status).toBe(401);
  await settle(security.market);
  const open = await env.DB.prepare('SELECT held FROM balances WHERE account = ? AND asset = ?')
    .bind(investor.accountId, 'usd')
    .first();
  expect(open).toEqual({ held: 0 });
  expect((await lister.client.delete(path)).status).toBe(204);
});

test('places nothing for an investor whose check has failed', async () => {
  const investor = await introducedInvestor(lister, { cash: 1_000_00 });
  const key = await keyOf(investor);
  expect((await order(key)).status).toBe(200);
  await db
    .update(investorChecks)
    .set({ status: 'failed', reason: 'listed', applied: false })
    .where(and(eq(investorChecks.investor, investor.investorId), eq(investorChecks.kind, 'sanctions_screening')));
  const found = await findInvestor(db, investor.investorId);
  if (found === null) throw new Error('no investor');
  await applyChecks(env, found, Date.now());
  expect((await order(key)).status).toBe(403);
});

test('an organization has 200 active keys at most, and those that have ended count no more', async () => {
  const busy = await createPartner(db, 'cross_lister');
  const { securityId } = await listedSecurity(db, busy, 'BUSY');
  let last = await introducedInvestor(busy);
  for (let investors = 0; investors < 5; investors++) {
    last = await introducedInvestor(busy);
    const { investorId: userId, accountId: account } = last;
    for (let keys = 0; keys < 40; keys++) {
      const of = { id: uuidv7(), account, userId, owner: busy.organization, name: 'desk', createdAt: Date.now() };
      const none = { ipAllowlist: null, rateLimits: null, positionLimits: null, dailyLossMax: null };
      await createApiKey(db, { ...of, ...none, scopes: ['read'] }, 'sealed');
    }
  }
  const body = { name: 'desk', security_ids: [securityId] };
  expect(await busy.client.post(pathOf(await introducedInvestor(busy)), body)).toMatchObject({
    status: 409,
    body: { error: { details: { activeKeysMax: 200 } } },
  });
  const { keys } = (await busy.client.get<{ keys: Key[] }>(pathOf(last))).body;
  expect((await busy.client.delete(`${pathOf(last)}/${keys[0]?.key_id}`)).status).toBe(204);
  expect((await busy.client.post(pathOf(last), body)).status).toBe(201);
});

describe('orders that a key has placed', () => {
  interface Listed {
    readonly orders: readonly Record<string, unknown>[];
  }
  const idOf = ({ body }: { body: unknown }) => String((body as { order_id: string }).order_id);
  const listed = async (partner: Partner, query = '') =>
    (await partner.client.get<Listed>(`/v1/orders${query}`)).body.orders;
  const idsOf = async (partner: Partner, query = '') => (await listed(partner, query)).map(({ order_id }) => order_id);

  /** An investor of a partner of its own, who has ordered with a key, through the partner, and with the key again. */
  async function ordered() {
    const partner = await createPartner(db, 'cross_lister', { firmName: 'Desk Partners LLC' });
    const investor = await introducedInvestor(partner, { cash: 1_000_00 });
    const body = { name: 'desk', security_ids: [security.securityId, elsewhere.securityId] };
    const key = (await partner.client.post<Key>(pathOf(investor), body)).body;
    const first = idOf(await order(key, { price: 2 }));
    const through = await partner.client.post<{ order_id: string }>('/v1/orders', {
      security_id: security.securityId,
      side: 'buy',
      order_type: 'limit',
      quantity: 1,
      price: 2,
      time_in_force: 'gtc',
      investor_id: investor.investorId,
      account_id: investor.accountId,
      broker_dealer: { firm_name: 'Juniper Securities LLC', crd_number: '987654' },
    });
    expect(through.status).toBe(201);
    const last = idOf(await order(key, { price: 2, symbol: elsewhere.market, time_in_force: 'POST_ONLY' }));
    return { partner, investor, key, ids: [last, through.body.order_id, first] as const };
  }

  test('are listed with those that their partner has placed, newest first, page by page, by security, investor and state', async () => {
    const { partner, investor, ids } = await ordered();
    const [last, through, first] = ids;
    const all = await listed(partner);
    expect(all.map(({ order_id }) => order_id)).toEqual(ids);
    const of = { investor_id: investor.investorId, account_id: investor.accountId, status: 'open' };
    const itsOwn = { firm_name: 'Desk Partners LLC', crd_number: expect.stringMatching(/^\d+$/) };
    expect(all).toMatchObject([
      { ...of, time_in_force: 'post_only', broker_dealer: itsOwn },
      { ...of, time_in_force: 'gtc', broker_dealer: { firm_name: 'Juniper Securities LLC', crd_number: '987654' } },
      { ...of, time_in_force: 'gtc', broker_dealer: itsOwn, price: 2, stop_price: null },
    ]);
    const paged: unknown[] = [];
    for (let query: string | null = '?limit=1'; query !== null; ) {
      const page: { body: Listed; headers: Headers } = await partner.client.get<Listed>(`/v1/orders${query}`);
      paged.push(...page.body.orders.map(({ order_id }) => order_id));
      const cursor: string | undefined = /cursor=([0-9a-f-]+)/.exec(page.headers.get('link') ?? '')?.[1];
      query = cursor === undefined ? null : `?limit=1&cursor=${cursor}`;
    }
    expect(paged).toEqual(ids);
    expect(await idsOf(partner, `?security_id=${elsewhere.securityId}`)).toEqual([last]);
    expect(await idsOf(partner, `?investor_id=${investor.investorId}`)).toEqual(ids);
    expect(await idsOf(partner, `?investor_id=${(await introducedInvestor(partner)).investorId}`)).toEqual([]);
    expect((await partner.client.delete(`/v1/orders/${through}`)).status).toBe(200);
    expect(await idsOf(partner, '?status=open')).toEqual([last, first]);
    expect(await idsOf(partner, '?status=cancelled')).toEqual([through]);
  });

  test('are read and cancelled by their partner alone', async () => {
    const { partner, ids } = await ordered();
    const [last] = ids;
    const stranger = await createPartner(db, 'cross_lister');
    expect(await idsOf(stranger)).toEqual([]);
    expect((await stranger.client.get(`/v1/orders/${last}`)).status).toBe(404);
    expect((await stranger.client.delete(`/v1/orders/${last}`)).status).toBe(404);
    expect((await partner.client.get(`/v1/orders/${last}`)).body).toMatchObject({ order_id: last, status: 'open' });
    expect((await partner.client.delete(`/v1/orders/${last}`)).body).toMatchObject({
      order_id: last,
      status: 'cancelled',
    });
    expect((await partner.client.get(`/v1/orders/${last}`)).body).toMatchObject({ status: 'cancelled' });
  });

  test('stay those of their partner when they have ended, their key was revoked, and they are archived', async () => {
    const { partner, investor, key, ids } = await ordered();
    expect((await partner.client.delete(`${pathOf(investor)}/${key.key_id}`)).status).toBe(204);
    expect((await partner.client.delete(`/v1/orders/${ids[1]}`)).status).toBe(200);
    const before = await listed(partner);
    expect(before.map(({ order_id, status }) => [order_id, status])).toEqual(ids.map((id) => [id, 'cancelled']));
    await archiveOrders(env, Date.now() + 8 * DAY_MS);
    const left = await env.DB.prepare('SELECT count(*) AS n FROM orders WHERE account = ?').bind(investor.accountId);
    expect(await left.first()).toEqual({ n: 0 });
    expect(await listed(partner)).toEqual(before);
    expect((await partner.client.get(`/v1/orders/${ids[0]}`)).body).toEqual(before[0]);
    const stranger = await createPartner(db, 'cross_lister');
    expect((await stranger.client.get(`/v1/orders/${ids[0]}`)).status).toBe(404);
  });
});

describe('keys that a partner has made', () => {
  test('end with the kill switch of whoever made them, with their orders, and none is made by a token that it has ended', async () => {
    const partner = await createPartner(db, 'cross_lister');
    const { securityId, market } = await listedSecurity(db, partner, 'KILLED');
    const investor = await introducedInvestor(partner, { cash: 1_000_00 });
    const body = { name: 'desk', security_ids: [securityId] };
    const { body: key } = await partner.client.post<Key>(pathOf(investor), body);
    expect(await order(key, { symbol: market })).toMatchObject({ status: 200, body: { status: 'open' } });
    const maker = await env.DB.prepare('SELECT made_by FROM api_keys WHERE id = ?')
      .bind(key.key_id)
      .first<string>('made_by');
    // The Gate goes by what it has read before.
    await endUserTokens(db, maker ?? '', Date.now() + 1_000);
    expect((await partner.client.post(pathOf(investor), body)).status).toBe(401);
    const count = await env.DB.prepare('SELECT count(*) AS n FROM api_keys WHERE account = ?')
      .bind(investor.accountId)
      .first('n');
    expect(count).toBe(1);
    const ended = await endEverything(env, maker ?? '');
    expect(ended).toMatchObject({ ok: true, value: { keyIds: [key.key_id] } });
    expect((await order(key, { symbol: market })).status).toBe(401);
    await settle(market);
    const open = await env.DB.prepare("SELECT count(*) AS n FROM orders WHERE account = ? AND status = 'open'");
    expect(await open.bind(investor.accountId).first('n')).toBe(0);
  });
});
