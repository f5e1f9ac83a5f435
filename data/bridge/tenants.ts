import { and, asc, count, eq, getTableColumns, gt, or, sql } from 'drizzle-orm';
import type { Vault } from '../../domain/bridge/chains/chain-adapter.ts';
import type { ChainName } from '../../domain/bridge/chains/chain-name.ts';
import { floorsOf, withFloors } from '../../domain/bridge/lane-terms.ts';
import { heldAt, restated, type Stated } from '../../domain/bridge/places/notice.ts';
import type { OrganizationPlaces } from '../../domain/bridge/places/organization-places.ts';
import { isSameVault } from '../../domain/bridge/places/vault-identity.ts';
import type { OperatorAction } from '../audit/trail/operator-events.ts';
import { changeOnce } from '../change-once.ts';
import type { Database } from '../database.ts';
import { bridgeClusters, bridgeOrganizations, bridgeTenants, bridgeVaults } from '../schema/bridge.ts';
import { assets } from '../schema/catalog.ts';
import { hasTransfers } from './transfers.ts';

/** Vaults and wrapped tokens of an organization. */
export const VAULTS_MAX = 500;
/** Tenants of one organization that are listed. */
const TENANTS_SHOWN_MAX = 200;
/** Organizations that change at the same time. */
const CHANGING_MAX = 5_000;

export type TenantRow = Readonly<typeof bridgeTenants.$inferSelect>;
type StoredOrganization = Readonly<typeof bridgeOrganizations.$inferSelect>;
type StoredVault = Readonly<typeof bridgeVaults.$inferSelect>;
/** As it holds at a time; `next` is what was stated to hold later than that. */
export type BridgeOrganizationRow = Omit<StoredOrganization, 'next' | 'nextFrom'> &
  Pick<Stated<OrganizationPlaces>, 'next'>;
/** The same of a vault. A place that does not hold yet is there from `from` on, Unix ms. */
export type BridgeVaultRow = Omit<StoredVault, 'placeFrom' | 'next' | 'nextFrom'> &
  Pick<Stated<Vault>, 'from' | 'next'>;
export type BridgeClusterRow = Readonly<typeof bridgeClusters.$inferSelect>;

export async function findTenant(db: Database, hostname: string): Promise<TenantRow | null> {
  return (await db.select().from(bridgeTenants).where(eq(bridgeTenants.hostname, hostname)).get()) ?? null;
}

/** Tenants of an organization by hostname. */
export function listTenantsOf(db: Database, organization: string): Promise<TenantRow[]> {
  return db
    .select()
    .from(bridgeTenants)
    .where(eq(bridgeTenants.organization, organization))
    .orderBy(asc(bridgeTenants.hostname))
    .limit(TENANTS_SHOWN_MAX);
}

/** Public keys of an organization's cluster, by scheme. */
export function listClusters(db: Database, organization: string): Promise<BridgeClusterRow[]> {
  return db
    .select()
    .from(bridgeClusters)
    .where(eq(bridgeClusters.organization, organization))
    .orderBy(asc(bridgeClusters.scheme));
}

/** An organization that has a bridge, in short. */
export interface ListedBridge {
  readonly organization: string;
  readonly name: string;
  /** Null where it has set nothing yet. */
  readonly feeBps: number | null;
  readonly tenants: number;
  readonly vaults: number;
  /** When its guard, stake or floors change next, Unix ms; null for not. */
  readonly changesAt: number | null;
}

/** Organizations with a tenant or settings of the bridge, by id. */
export function listBridges(
  db: Database,
  { after, limit, now }: { readonly after: string; readonly limit: number; readonly now: number },
): Promise<ListedBridge[]> {
  return db.all<ListedBridge>(sql`
    SELECT o.id AS organization, o.name, b.fee_bps AS feeBps,
           (SELECT count(*) FROM bridge_tenants t WHERE t.organization = o.id) AS tenants,
           (SELECT count(*) FROM bridge_vaults v WHERE v.organization = o.id) AS vaults,
           CASE WHEN b.next_from > CAST(${now} AS INTEGER) THEN b.next_from END AS changesAt
    FROM organizations o LEFT JOIN bridge_organizations b ON b.organization = o.id
    WHERE o.id > ${after}
      AND (b.organization IS NOT NULL OR EXISTS (SELECT 1 FROM bridge_tenants t WHERE t.organization = o.id))
    ORDER BY o.id LIMIT CAST(${limit} AS INTEGER)`);
}

