import { env } from 'cloudflare:workers';
import { eq } from 'drizzle-orm';
import { uuidv7 } from 'uuidv7';
import { beforeAll, describe, expect, test } from 'vitest';
import { createAsset } from '../../../../data/catalog/assets.ts';
import type { Database } from '../../../../data/database.ts';
import { bridgeOrganizations, bridgeTenants } from '../../../../data/schema/bridge.ts';
import { EXCHANGE_CHAIN } from '../../../../domain/bridge/chains/chain-name.ts';
import { evmChainId } from '../../../../domain/bridge/chains/evm/evm-chains.ts';
import { laneOf } from '../../../../domain/bridge/lane.ts';
import { NO_BRANDING } from '../../../../domain/bridge/tenant.ts';
import { bridgeTransferOf } from '../../../../durable-objects/transfer/api.ts';
import { type BridgeOrganization, CUSTOMER, createBridgeOrganization } from '../../fixtures/bridge-organization.ts';
import { call } from '../../fixtures/call.ts';
import { createTrader } from '../../fixtures/create-trader.ts';
import { migrate } from '../../fixtures/migrate.ts';
import { hasChains } from '../../fixtures/on-chains.ts';
import { createPartner } from '../../fixtures/partner-client.ts';
import { createApp } from '../../fixtures/sign-in.ts';

const OUTSIDE = { chain: 'ethereum', address: CUSTOMER };

