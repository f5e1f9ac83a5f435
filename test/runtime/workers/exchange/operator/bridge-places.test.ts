import { env } from 'cloudflare:workers';
import { eq } from 'drizzle-orm';
import { uuidv7 } from 'uuidv7';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  findBridgeOrganization,
  findVault,
  listChangingOrganizations,
  noteCluster,
  VAULTS_MAX,
} from '../../../../../data/bridge/tenants.ts';
import { createAsset } from '../../../../../data/catalog/assets.ts';
import type { Database } from '../../../../../data/database.ts';
import { bridgeTransfers, bridgeVaults } from '../../../../../data/schema/bridge.ts';
import { PLACE_NOTICE_MS } from '../../../../../domain/bridge/places/notice.ts';
import { VENUE_OWNER } from '../../../../../domain/identity/venue.ts';
import { type Answer, call } from '../../../fixtures/call.ts';
import { createTrader } from '../../../fixtures/create-trader.ts';
import { migrate } from '../../../fixtures/migrate.ts';
import { hasChains, onChains } from '../../../fixtures/on-chains.ts';
import { createPartner } from '../../../fixtures/partner-client.ts';
import { createApp, signIn } from '../../../fixtures/sign-in.ts';

let db: Database;

beforeAll(async () => {
  db = await migrate();
  await createApp();
});

const dataOf = <Data>({ body }: Answer) => (body as { data: Data }).data;

/** Two keys that clusters could have: once and twice the generator. */
const [KEY, OTHER_KEY] = [
  '0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798',
  '02c6047f9441ed7d6d3045406e95c07cd85c778e4b8cef3ca7abac09b95c709ee5',
] as const;

const ED25519_KEYS = [
  '5866666666666666666666666666666666666666666666666666666666666666',
  'c9a3f86aae465f0e56513864510f3997561fa2c9e85ea21dc2292309f3cd6022',
] as const;