/** What an organization's tenants say of whose its signers are. */
export async function listSigningModes(
  db: Database,
  organization: string,
): Promise<readonly Pick<TenantRow, 'signingMode' | 'singleOperator'>[]> {
  return db
    .selectDistinct({ signingMode: bridgeTenants.signingMode, singleOperator: bridgeTenants.singleOperator })
    .from(bridgeTenants)
    .where(eq(bridgeTenants.organization, organization));
}

/** What an organization has set, as it holds for transfers that begin at a time, Unix ms. */
export async function findBridgeOrganization(
  db: Database,
  organization: string,
  at: number,
): Promise<BridgeOrganizationRow | null> {
  const stored = await findStoredOrganization(db, organization);
  if (stored === null) return null;
  const { next: _, nextFrom: __, ...row } = stored;
  const stated = statedPlaces(stored);
  const { guard, stake, coSignFrom, lanes = [] } = heldAt(stated, at) ?? stated.value;
  const laneTerms = withFloors(lanes, row.laneTerms);
  return { ...row, guard, stake, coSignFrom, laneTerms, next: laterThan(stated, at) };
}

async function findStoredOrganization(db: Database, organization: string): Promise<StoredOrganization | null> {
  const isIt = eq(bridgeOrganizations.organization, organization);
  return (await db.select().from(bridgeOrganizations).where(isIt).get()) ?? null;
}

/** What signers go by of what an organization has set, with what is to follow. */
export async function findStatedPlaces(db: Database, organization: string): Promise<Stated<OrganizationPlaces> | null> {
  const stored = await findStoredOrganization(db, organization);
  return stored === null ? null : statedPlaces(stored);
}

function statedPlaces({ next, nextFrom, ...row }: StoredOrganization): Stated<OrganizationPlaces> {
  return { value: placesOf(row), from: 0, next: nextOf(next, nextFrom) };
}

type SetPlaces = Pick<StoredOrganization, 'guard' | 'stake' | 'coSignFrom' | 'laneTerms'>;

function placesOf({ guard, stake, coSignFrom, laneTerms }: SetPlaces): OrganizationPlaces {
  const lanes = floorsOf(laneTerms);
  return lanes.length === 0 ? { guard, stake, coSignFrom } : { guard, stake, coSignFrom, lanes };
}

function statedVault({ place, placeFrom, next, nextFrom }: StoredVault): Stated<Vault> {
  return { value: place, from: placeFrom ?? 0, next: nextOf(next, nextFrom) };
}

function nextOf<Value>(value: Value | null, from: number | null): Stated<Value>['next'] {
  return value === null || from === null ? null : { value, from };
}

function laterThan<Value>({ next }: Stated<Value>, at: number): Stated<Value>['next'] {
  return next !== null && next.from > at ? next : null;
}

function heldVault<Row extends StoredVault>(stored: Row, at: number) {
  const { placeFrom: _, next: __, nextFrom: ___, ...row } = stored;
  const stated = statedVault(stored);
  return { ...row, place: heldAt(stated, at) ?? stated.value, from: stated.from, next: laterThan(stated, at) };
}

/** A vault with the symbol and the decimals of the ledger's asset. */
export type ListedVault = BridgeVaultRow & { readonly symbol: string; readonly scale: number };

/** Vaults and wrapped tokens of an organization as they hold at a time, or will. */
export async function listVaults(db: Database, organization: string, at: number): Promise<ListedVault[]> {
  return (await listStored(db, organization)).map((stored) => heldVault(stored, at));
}

export type StatedVault = Pick<ListedVault, 'origin' | 'chain' | 'asset' | 'symbol' | 'scale'> & {
  readonly stated: Stated<Vault>;
};

/** Those with what is to follow. */
export async function listStatedVaults(db: Database, organization: string): Promise<StatedVault[]> {
  return (await listStored(db, organization)).map((stored) => {
    const { origin, chain, asset, symbol, scale } = stored;
    return { origin, chain, asset, symbol, scale, stated: statedVault(stored) };
  });
}

function listStored(db: Database, organization: string) {
  return db
    .select({ ...getTableColumns(bridgeVaults), symbol: assets.symbol, scale: assets.scale })
    .from(bridgeVaults)
    .innerJoin(assets, eq(assets.id, bridgeVaults.asset))
    .where(eq(bridgeVaults.organization, organization))
    .orderBy(asc(bridgeVaults.origin), asc(bridgeVaults.asset), asc(bridgeVaults.chain))
    .limit(VAULTS_MAX);
}

