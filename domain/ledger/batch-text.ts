import { type PackedRecord, recordCodec } from './record-codec.ts';
import { amendmentAdmissionCodec, orderAdmissionCodec, settlementChunkCodec } from './records.ts';
import type { BookBatch } from './transactions.ts';

const batchCodec = recordCodec<BookBatch>(
  (
    kind,
    book,
    owner,
    batch,
    settledFrom,
    settledTo,
    baseAsset,
    quoteAsset,
    tracksLots,
    emitsEvents,
    chunks,
    orders,
    amendments,
  ) => ({
    kind,
    book,
    owner,
    batch,
    settledFrom,
    settledTo,
    baseAsset,
    quoteAsset,
    tracksLots,
    emitsEvents,
    chunks,
    orders,
    amendments,
  }),
  { chunks: settlementChunkCodec, orders: orderAdmissionCodec, amendments: amendmentAdmissionCodec },
);

/** A book's batch as it goes to the ledger and stands in its journal: packed records as JSON. */
export function batchText(batch: BookBatch): string {
  return JSON.stringify(batchCodec.pack(batch));
}

/** The batch of a `batchText`. */
export function batchOf(text: string): BookBatch {
  return batchOfPacked(JSON.parse(text) as PackedRecord);
}

/** The batch of a `batchText` that has been parsed already. */
export function batchOfPacked(packed: PackedRecord): BookBatch {
  return batchCodec.unpack(packed);
}
