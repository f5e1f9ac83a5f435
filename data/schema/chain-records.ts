import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** What the recorder has brought into the registry on chain, once it is deep enough in the chain (docs/design/registry.md#the-recorder). */
export const chainRecords = sqliteTable(
  'chain_records',
  {
    /** Of the trade, or of its adjustment. */
    id: text().primaryKey(),
    tradeId: text().notNull(),
    /** Of the record, 32 bytes in hexadecimal. */
    hash: text().notNull(),
    /** Of the transaction, with 0x. */
    transaction: text('tx').notNull(),
    blockNumber: integer().notNull(),
    notedAt: integer().notNull(),
  },
  (t) => [index('chain_records_trade').on(t.tradeId, t.id)],
);