describe.skipIf(!hasChains)('the places of an organization', { timeout: 400_000 }, () => {
  let [FIRST, SECOND, THIRD, FOURTH] = ['', '', '', ''];
  let [token, wrapped] = ['', ''];
  let path: string;
  let organization: string;
  let headers: Record<string, string>;
  const stateVault = (contract = FIRST, assetId = 'placed', change: object = {}) =>
    call(`PUT ${path}/vaults`, {
      headers,
      json: {
        ...{ origin: 'ethereum', chain: 'ethereum', assetId },
        place: {
          ...{ network: 'local', contract, token, decimals: 6 },
          keys: { scheme: 'frost-secp256k1', groupKey: KEY, signerKeys: [] },
          ...change,
        },
      },
    });
  const stateSettings = (guard = FIRST, change = {}) =>
    call(`PUT ${path}`, { headers, json: { guard, stake: FIRST, ...change } });
  const shown = async () =>
    dataOf<{
      guard: string;
      next: object | null;
      vaults: { place: { contract: string }; from: string | null; next: object | null }[];
    }>(await call(`GET ${path}`, { headers }));

  beforeAll(async () => {
    const made = [];
    for (let each = 0; each < 4; each++) {
      const signers = [1, 2, 3, 4, 5].map((byte) => `0x${`0${byte}`.repeat(20)}`);
      const deed = {
        do: 'deploy',
        organization: uuidv7(),
        groupKey: KEY,
        signers,
        limit: '9',
        challengeFrom: '9',
      } as const;
      made.push(await onChains<{ vault: string; token: string; wrapped: string }>(deed));
    }
    [FIRST = '', SECOND = '', THIRD = '', FOURTH = ''] = made.map(({ vault }) => vault);
    ({ token, wrapped } = made[0] as (typeof made)[number]);
    headers = (await signIn((await createTrader(db, { owner: VENUE_OWNER, roles: ['operator'] })).phone)).tenant;
    for (const id of ['placed', 'placed-2', 'placed-3']) {
      const asset = { id, symbol: id.toUpperCase(), name: id, category: 'crypto', rail: 'digital', scale: 6 } as const;
      await createAsset(db, { ...asset, executionRoute: 'internal', createdAt: Date.now() });
    }
  }, 400_000);
  const hasKey = (groupKey: string, generation = 1) =>
    noteCluster(db, { organization, scheme: 'frost-secp256k1', generation, groupKey, signerKeys: [], createdAt: 1 });
  beforeEach(async () => {
    organization = (await createPartner(db, 'bridge_tenant')).organization;
    path = `/exchange/v1/operator/bridge/organizations/${organization}`;
    expect((await stateSettings()).status).toBe(200);
    await hasKey(KEY);
    expect((await stateVault()).status).toBe(200);
  });
  const beginsTransfers = () =>
    db.insert(bridgeTransfers).values({
      ...{ id: uuidv7(), organization, hostname: 'any', commitment: uuidv7(), state: 'expired' },
      ...{ changes: 1, updatedAt: 1 },
    });

  it('have fees go to an account of the organization, and to no other’s, and to none unless one is stated', async () => {
    const { accountId: own } = await createTrader(db, { owner: organization });
    const { accountId: strange } = await createTrader(db, { owner: 'another' });
    const shownAccount = async () =>
      dataOf<{ feeAccount: string | null }>(await call(`GET ${path}`, { headers })).feeAccount;
    expect(await shownAccount()).toBeNull();
    expect(dataOf(await stateSettings(FIRST, { feeAccount: own }))).toMatchObject({ feeAccount: own });
    for (const feeAccount of [strange, uuidv7()])
      expect(await stateSettings(FIRST, { feeAccount })).toMatchObject({
        status: 404,
        body: { error: { code: 'NOT_FOUND', details: { field: 'feeAccount' } } },
      });
    expect((await stateSettings(FIRST, { feeAccount: 'boundary:deposits' })).status).toBe(400);
    expect(await shownAccount()).toBe(own);
    expect(dataOf(await stateSettings())).toMatchObject({ feeAccount: null });
  });

  it('change at once before its first transfer, and behind a notice of three days after', async () => {
    expect(dataOf(await stateVault(SECOND))).toMatchObject({ place: { contract: SECOND }, next: null });
    expect(dataOf(await stateSettings(SECOND))).toMatchObject({ guard: SECOND, next: null });
    await beginsTransfers();
    const soon = Date.now() + PLACE_NOTICE_MS;
    const vault = dataOf<{ next: { from: string } }>(await stateVault(THIRD));
    expect(vault).toMatchObject({ place: { contract: SECOND }, next: { place: { contract: THIRD } } });
    const settings = dataOf<{ next: { from: string } }>(await stateSettings(THIRD));
    expect(settings).toMatchObject({ guard: SECOND, next: { guard: THIRD, stake: FIRST } });
    for (const { from } of [vault.next, settings.next]) {
      expect(Date.parse(from)).toBeGreaterThanOrEqual(soon);
      expect(Date.parse(from)).toBeLessThan(soon + 60_000);
    }
    expect(await shown()).toMatchObject({ guard: SECOND, next: settings.next, vaults: [{ next: vault.next }] });
    // Stated again it keeps its time; what holds now takes it back.
    expect(dataOf(await stateVault(THIRD))).toMatchObject({ next: vault.next });
    expect(dataOf(await stateVault(SECOND))).toMatchObject({ place: { contract: SECOND }, next: null });
    expect(dataOf(await stateSettings(SECOND))).toMatchObject({ guard: SECOND, next: null });
    const trail = env.DB.prepare(
      "SELECT count(*) AS n FROM domain_events WHERE type LIKE 'operator.bridge_%' AND subject = ?",
    );
    expect(await trail.bind(organization).first('n')).toBe(9);
  });

  it('of lanes, what they take at least follows behind the notice, and what a coin is worth holds at once', async () => {
    const lane = { origin: 'ethereum', asset: 'PLACED', leastAmount: 1_000, flatFee: 10, coinPrice: 5 };
    const floor = { origin: 'ethereum', asset: 'PLACED', leastAmount: 2_000, flatFee: 20 };
    const state = async (of: object) =>
      dataOf<{ next: { from: string } | null }>(await stateSettings(FIRST, { laneTerms: [of] }));
    expect(await state(lane)).toMatchObject({ laneTerms: [lane], next: null });
    await beginsTransfers();
    const other = { ...floor, coinPrice: 6 };
    const shownNow = await state(other);
    expect(shownNow).toMatchObject({ laneTerms: [{ ...lane, coinPrice: 6 }], next: { guard: FIRST, lanes: [floor] } });
    const later = Date.parse(shownNow.next?.from ?? '');
    expect(await findBridgeOrganization(db, organization, later)).toMatchObject({ laneTerms: [other], next: null });
    // Stated again with another price, it keeps its time.
    const again = await state({ ...floor, coinPrice: 7 });
    expect(again).toMatchObject({ laneTerms: [{ ...lane, coinPrice: 7 }], next: shownNow.next });
    expect(await state({ ...lane, coinPrice: 8 })).toMatchObject({
      laneTerms: [{ ...lane, coinPrice: 8 }],
      next: null,
    });
  });

  it('hold for transfers that begin once their time has come', async () => {
    await beginsTransfers();
    await stateVault(SECOND);
    await stateSettings(SECOND);
    const from = Date.now() + PLACE_NOTICE_MS + 1_000;
    const key = { organization, origin: 'ethereum', chain: 'ethereum', asset: 'placed' } as const;
    expect((await findVault(db, key, from - 2 * 3_600_000))?.place.contract).toBe(FIRST);
    expect(await findVault(db, key, from)).toMatchObject({ place: { contract: SECOND }, next: null });
    expect(await findBridgeOrganization(db, organization, from)).toMatchObject({ guard: SECOND, next: null });
    await db
      .update(bridgeVaults)
      .set({ nextFrom: Date.now() - 1 })
      .where(eq(bridgeVaults.organization, organization));
    // What was before waits for its notice as any other.
    expect(dataOf(await stateVault(FIRST))).toMatchObject({
      place: { contract: SECOND },
      next: { place: { contract: FIRST } },
    });
  });

  it('say to their tenant when the next change holds', async () => {
    await beginsTransfers();
    const hostname = `places-${uuidv7().slice(-12)}.example`;
    const json = { organization, name: 'Placed', signingMode: 'native', chains: ['ethereum'] };
    expect((await call(`PUT /exchange/v1/operator/bridge/tenants/${hostname}`, { headers, json })).status).toBe(200);
    const changeAt = async () =>
      ((await call(`GET /bridge/api/tenant?hostname=${hostname}`)).body as { places_change_at: string })
        .places_change_at;
    expect(await changeAt()).toBe(null);
    const settings = dataOf<{ next: { from: string } }>(await stateSettings(SECOND));
    expect(await changeAt()).toBe(settings.next.from);
    const vault = dataOf<{ next: { from: string } }>(await stateVault(SECOND));
    expect(await changeAt()).toBe(settings.next.from);
    await stateSettings(FIRST);
    expect(await changeAt()).toBe(vault.next.from);
  });

  it('have another key of the same contract at once', async () => {
    await beginsTransfers();
    const keys = { scheme: 'frost-secp256k1', groupKey: OTHER_KEY, signerKeys: [] };
    expect((await stateVault(FIRST, 'placed', { keys })).body).toMatchObject({
      error: { code: 'VALIDATION_ERROR', details: { field: 'place.keys' } },
    });
    await hasKey(OTHER_KEY, 2);
    expect(dataOf(await stateVault(FIRST, 'placed', { keys }))).toMatchObject({ place: { keys }, next: null });
  });

  it('are of one asset each', async () => {
    const taken = await stateVault(FIRST, 'placed-2');
    expect([taken.status, taken.body]).toMatchObject([409, { error: { details: { field: 'place' } } }]);
    await beginsTransfers();
    expect((await stateVault(SECOND)).status).toBe(200);
    expect((await stateVault(SECOND, 'placed-2')).status).toBe(409);
    expect((await stateVault(THIRD, 'placed-2')).status).toBe(200);
  });

  it('B-16: have keys that serve one network of a chain each: the second is refused, for whatever asset, also of what is to follow', async () => {
    const refused = { error: { code: 'CONFLICT', details: { field: 'place.network' } } };
    for (const asset of ['placed', 'placed-2'])
      expect(await stateVault(SECOND, asset, { network: 'testnet' })).toMatchObject({ status: 409, body: refused });
    const scheme = 'frost-ed25519';
    const made = (generation: number, groupKey: string) =>
      noteCluster(db, { organization, scheme, generation, groupKey, signerKeys: [], createdAt: 1 });
    await made(1, ED25519_KEYS[0]);
    const stated = (assetId: string, network: string, groupKey: string) => {
      const token = `${assetId === 'placed' ? 'USD' : 'EUR'}.rvYAfWj5gh67oV6fW32ZzP3Aw4Eubs59B`;
      const place = { network, contract: null, token, decimals: 6, keys: { scheme, groupKey, signerKeys: [] } };
      return call(`PUT ${path}/vaults`, { headers, json: { origin: 'xrpl', chain: 'xrpl', assetId, place } });
    };
    // It holds in three days.
    expect(await stated('placed', 'testnet', ED25519_KEYS[0])).toMatchObject({ status: 200 });
    expect(await stated('placed-2', 'mainnet', ED25519_KEYS[0])).toMatchObject({ status: 409, body: refused });
    await made(2, ED25519_KEYS[1]);
    expect(await stated('placed-2', 'mainnet', ED25519_KEYS[1])).toMatchObject({ status: 200 });
  });

  it('begin with a notice where the organization has begun transfers', async () => {
    await beginsTransfers();
    const soon = Date.now() + PLACE_NOTICE_MS;
    const vault = dataOf<{ from: string }>(await stateVault(SECOND, 'placed-2'));
    expect(Date.parse(vault.from)).toBeGreaterThanOrEqual(soon);
    expect((await shown()).vaults.map(({ from }) => from)).toEqual([null, vault.from]);
  });

  it('are five hundred at the most', async () => {
    const { place } = dataOf<{ place: object }>(await stateVault());
    await env.DB.prepare(
      `WITH RECURSIVE n(n) AS (VALUES (1) UNION ALL SELECT n + 1 FROM n WHERE n < ?)
       INSERT INTO bridge_vaults (organization, origin, chain, asset, place, created_at, updated_at)
       SELECT ?, 'base', 'base', 'a' || n, ?, 1, 1 FROM n`,
    )
      .bind(VAULTS_MAX - 2, organization, JSON.stringify(place))
      .run();
    expect((await stateVault(SECOND, 'placed-2')).status).toBe(200);
    expect((await stateVault(FOURTH, 'placed-3')).status).toBe(409);
    expect((await stateVault(THIRD, 'placed-2')).status).toBe(200);
  });

  it('are no token of a wrapped token', async () => {
    const json = { origin: 'ethereum', chain: 'exchange', assetId: 'placed' };
    const place = {
      ...{ network: 'local', contract: wrapped, token: wrapped, decimals: 6 },
      keys: { scheme: 'frost-secp256k1', groupKey: KEY, signerKeys: [] },
    };
    expect((await call(`PUT ${path}/vaults`, { headers, json: { ...json, place } })).status).toBe(400);
    expect(
      (await call(`PUT ${path}/vaults`, { headers, json: { ...json, place: { ...place, token: null } } })).status,
    ).toBe(200);
  });

  it('B-06: are what the chain says: nothing else is kept', async () => {
    const before = await shown();
    const keys = { scheme: 'frost-ed25519', groupKey: KEY, signerKeys: [] };
    for (const [change, field] of [
      [{ decimals: 18 }, 'place.decimals'],
      [{ contract: 'not an address' }, 'place.contract'],
      [{ contract: token }, 'place.contract'],
      [{ token: 'neither' }, 'place'],
      [{ token: FIRST }, 'place.token'],
      [{ keys }, 'place.keys'],
      [{ token: null, decimals: 6 }, 'place'],
    ] as const) {
      const { status, body } = await stateVault(FIRST, 'placed', change);
      expect([change, status, body]).toMatchObject([
        change,
        400,
        { error: { code: 'VALIDATION_ERROR', details: { field: expect.stringContaining(field) } } },
      ]);
    }
    expect(await shown()).toEqual(before);
  });

  it('B-06: wait three days before the first transfer, too, where the chain does not tell the decimals', async () => {
    const [ed25519] = ED25519_KEYS;
    await noteCluster(db, {
      ...{ organization, scheme: 'frost-ed25519', generation: 1, groupKey: ed25519, signerKeys: [], createdAt: 1 },
    });
    const place = {
      ...{ network: 'testnet', contract: null, token: 'USD.rvYAfWj5gh67oV6fW32ZzP3Aw4Eubs59B', decimals: 6 },
      keys: { scheme: 'frost-ed25519', groupKey: ed25519, signerKeys: [] },
    };
    const soon = Date.now() + PLACE_NOTICE_MS;
    const json = { origin: 'xrpl', chain: 'xrpl', assetId: 'placed', place };
    const { from } = dataOf<{ from: string }>(await call(`PUT ${path}/vaults`, { headers, json }));
    expect(Date.parse(from)).toBeGreaterThanOrEqual(soon);
  });

  it('are looked at for as long as a statement may count for somebody, each in turn', async () => {
    const listed = async (since: number, turn = 0, limit = 1_000) =>
      listChangingOrganizations(db, { since, turn, limit });
    const now = Date.now();
    expect(await listed(now - 60_000)).toContain(organization);
    expect(await listed(now + 60_000)).not.toContain(organization);
    await beginsTransfers();
    await stateSettings(SECOND);
    expect(await listed(now + 60_000)).toContain(organization);
    await stateSettings(FIRST);
    await stateVault(SECOND);
    expect(await listed(now + 60_000)).toContain(organization);
    const all = await listed(0);
    const pages = await Promise.all(all.map((_, turn) => listed(0, turn, 1)));
    expect(pages.flat()).toEqual(all);
    expect(await listed(0, all.length, 1)).toEqual(pages[0]);
  });
});