/** Organizations whose places were stated, or are to change, within a time, so many at a time: those whose turn it is, all in turn. */
export async function listChangingOrganizations(
  db: Database,
  { since, turn, limit }: { readonly since: number; readonly turn: number; readonly limit: number },
): Promise<string[]> {
  const vaults = db
    .select({ organization: bridgeVaults.organization })
    .from(bridgeVaults)
    .where(or(gt(bridgeVaults.updatedAt, since), gt(bridgeVaults.nextFrom, since)));
  const settings = db
    .select({ organization: bridgeOrganizations.organization })
    .from(bridgeOrganizations)
    .where(or(gt(bridgeOrganizations.updatedAt, since), gt(bridgeOrganizations.nextFrom, since)));
  const all = (await vaults.union(settings).limit(CHANGING_MAX)).map(({ organization }) => organization).toSorted();
  const turns = Math.max(1, Math.ceil(all.length / limit));
  return all.slice((turn % turns) * limit, ((turn % turns) + 1) * limit);
}

/** A contract of an organization, and a time at which it held: signers sign for it what began then. */
export interface ContractVault {
  readonly organization: string;
  readonly origin: ChainName;
  readonly assetSymbol: string;
  readonly place: Vault;
  /** Unix ms. */
  readonly heldAt: number;
}

/**
 * Vaults and wrapped tokens of all organizations that are contracts, so many at a time: those whose turn it is, all in turn. Where another holds now, the one before is listed as well: its funds
 * may still be there.
 */
export async function listContractVaults(
  db: Database,
  { turn, limit, now }: { readonly turn: number; readonly limit: number; readonly now: number },
): Promise<ContractVault[]> {
  const isContract = sql`json_extract(${bridgeVaults.place}, '$.contract') IS NOT NULL`;
  const counted = await db.select({ count: count() }).from(bridgeVaults).where(isContract).get();
  const turns = Math.max(1, Math.ceil((counted?.count ?? 0) / limit));
  const stored = await db
    .select({ ...getTableColumns(bridgeVaults), assetSymbol: assets.symbol })
    .from(bridgeVaults)
    .innerJoin(assets, eq(assets.id, bridgeVaults.asset))
    .where(isContract)
    .orderBy(asc(bridgeVaults.organization), asc(bridgeVaults.origin), asc(bridgeVaults.asset), asc(bridgeVaults.chain))
    .limit(limit)
    .offset((turn % turns) * limit);
  return stored.flatMap(({ organization, origin, assetSymbol, place, next, nextFrom }) => {
    const of = { organization, origin, assetSymbol };
    if (next === null || nextFrom === null || nextFrom > now) return { ...of, place, heldAt: now };
    return [
      { ...of, place, heldAt: nextFrom - 1 },
      { ...of, place: next, heldAt: now },
    ];
  });
}

/** Chains that any organization has an asset on. */
export async function listVaultChains(db: Database): Promise<ChainName[]> {
  return (await db.selectDistinct({ chain: bridgeVaults.chain }).from(bridgeVaults)).map(({ chain }) => chain);
}

type VaultKey = Pick<StoredVault, 'organization' | 'origin' | 'asset' | 'chain'>;

/** Where an organization has an asset of an origin on a chain, as it holds at a time, Unix ms, or will (`from`); null for nowhere. */
export async function findVault(db: Database, key: VaultKey, at: number): Promise<BridgeVaultRow | null> {
  const stored = await findStoredVault(db, key);
  return stored === null ? null : heldVault(stored, at);
}

/** The same with what is to follow. */
export async function findStatedVault(db: Database, key: VaultKey): Promise<Stated<Vault> | null> {
  const stored = await findStoredVault(db, key);
  return stored === null ? null : statedVault(stored);
}

async function findStoredVault(
  db: Database,
  { organization, origin, asset, chain }: VaultKey,
): Promise<StoredVault | null> {
  const isIt = and(
    eq(bridgeVaults.organization, organization),
    eq(bridgeVaults.origin, origin),
    eq(bridgeVaults.asset, asset),
    eq(bridgeVaults.chain, chain),
  );
  return (await db.select().from(bridgeVaults).where(isIt).get()) ?? null;
}

