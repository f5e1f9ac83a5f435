import { env } from 'cloudflare:workers';
import { uuidv7 } from 'uuidv7';
import { beforeAll, expect, test } from 'vitest';
import { initiateTransfer, type StatedPlace } from '../../../../application/bridge/initiate-transfer.ts';
import { showTransfer } from '../../../../data/bridge/transfers.ts';
import { createAsset } from '../../../../data/catalog/assets.ts';
import type { Database } from '../../../../data/database.ts';
import { bridgeOrganizations, bridgeTenants, bridgeVaults } from '../../../../data/schema/bridge.ts';
import type { ChainTransport, Vault } from '../../../../domain/bridge/chains/chain-adapter.ts';
import { chainCalls } from '../../../../domain/bridge/chains/chain-calls.ts';
import type { ChainName } from '../../../../domain/bridge/chains/chain-name.ts';
import { NO_BRANDING } from '../../../../domain/bridge/tenant.ts';
import type { TransferTerms } from '../../../../domain/bridge/transfer-terms.ts';
import type { ChainCall } from '../../../../protocol/bridge/chains-api.ts';
import { call } from '../../fixtures/call.ts';
import { createTrader } from '../../fixtures/create-trader.ts';
import { giveBalance } from '../../fixtures/give-balance.ts';
import { migrate } from '../../fixtures/migrate.ts';
import { createPartner, type Partner } from '../../fixtures/partner-client.ts';
import { createApp } from '../../fixtures/sign-in.ts';

const KEY = 'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a';
const CHAINS: readonly ChainName[] = ['stellar', 'xrpl', 'near'];
const STELLAR_PAYEE = 'GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ';
const XRPL_PAYEE = 'rPT1Sjq2YGrBMTttX4GZHjKu9dyfzbpAYe';
const TENANT = {
  name: 'Memos',
  branding: NO_BRANDING,
  hasLogo: false,
  signingMode: 'native',
  isSingleOperator: false,
  chains: CHAINS,
} as const;

let db: Database;
let partner: Partner;
let hostname: string;
let account: string;

beforeAll(async () => {
  db = await migrate();
  await createApp();
  partner = await createPartner(db, 'bridge_tenant');
  const { organization } = partner;
  hostname = `memos-${uuidv7().slice(-12)}.example`;
  const tenant = { name: 'Memos', signingMode: 'native', chains: [...CHAINS], branding: NO_BRANDING } as const;
  await db.insert(bridgeTenants).values({ hostname, organization, ...tenant, createdAt: 1, updatedAt: 1 });
  const asset = { id: 'memo', symbol: 'MEMO', name: 'Memo', category: 'crypto', rail: 'digital', scale: 6 } as const;
  await createAsset(db, { ...asset, executionRoute: 'internal', createdAt: 1 });
  const waits = { quoteMs: 1_000, queueMs: 1, answerMs: 1, createdAt: 1, updatedAt: 1 };
  await db.insert(bridgeOrganizations).values({ organization, guard: '0x', stake: '0x', coSignFrom: {}, ...waits });
  const keys = { scheme: 'frost-ed25519', groupKey: KEY, signerKeys: [] } as const;
  for (const chain of CHAINS) {
    const place: Vault = { chain, network: 'mainnet', keys, contract: null, token: null, decimals: 6 };
    const row = { organization, origin: chain, chain, asset: asset.id, place } as const;
    await db.insert(bridgeVaults).values({ ...row, createdAt: 1, updatedAt: 1 });
  }
  ({ accountId: account } = await createTrader(db, { owner: organization }));
  await giveBalance({ accountId: account, asset: asset.id, amount: 1_000_000_000 });
});

/** Nodes of chains on which every account asks for a memo; everything behind the payee is away. */
const ASKING: ChainTransport = {
  rpc: async () => ({ account_data: { Flags: 0x0002_0000 } }),
  get: async () => ({
    sequence: '4',
    subentry_count: 1,
    last_modified_ledger: 1,
    balances: [],
    data: { 'config.memo_required': 'MQ==' },
  }),
  post: async () => null,
};

