import { and, asc, count, eq, getTableColumns, sql } from 'drizzle-orm';
import type { OperatorAction } from '../audit/trail/operator-events.ts';
import { changeOnce } from '../change-once.ts';
import type { Database } from '../database.ts';
import { bridgeClusters, bridgeOrganizations, bridgeTenants, bridgeVaults } from '../schema/bridge.ts';
import { assets } from '../schema/catalog.ts';

export type TenantRow = Readonly<typeof bridgeTenants.$inferSelect>;
export type BridgeOrganizationRow = Readonly<typeof bridgeOrganizations.$inferSelect>;
export type BridgeVaultRow = Readonly<typeof bridgeVaults.$inferSelect>;
export type BridgeClusterRow = Readonly<typeof bridgeClusters.$inferSelect>;

export async function findTenant(db: Database, hostname: string): Promise<TenantRow | null> {
  return (await db.select().from(bridgeTenants).where(eq(bridgeTenants.hostname, hostname)).get()) ?? null;
}

/** Whether one of an organization's tenants is of a signing mode. */
export async function hasTenantOfMode(
  db: Database,
  organization: string,
  mode: TenantRow['signingMode'],
): Promise<boolean> {
  const isIt = and(eq(bridgeTenants.organization, organization), eq(bridgeTenants.signingMode, mode));
  return (await db.select({ hostname: bridgeTenants.hostname }).from(bridgeTenants).where(isIt).get()) !== undefined;
}

export async function findBridgeOrganization(
  db: Database,
  organization: string,
): Promise<BridgeOrganizationRow | null> {
  const isIt = eq(bridgeOrganizations.organization, organization);
  return (await db.select().from(bridgeOrganizations).where(isIt).get()) ?? null;
}

/** A vault with the symbol and the decimals of the ledger's asset. */
export type ListedVault = BridgeVaultRow & { readonly symbol: string; readonly scale: number };

/** Vaults and wrapped tokens of an organization, 500 at most. */
export function listVaults(db: Database, organization: string): Promise<ListedVault[]> {
  return db
    .select({ ...getTableColumns(bridgeVaults), symbol: assets.symbol, scale: assets.scale })
    .from(bridgeVaults)
    .innerJoin(assets, eq(assets.id, bridgeVaults.asset))
    .where(eq(bridgeVaults.organization, organization))
    .orderBy(asc(bridgeVaults.origin), asc(bridgeVaults.asset), asc(bridgeVaults.chain))
    .limit(500);
}

export type ContractVault = BridgeVaultRow & { readonly assetSymbol: string };

/**
 * Vaults and wrapped tokens of all organizations that are contracts, so many at a time: those whose turn it is, all in turn.
 */
export async function listContractVaults(
  db: Database,
  { turn, limit }: { readonly turn: number; readonly limit: number },
): Promise<ContractVault[]> {
  const isContract = sql`json_extract(${bridgeVaults.place}, '$.contract') IS NOT NULL`;
  const counted = await db.select({ count: count() }).from(bridgeVaults).where(isContract).get();
  const turns = Math.max(1, Math.ceil((counted?.count ?? 0) / limit));
  return db
    .select({ ...getTableColumns(bridgeVaults), assetSymbol: assets.symbol })
    .from(bridgeVaults)
    .innerJoin(assets, eq(assets.id, bridgeVaults.asset))
    .where(isContract)
    .orderBy(asc(bridgeVaults.organization), asc(bridgeVaults.origin), asc(bridgeVaults.asset), asc(bridgeVaults.chain))
    .limit(limit)
    .offset((turn % turns) * limit);
}

