import { env } from 'cloudflare:workers';
import { and, eq } from 'drizzle-orm';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createAsset, findAsset } from '../../../../data/catalog/assets.ts';
import type { Database } from '../../../../data/database.ts';
import { bridgeOrganizations, bridgeVaults } from '../../../../data/schema/bridge.ts';
import { assets } from '../../../../data/schema/catalog.ts';
import type { Vault } from '../../../../domain/bridge/chains/chain-adapter.ts';
import { FORMER_MS, SEEN_BEFORE_MS } from '../../../../domain/bridge/places/kept-versions.ts';
import { PLACE_NOTICE_MS } from '../../../../domain/bridge/places/notice.ts';
import { IN_USE } from '../../../../domain/bridge/signing/memory/in-use.ts';
import { PlainMemory } from '../../../../domain/bridge/signing/memory/plain-memory.fixtures.ts';
import type { TransferTerms } from '../../../../domain/bridge/transfer-terms.ts';
import { firstIdOf } from '../../../../domain/ids/created-at-of.ts';
import { KeptPlaces } from '../../../../durable-objects/bridge-chains/kept-places.ts';
import { migrate } from '../../fixtures/migrate.ts';
import { createPartner } from '../../fixtures/partner-client.ts';

const START = Date.now();
const WITHOUT_NOTICE = 'without notice';

let db: Database;
let organization: string;
let now: number;
let memory: PlainMemory;
/** How often a change was found to wait. */
let waiting: number;
let places: KeptPlaces;

const keys = { scheme: 'frost-secp256k1', groupKey: '02aa', signerKeys: [] } as const;
const placeOf = (chain: 'ethereum' | 'exchange', contract: string): Vault => ({
  ...{ chain, network: 'local', keys, contract, token: chain === 'ethereum' ? '0x07' : null, decimals: 6 },
});
const settings = { guard: 'guard', stake: 'stake', coSignFrom: { USDC: 5 } };

/** Of a deposit of an asset that began at a time. */
const begunAt = (at: number, asset = 'USDC'): TransferTerms => ({
  id: firstIdOf(at),
  organization,
  asset,
  source: { kind: 'chain', chain: 'ethereum', address: '0xout' },
  destination: { kind: 'chain', chain: 'exchange', address: '0xin' },
  amountIn: '1',
  amountOut: '1',
  amount: 1,
  fee: 0,
  expiresAt: at,
});

async function stateVault(asset: string, place: Vault, next: Vault | null = null, nextFrom: number | null = null) {
  const row = { organization, origin: 'ethereum', chain: place.chain, asset, createdAt: 1, updatedAt: 1 } as const;
  const set = { place, next, nextFrom };
  await db
    .insert(bridgeVaults)
    .values({ ...row, ...set })
    .onConflictDoUpdate({
      target: [bridgeVaults.organization, bridgeVaults.origin, bridgeVaults.asset, bridgeVaults.chain],
      set,
    });
}

const stateSettings = (change: Partial<typeof bridgeOrganizations.$inferInsert>) =>
  db.update(bridgeOrganizations).set(change).where(eq(bridgeOrganizations.organization, organization));

const isOwn = () => eq(bridgeOrganizations.organization, organization);
const isEthereum = () => and(eq(bridgeVaults.organization, organization), eq(bridgeVaults.chain, 'ethereum'));

const contractFor = async (terms: TransferTerms) => (await places.vaultOf(terms, 'source')).vault.contract;

/** The signer has seen funds: from then on places change behind a notice. */
const seesFunds = () => memory.write([IN_USE]);

beforeAll(async () => {
  db = await migrate();
  const shared = { category: 'crypto', rail: 'digital', scale: 6, executionRoute: 'internal', createdAt: 1 } as const;
  for (const symbol of ['USDC', 'DAI']) {
    const id = symbol.toLowerCase();
    if ((await findAsset(db, id)) === null) await createAsset(db, { id, symbol, name: symbol, ...shared });
  }
});

