import { evictDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { eq } from 'drizzle-orm';
import { uuidv7 } from 'uuidv7';
import { beforeAll, describe, expect, it, test } from 'vitest';
import { initiateTransfer } from '../../../../application/bridge/initiate-transfer.ts';
import { makeKey } from '../../../../application/bridge/key-ceremony.ts';
import { createAsset } from '../../../../data/catalog/assets.ts';
import type { Database } from '../../../../data/database.ts';
import { bridgeOrganizations, bridgeTenants, bridgeVaults } from '../../../../data/schema/bridge.ts';
import { identities } from '../../../../data/schema/onboarding.ts';
import { NO_BRANDING } from '../../../../domain/bridge/tenant.ts';
import { VENUE_OWNER } from '../../../../domain/identity/venue.ts';
import { firstIdOf } from '../../../../domain/ids/created-at-of.ts';
import { type BridgeOrganization, CUSTOMER, createBridgeOrganization } from '../../fixtures/bridge-organization.ts';
import { call } from '../../fixtures/call.ts';
import { createTrader, type Trader } from '../../fixtures/create-trader.ts';
import { giveBalance } from '../../fixtures/give-balance.ts';
import { migrate } from '../../fixtures/migrate.ts';
import { hasChains, onChains } from '../../fixtures/on-chains.ts';
import { createPartner } from '../../fixtures/partner-client.ts';
import { patience } from '../../fixtures/patience.ts';
import { createApp, signIn } from '../../fixtures/sign-in.ts';

const OUTSIDE = { chain: 'ethereum', address: CUSTOMER };
const TENANT = { name: 'Custom', branding: NO_BRANDING, hasLogo: false, isSingleOperator: false } as const;
const PIXEL = Uint8Array.from(
  Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  ),
);

let db: Database;

beforeAll(async () => {
  db = await migrate();
  await createApp();
});

async function tenantRow(
  hostname: string,
  organization: string,
  change: Partial<typeof bridgeTenants.$inferInsert> = {},
) {
  const of = { name: 'Row', signingMode: 'native', chains: ['solana'], branding: NO_BRANDING } as const;
  await db.insert(bridgeTenants).values({ hostname, organization, ...of, createdAt: 1, updatedAt: 1, ...change });
}

describe('a tenant', () => {
  it('is what BRIDGE_TENANT_CONFIG says of its hostname, unless operators have stated another', async () => {
    const shown = await call('GET /bridge/api/tenant?hostname=Configured.Example.');
    expect(shown.body).toMatchObject({
      hostname: 'configured.example',
      name: 'Configured Bridge',
      signing_mode: 'native',
      chains: [
        { name: 'ethereum', assets: [] },
        { name: 'solana', assets: [] },
      ],
      branding: { logo_url: null, primary_color: null },
      fee_bps: null,
    });
    const { organization } = await createPartner(db, 'bridge_tenant');
    await tenantRow('overridden.example', organization, { branding: { ...NO_BRANDING, primaryColor: '#0a5cff' } });
    const overridden = await call('GET /bridge/api/tenant?hostname=overridden.example');
    expect(overridden.body).toMatchObject({
      name: 'Row',
      chains: [{ name: 'solana' }],
      branding: { primary_color: '#0a5cff' },
    });
  });

  it('is served by the hostname of the request where none is named', async () => {
    const shown = await call('GET http://configured.example/bridge/api/tenant');
    expect([shown.status, shown.body]).toEqual([200, expect.objectContaining({ hostname: 'configured.example' })]);
  });

  it('C-28: is served on its own hostname as soon as it is stated, at the paths of the bridge', async () => {
    const { organization } = await createPartner(db, 'bridge_tenant');
    const hostname = `own-${uuidv7().slice(-12)}.example`;
    expect((await call(`GET http://${hostname}/api/tenant`)).status).toBe(404);
    await tenantRow(hostname, organization);
    const shown = await call(`GET http://${hostname}/api/tenant`);
    expect([shown.status, shown.body]).toEqual([200, expect.objectContaining({ hostname, name: 'Row' })]);
    expect((await call(`POST http://${hostname}/api/v1/transfer/initiate`)).status).toBe(401);
    // A host that is a profile's own has the paths of that profile alone.
    expect((await call('GET http://api.example.org/other/tenant')).status).toBe(404);
  });

  it('shows neither limits nor challenges where the chain of its guard does not say them', async () => {
    const { organization } = await createPartner(db, 'bridge_tenant');
    const hostname = `silent-${uuidv7().slice(-12)}.example`;
    await tenantRow(hostname, organization, { chains: ['solana'] });
    const asset = {
      id: 'silent',
      symbol: 'SILENT',
      name: 'Silent',
      category: 'crypto',
      rail: 'digital',
      scale: 6,
    } as const;
    await createAsset(db, { ...asset, executionRoute: 'internal', createdAt: 1 });
    const waits = { quoteMs: 1, queueMs: 1, answerMs: 1, createdAt: 1, updatedAt: 1 };
    // Nothing stands at this address.
    const contracts = { guard: CUSTOMER, stake: CUSTOMER, coSignFrom: {} };
    await db.insert(bridgeOrganizations).values({ organization, ...contracts, ...waits });
    const keys = { scheme: 'frost-ed25519', groupKey: '00', signerKeys: [] } as const;
    const place = { chain: 'solana', network: 'local', keys, contract: null, token: null, decimals: 9 } as const;
    const row = { organization, origin: 'solana', chain: 'solana', asset: asset.id, place } as const;
    await db.insert(bridgeVaults).values({ ...row, createdAt: 1, updatedAt: 1 });
    const shown = await call(`GET /bridge/api/tenant?hostname=${hostname}`);
    const unknown = { symbol: 'SILENT', daily_limit: null, challenge_from: null, challenge_seconds: null };
    expect(shown.body).toMatchObject({ chains: [{ name: 'solana', assets: [unknown] }] });
  });

  it('is 404 for an unknown hostname, and for one that was switched off', async () => {
    const { organization } = await createPartner(db, 'bridge_tenant');
    await tenantRow('off.example', organization, { isEnabled: false });
    for (const hostname of ['nobody.example', 'off.example', 'not_a_host', 'a'.repeat(253)])
      expect((await call(`GET /bridge/api/tenant?hostname=${hostname}`)).status).toBe(404);
    expect((await call('GET /bridge/api/tenant')).status).toBe(404);
  });
});

