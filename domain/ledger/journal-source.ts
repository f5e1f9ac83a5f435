import { CHAIN_START, type ChainLink, JournalBroken, type StoredRow } from './journal-chain.ts';
import { type JournalSegment, rowsOfSegment } from './journal-segment.ts';

/** What follows a row of a journal. */
export type JournalPart =
  | { readonly type: 'segment'; readonly key: string; readonly segment: JournalSegment }
  /** Rows that are in no segment; none at the journal's end. */
  | { readonly type: 'rows'; readonly rows: readonly StoredRow[] };

/** Where a journal is read from. */
export interface JournalSource {
  /** The part with the row that follows `seq`. */
  partAfter(seq: number): Promise<JournalPart>;
  /** Text of a segment; null when there is none under this key. */
  segmentText(key: string): Promise<string | null>;
}

/**
 * Every row of a journal from its first: sealed segments, then what is not sealed.
 *
 * @throws JournalBroken at a segment that is missing, is not what was sealed, or does not continue the one before
 */
export async function* journalRows(source: JournalSource): AsyncGenerator<StoredRow> {
  let end: ChainLink = CHAIN_START;
  for (;;) {
    const part = await source.partAfter(end.seq);
    if (part.type === 'segment' && (part.segment.first !== end.seq + 1 || part.segment.previousHash !== end.hash))
      throw new JournalBroken(`segment ${part.key} does not continue row ${end.seq}`);
    const rows = part.type === 'rows' ? part.rows : await segmentRows(source, part.key, part.segment);
    const last = rows.at(-1);
    if (last === undefined) return;
    yield* rows;
    end = last;
  }
}

/** @throws JournalBroken when the segment is missing or is not what was sealed */
export async function segmentRows(
  source: Pick<JournalSource, 'segmentText'>,
  key: string,
  segment: JournalSegment,
): Promise<StoredRow[]> {
  const text = await source.segmentText(key);
  if (text === null) throw new JournalBroken(`segment ${key} is missing`);
  return rowsOfSegment(segment, text);
}