beforeEach(async () => {
  now = START;
  memory = new PlainMemory();
  waiting = 0;
  places = new KeptPlaces(env, { memory, now: () => now, waits: () => void waiting++ });
  organization = (await createPartner(db, 'bridge_tenant')).organization;
  const of = { organization, createdAt: 1, updatedAt: 1, quoteMs: 1, queueMs: 1, answerMs: 1 };
  await db.insert(bridgeOrganizations).values({ ...of, ...settings });
  await stateVault('usdc', placeOf('ethereum', 'vault'));
  await stateVault('usdc', placeOf('exchange', 'wrapped'));
});

describe('places that a signer in an object keeps', () => {
  test('are those that it saw first, whoever writes others into D1', async () => {
    expect(await contractFor(begunAt(now))).toBe('vault');
    expect(await places.settingsOf(begunAt(now))).toEqual(settings);
    seesFunds();
    await stateVault('usdc', placeOf('ethereum', 'another'));
    await stateSettings({ guard: 'another' });
    await expect(places.vaultOf(begunAt(now), 'source')).rejects.toThrow(WITHOUT_NOTICE);
    await expect(places.settingsOf(begunAt(now))).rejects.toThrow(WITHOUT_NOTICE);
    // Nor by saying that the time has come.
    await stateVault('usdc', placeOf('ethereum', 'vault'), placeOf('ethereum', 'another'), now - 1);
    await stateSettings({ guard: 'guard', next: { ...settings, guard: 'another' }, nextFrom: now - 1 });
    await expect(places.vaultOf(begunAt(now), 'source')).rejects.toThrow(WITHOUT_NOTICE);
    await expect(places.settingsOf(begunAt(now))).rejects.toThrow(WITHOUT_NOTICE);
    now += SEEN_BEFORE_MS;
    expect(await contractFor(begunAt(now))).toBe('another');
    expect(await places.settingsOf(begunAt(now))).toMatchObject({ guard: 'another' });
    expect(await places.guardsOf(begunAt(now))).toEqual(['guard', 'another']);
    // What began before is carried on by what held then.
    expect(await contractFor(begunAt(START - 1))).toBe('vault');
    expect(await places.settingsOf(begunAt(START - 1))).toEqual(settings);
  });

  test('change with their time for transfers that begin then, where it has looked before', async () => {
    const next = { ...settings, coSignFrom: {} };
    expect(await contractFor(begunAt(now))).toBe('vault');
    expect(await places.settingsOf(begunAt(now))).toEqual(settings);
    seesFunds();
    await stateVault('usdc', placeOf('ethereum', 'vault'), placeOf('ethereum', 'another'), START + PLACE_NOTICE_MS);
    await stateSettings({ next, nextFrom: START + PLACE_NOTICE_MS });
    await places.look(organization);
    now += PLACE_NOTICE_MS;
    expect([await contractFor(begunAt(now - 1)), await contractFor(begunAt(now))]).toEqual(['vault', 'another']);
    expect(await places.settingsOf(begunAt(now - 1))).toEqual(settings);
    expect(await places.settingsOf(begunAt(now))).toEqual(next);
  });

  test('are those of the side of the terms, and of no transfer that begins later', async () => {
    expect((await places.vaultOf(begunAt(now), 'destination')).vault.contract).toBe('wrapped');
    await expect(places.vaultOf(begunAt(now + 120_000), 'source')).rejects.toThrow('begins later');
    const account = { ...begunAt(now), destination: { kind: 'account', account: 'alice' } } as const;
    await expect(places.vaultOf(account, 'destination')).rejects.toThrow('on no chain');
  });

  test('are mended at once until it has seen funds by one of them', async () => {
    expect(await contractFor(begunAt(now))).toBe('vault');
    await places.look(organization);
    await stateVault('usdc', placeOf('ethereum', 'right'));
    await stateSettings({ guard: 'right' });
    expect(await contractFor(begunAt(now))).toBe('right');
    expect(await places.settingsOf(begunAt(now))).toMatchObject({ guard: 'right' });
    seesFunds();
    await stateVault('usdc', placeOf('ethereum', 'wrong'));
    await expect(contractFor(begunAt(now))).rejects.toThrow(WITHOUT_NOTICE);
  });

  test('are first ones, too, no sooner than they were seen, once it has seen funds by others', async () => {
    expect(await contractFor(begunAt(now))).toBe('vault');
    seesFunds();
    await stateVault('dai', placeOf('ethereum', 'vault of DAI'));
    await expect(contractFor(begunAt(now, 'DAI'))).rejects.toThrow(WITHOUT_NOTICE);
    now += SEEN_BEFORE_MS;
    expect(await contractFor(begunAt(now, 'DAI'))).toBe('vault of DAI');
  });

  test('are all that is stated when it looks first', async () => {
    await stateVault('dai', placeOf('ethereum', 'vault of DAI'));
    expect(await places.settingsOf(begunAt(now))).toEqual(settings);
    seesFunds();
    expect(await contractFor(begunAt(now))).toBe('vault');
    expect(await contractFor(begunAt(now, 'DAI'))).toBe('vault of DAI');
  });

  test('are of the asset, and in its decimals, that the symbol stood for when it saw them', async () => {
    expect(await places.vaultOf(begunAt(now), 'source')).toMatchObject({ asset: 'usdc', scale: 6 });
    seesFunds();
    const scaled = (scale: number) => db.update(assets).set({ scale }).where(eq(assets.id, 'usdc'));
    await scaled(0);
    await expect(contractFor(begunAt(now))).rejects.toThrow(WITHOUT_NOTICE);
    await scaled(6);
    expect(await contractFor(begunAt(now))).toBe('vault');
    await stateVault('dai', placeOf('ethereum', 'vault'));
    const named = (symbol: string, id: string) => db.update(assets).set({ symbol }).where(eq(assets.id, id));
    await named('OLD', 'usdc');
    await named('USDC', 'dai');
    await expect(contractFor(begunAt(now))).rejects.toThrow(WITHOUT_NOTICE);
    await named('DAI', 'dai');
    await named('USDC', 'usdc');
  });

  test('have another key of the same contract at once', async () => {
    expect((await places.vaultOf(begunAt(now), 'source')).vault.keys.groupKey).toBe('02aa');
    seesFunds();
    const place = { ...placeOf('ethereum', 'vault'), keys: { ...keys, groupKey: '02bb' } };
    await stateVault('usdc', place);
    expect((await places.vaultOf(begunAt(now), 'source')).vault.keys.groupKey).toBe('02bb');
  });

  test('B-16: have keys of one network each: what was signed for a rehearsal is worth nothing where funds are', async () => {
    expect(await contractFor(begunAt(now))).toBe('vault');
    const real = { ...placeOf('ethereum', 'vault of DAI'), network: 'mainnet' } as const;
    await stateVault('dai', real);
    await expect(contractFor(begunAt(now, 'DAI'))).rejects.toThrow('another network');
    await stateVault('dai', { ...real, keys: { ...keys, groupKey: '02bb' } });
    expect(await contractFor(begunAt(now, 'DAI'))).toBe('vault of DAI');
    seesFunds();
    await stateVault(
      'usdc',
      placeOf('ethereum', 'vault'),
      { ...placeOf('ethereum', 'vault'), network: 'mainnet' },
      now,
    );
    await expect(contractFor(begunAt(now))).rejects.toThrow('another network');
  });

  test('are of one asset each: funds of another are paid out for none', async () => {
    expect(await contractFor(begunAt(now))).toBe('vault');
    expect((await places.vaultOf(begunAt(now), 'destination')).vault.contract).toBe('wrapped');
    await stateVault('dai', placeOf('ethereum', 'VAULT'));
    await stateVault('dai', placeOf('exchange', 'wrapped'));
    for (const side of ['source', 'destination'] as const)
      await expect(places.vaultOf(begunAt(now, 'DAI'), side)).rejects.toThrow('another asset');
    await stateVault('dai', placeOf('ethereum', 'vault of DAI'));
    expect(await contractFor(begunAt(now, 'DAI'))).toBe('vault of DAI');
    seesFunds();
    await stateVault('dai', placeOf('ethereum', 'vault of DAI'), placeOf('ethereum', 'vault'), now + PLACE_NOTICE_MS);
    await expect(contractFor(begunAt(now, 'DAI'))).rejects.toThrow('another asset');
    // The others are looked at all the same.
    await stateVault('usdc', placeOf('ethereum', 'vault'), placeOf('ethereum', 'next'), now + PLACE_NOTICE_MS);
    await expect(places.look(organization)).rejects.toThrow('another asset');
    now += PLACE_NOTICE_MS;
    expect(await contractFor(begunAt(now))).toBe('next');
    // What another asset had may be had once its funds are long gone, and has been seen for long enough.
    await expect(contractFor(begunAt(now, 'DAI'))).rejects.toThrow('another asset');
    now += FORMER_MS;
    await expect(contractFor(begunAt(now, 'DAI'))).rejects.toThrow(WITHOUT_NOTICE);
    now += SEEN_BEFORE_MS;
    expect(await contractFor(begunAt(now, 'DAI'))).toBe('vault');
    // And is not had back by who had it before.
    await stateVault('usdc', placeOf('ethereum', 'vault'));
    await expect(contractFor(begunAt(now))).rejects.toThrow('another asset');
  });

  test('are none where D1 has never stated one', async () => {
    await expect(places.vaultOf(begunAt(now, 'DAI'), 'source')).rejects.toThrow('has no DAI on ethereum');
    await expect(places.vaultOf(begunAt(now, 'NONE'), 'source')).rejects.toThrow('has no NONE');
    await db.delete(bridgeOrganizations).where(eq(bridgeOrganizations.organization, organization));
    await expect(places.settingsOf(begunAt(now))).rejects.toThrow('has set nothing');
  });

  test('that counted stand where D1 states none any more, and what waited does not', async () => {
    expect(await contractFor(begunAt(now))).toBe('vault');
    expect(await places.settingsOf(begunAt(now))).toEqual(settings);
    seesFunds();
    await stateVault('usdc', placeOf('ethereum', 'another'));
    await stateSettings({ guard: 'another' });
    await expect(contractFor(begunAt(now))).rejects.toThrow(WITHOUT_NOTICE);
    await expect(places.settingsOf(begunAt(now))).rejects.toThrow(WITHOUT_NOTICE);
    expect(waiting).toBeGreaterThan(0);
    const use = async () => {
      expect(await contractFor(begunAt(now))).toBe('vault');
      expect(await places.settingsOf(begunAt(now))).toEqual(settings);
    };
    // Whichever comes first, a look by itself or a transfer.
    for (const look of [() => places.look(organization), use]) {
      const [row] = await db.delete(bridgeVaults).where(isEthereum()).returning();
      const [set] = await db.delete(bridgeOrganizations).where(isOwn()).returning();
      if (row === undefined || set === undefined) throw new Error('there was nothing');
      waiting = 0;
      await look();
      expect(waiting).toBe(0);
      // There again, its time begins anew.
      await db.insert(bridgeVaults).values(row);
      await db.insert(bridgeOrganizations).values(set);
      now += SEEN_BEFORE_MS;
      await expect(contractFor(begunAt(now))).rejects.toThrow(WITHOUT_NOTICE);
      await expect(places.settingsOf(begunAt(now))).rejects.toThrow(WITHOUT_NOTICE);
    }
  });

  test('are all that is stated where it has signed before it kept any', async () => {
    memory.write([{ kind: 'transfer', id: 'earlier', text: '{}' }]);
    expect(await contractFor(begunAt(now - 3_600_000))).toBe('vault');
    expect((await places.vaultOf(begunAt(now - 3_600_000), 'destination')).vault.contract).toBe('wrapped');
  });

  test('are none that its chain cannot have', async () => {
    await stateVault('dai', { ...placeOf('ethereum', 'vault of DAI'), contract: null });
    await expect(contractFor(begunAt(now, 'DAI'))).rejects.toThrow('it is a contract there');
  });
});
