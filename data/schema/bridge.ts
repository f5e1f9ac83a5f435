import { sql } from 'drizzle-orm';
import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { SigningScheme, Vault } from '../../domain/bridge/chains/chain-adapter.ts';
import type { ChainName } from '../../domain/bridge/chains/chain-name.ts';
import type { LaneTerms } from '../../domain/bridge/lane-terms.ts';
import type { OrganizationPlaces } from '../../domain/bridge/places/organization-places.ts';
import type { FaultReason } from '../../domain/bridge/signing/signer-fault.ts';
import { SIGNING_MODES, type TenantBranding } from '../../domain/bridge/tenant.ts';
import type { TransferState } from '../../domain/bridge/transfer.ts';
import type { TransferTerms } from '../../domain/bridge/transfer-terms.ts';
import { organizations } from './accounts.ts';

/** White-label tenants by hostname: whose they are, and what differs from BRIDGE_TENANT_CONFIG (docs/design/bridge.md#tenants). */
export const bridgeTenants = sqliteTable(
  'bridge_tenants',
  {
    hostname: text().primaryKey(),
    organization: text()
      .notNull()
      .references(() => organizations.id),
    name: text().notNull(),
    signingMode: text({ enum: SIGNING_MODES }).notNull(),
    chains: text({ mode: 'json' }).$type<readonly ChainName[]>().notNull(),
    branding: text({ mode: 'json' }).$type<TenantBranding>().notNull(),
    /** Its logo in the bucket ASSET_IMAGES; null for none. */
    logoObject: text(),
    isEnabled: integer({ mode: 'boolean' }).notNull().default(true),
    /** Whether one operator may run all five of its signers: else BRIDGE_SIGNERS names five addresses. */
    singleOperator: integer({ mode: 'boolean' }).notNull().default(false),
    createdAt: integer().notNull(),
    updatedAt: integer().notNull(),
  },
  (t) => [index('bridge_tenants_organization').on(t.organization)],
);

/** What an organization has set for all its transfers, and its contracts on the exchange chain. */
export const bridgeOrganizations = sqliteTable('bridge_organizations', {
  organization: text()
    .primaryKey()
    .references(() => organizations.id),
  /** Addresses. With `coSignFrom` they change behind a notice (`next`). */
  guard: text().notNull(),
  stake: text().notNull(),
  /** What each signer has to stand in for at least, in the smallest unit of the exchange chain's coin; 0 where the seat is enough. */
  minStake: text().notNull().default('0'),
  /** Hundredths of a percent of each transfer. */
  feeBps: integer().notNull().default(0),
  /** Account of the organization that is credited with that share of what was paid; null where it stays in the vault. */
  feeAccount: text(),
  /** Least amounts and flat fees, by lane; one that is not there has none. */
  laneTerms: text({ mode: 'json' }).$type<readonly LaneTerms[]>().notNull().default([]),
  /** Amounts from which on the hardware module has to sign, by the ledger's asset, in its scaled integers; an asset without one needs none. */
  coSignFrom: text({ mode: 'json' }).$type<Readonly<Record<string, number>>>().notNull(),
  /** How long a quote holds, a transfer waits for room in a limit, and for signers or the hardware module. */
  quoteMs: integer().notNull(),
  queueMs: integer().notNull(),
  answerMs: integer().notNull(),
  /** What holds in place of guard, stake and `coSignFrom` from `nextFrom` on, Unix ms; null where nothing was stated since. */
  next: text({ mode: 'json' }).$type<OrganizationPlaces>(),
  nextFrom: integer(),
  createdAt: integer().notNull(),
  updatedAt: integer().notNull(),
});

/** Public keys of an organization's cluster, by scheme. A rotation writes the next generation over it; vaults keep the keys that they were made for. */
export const bridgeClusters = sqliteTable(
  'bridge_clusters',
  {
    organization: text()
      .notNull()
      .references(() => organizations.id),
    scheme: text().$type<SigningScheme>().notNull(),
    generation: integer().notNull(),
    groupKey: text().notNull(),
    signerKeys: text({ mode: 'json' }).$type<readonly string[]>().notNull(),
    createdAt: integer().notNull(),
  },
  (t) => [primaryKey({ columns: [t.organization, t.scheme] })],
);

/** Where an organization has an asset on a chain; on the exchange chain, its wrapped token of each origin. */
export const bridgeVaults = sqliteTable(
  'bridge_vaults',
  {
    organization: text()
      .notNull()
      .references(() => organizations.id),
    /** Chain of the vault; of a wrapped token, the chain that its funds lie on. */
    origin: text().$type<ChainName>().notNull(),
    /** Chain that this place is on: the origin itself, or the exchange chain. */
    chain: text().$type<ChainName>().notNull(),
    /** Id of the ledger's asset. */
    asset: text().notNull(),
    place: text({ mode: 'json' }).$type<Vault>().notNull(),
    /** Transfers that begin from then on, Unix ms; null for all. */
    placeFrom: integer(),
    /** What holds in place of it from `nextFrom` on, Unix ms; null where nothing was stated since. */
    next: text({ mode: 'json' }).$type<Vault>(),
    nextFrom: integer(),
    createdAt: integer().notNull(),
    updatedAt: integer().notNull(),
  },
  (t) => [primaryKey({ columns: [t.organization, t.origin, t.asset, t.chain] })],
);

/** Transfers as their objects last said. The object is the truth. */
export const bridgeTransfers = sqliteTable(
  'bridge_transfers',
  {
    /** UUIDv7; also the name of its object. */
    id: text().primaryKey(),
    organization: text().notNull(),
    hostname: text().notNull(),
    commitment: text().notNull().unique(),
    state: text().$type<TransferState>().notNull(),
    /** Raised with each change: an older one writes nothing. */
    changes: integer().notNull(),
    updatedAt: integer().notNull(),
    /** Null in a row from before there was this column, until its object writes it again. */
    terms: text({ mode: 'json' }).$type<TransferTerms>(),
    /** Of the terms: the symbol of the asset, and the account that is one of the sides; null where none is. */
    asset: text().generatedAlwaysAs(sql`json_extract(terms, '$.asset')`, { mode: 'virtual' }),
    account: text().generatedAlwaysAs(
      sql`coalesce(json_extract(terms, '$.source.account'), json_extract(terms, '$.destination.account'))`,
      { mode: 'virtual' },
    ),
  },
  (t) => [
    index('bridge_transfers_organization').on(t.organization, t.id),
    index('bridge_transfers_organization_state').on(t.organization, t.state, t.id),
    index('bridge_transfers_organization_asset').on(t.organization, t.asset, t.id),
    index('bridge_transfers_organization_account').on(t.organization, t.account, t.id),
    index('bridge_transfers_state').on(t.state, t.updatedAt),
  ],
);

/** What signers were seen doing wrong, each once a transfer, as the objects of transfers say. */
export const bridgeSignerFaults = sqliteTable(
  'bridge_signer_faults',
  {
    transfer: text().notNull(),
    /** 0 to 4. */
    signer: integer().notNull(),
    reason: text().$type<FaultReason>().notNull(),
    organization: text().notNull(),
    /** When it was seen first, Unix ms. */
    at: integer().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.transfer, t.signer, t.reason] }),
    index('bridge_signer_faults_organization').on(t.organization, t.signer, t.at),
  ],
);
