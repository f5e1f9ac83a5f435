import { type PackedRows, packedText, packRows, unpackRows } from './packed-rows.ts';
import type { SettlementChunk } from './rows.ts';

type RowTable = Exclude<keyof SettlementChunk, 'amendments'>;

const ROW_TABLES = [
  'trades',
  'limitPostings',
  'orders',
  'balances',
  'lots',
  'reservations',
  'bars',
] as const satisfies RowTable[];

/** A chunk's rows, packed table by table: the outbox keeps them, the journal's hash covers them, and D1 is given them. */
export interface PackedChunk extends Readonly<Record<RowTable, PackedRows>> {
  /** JSON array. */
  readonly amendments: string;
}

export function packChunk(chunk: SettlementChunk): PackedChunk {
  return {
    trades: packRows(chunk.trades),
    limitPostings: packRows(chunk.limitPostings),
    orders: packRows(chunk.orders),
    balances: packRows(chunk.balances),
    lots: packRows(chunk.lots),
    reservations: packRows(chunk.reservations),
    amendments: JSON.stringify(chunk.amendments),
    bars: packRows(chunk.bars),
  };
}

/** The JSON of the whole chunk. */
export function chunkText(packed: PackedChunk): string {
  const tables = ROW_TABLES.map((table) => `"${table}":${packedText(packed[table])}`);
  return `{${tables.join(',')},"amendments":${packed.amendments}}`;
}

/** The chunk of a `chunkText`; outbox rows of before rows were packed hold them whole. */
export function chunkOf(text: string): SettlementChunk {
  const kept = JSON.parse(text) as Record<keyof SettlementChunk, unknown>;
  const chunk = { ...kept };
  for (const table of ROW_TABLES) {
    const rows = kept[table];
    chunk[table] = Array.isArray(rows) ? rows : unpackRows(rows as Parameters<typeof unpackRows>[0]);
  }
  return chunk as unknown as SettlementChunk;
}