export async function findCluster(
  db: Database,
  organization: string,
  scheme: BridgeClusterRow['scheme'],
): Promise<BridgeClusterRow | null> {
  const isIt = and(eq(bridgeClusters.organization, organization), eq(bridgeClusters.scheme, scheme));
  return (await db.select().from(bridgeClusters).where(isIt).get()) ?? null;
}

/** States a tenant: made, or changed. False where its hostname is another organization's. */
export async function stateTenant(
  db: Database,
  tenant: Omit<TenantRow, 'createdAt' | 'logoObject'>,
  action: OperatorAction,
): Promise<boolean> {
  const { hostname, organization, name, signingMode, singleOperator, chains, branding, isEnabled } = tenant;
  const { updatedAt: now } = tenant;
  const before = await findTenant(db, hostname);
  const json = [JSON.stringify(chains), JSON.stringify(branding)] as const;
  return changeOnce(db, {
    action,
    type: 'operator.bridge_tenant_stated',
    subject: hostname,
    details: {},
    before,
    after: { organization, name, signingMode, singleOperator, chains, branding, isEnabled },
    now,
    when: sql`NOT EXISTS (SELECT 1 FROM bridge_tenants WHERE hostname = ${hostname} AND organization <> ${organization})
              AND EXISTS (SELECT 1 FROM partner_organizations WHERE organization = ${organization} AND role = 'bridge_tenant')`,
    writes: (takesPlace) => [
      sql`INSERT INTO bridge_tenants (hostname, organization, name, signing_mode, single_operator, chains, branding, is_enabled, created_at, updated_at)
          SELECT ${hostname}, ${organization}, ${name}, ${signingMode}, ${singleOperator ? 1 : 0}, ${json[0]}, ${json[1]}, ${isEnabled ? 1 : 0}, ${now}, ${now}
          WHERE ${takesPlace}
          ON CONFLICT (hostname) DO UPDATE SET name = excluded.name, signing_mode = excluded.signing_mode,
            single_operator = excluded.single_operator, chains = excluded.chains,
            branding = excluded.branding, is_enabled = excluded.is_enabled, updated_at = excluded.updated_at`,
    ],
  });
}

/** False where no tenant has the hostname. */
export async function stateTenantLogo(
  db: Database,
  { hostname, logoObject, now }: { readonly hostname: string; readonly logoObject: string; readonly now: number },
  action: OperatorAction,
): Promise<boolean> {
  const before = await findTenant(db, hostname);
  return changeOnce(db, {
    action,
    type: 'operator.bridge_tenant_logo',
    subject: hostname,
    details: {},
    before: { logoObject: before?.logoObject ?? null },
    after: { logoObject },
    now,
    when: sql`EXISTS (SELECT 1 FROM bridge_tenants WHERE hostname = ${hostname})`,
    writes: (takesPlace) => [
      sql`UPDATE bridge_tenants SET logo_object = ${logoObject}, updated_at = ${now} WHERE hostname = ${hostname} AND ${takesPlace}`,
    ],
  });
}

/**
 * States what an organization has set for its transfers. Its places change behind a notice, once it has begun a transfer.
 *
 * @returns false where it runs no bridge, or was changed meanwhile
 */