/** Where an organization has an asset of an origin on a chain; null for nowhere. */
export async function findVault(
  db: Database,
  { organization, origin, asset, chain }: Pick<BridgeVaultRow, 'organization' | 'origin' | 'asset' | 'chain'>,
): Promise<BridgeVaultRow | null> {
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
  const { hostname, organization, name, signingMode, chains, branding, isEnabled, updatedAt: now } = tenant;
  const before = await findTenant(db, hostname);
  const json = [JSON.stringify(chains), JSON.stringify(branding)] as const;
  return changeOnce(db, {
    action,
    type: 'operator.bridge_tenant_stated',
    subject: hostname,
    details: {},
    before,
    after: { organization, name, signingMode, chains, branding, isEnabled },
    now,
    when: sql`NOT EXISTS (SELECT 1 FROM bridge_tenants WHERE hostname = ${hostname} AND organization <> ${organization})
              AND EXISTS (SELECT 1 FROM partner_organizations WHERE organization = ${organization} AND role = 'bridge_tenant')`,
    writes: (takesPlace) => [
      sql`INSERT INTO bridge_tenants (hostname, organization, name, signing_mode, chains, branding, is_enabled, created_at, updated_at)
          SELECT ${hostname}, ${organization}, ${name}, ${signingMode}, ${json[0]}, ${json[1]}, ${isEnabled ? 1 : 0}, ${now}, ${now}
          WHERE ${takesPlace}
          ON CONFLICT (hostname) DO UPDATE SET name = excluded.name, signing_mode = excluded.signing_mode, chains = excluded.chains,
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

/** States what an organization has set for its transfers. False where it runs no bridge. */
export async function stateBridgeOrganization(
  db: Database,
  row: Omit<BridgeOrganizationRow, 'createdAt'>,
  action: OperatorAction,
): Promise<boolean> {
  const { organization, guard, stake, minStake, feeBps, coSignFrom, quoteMs, queueMs, answerMs, updatedAt: now } = row;
  const before = await findBridgeOrganization(db, organization);
  return changeOnce(db, {
    action,
    type: 'operator.bridge_organization_stated',
    subject: organization,
    details: {},
    before,
    after: { guard, stake, minStake, feeBps, coSignFrom, quoteMs, queueMs, answerMs },
    now,
    when: sql`EXISTS (SELECT 1 FROM partner_organizations WHERE organization = ${organization} AND role = 'bridge_tenant')`,
    writes: (takesPlace) => [
      sql`INSERT INTO bridge_organizations (organization, guard, stake, min_stake, fee_bps, co_sign_from, quote_ms, queue_ms, answer_ms, created_at, updated_at)
          SELECT ${organization}, ${guard}, ${stake}, ${minStake}, ${feeBps}, ${JSON.stringify(coSignFrom)}, ${quoteMs}, ${queueMs}, ${answerMs}, ${now}, ${now}
          WHERE ${takesPlace}
          ON CONFLICT (organization) DO UPDATE SET guard = excluded.guard, stake = excluded.stake, min_stake = excluded.min_stake, fee_bps = excluded.fee_bps,
            co_sign_from = excluded.co_sign_from, quote_ms = excluded.quote_ms, queue_ms = excluded.queue_ms, answer_ms = excluded.answer_ms,
            updated_at = excluded.updated_at`,
    ],
  });
}

/** States where an organization has an asset. False where it runs no bridge. */
export async function stateVault(
  db: Database,
  row: Omit<BridgeVaultRow, 'createdAt'>,
  action: OperatorAction,
): Promise<boolean> {
  const { organization, origin, chain, asset, place, updatedAt: now } = row;
  const before = await findVault(db, row);
  return changeOnce(db, {
    action,
    type: 'operator.bridge_vault_stated',
    subject: organization,
    details: { origin, chain, asset },
    before: before?.place ?? null,
    after: place,
    now,
    when: sql`EXISTS (SELECT 1 FROM partner_organizations WHERE organization = ${organization} AND role = 'bridge_tenant')`,
    writes: (takesPlace) => [
      sql`INSERT INTO bridge_vaults (organization, origin, chain, asset, place, created_at, updated_at)
          SELECT ${organization}, ${origin}, ${chain}, ${asset}, ${JSON.stringify(place)}, ${now}, ${now} WHERE ${takesPlace}
          ON CONFLICT (organization, origin, asset, chain) DO UPDATE SET place = excluded.place, updated_at = excluded.updated_at`,
    ],
  });
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
