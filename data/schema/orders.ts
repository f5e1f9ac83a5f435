import { sql } from 'drizzle-orm';
import { check, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { ADJUSTMENT_TYPES } from '../../domain/ledger/adjustment-type.ts';
import { ORDER_STATUSES, ORDER_TYPES, SIDES, TIMES_IN_FORCE } from '../../domain/orders/order.ts';

/**
 * Orders of internal books and of other routes, each as it stood last. `reserve`, `allowance` and `position` are what it still holds; 0
 * when final. Created WITHOUT ROWID.
 */
export const orders = sqliteTable(
  'orders',
  {
    id: text().primaryKey(),
    account: text().notNull(),
    owner: text().notNull(),
    keyId: text(),
    /** Market symbol, or null for a route without a book. */
    book: text(),
    assetId: text().notNull(),
    open: integer().notNull(),
    status: text({ enum: ORDER_STATUSES }).notNull(),
    side: text({ enum: SIDES }).notNull(),
    type: text({ enum: ORDER_TYPES }).notNull(),
    timeInForce: text({ enum: TIMES_IN_FORCE }).notNull(),
    quantity: integer().notNull(),
    price: integer(),
    stopPrice: integer(),
    expiresAt: integer(),
    /** An order that was never matched has given it up to the attempt that followed. */
    clientOrderId: text(),
    filled: integer().notNull().default(0),
    /** Quote units exchanged by the fills so far. */
    filledNotional: integer().notNull().default(0),
    fee: integer().notNull().default(0),
    reserveAsset: text().notNull(),
    reserve: integer().notNull().default(0),
    allowanceAsset: text(),
    allowance: integer().notNull().default(0),
    positionAsset: text(),
    position: integer().notNull().default(0),
    restricted: integer().notNull().default(0),
    preIpo: integer().notNull().default(0),
    /** Why it was rejected or cancelled: a code of docs/design/matching.md#codes-of-orders, or a cancel reason. */
    code: text(),
    createdAt: integer().notNull(),
    updatedAt: integer().notNull(),
    executedAt: integer(),
    cancelledAt: integer(),
    /** Of an open order from which self-trade prevention has taken; null where it is what has not filled. */
    remaining: integer(),
  },
  (t) => [
    index('orders_account').on(t.account, t.open, t.id),
    index('orders_client_order_id').on(t.account, t.clientOrderId).where(sql`${t.clientOrderId} is not null`),
  ],
);

/**
 * How far the archive of final orders is (docs/design/ledger.md#order-archive); one row. Nothing refers to objects of earlier
 * generations any more: the read model was emptied since.
 */
export const orderArchive = sqliteTable(
  'order_archive',
  {
    id: integer().primaryKey(),
    generation: integer().notNull(),
    /** Steps taken so far. A step moves it on from where it found it, or aborts by the CHECK. */
    steps: integer().notNull(),
    /** The account that was seen to last; '' before the first. */
    visited: text().notNull(),
  },
  (t) => [check('order_archive_steps', sql`${t.steps} >= 0`)],
);

/**
 * Final orders that have left `orders` for the bucket ORDER_ARCHIVE, one object a row. The slices of an account never overlap. Created
 * WITHOUT ROWID.
 */
export const orderSlices = sqliteTable(
  'order_slices',
  {
    account: text().notNull(),
    /** Lowest and highest id of its orders. */
    first: text().notNull(),
    last: text().notNull(),
    /** Of the object, and the SHA-256 of its text. */
    key: text().notNull(),
    hash: text().notNull(),
    orders: integer().notNull(),
    /** JSON arrays of what occurs in it, so that a listing reads no slice in vain. */
    statuses: text().notNull(),
    books: text().notNull(),
    assets: text().notNull(),
    /** Marks of the client order ids in it (order-slice.ts); null of a slice from before there were marks. */
    clientIds: text(),
  },
  (t) => [primaryKey({ columns: [t.account, t.last] })],
);

/**
 * Which orders of slices without marks carry a client order id, by the hash of account and id; no step adds to it. Created WITHOUT ROWID.
 */
export const archivedClientOrderIds = sqliteTable(
  'archived_client_order_ids',
  { hash: integer().notNull(), orderId: text().notNull() },
  (t) => [primaryKey({ columns: [t.hash, t.orderId] })],
);

/** What trades need of their archived orders: an archived order that has traded keeps this much here. Created WITHOUT ROWID. */
export const tradedOrders = sqliteTable('traded_orders', {
  id: text().primaryKey(),
  account: text().notNull(),
  book: text().notNull(),
  side: text({ enum: SIDES }).notNull(),
  allowanceAsset: text(),
  positionAsset: text(),
  filled: integer().notNull(),
  filledNotional: integer().notNull(),
  fee: integer().notNull(),
});

/** Objects of the bucket ORDER_ARCHIVE that no slice names: about to be written, given up, or replaced. */
export const unreferencedObjects = sqliteTable('unreferenced_objects', {
  key: text().primaryKey(),
  since: integer().notNull(),
});

/** Created WITHOUT ROWID, as is ledger_transactions: their keys rise with time. */
export const trades = sqliteTable(
  'trades',
  {
    id: text().primaryKey(),
    book: text().notNull(),
    /** Trade sequence of the book, gapless. */
    sequence: integer().notNull(),
    assetId: text().notNull(),
    quoteAsset: text().notNull(),
    price: integer().notNull(),
    quantity: integer().notNull(),
    notional: integer().notNull(),
    takerSide: text({ enum: SIDES }).notNull(),
    buyOrder: text().notNull(),
    sellOrder: text().notNull(),
    buyer: text().notNull(),
    seller: text().notNull(),
    buyerFee: integer().notNull(),
    sellerFee: integer().notNull(),
    /** Dollars that the seller had paid for the shares: 0 for a boundary account, null where the ledger has not told it. */
    sellerCost: integer(),
    executedAt: integer().notNull(),
    /** What either order had filled with it, and had left to fill; null for trades from before books said so. */
    buyFilled: integer(),
    buyRemaining: integer(),
    sellFilled: integer(),
    sellRemaining: integer(),
    /** Of the rate of its quote asset at which it settled (`rates`); null for dollars, and from before one was stated. */
    rateVersion: integer(),
    /** Dollars that it drew on the buyer's allowance; null where that is its notional, or nothing. */
    allowance: integer(),
    /** Of a broker's execution: the day in New York on which it settles, as its midnight of UTC. Null where it settled at once. */
    settlesOn: integer(),
  },
  (t) => [
    uniqueIndex('trades_book').on(t.book, t.sequence),
    index('trades_buyer').on(t.buyer, t.id),
    index('trades_seller').on(t.seller, t.id),
    index('trades_bought_by_execution').on(t.buyOrder).where(sql`buy_order GLOB 'execution:*'`),
    index('trades_sold_by_execution').on(t.sellOrder).where(sql`sell_order GLOB 'execution:*'`),
    index('trades_without_cost').on(t.seller, t.assetId).where(sql`${t.sellerCost} is null`),
  ],
);

/**
 * Trades that were taken back (nothing of them stands) or settled at another price, with what they stand at. The row of the trade stays as
 * it settled; the view `postings` shows the difference. Created WITHOUT ROWID.
 */
export const tradeAdjustments = sqliteTable(
  'trade_adjustments',
  {
    tradeId: text().primaryKey(),
    /** Of the operator's action, and of its ledger transaction. */
    id: text().notNull(),
    type: text({ enum: ADJUSTMENT_TYPES }).notNull(),
    price: integer().notNull(),
    quantity: integer().notNull(),
    notional: integer().notNull(),
    buyerFee: integer().notNull(),
    sellerFee: integer().notNull(),
    reason: text().notNull(),
    createdAt: integer().notNull(),
    /** Place among all adjustments, by the ledger's journal: what is projected later has a higher one. */
    sequence: integer().notNull().default(0),
    /** Accounts of the trade. */
    buyer: text().notNull().default(''),
    seller: text().notNull().default(''),
    /** Whether the cash of its sale had not settled: the difference stands in broker clearing. */
    unsettled: integer({ mode: 'boolean' }).notNull().default(false),
  },
  (t) => [
    index('trade_adjustments_buyer').on(t.buyer, t.sequence),
    index('trade_adjustments_seller').on(t.seller, t.sequence),
  ],
);
