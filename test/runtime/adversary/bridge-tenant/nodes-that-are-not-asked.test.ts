import { uuidv7 } from 'uuidv7';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Database } from '../../../../data/database.ts';
import { bridgeTenants, bridgeTransfers, bridgeVaults } from '../../../../data/schema/bridge.ts';
import type { ChainName } from '../../../../domain/bridge/chains/chain-name.ts';
import { NO_BRANDING } from '../../../../domain/bridge/tenant.ts';
import type { ChainCall } from '../../../../protocol/bridge/chains-api.ts';
import { type BridgeOrganization, CUSTOMER, createBridgeOrganization } from '../../fixtures/bridge-organization.ts';
import { call } from '../../fixtures/call.ts';
import { createTrader } from '../../fixtures/create-trader.ts';
import { bridgeFaults, clearBridgeFaults } from '../../fixtures/faulty-transfer.ts';
import { giveBalance } from '../../fixtures/give-balance.ts';
import { migrate } from '../../fixtures/migrate.ts';
import { hasChains } from '../../fixtures/on-chains.ts';
import { createApp } from '../../fixtures/sign-in.ts';

const OUTSIDE = { chain: 'ethereum', address: CUSTOMER };
/** Whatever a request to begin asks chains. */
const ASKED: readonly ChainCall[] = [
  'addressOf',
  'requireVault',
  'payeeMemoFault',
  'payoutCost',
  'lane',
  'depositPlace',
  'payeeFault',
];

describe.skipIf(!hasChains)('a tenant whose requests are refused', () => {
  let db: Database;
  let acme: BridgeOrganization;
  beforeAll(async () => {
    db = await migrate();
    await createApp();
    acme = await createBridgeOrganization(db);
  });
  afterEach(clearBridgeFaults);

  const initiate = (json: object, hostname = acme.hostname) =>
    call(`POST /bridge/api/v1/transfer/initiate?hostname=${hostname}`, {
      headers: acme.headers,
      json: { asset: 'USDC', amount: 10, ...json },
    });

  test('has no chain asked where the account is empty, and none kept', async () => {
    bridgeFaults.failing = [...ASKED];
    const { accountId: empty } = await createTrader(db, { owner: acme.organization });
    const outward = { source: { account_id: empty }, destination: OUTSIDE };
    for (let time = 0; time < 3; time++) {
      const answer = await initiate(outward);
      expect([answer.status, answer.body]).toMatchObject([400, { error: { code: 'INSUFFICIENT_BALANCE' } }]);
    }
    expect(await db.select().from(bridgeTransfers)).toEqual([]);
    await giveBalance({ accountId: empty, asset: 'usdc', amount: 10_000_000 });
    expect((await initiate(outward)).status).toBe(503);
    expect((await initiate({ ...outward, amount: 10.000001 })).status).toBe(400);
  });

  test('has no chain asked for what is written here', async () => {
    bridgeFaults.failing = [...ASKED];
    const { accountId: unverified } = await createTrader(db, { owner: acme.organization, kycStatus: 'pending' });
    const inward = { source: OUTSIDE, destination: { account_id: acme.account } };
    const refused: readonly [object, number][] = [
      [{ ...inward, destination: { account_id: unverified } }, 403],
      [{ ...inward, destination: { account_id: uuidv7() } }, 404],
      [{ ...inward, amount: 0.0000001 }, 400],
    ];
    for (const [json, status] of refused) expect((await initiate(json)).status).toBe(status);
    expect((await initiate(inward)).status).toBe(503);
  });

  test.each<[ChainName, string]>([
    ['ethereum', CUSTOMER],
    ['xrpl', 'rPT1Sjq2YGrBMTttX4GZHjKu9dyfzbpAYe'],
    ['stellar', 'GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ'],
    ['aptos', `0x${'c5'.repeat(31)}5e`],
  ])('is told by a conflict that a vault on %s is stated in no way that anybody could use', async (chain, address) => {
    const own = await createBridgeOrganization(db);
    const hostname = `${chain}-${uuidv7().slice(-12)}.example`;
    const of = { name: 'Row', signingMode: 'native', chains: [chain], branding: NO_BRANDING } as const;
    await db
      .insert(bridgeTenants)
      .values({ hostname, organization: own.organization, ...of, createdAt: 1, updatedAt: 1 });
    const keys = { scheme: 'frost-ed25519', groupKey: '', signerKeys: [] } as const;
    const place = { chain, network: 'testnet', keys, contract: null, token: null, decimals: 6 } as const;
    const row = { organization: own.organization, origin: chain, chain, asset: 'usdc', place } as const;
    await db
      .insert(bridgeVaults)
      .values({ ...row, createdAt: 1, updatedAt: 1 })
      .onConflictDoUpdate({
        target: [bridgeVaults.organization, bridgeVaults.origin, bridgeVaults.asset, bridgeVaults.chain],
        set: { place },
      });
    await giveBalance({ accountId: own.account, asset: 'usdc', amount: 10_000_000 });
    const outside = { chain, address };
    const inside = { account_id: own.account };
    for (const [source, destination] of [
      [outside, inside],
      [inside, outside],
    ]) {
      const { status, body } = await call(`POST /bridge/api/v1/transfer/initiate?hostname=${hostname}`, {
        headers: own.headers,
        json: { asset: 'USDC', amount: 10, source, destination },
      });
      expect([status, body]).toMatchObject([409, { error: { code: 'CONFLICT', details: { reason: 'vault' } } }]);
    }
  });
});