describe('what operators state', () => {
  it('makes a tenant of an organization that runs a bridge, with its logo, and of no other', async () => {
    const operator = await signIn((await createTrader(db, { owner: VENUE_OWNER, roles: ['operator'] })).phone);
    const [bridge, lister] = [await createPartner(db, 'bridge_tenant'), await createPartner(db, 'cross_lister')];
    const hostname = `stated-${uuidv7().slice(-12)}.example`;
    const put = (organization: string, change: object = {}) =>
      call(`PUT /exchange/v1/operator/bridge/tenants/${hostname}`, {
        headers: operator.tenant,
        json: { organization, name: 'Stated', signingMode: 'native', chains: ['ethereum'], ...change },
      });
    expect((await put(lister.organization)).status).toBe(409);
    expect((await put(bridge.organization, { chains: ['moon'] })).status).toBe(400);
    expect(
      (await put(bridge.organization, { branding: { primaryColor: 'red', accentColor: null, supportUrl: null } }))
        .status,
    ).toBe(400);
    const single = { singleOperator: true };
    expect((await put(bridge.organization, single)).body).toMatchObject({ data: single });
    expect(await db.select().from(bridgeTenants).where(eq(bridgeTenants.hostname, hostname))).toMatchObject([single]);
    expect((await put(bridge.organization)).body).toMatchObject({ data: { singleOperator: false } });
    expect(await db.select().from(bridgeTenants).where(eq(bridgeTenants.hostname, hostname))).toMatchObject([
      { singleOperator: false },
    ]);
    const other = await createPartner(db, 'bridge_tenant');
    expect((await put(other.organization)).status).toBe(409);
    const logo = { headers: { ...operator.tenant, 'content-type': 'image/png' }, body: PIXEL.buffer };
    expect((await call(`PUT /exchange/v1/operator/bridge/tenants/${hostname}/logo`, logo)).status).toBe(200);
    const shown = await call(`GET /bridge/api/tenant?hostname=${hostname}`);
    const { logo_url: url } = (shown.body as { branding: { logo_url: string } }).branding;
    const image = await call(`GET ${url}`);
    expect([image.status, image.headers.get('content-type')]).toEqual([200, 'image/png']);
  });
});

describe('a key', () => {
  it('is made by no signer of the exchange for a tenant whose signers are its own', async () => {
    const operator = await signIn((await createTrader(db, { owner: VENUE_OWNER, roles: ['operator'] })).phone);
    const { organization } = await createPartner(db, 'bridge_tenant');
    const make = (way = '') =>
      call(`POST /exchange/v1/operator/bridge/organizations/${organization}/keys${way}`, {
        headers: operator.tenant,
        json: { scheme: 'multisig-secp256k1' },
      });
    await tenantRow(`keys-${uuidv7().slice(-12)}.example`, organization, { signingMode: 'custom' });
    for (const answer of [await make(), await make('/reshare')])
      expect([answer.status, answer.body]).toMatchObject([409, { error: { details: { signingMode: 'custom' } } }]);
    await db.update(bridgeTenants).set({ signingMode: 'native' }).where(eq(bridgeTenants.organization, organization));
    expect((await make()).status).toBe(200);
  });

  it('that other signers have made is not answered for one of those of now', async () => {
    const { organization } = await createPartner(db, 'bridge_tenant');
    const made = await makeKey(env, organization, 'multisig-secp256k1');
    expect(made).toMatchObject({ ok: true });
    expect(await makeKey(env, organization, 'multisig-secp256k1')).toEqual(made);
    const others = { getByName: (name: string) => env.BRIDGE_SIGNER.getByName(`others-${name}`) };
    const replaced = { ...env, BRIDGE_SIGNER: others as typeof env.BRIDGE_SIGNER };
    expect(await makeKey(replaced, organization, 'multisig-secp256k1')).toMatchObject({ error: { code: 'CONFLICT' } });
  });
});

