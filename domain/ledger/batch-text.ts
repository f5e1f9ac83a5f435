import { type PackedRecord, recordCodec } from './record-codec.ts';
import { amendmentAdmissionCodec, orderAdmissionCodec, type SettlementChunk, settlementChunkCodec } from './records.ts';
import type { BookBatch } from './transactions.ts';

/** A batch whose chunks are packed already. */
interface PackedBatch extends Omit<BookBatch, 'chunks'> {
  readonly chunks: readonly PackedRecord[];
}

/** The chunks come last, each packed by itself, so that their texts can be put in as they are. */
const batchCodec = recordCodec<PackedBatch>(
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
    orders,
    amendments,
    chunks,
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
    orders,
    amendments,
    chunks,
  }),
  { lists: { orders: orderAdmissionCodec, amendments: amendmentAdmissionCodec } },
);

/** A chunk's text is made once: its book journals it, keeps it in its outbox, and sends it. */
const chunkTexts = new WeakMap<SettlementChunk, string>();

/** A chunk of effects, packed, as JSON. */
export function chunkText(chunk: SettlementChunk): string {
  const known = chunkTexts.get(chunk);
  if (known !== undefined) return known;
  const text = JSON.stringify(settlementChunkCodec.pack(chunk));
  chunkTexts.set(chunk, text);
  return text;
}

/** The chunk of a `chunkText`. */
export function chunkOf(text: string): SettlementChunk {
  const chunk = settlementChunkCodec.unpack(JSON.parse(text) as PackedRecord);
  chunkTexts.set(chunk, text);
  return chunk;
}

const NO_CHUNKS = '[]]';

/** A book's batch as it goes to the ledger and stands in its journal: packed records as JSON. */
export function batchText(batch: BookBatch): string {
  const withoutChunks = JSON.stringify(batchCodec.pack({ ...batch, chunks: [] }));
  return `${withoutChunks.slice(0, -NO_CHUNKS.length)}[${batch.chunks.map(chunkText).join()}]]`;
}

/** The batch of a `batchText`. */
export function batchOf(text: string): BookBatch {
  return batchOfPacked(JSON.parse(text) as PackedRecord);
}

/** The batch of a `batchText` that has been parsed already. */
export function batchOfPacked(packed: PackedRecord): BookBatch {
  const batch = batchCodec.unpack(packed);
  return { ...batch, chunks: batch.chunks.map(settlementChunkCodec.unpack) };
}
