import { sql } from 'drizzle-orm';
import { check, index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { TRANSFER_TYPES } from '../../domain/accounts/transfer-type.ts';
import { UNSETTLED_KINDS } from '../../domain/ledger/unsettled.ts';

/**
 * Last journal row of each ledger shard that stands here. A move from another row drives `seq` to −1 and aborts the batch, and so does any
 * move while what is projected is being emptied.
 */
export const projections = sqliteTable(
  'projections',
  {
    shard: text().primaryKey(),
    seq: integer().notNull(),
    emptying: integer().notNull().default(0),
  },
  (t) => [check('projections_move', sql`${t.seq} >= 0`)],
);

/** Last values. Nothing but a boundary account is ever negative (L2). Created WITHOUT ROWID. */
export const balances = sqliteTable(
  'balances',
  {
    account: text().notNull(),
    asset: text().notNull(),
    available: integer().notNull().default(0),
    held: integer().notNull().default(0),
    boundary: integer().notNull().default(0),
    /** Dollars paid for what is held now; the running average cost of assets without lots. */
    cost: integer().notNull().default(0),
  },
  (t) => [primaryKey({ columns: [t.account, t.asset] })],
);

/**
 * Last values of the holdings of securities, first-in-first-out by (acquiredAt, id). `reserved` is what open sells have taken. A lot of
 * which nothing is left has no row.
 */
export const lots = sqliteTable(
  'lots',
  {
    id: text().primaryKey(),
    account: text().notNull(),
    asset: text().notNull(),
    quantity: integer().notNull(),
    reserved: integer().notNull().default(0),
    /** Dollars paid for `quantity`. */
    cost: integer().notNull(),
    acquiredAt: integer().notNull(),
    restrictionEndsAt: integer(),
    offeringType: text(),
  },
  (t) => [index('lots_fifo').on(t.account, t.asset, t.acquiredAt, t.id)],
);

/**
 * What the sales of an account have realised in all, as its trades stand: proceeds after fees less what the shares had cost, in quote units. Of
 * trades whose cost is known; 0 for those that settled at a rate, since costs are dollars. Created WITHOUT ROWID.
 */
export const realizedProfits = sqliteTable(
  'realized_profits',
  {
    account: text().notNull(),
    asset: text().notNull(),
    quoteAsset: text().notNull(),
    profit: integer().notNull(),
  },
  (t) => [primaryKey({ columns: [t.account, t.asset, t.quoteAsset] })],
);

/**
 * Transactions of money and allowances that are no fills: `amount` goes to `account` (from it, if negative), against `boundary`. The view
 * `postings` shows their legs and those of every trade.
 */
export const ledgerTransactions = sqliteTable(
  'ledger_transactions',
  {
    id: text().primaryKey(),
    kind: text({
      enum: [...TRANSFER_TYPES, 'grant', 'settlement', 'register_entry', 'split', 'booking', 'distribution', 'bridge'],
    }).notNull(),
    account: text().notNull(),
    asset: text().notNull(),
    amount: integer().notNull(),
    /** Boundary account. */
    boundary: text().notNull(),
    createdAt: integer().notNull(),
    /** Of the terms that a movement of the bridge names. */
    commitment: text(),
  },
  (t) => [index('ledger_transactions_account').on(t.account, t.createdAt)],
);

/**
 * Cash of sales and shares of purchases at a broker that wait to settle, summed by account, asset and day. Created WITHOUT ROWID.
 */
export const unsettledSums = sqliteTable(
  'unsettled_sums',
  {
    account: text().notNull(),
    asset: text().notNull(),
    kind: text({ enum: UNSETTLED_KINDS }).notNull(),
    /** A day in New York, as its midnight of UTC. */
    settlesOn: integer().notNull(),
    amount: integer().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.account, t.asset, t.kind, t.settlesOn] }),
    index('unsettled_sums_day').on(t.settlesOn, t.account, t.asset, t.kind),
  ],
);