describe('a vault at a custody provider', () => {
  it('is stated by an operator, shown, and refused where nobody could pay by it', async () => {
    const operator = await signIn((await createTrader(db, { owner: VENUE_OWNER, roles: ['operator'] })).phone);
    const { organization } = await createPartner(db, 'bridge_tenant');
    const asset = {
      id: 'btc-custody',
      symbol: 'BTCC',
      name: 'Bitcoin',
      category: 'crypto',
      rail: 'digital',
      scale: 8,
    } as const;
    await createAsset(db, { ...asset, executionRoute: 'internal', createdAt: Date.now() });
    const path = `/exchange/v1/operator/bridge/organizations/${organization}`;
    const key = await makeKey(env, organization, 'multisig-secp256k1');
    const signerKeys = key.ok ? [...key.value.signerKeys] : [];
    const custody = { provider: 'fireblocks', account: '7', asset: 'BTC_TEST' };
    const place = {
      network: 'testnet',
      keys: { scheme: 'multisig-secp256k1', groupKey: '', signerKeys },
      contract: null,
      token: null,
      decimals: 8,
      custody,
    };
    const state = (change: object = {}, chain = 'bitcoin-segwit', origin = chain) =>
      call(`PUT ${path}/vaults`, {
        headers: operator.tenant,
        json: { origin, chain, assetId: asset.id, place: { ...place, ...change } },
      });
    const refused = { error: { code: 'VALIDATION_ERROR', details: { field: 'place.custody' } } };
    for (const answer of [
      await state({}, 'exchange', 'bitcoin-segwit'),
      await state({}, 'solana'),
      await state({ keys: { ...place.keys, signerKeys: signerKeys.slice(1) } }),
      await state({ keys: { scheme: 'frost-ed25519', groupKey: '00', signerKeys: [] } }),
      await state({ token: 'USDC' }),
    ])
      expect([answer.status, answer.body]).toMatchObject([400, refused]);
    expect((await state({ custody: { ...custody, account: '../8' } })).status).toBe(400);
    expect((await state({ custody: { ...custody, apiKey: 'secret' } })).status).toBe(400);
    expect(await state()).toMatchObject({ status: 200, body: { data: { place: { custody } } } });
    const own = { guard: CUSTOMER, stake: CUSTOMER };
    expect((await call(`PUT ${path}`, { headers: operator.tenant, json: own })).status).toBe(200);
    const shown = await call(`GET ${path}`, { headers: operator.tenant });
    expect(shown.body).toMatchObject({ data: { vaults: [{ chain: 'bitcoin-segwit', place: { custody } }] } });
  });
});