export async function stateBridgeOrganization(
  db: Database,
  row: Omit<BridgeOrganizationRow, 'createdAt' | 'next'>,
  action: OperatorAction,
): Promise<boolean> {
  const { organization, minStake, feeBps, feeAccount, quoteMs, queueMs, answerMs, updatedAt: now } = row;
  const before = await findStoredOrganization(db, organization);
  const stated = placesOf(row);
  const isFree = before === null || !(await hasTransfers(db, organization));
  const { value, next } = isFree ? freely(stated) : restated(statedPlaces(before), stated, now);
  // What a coin is worth is nothing that signers go by: it holds at once.
  const laneTerms = withFloors(value.lanes ?? [], row.laneTerms);
  const [coSign, lanes] = [JSON.stringify(value.coSignFrom), JSON.stringify(laneTerms)];
  const nextJson = next && JSON.stringify(next.value);
  return changeOnce(db, {
    action,
    type: 'operator.bridge_organization_stated',
    subject: organization,
    details: {},
    before,
    after: { ...value, next, minStake, feeBps, feeAccount, laneTerms, quoteMs, queueMs, answerMs },
    now,
    when: sql`${runsBridge(organization)}
              AND (SELECT updated_at FROM bridge_organizations WHERE organization = ${organization}) IS ${before?.updatedAt ?? null}`,
    writes: (takesPlace) => [
      sql`INSERT INTO bridge_organizations (organization, guard, stake, min_stake, fee_bps, fee_account, lane_terms, co_sign_from, quote_ms, queue_ms, answer_ms, next, next_from, created_at, updated_at)
          SELECT ${organization}, ${value.guard}, ${value.stake}, ${minStake}, ${feeBps}, ${feeAccount}, ${lanes}, ${coSign}, ${quoteMs}, ${queueMs}, ${answerMs},
            ${nextJson}, ${next?.from ?? null}, ${now}, ${now}
          WHERE ${takesPlace}
          ON CONFLICT (organization) DO UPDATE SET guard = excluded.guard, stake = excluded.stake, min_stake = excluded.min_stake, fee_bps = excluded.fee_bps, fee_account = excluded.fee_account, lane_terms = excluded.lane_terms,
            co_sign_from = excluded.co_sign_from, quote_ms = excluded.quote_ms, queue_ms = excluded.queue_ms, answer_ms = excluded.answer_ms,
            next = excluded.next, next_from = excluded.next_from, updated_at = excluded.updated_at`,
    ],
  });
}

/**
 * States where an organization has an asset. Another place than it has follows behind a notice, once it has begun a transfer.
 *
 * @param isTold whether the chain has told what was stated: else there is a notice before the first transfer, too
 * @returns false where it runs no bridge, has `VAULTS_MAX` already, or was changed meanwhile
 */
export async function stateVault(
  db: Database,
  row: Omit<BridgeVaultRow, 'createdAt' | 'from' | 'next'>,
  action: OperatorAction,
  isTold = true,
): Promise<boolean> {
  const { organization, origin, chain, asset, place, updatedAt: now } = row;
  const before = await findStoredVault(db, row);
  const { value, from, next } =
    (await hasTransfers(db, organization)) || !isTold
      ? restated(before && statedVault(before), place, now, isSameVault)
      : freely(place);
  const [placeJson, nextJson] = [JSON.stringify(value), next && JSON.stringify(next.value)];
  return changeOnce(db, {
    action,
    type: 'operator.bridge_vault_stated',
    subject: organization,
    details: { origin, chain, asset },
    before: before && statedVault(before),
    after: { value, from, next },
    now,
    when: sql`${runsBridge(organization)}
              AND (SELECT updated_at FROM bridge_vaults
                   WHERE organization = ${organization} AND origin = ${origin} AND asset = ${asset} AND chain = ${chain}) IS ${before?.updatedAt ?? null}
              AND (${before === null ? 0 : 1} OR (SELECT count(*) FROM bridge_vaults WHERE organization = ${organization}) < ${VAULTS_MAX})`,
    writes: (takesPlace) => [
      sql`INSERT INTO bridge_vaults (organization, origin, chain, asset, place, place_from, next, next_from, created_at, updated_at)
          SELECT ${organization}, ${origin}, ${chain}, ${asset}, ${placeJson}, ${from}, ${nextJson}, ${next?.from ?? null}, ${now}, ${now} WHERE ${takesPlace}
          ON CONFLICT (organization, origin, asset, chain) DO UPDATE SET place = excluded.place, place_from = excluded.place_from, next = excluded.next, next_from = excluded.next_from,
            updated_at = excluded.updated_at`,
    ],
  });
}

/** Of an organization that has begun no transfer: an error of the first hour is mended at once. */
function freely<Value>(value: Value): Stated<Value> {
  return { value, from: 0, next: null };
}

function runsBridge(organization: string) {
  return sql`EXISTS (SELECT 1 FROM partner_organizations WHERE organization = ${organization} AND role = 'bridge_tenant')`;
}

/** Writes down the public keys of a generation, unless a later one stands there. */
export async function noteCluster(db: Database, row: BridgeClusterRow): Promise<void> {
  const { generation, groupKey, signerKeys, createdAt } = row;
  await db
    .insert(bridgeClusters)
    .values(row)
    .onConflictDoUpdate({
      target: [bridgeClusters.organization, bridgeClusters.scheme],
      set: { generation, groupKey, signerKeys, createdAt },
      setWhere: sql`${bridgeClusters.generation} < ${generation}`,
    });
}
