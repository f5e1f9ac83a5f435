import type { SettlementChunk } from './rows.ts';

/** A chunk's rows as JSON, table by table. */
export type ChunkText = { readonly [Table in keyof SettlementChunk]: string };

/**
 * Makes a chunk's rows into text once: the outbox keeps it, the journal's hash covers it, and D1 is given the same text as parameters.
 */
export function chunkText(chunk: SettlementChunk): ChunkText {
  return {
    trades: JSON.stringify(chunk.trades),
    limitPostings: JSON.stringify(chunk.limitPostings),
    orders: JSON.stringify(chunk.orders),
    balances: JSON.stringify(chunk.balances),
    lots: JSON.stringify(chunk.lots),
    reservations: JSON.stringify(chunk.reservations),
    amendments: JSON.stringify(chunk.amendments),
    bars: JSON.stringify(chunk.bars),
  };
}

/** The JSON of the whole chunk. */
export function wholeText(text: ChunkText): string {
  const tables = Object.entries(text).map(([table, rows]) => `"${table}":${rows}`);
  return `{${tables.join(',')}}`;
}
