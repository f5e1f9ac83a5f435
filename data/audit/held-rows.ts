import {
  balanceRow,
  type HeldKind,
  type HeldRow,
  lotRow,
  orderRow,
  unsettledRow,
} from '../../domain/ledger/held-rows.ts';
import type { LotRecord } from '../../domain/ledger/records.ts';
import type { UnsettledSum } from '../../domain/ledger/unsettled.ts';
import type { Database } from '../database.ts';

type OrderColumns = Parameters<typeof orderRow>[0];
type BalanceColumns = Parameters<typeof balanceRow>[0];

/** How one kind of row is read from D1. */
interface Source {
  /** The columns that a row is made of, with the names of its record. */
  readonly columns: string;
  readonly table: string;
  /** What of the table counts. */
  readonly counts: string;
  /** Columns that a key is made of, with a space between. */
  readonly key: readonly string[];
  readonly row: (columns: never) => HeldRow | null;
}

const SOURCES: Readonly<Record<HeldKind, Source>> = {
  balance: {
    columns: 'account, asset, available, held, cost',
    table: 'balances',
    counts: '(available <> 0 OR held <> 0 OR cost <> 0)',
    key: ['account', 'asset'],
    row: (columns: BalanceColumns) => balanceRow(columns),
  },
  lot: {
    columns: `id, account, asset, quantity, reserved, cost, acquired_at AS acquiredAt, restriction_ends_at AS restrictionEndsAt,
      offering_type AS offeringType`,
    table: 'lots',
    counts: 'TRUE',
    key: ['id'],
    row: (columns: LotRecord) => lotRow(columns),
  },
  order: {
    columns: 'id, book, account, reserve, allowance, position',
    table: 'orders',
    counts: 'open = 1',
    key: ['id'],
    row: (columns: OrderColumns) => orderRow(columns),
  },
  unsettled: {
    columns: 'account, asset, kind, settles_on AS settlesOn, amount',
    table: 'unsettled_sums',
    counts: 'TRUE',
    key: ['account', 'asset', 'kind', 'settles_on'],
    row: (columns: UnsettledSum) => unsettledRow(columns),
  },
};

/** What D1 shows of these keys, of those that it has. */
export async function heldRowsInD1(db: Database, kind: HeldKind, keys: readonly string[]): Promise<HeldRow[]> {
  const { columns, table, counts, key } = SOURCES[kind];
  const wanted = JSON.stringify(keys.map((each) => partsOf(each, key.length)));
  const names = key.map((_, index) => `value ->> ${index}`).join(', ');
  const { results } = await db.$client
    .prepare(`SELECT ${columns} FROM ${table} WHERE ${counts} AND (${key}) IN (SELECT ${names} FROM json_each(?1))`)
    .bind(wanted)
    .all();
  return rowsOf(kind, results);
}

/** The next rows that D1 shows after a key, in the order of their keys; from the first on after null. */
export async function heldPageInD1(
  db: Database,
  kind: HeldKind,
  after: string | null,
  count: number,
): Promise<HeldRow[]> {
  const { columns, table, counts, key } = SOURCES[kind];
  const last = after === null ? key.map(() => '') : partsOf(after, key.length);
  const marks = key.map((_, index) => `?${index + 1}`).join(', ');
  const { results } = await db.$client
    .prepare(`SELECT ${columns} FROM ${table} WHERE ${counts} AND (${key}) > (${marks}) ORDER BY ${key} LIMIT ${count}`)
    .bind(...last)
    .all();
  return rowsOf(kind, results);
}

function rowsOf(kind: HeldKind, results: readonly unknown[]): HeldRow[] {
  return results.flatMap((columns) => SOURCES[kind].row(columns as never) ?? []);
}

/** The texts between the spaces of a key; an account, a kind and a day have none. */
function partsOf(key: string, count: number): string[] {
  const words = key.split(' ');
  if (count === 1) return [key];
  const last = words.splice(words.length - (count - 2), count - 2);
  const [account = '', ...asset] = words;
  return [account, asset.join(' '), ...last];
}