describe.skipIf(!hasChains)('transfers of tenants', () => {
  let acme: BridgeOrganization;
  let zenith: BridgeOrganization;
  beforeAll(async () => {
    acme = await createBridgeOrganization(db, { feeBps: 10 });
    zenith = await createBridgeOrganization(db, { challengeFrom: 1_000_000_001 });
  });

  const initiate = (by: BridgeOrganization, json: object, hostname = by.hostname, headers: object = {}) =>
    call(`POST /bridge/api/v1/transfer/initiate?hostname=${hostname}`, {
      headers: { ...by.headers, ...headers },
      json,
    });
  /** An identity that was approved, and that no job has ended. */
  const approvedUntil = ({ userId, accountId, owner }: Trader, expiresAt: number) => {
    const row = { id: userId, userId, account: accountId, owner, state: 'APPROVED', facts: '', attested: [] } as const;
    return db
      .insert(identities)
      .values({ ...row, version: 1, expiresAt, createdAt: 1, updatedAt: 1 })
      .onConflictDoUpdate({ target: identities.id, set: { expiresAt } });
  };
  const inward = (account: string) => ({
    asset: 'USDC',
    amount: 10,
    source: OUTSIDE,
    destination: { account_id: account },
  });

  test('say what to pay in, where, until when, and what comes of it', async () => {
    const begun = await initiate(acme, inward(acme.account));
    expect([begun.status, begun.body]).toEqual([
      201,
      expect.objectContaining({
        state: 'awaiting_funds',
        quote: {
          amount_in: '10000000',
          amount_out: '9990000',
          fee: '10000',
          expires_at: expect.any(String),
          single_operator: true,
        },
        // A payment to the contract alone would be nobody's.
        deposit: {
          address: null,
          memo: null,
          call: expect.objectContaining({
            to: acme.vault,
            value: '0',
            approve: {
              token: acme.token,
              spender: acme.vault,
              // `approve` of the vault and ten of them: nothing is left of an earlier one.
              calls: [{ to: acme.token, data: expect.stringMatching(/^0x095ea7b3.*989680$/) }],
            },
          }),
        },
        source: { chain: 'ethereum', address: CUSTOMER },
        destination: { account_id: acme.account },
      }),
    ]);
    const { id, waits_until, quote } = begun.body as { id: string; waits_until: string; quote: { expires_at: string } };
    expect(waits_until).toBe(quote.expires_at);
    const shown = await call(`GET /bridge/api/v1/transfer/${id}?hostname=${acme.hostname}`, { headers: acme.headers });
    expect(shown.body).toEqual(begun.body);
    const inCapitals = `GET /bridge/api/v1/transfer/${id.toUpperCase()}?hostname=${acme.hostname.toUpperCase()}:8787`;
    expect((await call(inCapitals, { headers: acme.headers })).body).toEqual(begun.body);
    const listed = await call(`GET /bridge/api/v1/transfer?hostname=${acme.hostname}`, { headers: acme.headers });
    const { state, asset, source, destination } = begun.body as Record<string, unknown>;
    const updated_at = expect.any(String);
    const row = { id, hostname: acme.hostname, state, asset, source, destination, quote, updated_at };
    expect(listed.body).toEqual({ transfers: [row] });
  });

  test('begin at a tenant that says what it bridges, how much of it, what is challenged, and for how long a quote stands', async () => {
    const shown = await call(`GET /bridge/api/tenant?hostname=${acme.hostname}`);
    expect(shown.body).toMatchObject({ fee_bps: 10, fee_account: null, quote_seconds: 3_600 });
    const { chains } = shown.body as { chains: { name: string; assets: object[] }[] };
    expect(chains.find(({ name }) => name === 'ethereum')?.assets).toContainEqual({
      asset_id: 'usdc',
      symbol: 'USDC',
      scale: 6,
      token: acme.token,
      decimals: 6,
      vault: acme.vault,
      wrapped: acme.wrapped,
      least_amount: null,
      flat_fee: 0,
      takes_deposits: true,
      takes_withdrawals: true,
      daily_limit: 1_000,
      room_held_up_to: 500,
      challenge_from: 1_000,
      challenge_seconds: 3_600,
    });
    const unchallenged = await call(`GET /bridge/api/tenant?hostname=${zenith.hostname}`);
    expect(unchallenged.body).toMatchObject({
      chains: [{ assets: [{ daily_limit: 1_000, challenge_from: null, challenge_seconds: 0 }] }],
    });
  });

  test('are seen and carried on at a tenant that was switched off, where none begins', async () => {
    const hostname = `off-${uuidv7().slice(-12)}.example`;
    await tenantRow(hostname, acme.organization, { chains: ['ethereum'] });
    const begun = await initiate(acme, inward(acme.account), hostname);
    const { id } = begun.body as { id: string };
    await db.update(bridgeTenants).set({ isEnabled: false }).where(eq(bridgeTenants.hostname, hostname));
    const get = (path: string) =>
      call(`GET /bridge/api/v1/transfer${path}?hostname=${hostname}`, { headers: acme.headers });
    expect((await initiate(acme, inward(acme.account), hostname)).status).toBe(404);
    expect((await get(`/${id}`)).body).toMatchObject({ id });
    expect((await get('')).status).toBe(200);
    const pushed = await call(`POST /bridge/api/v1/transfer/${id}/complete?hostname=${hostname}`);
    expect(pushed.body).toMatchObject({ id, state: 'awaiting_funds' });
    expect(
      (await call(`GET /bridge/api/v1/transfer/${id}?hostname=${hostname}`, { headers: zenith.headers })).status,
    ).toBe(404);
  });

  test('that were begun before lists showed what they are to do are listed whole once they are pushed', async () => {
    const { id } = (await initiate(acme, inward(acme.account))).body as { id: string };
    const listed = async () => {
      const found = await call(`GET /bridge/api/v1/transfer?hostname=${acme.hostname}`, { headers: acme.headers });
      return (found.body as { transfers: { id: string }[] }).transfers.find((each) => each.id === id);
    };
    await env.DB.prepare('UPDATE bridge_transfers SET terms = NULL WHERE id = ?').bind(id).run();
    expect(await listed()).toMatchObject({ asset: null, quote: null });
    await evictDurableObject(env.BRIDGE_TRANSFER.getByName(id));
    await call(`POST /bridge/api/v1/transfer/${id}/complete?hostname=${acme.hostname}`);
    expect(await listed()).toMatchObject({ asset: 'USDC', destination: { account_id: acme.account } });
  });

  test('go to no contract of the bridge, and come from none', async () => {
    // B-09: and to no account that nobody signs for.
    await giveBalance({ accountId: acme.account, asset: 'usdc', amount: 10_000_000 });
    for (const address of [acme.vault, acme.token, acme.guard, '0x000000000000000000000000000000000000dEaD']) {
      const into = {
        ...inward(acme.account),
        source: { account_id: acme.account },
        destination: { ...OUTSIDE, address },
      };
      const from = { ...inward(acme.account), source: { ...OUTSIDE, address } };
      for (const [json, field] of [
        [into, 'destination.address'],
        [from, 'source.address'],
      ] as const)
        expect((await initiate(acme, json)).body).toMatchObject({
          error: { code: 'VALIDATION_ERROR', details: { field } },
        });
    }
  });

  test('begin once under one Idempotency-Key', async () => {
    const key = { 'idempotency-key': uuidv7() };
    const [first, again] = [
      await initiate(acme, inward(acme.account), acme.hostname, key),
      await initiate(acme, inward(acme.account), acme.hostname, key),
    ];
    expect(again.body).toEqual(first.body);
    expect((await initiate(acme, { ...inward(acme.account), amount: 11 }, acme.hostname, key)).status).toBe(422);
  });

  test('go on by whoever knows their id, who learns no more than where they stand', async () => {
    const begun = await initiate(acme, inward(acme.account));
    const { id, deposit, quote } = begun.body as { id: string; deposit: { call: never }; quote: { amount_in: string } };
    await onChains({ do: 'pay', chain: 'ethereum', call: deposit.call, amount: quote.amount_in, by: 3 });
    const push = () => call(`POST /bridge/api/v1/transfer/${id}/complete?hostname=${acme.hostname}`);
    let last = await push();
    for (const isOver = patience(); (last.body as { state: string }).state !== 'confirmed' && !isOver(); )
      last = await push();
    expect(last.body).toEqual({ id, state: 'confirmed', transaction: null, waits_for: null });
    const elsewhere = `POST /bridge/api/v1/transfer/${id}/complete?hostname=${zenith.hostname}`;
    expect((await call(elsewhere)).status).toBe(404);
    expect((await call(`POST /bridge/api/v1/transfer/${uuidv7()}/complete?hostname=${acme.hostname}`)).status).toBe(
      404,
    );
  });

  test('are out of reach of other tenants, of other hostnames, and of who is no tenant', async () => {
    const begun = await initiate(acme, inward(acme.account));
    const { id } = begun.body as { id: string };
    const get = (by: { headers: Readonly<Record<string, string>> }, hostname: string) =>
      call(`GET /bridge/api/v1/transfer/${id}?hostname=${hostname}`, { headers: by.headers });
    expect((await get(zenith, zenith.hostname)).status).toBe(404);
    expect((await get(zenith, acme.hostname)).status).toBe(404);
    expect((await get(acme, zenith.hostname)).status).toBe(404);
    expect((await initiate(zenith, inward(acme.account))).status).toBe(404);
    expect((await initiate(zenith, inward(zenith.account), acme.hostname)).status).toBe(404);
    expect(
      (await initiate(acme, { ...inward(acme.account), source: { account_id: zenith.account }, destination: OUTSIDE }))
        .status,
    ).toBe(404);
    const lister = await createPartner(db, 'cross_lister');
    expect((await get(lister, acme.hostname)).status).toBe(403);
    expect((await call(`GET /bridge/api/v1/transfer/${id}?hostname=${acme.hostname}`)).status).toBe(401);
    expect((await call('GET /partner/v1/securities', { headers: acme.headers })).status).toBe(403);
  });

  test('say which side is on a chain that the tenant does not serve', async () => {
    const solana = { chain: 'solana', address: CUSTOMER };
    const from = await initiate(acme, { ...inward(acme.account), source: solana });
    expect(from.body).toMatchObject({ error: { details: { field: 'source' } } });
    const into = { ...inward(acme.account), source: { account_id: acme.account }, destination: solana };
    expect((await initiate(acme, into)).body).toMatchObject({ error: { details: { field: 'destination' } } });
  });

  test.each([
    ['a chain that the tenant does not serve', { source: { chain: 'solana', address: CUSTOMER } }, 400],
    ['no chain outside', { source: { chain: 'exchange', address: CUSTOMER } }, 400],
    ['two chains outside', { destination: { chain: 'ethereum', address: CUSTOMER } }, 400],
    ['no address', { source: { chain: 'ethereum', address: '0x12' } }, 400],
    ['a wrong checksum', { source: { chain: 'ethereum', address: CUSTOMER.replace('F', 'f') } }, 400],
    ['an unknown asset', { asset: 'NONE' }, 404],
    ['an asset that is none of this kind', { asset: 'USD' }, 404],
    ['nothing', { amount: 0 }, 400],
    ['more decimals than the asset has', { amount: 0.0000001 }, 400],
    ['more than a day may carry', { amount: 1_001 }, 403],
    ['a field that is none', { memo: 'x' }, 400],
  ])('refuse %s', async (_, change, status) => {
    const answer = await initiate(acme, { ...inward(acme.account), ...change });
    expect([answer.status, answer.body]).toEqual([
      status,
      { error: expect.objectContaining({ code: expect.any(String) }) },
    ]);
  });

  test('take no more from an account than it has, and nothing from a frozen one', async () => {
    const outward = (account: string) => ({
      ...inward(account),
      source: { account_id: account },
      destination: OUTSIDE,
    });
    const empty = await initiate(zenith, outward(zenith.account));
    expect([empty.status, empty.body]).toMatchObject([400, { error: { code: 'INSUFFICIENT_BALANCE' } }]);
    const { accountId } = await createTrader(db, { owner: zenith.organization, frozen: true });
    const frozen = await initiate(zenith, outward(accountId));
    expect([frozen.status, frozen.body]).toMatchObject([403, { error: { code: 'FORBIDDEN' } }]);
    const { transfer_id: id } = (frozen.body as { error: { details: { transfer_id: string } } }).error.details;
    const shown = await call(`GET /bridge/api/v1/transfer/${id}?hostname=${zenith.hostname}`, {
      headers: zenith.headers,
    });
    const { history } = shown.body as { history: { at: string }[] };
    expect(shown.body).toMatchObject({
      state: 'expired',
      debit_refusal: 'account_frozen',
      history: [{ from: 'awaiting_funds', to: 'expired', cause: 'debit_refused' }],
    });
    expect(Date.parse(history[0]?.at ?? '')).toBeLessThanOrEqual(Date.now());
    const { accountId: unknown } = await createTrader(db, { owner: zenith.organization, kycStatus: 'pending' });
    expect((await initiate(zenith, inward(unknown))).status).toBe(403);
    const ended = await createTrader(db, { owner: zenith.organization });
    await approvedUntil(ended, Date.now() + 600_000);
    expect((await initiate(zenith, outward(ended.accountId))).status, 'known, without money').toBe(400);
    await approvedUntil(ended, Date.now());
    const refused = await initiate(zenith, outward(ended.accountId));
    expect([refused.status, refused.body]).toMatchObject([403, { error: { details: { kyc_status: 'pending' } } }]);
  });

  test('begin at no tenant whose signers are not connected', async () => {
    const hostname = `custody-${uuidv7().slice(-12)}.example`;
    await tenantRow(hostname, acme.organization, { signingMode: 'custom', chains: ['ethereum'] });
    const answer = await initiate(acme, inward(acme.account), hostname);
    expect([answer.status, answer.body]).toMatchObject([409, { error: { details: { signing_mode: 'custom' } } }]);
  });

  test('begin at a tenant whose own five processes sign, and at none of whose signers one is the exchange’s', async () => {
    const hostname = `custom-${uuidv7().slice(-12)}.example`;
    await tenantRow(hostname, acme.organization, { signingMode: 'custom', chains: ['ethereum'] });
    expect((await initiate(acme, inward(acme.account), hostname)).status).toBe(409);
    const urls = Array.from({ length: 5 }, (_, number) => `http://signer-${number}.example`);
    const begin = (signers: unknown, id = uuidv7()) =>
      initiateTransfer(
        { ...env, BRIDGE_SIGNERS: JSON.stringify(signers) },
        { ...TENANT, hostname, organization: acme.organization, signingMode: 'custom', chains: ['ethereum'] },
        {
          id,
          asset: 'USDC',
          amount: 1,
          source: { ...OUTSIDE, chain: 'ethereum' },
          destination: { account: acme.account },
        },
      );
    // Its own are asked what places they know; nobody answers there.
    expect(await begin({ [acme.organization]: urls })).toMatchObject({ error: { code: 'SERVICE_UNAVAILABLE' } });
    expect(await begin({ [acme.organization]: ['object', ...urls.slice(1)] })).toMatchObject({
      error: { code: 'CONFLICT' },
    });
    expect(await begin({ [zenith.organization]: urls })).toMatchObject({ error: { code: 'CONFLICT' } });
    expect(await begin({ [acme.organization]: urls.with(4, urls[0] ?? '') })).toMatchObject({
      error: { code: 'CONFLICT' },
    });
  });

  test('begin nowhere but locally by five signers of one operator, unless operators have stated that', async () => {
    const hostname = `single-${uuidv7().slice(-12)}.example`;
    const tenant = { ...TENANT, hostname, organization: acme.organization, signingMode: 'native' } as const;
    const begin = (change: object, of: object = {}) =>
      initiateTransfer(
        { ...env, ...change },
        { ...tenant, chains: ['ethereum'], ...of },
        { id: uuidv7(), asset: 'NONE', amount: 1, source: OUTSIDE as never, destination: { account: acme.account } },
      );
    const refused = { error: { code: 'CONFLICT', details: { reason: 'single_operator' } } };
    const urls = Array.from({ length: 5 }, (_, number) => `https://signer-${number}.example`);
    const named = { BRIDGE_SIGNERS: JSON.stringify({ [acme.organization]: urls }) };
    const deployed = { ENVIRONMENT: 'production' };
    expect(await begin(deployed)).toMatchObject(refused);
    expect(await begin({ ...deployed, BRIDGE_SIGNERS: '{}' })).toMatchObject(refused);
    // What comes next is that there is no such asset.
    for (const goesOn of [
      await begin({}),
      await begin(deployed, { isSingleOperator: true }),
      await begin({ ...deployed, ...named }),
    ])
      expect(goesOn).toMatchObject({ error: { code: 'ASSET_NOT_FOUND' } });

    const { organization } = await createPartner(db, 'bridge_tenant');
    const key = () => makeKey({ ...env, ...deployed } as Env, organization, 'multisig-secp256k1');
    expect(await key()).toMatchObject(refused);
    await tenantRow(hostname, organization);
    expect(await key()).toMatchObject(refused);
    await db.update(bridgeTenants).set({ singleOperator: true }).where(eq(bridgeTenants.organization, organization));
    expect(await key()).toMatchObject({ ok: true });
    expect((await call(`GET /bridge/api/tenant?hostname=${hostname}`)).body).toMatchObject({ single_operator: true });
  });

  test('show their debit to the organization’s signers, and lose a payout that these take away', async () => {
    const ask = (by: BridgeOrganization, method: 'GET' | 'POST', id: string, what: string) =>
      call(`${method} /bridge/api/v1/transfer/${id}/${what}`, { headers: by.headers });
    await giveBalance({ accountId: acme.account, asset: 'usdc', amount: 2_000_000 });
    const brought = await initiate(acme, inward(acme.account));
    const { id, commitment, deposit } = brought.body as { id: string; commitment: string; deposit: { call: never } };
    expect((await ask(acme, 'GET', id, 'debit')).body).toEqual({ commitment, debit: null });
    for (const [by, what] of [
      [zenith, 'debit'],
      [zenith, 'payout'],
      [zenith, 'payout/void'],
    ] as const)
      expect((await ask(by, what === 'payout/void' ? 'POST' : 'GET', id, what)).status).toBe(404);
    expect((await ask(acme, 'GET', id, 'payout')).body).toEqual({ commitment, is_paid: false });
    expect((await call(`GET /bridge/api/v1/transfer/${id}/debit`)).status).toBe(401);
    expect((await ask(acme, 'POST', id, 'payout/void')).body).toEqual({ commitment, is_void: true });
    // What is void for good is no payout.
    expect((await ask(acme, 'GET', id, 'payout')).body).toEqual({ commitment, is_paid: false });
    await onChains({ do: 'pay', chain: 'ethereum', call: deposit.call, amount: '10000000', by: 3 });
    const complete = () => call(`POST /bridge/api/v1/transfer/${id}/complete?hostname=${acme.hostname}`);
    await expect.poll(async () => ((await complete()).body as { state: string }).state).toBe('refunded');

    const backed = await initiate(acme, inward(acme.account));
    const of = backed.body as { id: string; deposit: { call: never } };
    await onChains({ do: 'pay', chain: 'ethereum', call: of.deposit.call, amount: '10000000', by: 3 });
    const push = () => call(`POST /bridge/api/v1/transfer/${of.id}/complete?hostname=${acme.hostname}`);
    await expect.poll(async () => ((await push()).body as { state: string }).state).toBe('confirmed');
    expect((await ask(acme, 'POST', of.id, 'payout/void')).body).toMatchObject({ is_void: false });
    expect((await ask(acme, 'GET', of.id, 'payout')).body).toMatchObject({ is_paid: true });
    const outward = await initiate(acme, {
      asset: 'USDC',
      amount: 2,
      source: { account_id: acme.account },
      destination: OUTSIDE,
    });
    const debited = outward.body as { id: string; commitment: string };
    expect((await ask(acme, 'GET', debited.id, 'debit')).body).toEqual({
      commitment: debited.commitment,
      debit: { reference: debited.id, amount: '2000000' },
    });
    expect((await ask(acme, 'POST', debited.id, 'payout/void')).status).toBe(409);
  });

  test('wait for funds up to a number, those whose quotes are over not counted', async () => {
    const waiting = (since: number, count: number) =>
      env.DB.prepare(
        `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
         INSERT INTO bridge_transfers (id, organization, hostname, commitment, state, changes, updated_at)
         SELECT ? || printf('%012x', i), ?, ?, ? || i, 'awaiting_funds', 1, 0 FROM n`,
      )
        .bind(count, firstIdOf(since).slice(0, 24), zenith.organization, zenith.hostname, uuidv7())
        .run();
    await waiting(Date.now() - 2 * 3_600_000, 1_000);
    await waiting(Date.now() - 60_000, 999);
    expect((await initiate(zenith, inward(zenith.account))).status).toBe(201);
    const answer = await initiate(zenith, inward(zenith.account));
    expect([answer.status, answer.body]).toMatchObject([409, { error: { details: { limit: 1_000 } } }]);
    expect((await initiate(acme, inward(acme.account))).status).toBe(201);
    // What an account pays waits for nothing.
    const outward = { ...inward(zenith.account), source: { account_id: zenith.account }, destination: OUTSIDE };
    expect((await initiate(zenith, outward)).body).toMatchObject({ error: { code: 'INSUFFICIENT_BALANCE' } });
  });

  test('show no place to pay in at a vault of which nobody says that it is the cluster’s', async () => {
    const hostname = `tron-${uuidv7().slice(-12)}.example`;
    await tenantRow(hostname, acme.organization, { chains: ['tron'] });
    const signerKeys = [1, 2, 3, 4, 5].map((n) => `02${String(n).repeat(64)}`);
    const place = {
      chain: 'tron',
      network: 'local',
      keys: { scheme: 'multisig-secp256k1', groupKey: '', signerKeys },
      contract: 'TZ4UXDV5ZhNW7fb2AMSbgfAEZ7hWsnYS2g',
      token: null,
      decimals: 6,
    } as const;
    const row = { organization: acme.organization, origin: 'tron', chain: 'tron', asset: 'usdc', place } as const;
    await db.insert(bridgeVaults).values({ ...row, createdAt: 1, updatedAt: 1 });
    const source = { chain: 'tron', address: 'TJRyWwFs9wTFGZg3JbrVriFbNfCug5tDeC' };
    const begun = await initiate(acme, { ...inward(acme.account), source }, hostname);
    expect([begun.status, begun.body]).toMatchObject([503, { error: { code: 'SERVICE_UNAVAILABLE' } }]);
  });

  test('begin with no amount that the chain would not take in', async () => {
    const own = await createBridgeOrganization(db);
    const hostname = `cardano-${uuidv7().slice(-12)}.example`;
    await tenantRow(hostname, own.organization, { chains: ['cardano'] });
    const key = await makeKey(env, own.organization, 'frost-ed25519');
    if (!key.ok) throw new Error(JSON.stringify(key.error));
    const keys = { scheme: 'frost-ed25519', groupKey: key.value.groupKey, signerKeys: [] } as const;
    const place = { chain: 'cardano', network: 'testnet', keys, contract: null, token: null, decimals: 6 } as const;
    const row = { organization: own.organization, origin: 'cardano', chain: 'cardano', asset: 'usdc', place } as const;
    await db.insert(bridgeVaults).values({ ...row, createdAt: 1, updatedAt: 1 });
    const source = {
      chain: 'cardano',
      address:
        'addr_test1qz2fxv2umyhttkxyxp8x0dlpdt3k6cwng5pxj3jhsydzer3n0d3vllmyqwsx5wktcd8cc3sq835lu7drv2xwl2wywfgs68faae',
    };
    const begin = (amount: number) => initiate(own, { ...inward(own.account), source, amount }, hostname);
    const few = await begin(2.4);
    expect([few.status, few.body]).toMatchObject([
      400,
      { error: { code: 'VALIDATION_ERROR', details: { field: 'amount' } } },
    ]);
    expect((await begin(2.5)).status).toBe(201);
  });

  test('stop while the organization is suspended', async () => {
    const own = await createBridgeOrganization(db);
    await env.DB.prepare("UPDATE partner_organizations SET state = 'suspended' WHERE organization = ?")
      .bind(own.organization)
      .run();
    expect((await initiate(own, inward(own.account))).status).toBe(403);
  });
});