describe.skipIf(!hasChains)('what a transfer begins with', () => {
  let db: Database;
  let acme: BridgeOrganization;
  let zenith: BridgeOrganization;
  beforeAll(async () => {
    db = await migrate();
    await createApp();
    acme = await createBridgeOrganization(db, { feeBps: 10, coSignFrom: 5_000_000, queue_ms: 60_000, minStake: '7' });
    zenith = await createBridgeOrganization(db);
    const laneTerms = [
      { origin: 'ethereum', asset: 'USDC', leastAmount: 1, flatFee: 2_000, coinPrice: 3_000_000_000 },
    ] as const;
    await db
      .update(bridgeOrganizations)
      .set({ laneTerms: [...laneTerms] })
      .where(eq(bridgeOrganizations.organization, zenith.organization));
  });

  const initiate = (by: BridgeOrganization, json: object = {}, hostname = by.hostname) =>
    call(`POST /bridge/api/v1/transfer/initiate?hostname=${hostname}`, {
      headers: by.headers,
      json: { asset: 'USDC', amount: 10, source: OUTSIDE, destination: { account_id: by.account }, ...json },
    });
  const idOf = ({ body }: { body: unknown }) => (body as { id: string }).id;

  async function secondHostname(organization: string): Promise<string> {
    const hostname = `second-${uuidv7().slice(-12)}.example`;
    const of = { name: 'Second', signingMode: 'native', chains: ['ethereum'], branding: NO_BRANDING } as const;
    await db.insert(bridgeTenants).values({ hostname, organization, ...of, createdAt: 1, updatedAt: 1 });
    return hostname;
  }

  test('is kept with it: vaults, guard, stake, thresholds and times', async () => {
    const before = Date.now();
    const view = await bridgeTransferOf(env, idOf(await initiate(acme))).view();
    expect(view?.settings).toEqual({
      source: expect.objectContaining({ chain: 'ethereum', contract: acme.vault, token: acme.token }),
      destination: null,
      guard: acme.guard,
      lane: laneOf('ethereum', 'USDC'),
      stake: { chainId: evmChainId(EXCHANGE_CHAIN, 'local'), stake: acme.stake, wrapped: null },
      minStake: '7',
      assetId: 'usdc',
      coSignFrom: 5_000_000,
      feeAccount: null,
      feeShare: 10_000,
      queue_ms: 60_000,
      roomHeldPercent: 50,
      answer_ms: 3_600_000,
      refundWorth: { coinWorth: null, flatFee: '0' },
    });
    const { terms, createdAt = 0 } = view ?? {};
    expect(createdAt).toBeGreaterThanOrEqual(before);
    expect(terms).toMatchObject({ organization: acme.organization, expiresAt: createdAt + 3_600_000 });
    const other = await bridgeTransferOf(env, idOf(await initiate(zenith))).view();
    const refundWorth = { coinWorth: '3000000000', flatFee: '2000' };
    expect(other?.settings).toMatchObject({ coSignFrom: null, minStake: '0', refundWorth });
  });

  test('names the wrapped token where its funds are a burn of it, and not where they are paid in outside', async () => {
    const here = { chain: EXCHANGE_CHAIN, address: CUSTOMER };
    const burnt = await initiate(acme, { source: here, destination: OUTSIDE });
    expect((await bridgeTransferOf(env, idOf(burnt)).view())?.settings).toMatchObject({
      source: { chain: EXCHANGE_CHAIN, contract: acme.wrapped },
      destination: { chain: 'ethereum', contract: acme.vault },
      stake: { wrapped: acme.wrapped },
    });
    const minted = await initiate(acme, { destination: here });
    expect((await bridgeTransferOf(env, idOf(minted)).view())?.settings.stake.wrapped).toBeNull();
  });

  test('is the hostname at which it was asked for: another of the same organization does not know it', async () => {
    const second = await secondHostname(acme.organization);
    const id = idOf(await initiate(acme));
    const get = (hostname: string) =>
      call(`GET /bridge/api/v1/transfer/${id}?hostname=${hostname}`, { headers: acme.headers });
    const push = (hostname: string) => call(`POST /bridge/api/v1/transfer/${id}/complete?hostname=${hostname}`);
    expect([(await get(acme.hostname)).status, (await push(acme.hostname)).status]).toEqual([200, 200]);
    expect([(await get(second)).status, (await push(second)).status]).toEqual([404, 404]);
    const there = await initiate(acme, {}, second);
    expect([there.status, (await bridgeTransferOf(env, idOf(there)).view())?.hostname]).toEqual([201, second]);
  });

  test('is listed for its organization alone, newest first, page by page', async () => {
    const mine = [
      idOf(await initiate(zenith)),
      idOf(await initiate(zenith)),
      idOf(await initiate(zenith)),
    ].toReversed();
    const list = (query: string, by = zenith) =>
      call(`GET /bridge/api/v1/transfer?hostname=${by.hostname}${query}`, { headers: by.headers });
    const idsOf = (answer: { body: unknown }) =>
      (answer.body as { transfers: { id: string }[] }).transfers.map(({ id }) => id);
    const first = await list('&limit=2');
    expect(idsOf(first)).toEqual(mine.slice(0, 2));
    expect(first.headers.get('link')).toContain(`cursor=${mine[1]}`);
    const next = await list(`&limit=2&cursor=${mine[1]}`);
    expect(idsOf(next)[0]).toBe(mine[2]);
    const exact = await list('&limit=3');
    expect(idsOf(exact)).toEqual(mine);
    for (const id of idsOf(await list('', acme))) expect(mine).not.toContain(id);
    expect((await list('', { ...zenith, hostname: acme.hostname })).status).toBe(404);
    expect((await list('&limit=101')).status).toBe(400);
  });

  test.each([
    ['stocks', { category: 'stocks' }, 'ASSET_NOT_TRADEABLE'],
    ['another rail', { rail: 'public' }, 'ASSET_NOT_TRADEABLE'],
    ['a regulation', { regulation: 'reg_s' }, 'ASSET_NOT_TRADEABLE'],
    ['accreditation', { accreditationType: '506c' }, 'ASSET_NOT_TRADEABLE'],
    ['lots', { tracksLots: true }, 'ASSET_NOT_TRADEABLE'],
    ['no approval yet', { status: 'PENDING' }, 'ASSET_NOT_FOUND'],
    ['nothing that forbids it', {}, 'NOT_FOUND'],
  ] as const)('is no asset of %s, also where there were a vault', async (_, change, code) => {
    const symbol = `X${uuidv7().slice(-8).toUpperCase()}`;
    const plain = { category: 'crypto', rail: 'digital', scale: 6, executionRoute: 'internal' } as const;
    const asset = { id: symbol.toLowerCase(), symbol, name: symbol, createdAt: Date.now(), ...plain, ...change };
    await createAsset(db, asset);
    expect((await initiate(acme, { asset: symbol })).body).toMatchObject({ error: { code } });
  });

  test('may be as much as a day carries, and no unit more', async () => {
    expect((await initiate(zenith, { amount: 1_000 })).status).toBe(201);
    expect((await initiate(zenith, { amount: 1_000.000001 })).body).toMatchObject({
      error: { code: 'RISK_LIMIT_EXCEEDED', details: { limit: 1_000 } },
    });
  });

  test('is an account of a customer, and none at which assets enter and leave', async () => {
    const { accountId } = await createTrader(db, { owner: acme.organization });
    expect((await initiate(acme, { destination: { account_id: accountId } })).status).toBe(201);
    await env.DB.prepare('UPDATE accounts SET boundary = 1 WHERE id = ?').bind(accountId).run();
    const answer = await initiate(acme, { destination: { account_id: accountId } });
    expect([answer.status, answer.body]).toMatchObject([404, { error: { details: { field: 'destination' } } }]);
  });

  test('has to be stated: an organization without guard, stake and vaults begins none', async () => {
    const bare = await createPartner(db, 'bridge_tenant');
    const hostname = await secondHostname(bare.organization);
    const { accountId: account } = await createTrader(db, { owner: bare.organization });
    const answer = await initiate({ ...acme, ...bare, hostname, account });
    expect([answer.status, answer.body]).toMatchObject([409, { error: { code: 'CONFLICT' } }]);
  });
});
