import { assertFollows, type ChainLink, JournalBroken, type StoredRow } from './journal-chain.ts';

/** Consecutive journal rows that are kept together outside the ledger's object. */
export interface JournalSegment {
  readonly first: number;
  readonly last: number;
  /** Of the first row and of the last. */
  readonly firstTime: number;
  readonly lastTime: number;
  /** Of the chain before the first row, and with the last. */
  readonly previousHash: string;
  readonly hash: string;
}

const SEQ_DIGITS = 16;

/** The segment of these rows, which follow the one of `previousHash`. At least one row. */
export function segmentOf(rows: readonly StoredRow[], previousHash: string): JournalSegment {
  const [first, last] = [rows[0], rows.at(-1)];
  if (first === undefined || last === undefined) throw new Error('a segment has at least one row');
  return {
    first: first.seq,
    last: last.seq,
    firstTime: first.time,
    lastTime: last.time,
    previousHash,
    hash: last.hash,
  };
}

/** Keys of a shard are in the order of their rows. */
export function segmentKey(shard: string, { first, last }: Pick<JournalSegment, 'first' | 'last'>): string {
  return `${shard}/${padded(first)}-${padded(last)}.jsonl`;
}

/** Two lines a row: what it is, and its text as it was journaled, which has no line break because it is JSON. */
export function segmentText(rows: readonly StoredRow[]): string {
  return rows.map(({ seq, time, hash, text }) => `${JSON.stringify({ seq, time, hash })}\n${text}\n`).join('');
}

/**
 * The rows of a segment.
 *
 * @throws JournalBroken when the text does not hold all of its rows as they were journaled
 */
export function rowsOfSegment(segment: JournalSegment, text: string): StoredRow[] {
  const name = `segment ${segment.first} to ${segment.last}`;
  const rows = parsedRows(name, text);
  let end: ChainLink = { seq: segment.first - 1, hash: segment.previousHash };
  for (const row of rows) {
    try {
      assertFollows(row, end);
    } catch (error) {
      throw new JournalBroken(`${name}: ${error instanceof Error ? error.message : String(error)}`);
    }
    end = row;
  }
  if (end.seq !== segment.last) throw new JournalBroken(`${name}: it ends with row ${end.seq}`);
  if (end.hash !== segment.hash) throw new JournalBroken(`${name}: it is not what was sealed`);
  return rows;
}

function parsedRows(name: string, segment: string): StoredRow[] {
  const lines = segment.split('\n').slice(0, -1);
  const rows: StoredRow[] = [];
  for (let at = 0; at < lines.length; at += 2) {
    const [head = '', text] = lines.slice(at, at + 2);
    if (text === undefined) throw new JournalBroken(`${name}: its last row has no text`);
    rows.push({ ...headOf(name, head), text });
  }
  return rows;
}

function headOf(name: string, line: string): Omit<StoredRow, 'text'> {
  try {
    return JSON.parse(line) as Omit<StoredRow, 'text'>;
  } catch {
    throw new JournalBroken(`${name}: a line is no JSON`);
  }
}

function padded(seq: number): string {
  return String(seq).padStart(SEQ_DIGITS, '0');
}
