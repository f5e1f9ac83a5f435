import { expect, it } from 'vitest';
import { tableWrites } from '../../scripts/writers/table-writes.ts';

const TABLES = new Map([
  ['orders', 'orders'],
  ['ledger_transactions', 'ledgerTransactions'],
]);

it.each([
  ['sql`INSERT INTO orders (id) VALUES (1)`', 'orders'],
  ['sql`insert or replace into orders SELECT 1`', 'orders'],
  ['sql`UPDATE orders SET status = 1`', 'orders'],
  ['sql`DELETE FROM\n  orders`', 'orders'],
  ['db\n  .insert(ledgerTransactions)\n  .values(row)', 'ledger_transactions'],
  ['db.delete(schema.orders)', 'orders'],
  ['db.update(\n  schema.orders,\n)', 'orders'],
  ['sql`REPLACE INTO orders SELECT 1`', 'orders'],
  ['sql`UPDATE OR IGNORE orders SET a = 1`', 'orders'],
  // biome-ignore lint/suspicious/noTemplateCurlyInString: source text
  ['sql`UPDATE ${orders} SET a = 1`', 'orders'],
  // biome-ignore lint/suspicious/noTemplateCurlyInString: source text
  ['sql`DELETE FROM ${schema.orders}`', 'orders'],
  ['sql`DELETE FROM main.orders`', 'orders'],
])('%s writes a table of the read model', (source, table) => {
  expect(tableWrites(source, TABLES).map((write) => write.table)).toEqual([table]);
});

it.each([
  'SELECT * FROM orders',
  'UPDATE orders_seen SET a = 1',
  'cache.delete(key)',
  'INSERT INTO archived_orders (id) VALUES (1)',
])('%s writes none', (source) => {
  expect(tableWrites(source, TABLES)).toEqual([]);
});

it('a write is named with its line', () => {
  expect(tableWrites('one\ntwo\nUPDATE orders SET a = 1', TABLES)).toEqual([{ table: 'orders', line: 3 }]);
});
