import { sql } from 'drizzle-orm';
import { check, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import type { SplitRatio } from '../../domain/ledger/split-units.ts';
import {
  type ConversionOrigin,
  HOLDER_KINDS,
  REGISTER_EVENT_STATES,
  REGISTER_EVENT_TYPES,
} from '../../domain/register/register-event.ts';
import { TRANSFER_STATES } from '../../domain/register/transfer-state.ts';
import { securities } from './partner.ts';

/** Who is, or was, registered as a holder of a security: with an account here, or without one (docs/design/register.md). */
export const registerHolders = sqliteTable(
  'register_holders',
  {
    id: text().primaryKey(),
    security: text()
      .notNull()
      .references(() => securities.id),
    /** Null for a holder without an account: their shares stand in boundary:register. */
    account: text(),
    /** Under which the agent knows them; `account:<id>` of one with an account. */
    reference: text().notNull(),
    /** What the reference looks like (domain/register/look-alike.ts); null of one with an account. */
    referenceForm: text(),
    kind: text({ enum: HOLDER_KINDS }).notNull(),
    /** Whether the agent has said so; else another import may. */
    kindStated: integer({ mode: 'boolean' }).notNull().default(true),
    name: text().notNull(),
    /** ISO 3166-1, two letters. */
    country: text(),
    createdAt: integer().notNull(),
  },
  (t) => [
    uniqueIndex('register_holders_reference').on(t.security, t.reference),
    index('register_holders_form').on(t.security, t.referenceForm).where(sql`${t.referenceForm} is not null`),
    uniqueIndex('register_holders_account').on(t.security, t.account).where(sql`${t.account} is not null`),
  ],
);

/**
 * Everything that ever changed a register, in the order of `sequence`. One that the ledger takes part in is announced first, and recorded once the ledger
 * has moved under its id; one at a time of a security.
 */
export const registerEvents = sqliteTable(
  'register_events',
  {
    /** UUIDv7; of the ledger transaction, too: of a transfer its trade, of a reversal the bust. */
    id: text().primaryKey(),
    security: text()
      .notNull()
      .references(() => securities.id),
    type: text({ enum: REGISTER_EVENT_TYPES }).notNull(),
    state: text({ enum: REGISTER_EVENT_STATES }).notNull(),
    /** Gapless within its security; null until it is recorded. */
    sequence: integer(),
    /** What it asks for, hashed: another request under its id is a conflict. */
    hash: text().notNull(),
    /** YYYY-MM-DD, or ISO 8601 as the agent states it. */
    recordDate: text(),
    notes: text(),
    /** Of a split, merger or conversion; else null. */
    ratio: text({ mode: 'json' }).$type<SplitRatio & Partial<ConversionOrigin>>(),
    /** Organization of the agent that asks for an issuance, import or cancellation; else null. */
    agent: text(),
    /** So many lines it has: announced with no fewer. Null of what writes its lines later. */
    lineCount: integer(),
    /** One more each time that it is begun anew. */
    attempt: integer().notNull().default(1),
    /** Why the ledger refused it. */
    refusal: text(),
    /** User id of who asked, of a reversal for the bust. */
    actor: text().notNull(),
    createdAt: integer().notNull(),
    /** Never earlier than that of the event before. */
    recordedAt: integer(),
  },
  (t) => [
    uniqueIndex('register_events_sequence').on(t.security, t.sequence).where(sql`${t.sequence} is not null`),
    uniqueIndex('register_events_announced').on(t.security).where(sql`${t.state} = 'announced'`),
    index('register_events_log').on(t.security, t.recordedAt, t.id).where(sql`${t.state} = 'recorded'`),
    index('register_events_open').on(t.createdAt).where(sql`${t.state} in ('staged', 'announced')`),
  ],
);

/** What an event changes of each holder. What holders have at any moment is the sum of these. */
export const registerChanges = sqliteTable(
  'register_changes',
  {
    event: text().notNull(),
    line: integer().notNull(),
    security: text().notNull(),
    holder: text().notNull(),
    /** Scaled units; negative for what leaves. */
    shares: integer().notNull(),
    /** Dollars paid for them. */
    cost: integer().notNull().default(0),
    acquiredAt: integer(),
    restrictionEndsAt: integer(),
    offeringType: text(),
    certificate: text(),
    legend: integer({ mode: 'boolean' }).notNull().default(false),
  },
  (t) => [
    primaryKey({ columns: [t.event, t.line] }),
    index('register_changes_holder').on(t.holder, t.event),
    uniqueIndex('register_changes_certificate').on(t.security, t.certificate).where(sql`${t.certificate} is not null`),
  ],
);

/** What each holder has now: the sum of their recorded changes. */
export const registerHoldings = sqliteTable(
  'register_holdings',
  {
    security: text().notNull(),
    holder: text().notNull(),
    shares: integer().notNull(),
  },
  (t) => [primaryKey({ columns: [t.security, t.holder] }), check('register_holdings_whole', sql`${t.shares} >= 0`)],
);

/** What a transfer agent has to record for each settled trade; domain/register/transfer-state.ts says what becomes what. */
export const transferInstructions = sqliteTable(
  'transfer_instructions',
  {
    /** Of its trade; of the event that records it, too. */
    id: text().primaryKey(),
    security: text()
      .notNull()
      .references(() => securities.id),
    /** Organization of the transfer agent. */
    agent: text().notNull(),
    /** Of the trade, within its book. */
    tradeSequence: integer().notNull(),
    /** Accounts. */
    buyer: text().notNull(),
    seller: text().notNull(),
    units: integer().notNull(),
    state: text({ enum: TRANSFER_STATES }).notNull(),
    /** As the agent states it. */
    recordDate: text(),
    notes: text(),
    /** Why it was rejected. */
    reason: text(),
    certificate: text(),
    legendApplied: integer({ mode: 'boolean' }),
    capTableUpdatedAt: text(),
    /** User id of who acted last. */
    actor: text(),
    acknowledgedAt: integer(),
    /** The record date that its acknowledgment stated; `recordDate` is that of the completion once there is one. */
    acknowledgedDate: text(),
    endedAt: integer(),
    createdAt: integer().notNull(),
  },
  (t) => [
    uniqueIndex('transfer_instructions_trade').on(t.security, t.tradeSequence),
    index('transfer_instructions_agent').on(t.agent, t.id),
    index('transfer_instructions_log').on(t.security, t.createdAt, t.id),
    index('transfer_instructions_received').on(t.agent, t.createdAt),
    index('transfer_instructions_waiting').on(t.createdAt).where(sql`${t.state} in ('pending', 'acknowledged')`),
    index('transfer_instructions_open')
      .on(t.security)
      .where(sql`${t.state} in ('pending', 'acknowledged', 'rejecting')`),
  ],
);

/** Accounts whose owners let transfer agents register shares to them, of any security (docs/design/register.md#who-takes-shares). */
export const registerConsents = sqliteTable('register_consents', {
  account: text().primaryKey(),
  createdAt: integer().notNull(),
});

/** Rows that transfer agents have had written, by day: what bounds an agent and a security (docs/design/register.md#room). */
export const registerRowCounts = sqliteTable(
  'register_row_counts',
  {
    /** `agent:<organization>` or `security:<id>`. */
    scope: text().notNull(),
    /** Days since 1970, UTC. */
    day: integer().notNull(),
    /** Events of the register and their lines. */
    lines: integer().notNull().default(0),
    /** Of corporate actions: a row for each holder. */
    payments: integer().notNull().default(0),
  },
  (t) => [primaryKey({ columns: [t.scope, t.day] })],
);
