import { expect, test } from 'vitest';
import { type SettlementChunk, settlementChunkCodec } from './records.ts';

const EMPTY = { trades: [], orders: [], balances: [], lots: [], lotMoves: [], amendments: [], bars: [] };

const stored = (chunk: SettlementChunk): SettlementChunk =>
  settlementChunkCodec.unpack(JSON.parse(JSON.stringify(settlementChunkCodec.pack(chunk))) as unknown[]);

test.each([
  { ...EMPTY },
  { ...EMPTY, stopPrices: [{ id: 'order', stopPrice: 1 }] },
  { ...EMPTY, haltedUntil: 1 },
  { ...EMPTY, bandReference: 0 },
  { ...EMPTY, stopPrices: [{ id: 'order', stopPrice: 1 }], bandReference: 100 },
  { ...EMPTY, band: { reference: null, target: 100, at: 1, statement: null } },
])('a chunk has the fields that it had before it was stored: %j', (chunk) => {
  expect(stored(chunk)).toEqual(chunk);
  const { stopPrices = [], breaks = [] } = stored(chunk);
  expect([stopPrices.length, breaks.length]).toEqual(['stopPrices' in chunk ? 1 : 0, 0]);
});
