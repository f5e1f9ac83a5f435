import { sql } from 'drizzle-orm';
import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { ACCREDITATION_STATUSES, KYC_STATUSES } from '../../domain/accounts/account.ts';
import { TRANSFER_REQUEST_STATES } from '../../domain/accounts/transfer-request.ts';
import { TRANSFER_TYPES } from '../../domain/accounts/transfer-type.ts';
import { ACCREDITATION_RECORD_KINDS } from '../../domain/accreditation/accreditation-record.ts';
import { EVIDENCE_KINDS } from '../../domain/accreditation/evidence.ts';
import { RELATIONSHIPS } from '../../domain/accreditation/family.ts';
import { VERIFICATION_STATES } from '../../domain/accreditation/verification.ts';
import { ACCREDITATION_TYPES } from '../../domain/assets/asset.ts';
import type { Role } from '../../domain/identity/principal.ts';

export const organizations = sqliteTable('organizations', {
  id: text().primaryKey(),
  name: text().notNull(),
  /** Number of the ledger shard; 0, the only one there is (docs/design/ledger.md#room-of-a-shard). */
  shard: integer().notNull().default(0),
  /** Since when what moves money or gives rights takes two operators; null where one does. */
  twoOperatorsSince: integer(),
  createdAt: integer().notNull(),
});

/** People and machine clients of the identity provider. */
export const users = sqliteTable(
  'users',
  {
    id: text().primaryKey(),
    owner: text()
      .notNull()
      .references(() => organizations.id),
    phone: text().unique(),
    email: text().notNull(),
    name: text().notNull(),
    roles: text({ mode: 'json' }).$type<readonly Role[]>().notNull().default([]),
    /** Made for machine clients: nobody signs in as them. */
    service: integer({ mode: 'boolean' }).notNull().default(false),
    /** Tokens issued before this time are refused. */
    tokensValidAfter: integer().notNull().default(0),
    /** Since when neither tokens nor keys of theirs hold, and none are made; null for an active user. */
    deactivatedAt: integer(),
    createdAt: integer().notNull(),
  },
  (t) => [index('users_owner').on(t.owner)],
);

/**
 * A trading account of one user, or a boundary account, where money and assets enter and leave
 * (docs/design/ledger.md#boundary-accounts). Its compliance facts and their version are projected from the ledger, which asserts the
 * version when it admits an order.
 */
export const accounts = sqliteTable(
  'accounts',
  {
    id: text().primaryKey(),
    owner: text().notNull(),
    userId: text().references(() => users.id),
    boundary: integer({ mode: 'boolean' }).notNull().default(false),
    kycStatus: text({ enum: KYC_STATUSES }).notNull().default('pending'),
    accreditationStatus: text({ enum: ACCREDITATION_STATUSES }).notNull().default('none'),
    /** `506c` (third-party verified), `506b` (self-certified) or null. */
    accreditationType: text({ enum: ACCREDITATION_TYPES }),
    usPerson: integer({ mode: 'boolean' }).notNull().default(true),
    /** Annual income and net worth in US cents, for the Reg CF limit, 17 CFR 227.100(a)(2). */
    annualIncome: integer().notNull().default(0),
    netWorth: integer().notNull().default(0),
    frozen: integer({ mode: 'boolean' }).notNull().default(false),
    factsVersion: integer().notNull().default(1),
    createdAt: integer().notNull(),
  },
  (t) => [index('accounts_user').on(t.userId), index('accounts_frozen').on(t.id).where(sql`${t.frozen} = 1`)],
);

/**
 * What an account's accreditation rests on: a verification by a third party with its evidence (17 CFR 230.506(c)(2)(ii)), or what the person has
 * certified (506(b)). A record never changes but for its end; facts of the account follow from the records.
 */
export const accreditationRecords = sqliteTable(
  'accreditation_records',
  {
    /** UUIDv7 of the action that made it. */
    id: text().primaryKey(),
    account: text()
      .notNull()
      .references(() => accounts.id),
    kind: text({ enum: ACCREDITATION_RECORD_KINDS }).notNull(),
    /** Of a third party: who, and where its evidence is kept. */
    verifier: text(),
    evidence: text(),
    /** What it rests on; null where nobody said. */
    evidenceKind: text({ enum: EVIDENCE_KINDS }),
    /** Of the person: what was certified. */
    textVersion: text(),
    text: text(),
    /** When it was verified or certified. */
    at: integer().notNull(),
    expiresAt: integer(),
    /** User id of who recorded it. */
    actor: text().notNull(),
    createdAt: integer().notNull(),
    endedAt: integer(),
    endedBy: text(),
    endedReason: text(),
    /** The request that it follows from (`accreditation_verifications`); null for others. */
    verification: text(),
  },
  (t) => [
    index('accreditation_records_account').on(t.account, t.id),
    index('accreditation_records_expiry').on(t.expiresAt).where(sql`${t.expiresAt} is not null`),
  ],
);

/**
 * Verifications by a third party that people have asked for (17 CFR 230.506(c)(2)(ii)). A record of D1's own: the accreditation record that
 * follows from one has its id.
 */
