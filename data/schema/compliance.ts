import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { REFUSED_ACTIONS } from '../../domain/order-entry/refusal-rules.ts';

/**
 * Sales under an exemption, projected: a trade by which a buyer has received shares within their hold period, once for each offering of them. The seller
 * has relied on an exemption of that hold period.
 */
export const restrictedSales = sqliteTable(
  'restricted_sales',
  {
    /** `<trade> <offering>`. */
    id: text('lot').primaryKey(),
    trade: text().notNull(),
    asset: text().notNull(),
    buyOrder: text().notNull(),
    buyer: text().notNull(),
    /** Of the shares within their hold; the trade may have taken free ones too. */
    quantity: integer().notNull(),
    restrictionEndsAt: integer().notNull(),
    offeringType: text(),
    at: integer().notNull(),
  },
  (t) => [index('restricted_sales_asset').on(t.asset, t.at), index('restricted_sales_order').on(t.buyOrder)],
);

/**
 * Orders and amendments that order entry has refused, each with the rule and what the rule saw: a record of D1's own, written before the answer.
 * Beyond so many a day an account's refusals are counted alone, a row a rule (data/compliance/order-refusals.ts).
 */
export const orderRefusals = sqliteTable(
  'order_refusals',
  {
    /** UUIDv7: of a refused order, its own; `<account>.<day>.<rule>` of a row that only counts. */
    id: text().primaryKey(),
    account: text().notNull(),
    owner: text().notNull(),
    userId: text().notNull(),
    keyId: text(),
    action: text({ enum: REFUSED_ACTIONS }).notNull(),
    orderId: text().notNull(),
    /** Null where what was named is not listed. */
    asset: text(),
    book: text(),
    code: text().notNull(),
    rule: text().notNull(),
    /** JSON: further rules, the order as asked for, facts of account and asset, lots. */
    facts: text().notNull(),
    count: integer().notNull().default(1),
    at: integer().notNull(),
  },
  (t) => [
    index('order_refusals_account').on(t.account, t.at, t.id),
    index('order_refusals_asset').on(t.asset, t.at, t.id),
    index('order_refusals_at').on(t.at),
    index('order_refusals_rule').on(t.rule, t.at, t.id),
    index('order_refusals_owner').on(t.owner, t.at, t.id),
  ],
);
