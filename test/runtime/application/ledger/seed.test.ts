import { env } from 'cloudflare:workers';
import { eq, sql } from 'drizzle-orm';
import { beforeAll, describe, expect, test } from 'vitest';
import { tenantAt } from '../../../../application/bridge/tenant-at.ts';
import { sha256Hex } from '../../../../application/identity/sha256-hex.ts';
import { DEMO_CUSTOMER, DEMO_TENANT } from '../../../../application/seed/demo-bridge.ts';
import { demoKeyOf } from '../../../../application/seed/demo-credentials.ts';
import { DEMO_AGENT, DEMO_INVESTORS, DEMO_LISTER, DEMO_SECURITY } from '../../../../application/seed/demo-partners.ts';
import { DEMO_PEOPLE } from '../../../../application/seed/demo-people.ts';
import { seedDemo } from '../../../../application/seed/seed-demo.ts';
import type { Database } from '../../../../data/database.ts';
import { openSecret } from '../../../../data/identity/sealed-secret.ts';
import { listMarkets } from '../../../../data/markets/markets.ts';
import { accounts, transfers, users } from '../../../../data/schema/accounts.ts';
import { assets } from '../../../../data/schema/catalog.ts';
import { apiKeys, oauthClients } from '../../../../data/schema/identity.ts';
import { balances, lots } from '../../../../data/schema/ledger.ts';
import type { Rail } from '../../../../domain/assets/asset.ts';
import { expectRightLedger } from '../../fixtures/expect-right-ledger.ts';
import { migrate } from '../../fixtures/migrate.ts';

const NOW = Date.UTC(2026, 10, 21);
const YEAR_MS = 366 * 24 * 60 * 60_000;

let db: Database;

beforeAll(async () => {
  db = await migrate();
});

const seed = (now: number) => seedDemo({ env, apiKeyMasterKey: env.API_KEY_MASTER_KEY, now });

