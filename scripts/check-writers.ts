/**
 * Holds the source to one writer for each table of the read model (docs/design/ledger.md#projection): the projector, and for final orders the
 * order archive. Prints each statement that writes such a table elsewhere, and exits 1.
 */
import { globSync, readFileSync } from 'node:fs';
import { tableWrites } from './writers/table-writes.ts';

const PROJECTOR = 'data/ledger/projection/';
const ARCHIVE = 'data/orders/archive/';

/** Every projected table: the schema's export for it, and the folders that may write it. */
const WRITERS: Readonly<Record<string, { readonly exported: string; readonly folders: readonly string[] }>> = {
  balances: { exported: 'balances', folders: [PROJECTOR] },
  unsettled_sums: { exported: 'unsettledSums', folders: [PROJECTOR] },
  lots: { exported: 'lots', folders: [PROJECTOR] },
  orders: { exported: 'orders', folders: [PROJECTOR, ARCHIVE] },
  order_slices: { exported: 'orderSlices', folders: [PROJECTOR, ARCHIVE] },
  archived_client_order_ids: { exported: 'archivedClientOrderIds', folders: [PROJECTOR, ARCHIVE] },
  traded_orders: { exported: 'tradedOrders', folders: [PROJECTOR, ARCHIVE] },
  trades: { exported: 'trades', folders: [PROJECTOR] },
  trade_adjustments: { exported: 'tradeAdjustments', folders: [PROJECTOR] },
  realized_profits: { exported: 'realizedProfits', folders: [PROJECTOR] },
  family_relations: { exported: 'familyRelations', folders: [PROJECTOR] },
  restricted_sales: { exported: 'restrictedSales', folders: [PROJECTOR] },
  booked_executions: { exported: 'bookedExecutions', folders: [PROJECTOR] },
  broker_breaks: { exported: 'brokerBreaks', folders: [PROJECTOR] },
  rates: { exported: 'rates', folders: [PROJECTOR] },
  bars: { exported: 'bars', folders: [PROJECTOR] },
  transfers: { exported: 'transfers', folders: [PROJECTOR] },
  transfer_requests: { exported: 'transferRequests', folders: [PROJECTOR] },
  ledger_transactions: { exported: 'ledgerTransactions', folders: [PROJECTOR] },
};

const tables = new Map(Object.entries(WRITERS).map(([table, { exported }]) => [table, exported]));
const sources = globSync('{workers,application,durable-objects,data,protocol}/**/*.ts').filter(
  (file) => !file.endsWith('.test.ts'),
);
let misplaced = 0;
for (const file of sources) {
  for (const { table, line } of tableWrites(readFileSync(file, 'utf8'), tables)) {
    if (WRITERS[table]?.folders.some((folder) => file.startsWith(folder))) continue;
    misplaced += 1;
    console.error(`writers: ${file}:${line} writes ${table}`);
  }
}
console.log(`writers: ${sources.length} files, ${tables.size} projected tables, ${misplaced} misplaced writes`);
if (misplaced > 0) process.exit(1);
