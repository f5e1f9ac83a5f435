import { sql } from 'drizzle-orm';
import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { BREAK_KINDS, BREAK_RESOLUTIONS } from '../../domain/ledger/records.ts';
import { SIDES } from '../../domain/orders/order.ts';

/**
 * How a broker's position and open orders differed from ours when they were last compared, a row as long as the difference lasts
 * (docs/design/broker.md#reconciliation). One that was seen twice alike is a break.
 */
export const brokerDifferences = sqliteTable(
  'broker_differences',
  {
    market: text().notNull(),
    kind: text({ enum: ['position', 'open_here', 'open_there'] }).notNull(),
    /** Empty for the position. */
    orderId: text().notNull(),
    detail: text().notNull(),
    /** Since when it is the same. */
    firstSeenAt: integer().notNull(),
    lastSeenAt: integer().notNull(),
  },
  (t) => [primaryKey({ columns: [t.market, t.kind, t.orderId] })],
);

/** When routed markets were compared with the broker, and since when that has failed (docs/design/broker.md#reconciliation). */
export const brokerComparisons = sqliteTable('broker_comparisons', {
  market: text().primaryKey(),
  comparedAt: integer(),
  /** The first run since then that could not compare it; null where the last one could. */
  failingSince: integer(),
  triedAt: integer().notNull(),
});

/**
 * What the prime broker has told by webhook, by the ids of its events (docs/design/prime.md#the-webhook): an event that comes again is known,
 * and one that no book could take is kept.
 */
export const primeEvents = sqliteTable(
  'prime_events',
  {
    id: text().primaryKey(),
    /** SHA-256 of the body, in hex: the same event comes with the same body. */
    digest: text().notNull(),
    receivedAt: integer().notNull(),
    /** Why no book took it, in words; null where one did. */
    unclaimed: text(),
    /** Of one that no book took. */
    body: text(),
  },
  (t) => [
    index('prime_events_taken').on(t.receivedAt).where(sql`unclaimed IS NULL`),
    index('prime_events_unclaimed').on(t.receivedAt).where(sql`unclaimed IS NOT NULL`),
  ],
);

/** Reports of a broker that fit no order of ours: nothing moved for them (docs/design/broker.md#breaks). */
export const brokerBreaks = sqliteTable(
  'broker_breaks',
  {
    book: text().notNull(),
    /** The broker's id of the report. */
    id: text().notNull(),
    kind: text({ enum: BREAK_KINDS }).notNull(),
    orderId: text().notNull(),
    executionId: text(),
    detail: text().notNull(),
    at: integer().notNull(),
    /** Of an execution, in the market's units, where the broker says it and it fits; `quantity` of an end what had filled. */
    side: text({ enum: SIDES }),
    price: integer(),
    quantity: integer(),
    /** Of an execution that was known with other terms. */
    knownSide: text({ enum: SIDES }),
    knownPrice: integer(),
    knownQuantity: integer(),
    /** Null while it is open, as are those below. */
    resolvedAt: integer(),
    resolvedBy: text(),
    resolution: text({ enum: BREAK_RESOLUTIONS }),
    reason: text(),
    /** Of the operator's action, and of the booking. */
    resolutionId: text(),
  },
  (t) => [
    primaryKey({ columns: [t.book, t.id] }),
    index('broker_breaks_at').on(t.at, t.book, t.id),
    index('broker_breaks_open').on(t.at, t.book, t.id).where(sql`resolved_at IS NULL`),
  ],
);

/** Executions that fit no order and count after all (docs/design/broker.md#closing-a-break). */
export const bookedExecutions = sqliteTable(
  'booked_executions',
  {
    /** Of the operator's action. */
    id: text().primaryKey(),
    book: text().notNull(),
    breakId: text().notNull(),
    executionId: text().notNull(),
    account: text().notNull(),
    side: text({ enum: SIDES }).notNull(),
    assetId: text().notNull(),
    quoteAsset: text().notNull(),
    price: integer().notNull(),
    quantity: integer().notNull(),
    notional: integer().notNull(),
    /** Dollars that the shares of a sale had cost; null for a purchase. */
    sellerCost: integer(),
    /** Of the rate of its quote asset; null for dollars, and where none was stated. */
    rateVersion: integer(),
    executedAt: integer().notNull(),
    settlesOn: integer(),
    createdAt: integer().notNull(),
  },
  (t) => [
    index('booked_executions_account').on(t.account, t.createdAt),
    index('booked_executions_execution').on(t.book, t.executionId),
  ],
);
