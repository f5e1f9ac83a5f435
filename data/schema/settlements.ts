import { sql } from 'drizzle-orm';
import { index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { SETTLEMENT_STATUSES } from '../../domain/partner/settlement-state.ts';
import { securities } from './partner.ts';

/** How each trade of a cross-listed security has settled (docs/design/partner.md#settlements); terms are those of the trade, scaled integers. */
export const partnerSettlements = sqliteTable(
  'partner_settlements',
  {
    /** Of its trade. */
    id: text().primaryKey(),
    security: text()
      .notNull()
      .references(() => securities.id),
    book: text().notNull(),
    /** Of the trade, within its book. */
    tradeSequence: integer().notNull(),
    /** Accounts. */
    buyer: text().notNull(),
    seller: text().notNull(),
    buyOrder: text().notNull(),
    sellOrder: text().notNull(),
    /** Id of the asset that is paid with. */
    currency: text().notNull(),
    quantity: integer().notNull(),
    price: integer().notNull(),
    notional: integer().notNull(),
    executedAt: integer().notNull(),
    status: text({ enum: SETTLEMENT_STATUSES }).notNull(),
    settledAt: integer(),
    reversedAt: integer(),
    /** Why it was reversed. */
    reason: text(),
    /** Who has had it reversed: the agent who rejected its transfer, or an operator. */
    reversedBy: text({ enum: ['transfer_agent', 'operator'] }),
    createdAt: integer().notNull(),
  },
  (t) => [
    uniqueIndex('partner_settlements_trade').on(t.security, t.tradeSequence),
    index('partner_settlements_security').on(t.security, t.id),
    index('partner_settlements_pending').on(t.id).where(sql`${t.status} in ('pending', 'recorded')`),
  ],
);