/** D1 that answers so many calls and none after them, as a start that is killed then sees it. */
function answering(d1: D1Database, calls: number): D1Database {
  let left = calls;
  return new Proxy(d1, {
    get(target, name) {
      if (left-- <= 0) throw new Error('killed');
      const value = Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

test('a start that is killed at any call of D1 is completed by the next one', async () => {
  let kills = 0;
  for (let calls = 5; ; calls += 37) {
    const outcome = await seedDemo({
      env: { ...env, DB: answering(env.DB, calls) },
      apiKeyMasterKey: env.API_KEY_MASTER_KEY,
      now: NOW,
    }).then(
      () => 'done',
      (error: Error) => error.message,
    );
    if (outcome === 'done') break;
    kills += 1;
  }
  expect(kills).toBeGreaterThan(5);
});

describe('the demo', () => {
  test('has assets on all three rails and in all seven categories', async () => {
    const listed = (await db.select().from(assets)).filter(({ rail }) => rail !== null);
    const byRail = Object.groupBy(listed, ({ rail }) => rail ?? '');
    const categories = (rail: Rail) => [...new Set(byRail[rail]?.map(({ category }) => category))].sort();
    expect(categories('public')).toEqual(['commodities', 'fixed-income', 'forex', 'stocks']);
    expect(categories('private')).toEqual(['pre-ipo', 'privates']);
    expect(categories('digital')).toEqual(['crypto']);
  });

  test('has private securities under every accreditation rule and regulation', async () => {
    const rules = (await db.select().from(assets))
      .filter(({ category }) => category === 'privates')
      .map(({ accreditationType, regulation }) => `${accreditationType} ${regulation}`)
      .sort();
    expect(rules).toEqual([
      '506b reg_d_506b',
      '506c reg_d_506c',
      '506c reg_d_506c',
      'null reg_a',
      'null reg_cf',
      'null reg_s',
      'null retail',
    ]);
  });

  test('routes each category where the specification says', async () => {
    const routes = new Map(
      (await db.select().from(assets)).map(({ category, executionRoute }) => [category, executionRoute]),
    );
    expect(Object.fromEntries(routes)).toEqual({
      currency: null,
      stocks: 'broker',
      'fixed-income': 'broker',
      commodities: 'broker',
      forex: 'broker',
      privates: 'internal',
      'pre-ipo': 'indication',
      crypto: 'prime',
    });
  });

  test('has a routed market for every public asset', async () => {
    const routed = (await listMarkets(db)).filter(({ route }) => route === 'broker');
    expect(routed.map(({ symbol }) => symbol)).toEqual(['AAPL-USD', 'EUR-USD', 'MSFT-USD', 'UST10-USD', 'XAU-USD']);
  });

  test('X-18: deals in euros in hundredths of a cent, in everything else at the broker in cents', async () => {
    const routed = (await listMarkets(db)).filter(({ route }) => route === 'broker');
    const ticks = Object.fromEntries(routed.map(({ symbol, tickSize }) => [symbol, tickSize]));
    expect(ticks).toEqual({ 'AAPL-USD': 100, 'EUR-USD': 1, 'MSFT-USD': 100, 'UST10-USD': 100, 'XAU-USD': 100 });
  });

  test('has a market at the prime broker for every coin, beside its pairs', async () => {
    const prime = (await listMarkets(db)).filter(({ route }) => route === 'prime');
    expect(prime.map(({ symbol }) => symbol)).toEqual(['PRIME:BTC-USD', 'PRIME:ETH-USD']);
  });

  test('takes indications on pre-IPO assets, one of which has an issuer with shares to sell', async () => {
    const indicated = (await listMarkets(db)).filter(({ route }) => route === 'indication');
    expect(indicated.map(({ symbol }) => symbol)).toEqual(['LUMEN.IOI-USD', 'ORBIT.IOI-USD']);
    const issued = (await db.select().from(assets)).find(({ id }) => id === 'orbit');
    expect(issued).toMatchObject({ issuerAccount: 'orbit-account' });
    const held = (await db.select().from(balances)).filter(
      ({ asset, available }) => asset === 'orbit' && available > 0,
    );
    expect(held).toMatchObject([{ account: 'orbit-account', available: 500_000 }]);
  });

  test('has a book for every internally matched security and for the crypto pairs', async () => {
    const internal = (await listMarkets(db)).filter(({ route }) => route === 'internal');
    expect(internal.map(({ symbol }) => symbol)).toEqual([
      'ACME-USD',
      'BTC-USD',
      'ETH-BTC',
      'ETH-USD',
      'HARBOR-USD',
      'LSRB-USD',
      'MAPLE-USD',
      'NORDIC-USD',
      'SUMMIT-USD',
      'ZENITH-USD',
    ]);
  });

  test('has users of each kind in two organizations, and an operator of the venue', async () => {
    const facts = (await db.select().from(accounts)).filter(({ boundary }) => !boundary);
    const kinds = new Set(
      facts.map(
        ({ kycStatus, accreditationType, usPerson }) =>
          `${kycStatus} ${accreditationType} ${usPerson ? 'US' : 'not US'}`,
      ),
    );
    expect([...kinds].sort()).toEqual([
      'completed 506b US',
      'completed 506c US',
      'completed null US',
      'completed null not US',
      'pending null US',
    ]);
    const people = await db.select().from(users);
    const owners = ['venue', 'demo', 'northwind', 'orbit', DEMO_LISTER.id, DEMO_AGENT.id, DEMO_TENANT.id];
    expect(new Set(people.map(({ owner }) => owner))).toEqual(new Set(owners));
    expect(people.find(({ id }) => id === 'olivia')).toMatchObject({ owner: 'venue', roles: ['operator'] });
  });

  test('has lots within their hold period and lots that are free, by the regulation of their offering', async () => {
    const held = await db.select().from(lots);
    const restricted = held.filter(({ restrictionEndsAt }) => restrictionEndsAt !== null && restrictionEndsAt > NOW);
    const ended = held.filter(({ restrictionEndsAt }) => restrictionEndsAt !== null && restrictionEndsAt <= NOW);
    const never = held.filter(({ restrictionEndsAt }) => restrictionEndsAt === null);
    expect(restricted.length).toBeGreaterThan(0);
    expect(ended.length).toBeGreaterThan(0);
    expect(never.length).toBeGreaterThan(0);
    expect(restricted.every(({ acquiredAt }) => acquiredAt > NOW - YEAR_MS)).toBe(true);
    const nordic = held
      .filter(({ asset }) => asset === 'nordic')
      .map(({ account, restrictionEndsAt }) => [account, restrictionEndsAt !== null]);
    // Reg S: who holds it makes no difference.
    expect(nordic).toContainEqual(['nadia-account', true]);
    expect(nordic).toContainEqual(['alice-account', true]);
  });

  test('has an API key for every trader, whose secret opens under the master key', async () => {
    const stored = new Map((await db.select().from(apiKeys)).map((key) => [key.id, key.secretCiphertext]));
    for (const { name, roles } of DEMO_PEOPLE) {
      const { id, secret } = demoKeyOf(name);
      expect(stored.has(id)).toBe(roles.includes('trader'));
      if (roles.includes('trader'))
        expect(await openSecret(stored.get(id) ?? '', env.API_KEY_MASTER_KEY, id)).toBe(secret);
    }
  });

  test('has a public client for people and confidential ones for machines', async () => {
    const clients = new Map((await db.select().from(oauthClients)).map((client) => [client.id, client]));
    expect(clients.get('demo-app')).toMatchObject({ secretHash: null, grants: ['password', 'refresh_token'] });
    expect(clients.get('demo-service')).toMatchObject({ grants: ['client_credentials'], userId: 'service' });
    expect(clients.get('demo-service')?.secretHash).toMatch(/^[0-9a-f]{64}$/);
  });

  test('has a cross-lister, its listed security with a transfer agent, and two investors, of whom one holds issued shares', async () => {
    expect(await db.all(sql`SELECT organization, state FROM partner_organizations ORDER BY organization`)).toEqual([
      { organization: DEMO_LISTER.id, state: 'active' },
      { organization: DEMO_AGENT.id, state: 'active' },
      { organization: DEMO_TENANT.id, state: 'active' },
    ]);
    expect(await db.all(sql`SELECT id, state, market, agent_state FROM securities`)).toEqual([
      { id: DEMO_SECURITY.id, state: 'listed', market: 'LSRB-USD', agent_state: 'accepted' },
    ]);
    const [seller, buyer] = DEMO_INVESTORS;
    const checks = await db.all(sql`SELECT DISTINCT investor, status FROM investor_checks ORDER BY investor`);
    expect(checks).toEqual([seller, buyer].map(({ id }) => ({ investor: id, status: 'passed' })));
    const held = await db.all(
      sql`SELECT account, available FROM balances WHERE asset = ${DEMO_SECURITY.id} AND available > 0`,
    );
    expect(held).toEqual([{ account: seller.account, available: seller.shares }]);
    const funded = await db.all(sql`SELECT available FROM balances WHERE asset = 'usd' AND account = ${buyer.account}`);
    expect(funded).toEqual([{ available: buyer.cash * 10_000 }]);
  });

  test('has a tenant of the bridge at its hostname, and a verified customer of its organization', async () => {
    const { id, hostname, secret } = DEMO_TENANT;
    expect(await tenantAt(env, hostname)).toMatchObject({
      organization: id,
      signingMode: 'native',
      chains: ['ethereum'],
    });
    const client = await db.select().from(oauthClients).where(eq(oauthClients.id, id)).get();
    expect(client).toMatchObject({ secretHash: await sha256Hex(secret), grants: ['client_credentials'] });
    const account = await db.select().from(accounts).where(eq(accounts.id, DEMO_CUSTOMER.id)).get();
    expect(account).toMatchObject({ owner: id, kycStatus: 'completed', boundary: false });
    const usdc = await db.select().from(assets).where(eq(assets.id, 'usdc')).get();
    expect(usdc).toMatchObject({ category: 'crypto', rail: 'digital', regulation: null, tracksLots: false });
  });

  test('is a ledger in which everything holds', async () => {
    await expectRightLedger();
  });

  test('seeded a second time, later, changes nothing', async () => {
    const everything = () =>
      Promise.all(
        [accounts, apiKeys, assets, balances, lots, oauthClients, transfers, users].map((table) =>
          db.select().from(table),
        ),
      );
    const before = await everything();
    const events = () => db.all(sql`SELECT count(*) AS count FROM domain_events`);
    const told = await events();
    await seed(NOW + YEAR_MS);
    expect(await everything()).toEqual(before);
    expect(await events()).toEqual(told);
  });
});
