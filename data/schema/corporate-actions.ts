import { sql } from 'drizzle-orm';
import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { ACTION_STATES, ACTION_WAITS } from '../../domain/corporate-actions/action-state.ts';
import { ACTION_TYPES, type ActionTerms } from '../../domain/corporate-actions/corporate-action.ts';
import { PAYMENT_STATES } from '../../domain/corporate-actions/payment-state.ts';
import { securities } from './partner.ts';

/** What transfer agents have announced for securities (docs/design/corporate-actions.md). A record of D1's own. */
export const corporateActions = sqliteTable(
  'corporate_actions',
  {
    /** UUIDv7 of the announcement. */
    id: text().primaryKey(),
    security: text()
      .notNull()
      .references(() => securities.id),
    /** Organization that has announced it. */
    agent: text().notNull(),
    type: text({ enum: ACTION_TYPES }).notNull(),
    state: text({ enum: ACTION_STATES }).notNull(),
    terms: text({ mode: 'json' }).$type<ActionTerms>().notNull(),
    description: text().notNull(),
    /** As stated: YYYY-MM-DD, or ISO 8601. Of a dividend; else null. */
    recordDate: text(),
    /** Payment date of a dividend, effective date of anything else. */
    dueDate: text().notNull(),
    /** The moments that they stand for. */
    recordAt: integer(),
    dueAt: integer().notNull(),
    /** Why it does not go on though it is due. */
    waiting: text({ enum: ACTION_WAITS }),
    /** Why an operator holds it; null where none does. */
    heldReason: text(),
    /** Why it was cancelled or reversed. */
    reason: text(),
    /** Account that the lister lets it be paid from, and to how much at most, in smallest units of the currency. */
    paymentAccount: text(),
    amountMax: integer(),
    /** What the payer pays: the sum of the holders with an account, and what the agent pays to others; null until each amount is known. */
    total: integer(),
    externalTotal: integer(),
    /** Part of the ids of its ledger transactions: one more after each that the ledger has refused. */
    attempt: integer().notNull().default(1),
    /** The same of those by which what is left goes back to the payer: one more after each that the ledger has left out. The ids of shares that end follow from `attempt`. */
    restAttempt: integer().notNull().default(1),
    /** The part of its payments that the ledger is asked for; null for none. */
    askedPart: integer(),
    /** From when on shares may have moved: it goes to its end, whatever becomes of who has announced it. */
    movingAt: integer(),
    /** When the lister has agreed to shares that end or are divided down, and the lister of the shares that are given for them. */
    consentedAt: integer(),
    survivorConsentedAt: integer(),
    /** When it was last gone on with. */
    triedAt: integer().notNull().default(0),
    /** User id of who announced it. */
    actor: text().notNull(),
    createdAt: integer().notNull(),
    recordedAt: integer(),
    fundedAt: integer(),
    reversedAt: integer(),
    /** Of a dividend that is being taken back: when it was completed. */
    endedAt: integer(),
    /** Of a dividend: when its payments were seen to by the archive, or were found too few for it. */
    archivedAt: integer(),
  },
  (t) => [
    index('corporate_actions_archive')
      .on(t.endedAt)
      .where(sql`${t.type} = 'dividend' and ${t.state} in ('completed', 'reversed') and ${t.archivedAt} is null`),
    index('corporate_actions_security').on(t.security, t.id),
    index('corporate_actions_effective').on(t.triedAt).where(sql`${t.state} = 'effective'`),
    index('corporate_actions_returning').on(t.triedAt).where(sql`${t.state} = 'returning'`),
    index('corporate_actions_open')
      .on(t.triedAt)
      .where(sql`${t.state} in ('announced', 'recorded', 'funding', 'funded', 'reversing')`),
  ],
);

/** How long before its effect an action is announced, as operators have set it; one row, none where nobody has. */
export const corporateActionNotice = sqliteTable('corporate_action_notice', {
  id: integer().primaryKey(),
  /** Of what ends or divides holdings. */
  sharesMs: integer().notNull(),
  /** Of anything else. */
  otherMs: integer().notNull(),
  updatedAt: integer().notNull(),
});

/** What each holder is entitled to of a dividend, and what has become of it. */
export const corporateActionPayments = sqliteTable(
  'corporate_action_payments',
  {
    action: text()
      .notNull()
      .references(() => corporateActions.id),
    /** The account, or the registered holder without one. */
    payee: text().notNull(),
    account: text(),
    /** At the record date, scaled. */
    shares: integer().notNull(),
    /** Smallest units of the currency; null until it is worked out. */
    amount: integer(),
    /** Which ledger transaction pays it; null for none. */
    part: integer(),
    state: text({ enum: PAYMENT_STATES }).notNull(),
    /** Why it was not paid, or not given back. */
    reason: text(),
    /** When it was paid, and when it was given back. */
    paidAt: integer(),
    returnedAt: integer(),
  },
  (t) => [
    primaryKey({ columns: [t.action, t.payee] }),
    index('corporate_action_payments_state').on(t.action, t.state, t.payee),
    index('corporate_action_payments_part').on(t.action, t.state, t.part).where(sql`${t.part} is not null`),
    index('corporate_action_payments_account').on(t.account, t.action).where(sql`${t.account} is not null`),
  ],
);

/** Payments of dividends of long ago, which have left `corporate_action_payments` for the bucket ORDER_ARCHIVE: one object a row. Created WITHOUT ROWID. */
export const archivedPayments = sqliteTable(
  'archived_payments',
  {
    action: text()
      .notNull()
      .references(() => corporateActions.id),
    /** First and last payee in it; those of an action never overlap. */
    firstPayee: text().notNull(),
    lastPayee: text().notNull(),
    /** Of the object, and the SHA-256 of its text. */
    key: text().notNull(),
    hash: text().notNull(),
    payments: integer().notNull(),
    /** JSON array of the states that occur. */
    states: text().notNull(),
    /** JSON: `[paidAt, returnedAt or null, amount]` for each moment at which some of them were paid. */
    paid: text().notNull(),
  },
  (t) => [primaryKey({ columns: [t.action, t.lastPayee] })],
);

/** What archived payments come to for each account, and, below zero, for who has paid them. Created WITHOUT ROWID. */
export const archivedPaymentSums = sqliteTable(
  'archived_payment_sums',
  {
    account: text().notNull(),
    asset: text().notNull(),
    amount: integer().notNull(),
  },
  (t) => [primaryKey({ columns: [t.account, t.asset] })],
);