export const accreditationVerifications = sqliteTable(
  'accreditation_verifications',
  {
    /** UUIDv7 of the request. */
    id: text().primaryKey(),
    account: text()
      .notNull()
      .references(() => accounts.id),
    owner: text().notNull(),
    evidenceKind: text({ enum: EVIDENCE_KINDS }).notNull(),
    provider: text().notNull(),
    /** The provider's own id; null until it has answered. */
    reference: text(),
    state: text({ enum: VERIFICATION_STATES }).notNull(),
    /** Why it was refused or revoked. */
    reason: text(),
    /** User id of who asked. */
    actor: text().notNull(),
    createdAt: integer().notNull(),
    /** When its provider was last asked about it. */
    askedAt: integer().notNull(),
    /** When an operator allowed that its provider is asked, where one had to. */
    allowedAt: integer(),
    decidedAt: integer(),
    /** Until when an accreditation rests on it. */
    expiresAt: integer(),
    /** When it was revoked, and by whom: `provider:<name>`, or the user id of an operator. */
    endedAt: integer(),
    endedBy: text(),
    /** Whether it is decided, and the account's facts follow from that. */
    applied: integer({ mode: 'boolean' }).notNull().default(false),
    /** UUIDv7 of the change of facts that its last decision asks for. */
    changeId: text(),
  },
  (t) => [
    index('accreditation_verifications_account').on(t.account, t.id),
    index('accreditation_verifications_waiting').on(t.askedAt).where(sql`${t.applied} = 0`),
    index('accreditation_verifications_review').on(t.id).where(sql`${t.state} = 'IN_REVIEW'`),
  ],
);

/**
 * Accreditations that operators have ended. Until an operator allows a request of the person's (`liftedAt`), they get none by their own word, and no provider
 * is asked about them. A record of D1's own.
 */
export const accreditationEnds = sqliteTable(
  'accreditation_ends',
  {
    /** UUIDv7 of the action, and of the change of facts that follows. */
    id: text().primaryKey(),
    account: text()
      .notNull()
      .references(() => accounts.id),
    reason: text().notNull(),
    /** User id of the operator. */
    actor: text().notNull(),
    createdAt: integer().notNull(),
    liftedAt: integer(),
    liftedBy: text(),
    /** Whether the account's facts follow from it. */
    applied: integer({ mode: 'boolean' }).notNull().default(false),
  },
  (t) => [
    index('accreditation_ends_account').on(t.account).where(sql`${t.liftedAt} is null`),
    index('accreditation_ends_waiting').on(t.createdAt).where(sql`${t.applied} = 0`),
  ],
);

/** Callbacks of verification providers, by the ids of their events, so that each is taken once. */
export const verificationEvents = sqliteTable(
  'verification_events',
  {
    id: text().primaryKey(),
    /** SHA-256 of its body, hexadecimal. */
    hash: text().notNull(),
    at: integer().notNull(),
  },
  (t) => [index('verification_events_at').on(t.at)],
);

/**
 * Accounts that are family of each other (17 CFR 227.501(c)), projected from the ledger: what an operator has recorded, and its end. One that
 * has ended stays.
 */
export const familyRelations = sqliteTable(
  'family_relations',
  {
    /** UUIDv7 of the action that made it. */
    id: text().primaryKey(),
    account: text().notNull(),
    relative: text().notNull(),
    /** What the relative is to the account. */
    relationship: text({ enum: RELATIONSHIPS }).notNull(),
    /** Where the evidence is kept. */
    evidence: text().notNull(),
    /** User id of who recorded it. */
    recordedBy: text().notNull(),
    createdAt: integer().notNull(),
    endedAt: integer(),
    endedBy: text(),
    endedReason: text(),
  },
  (t) => [
    index('family_relations_account').on(t.account, t.id),
    index('family_relations_relative').on(t.relative, t.id),
  ],
);

/** Deposits and withdrawals, as the transactions list shows them. */
export const transfers = sqliteTable(
  'transfers',
  {
    /** Same id as its ledger transaction. */
    id: text().primaryKey(),
    account: text().notNull(),
    type: text({ enum: TRANSFER_TYPES }).notNull(),
    asset: text().notNull(),
    amount: integer().notNull(),
    status: text({ enum: ['completed'] }).notNull(),
    reference: text(),
    createdAt: integer().notNull(),
  },
  (t) => [index('transfers_account').on(t.account, t.id)],
);

/**
 * What users ask to pay in and out, projected: `amount` of an open withdrawal is held. One that was executed has the row of `transfers` under
 * its id. Created WITHOUT ROWID.
 */
export const transferRequests = sqliteTable(
  'transfer_requests',
  {
    id: text().primaryKey(),
    account: text().notNull(),
    type: text({ enum: TRANSFER_TYPES }).notNull(),
    asset: text().notNull(),
    amount: integer().notNull(),
    state: text({ enum: TRANSFER_REQUEST_STATES }).notNull(),
    reference: text(),
    /** Why it was rejected. */
    reason: text(),
    createdAt: integer().notNull(),
    updatedAt: integer().notNull(),
  },
  (t) => [index('transfer_requests_account').on(t.account, t.id), index('transfer_requests_state').on(t.state, t.id)],
);
