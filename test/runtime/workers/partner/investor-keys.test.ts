import { env } from 'cloudflare:workers';
import { and, eq } from 'drizzle-orm';
import { uuidv7 } from 'uuidv7';
import { beforeAll, expect, test } from 'vitest';
import { applyChecks } from '../../../../application/partner/investors/apply-checks.ts';
import { decidePartner } from '../../../../application/partner/registration/decide-partner.ts';
import type { Database } from '../../../../data/database.ts';
import { createApiKey } from '../../../../data/identity/api-keys.ts';
import { findInvestor } from '../../../../data/partner/investors.ts';
import { investorChecks } from '../../../../data/schema/investors.ts';
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