/** @returns what is answered where nothing is found wrong with the sides: the exchange's own chain is away */
async function begin(sides: { readonly source?: StatedPlace; readonly destination?: StatedPlace }) {
  const custodyOf = () => ASKING;
  const calls = chainCalls({ transportOf: () => ASKING, custodyOf, relayer: null });
  const ask = async (name: ChainCall, args: readonly unknown[]) => {
    if (name === 'lane') return { ok: false, reason: 'away', isOutOfRange: false };
    const answer = calls[name] as (...of: readonly unknown[]) => Promise<unknown>;
    return { ok: true, value: await answer(...args) };
  };
  const request = { id: uuidv7(), asset: 'MEMO', amount: 10, source: { account }, destination: { account }, ...sides };
  const tenant = { ...TENANT, hostname, organization: partner.organization };
  return initiateTransfer({ ...env, CHAINS: { ask } as never }, tenant, request);
}

const BEYOND_THE_SIDES = { ok: false, error: { code: 'SERVICE_UNAVAILABLE' } };

test.each([
  ['stellar', STELLAR_PAYEE, 'id:12'],
  ['xrpl', XRPL_PAYEE, '12'],
] as const)(
  'B-08: no transfer begins on %s to or from an account that asks for a memo, where none is stated',
  async (chain, address, memo) => {
    for (const side of ['source', 'destination'] as const) {
      const refused = await begin({ [side]: { chain, address } });
      const details = { field: `${side}.memo`, chain, reason: 'required' };
      expect(refused).toMatchObject({ ok: false, error: { code: 'VALIDATION_ERROR', details } });
      if (refused.ok) throw new Error('begun');
      expect(refused.error.message).toMatch(/asked for by the payee’s account: state /);
      expect(await begin({ [side]: { chain, address, memo } })).toMatchObject(BEYOND_THE_SIDES);
      const wrong = await begin({ [side]: { chain, address, memo: 'wrong' } });
      expect(wrong).toMatchObject({ error: { code: 'VALIDATION_ERROR', details: { reason: 'wrong_form' } } });
    }
  },
);

test('B-08: a memo where payments carry none is refused before anything is paid in', async () => {
  const near = { chain: 'near', address: 'alice.near' } as const;
  expect(await begin({ destination: near })).toMatchObject(BEYOND_THE_SIDES);
  const refused = await begin({ destination: { ...near, memo: '12' } });
  const details = { field: 'destination.memo', reason: 'not_carried' };
  expect(refused).toMatchObject({ error: { code: 'VALIDATION_ERROR', details } });
});

test('B-08: the memo is part of a side over HTTP, and shown where it is stated', async () => {
  const json = (destination: object) => ({ asset: 'MEMO', amount: 1, source: { account_id: account }, destination });
  const initiate = (destination: object) =>
    call(`POST /bridge/api/v1/transfer/initiate?hostname=${hostname}`, {
      headers: { ...partner.headers, 'idempotency-key': uuidv7() },
      json: json(destination),
    });
  const near = { chain: 'near', address: 'alice.near' };
  const refused = await initiate({ ...near, memo: '12' });
  expect([refused.status, refused.body]).toMatchObject([
    400,
    { error: { code: 'VALIDATION_ERROR', details: { field: 'destination.memo', reason: 'not_carried' } } },
  ]);
  for (const memo of ['', 'x'.repeat(257), 12, null])
    expect((await initiate({ ...near, memo })).status, String(memo)).toBe(400);
  expect((await initiate({ account_id: account, memo: '12' })).status).toBe(400);
  const { organization } = partner;
  for (const [index, memo] of ['12', undefined].entries()) {
    const place = { kind: 'chain', chain: 'xrpl', address: XRPL_PAYEE, ...(memo && { memo }) } as const;
    const amounts = { amountIn: '10', amountOut: '9', amount: 10, fee: 1, expiresAt: 5_000 };
    const id = uuidv7();
    const source = { kind: 'account', account } as const;
    const terms: TransferTerms = { id, organization, asset: 'MEMO', source, destination: place, ...amounts };
    const state = { state: 'expired', changes: 1, updatedAt: 1 } as const;
    await showTransfer(db, { id, organization, hostname, commitment: `memo ${index}`, ...state, terms });
  }
  const { body } = await call(`GET /bridge/api/v1/transfer?hostname=${hostname}`, { headers: partner.headers });
  const { transfers } = body as { transfers: { destination: object }[] };
  expect(transfers.map(({ destination }) => destination)).toEqual([
    { chain: 'xrpl', address: XRPL_PAYEE },
    { chain: 'xrpl', address: XRPL_PAYEE, memo: '12' },
  ]);
});
