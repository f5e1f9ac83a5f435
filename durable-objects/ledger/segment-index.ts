import type { JournalSegment } from '../../domain/ledger/journal-segment.ts';

type SegmentRow = Record<string, SqlStorageValue> & {
  first: number;
  last: number;
  first_time: number;
  last_time: number;
  previous_hash: string;
  hash: string;
};

const FIELDS = 'first, last, first_time, last_time, previous_hash, hash';

/** Which journal rows stand in which segment in R2. A segment is begun before it is uploaded, so that after a crash it is the same again. */
export class SegmentIndex {
  readonly #sql: SqlStorage;
  #sealed: number;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    sql.exec(`CREATE TABLE IF NOT EXISTS segments (last INTEGER PRIMARY KEY, first INTEGER NOT NULL, first_time INTEGER NOT NULL,
      last_time INTEGER NOT NULL, previous_hash TEXT NOT NULL, hash TEXT NOT NULL, sealed INTEGER NOT NULL) STRICT`);
    this.#sealed = this.#lastSealed()?.last ?? 0;
  }

  /** The last row that stands in R2; 0 for none. */
  get sealed(): number {
    return this.#sealed;
  }

  /** The one that was begun and may or may not be in R2. */
  get begun(): JournalSegment | null {
    return this.#first(`SELECT ${FIELDS} FROM segments WHERE last > ? LIMIT 1`, this.#sealed);
  }

  /** Of the chain up to and with the last sealed row. */
  get sealedHash(): string {
    return this.#lastSealed()?.hash ?? '';
  }

  begin(segment: JournalSegment): void {
    const { first, last, firstTime, lastTime, previousHash, hash } = segment;
    this.#sql.exec(
      `INSERT INTO segments (${FIELDS}, sealed) VALUES (?, ?, ?, ?, ?, ?, 0)`,
      first,
      last,
      firstTime,
      lastTime,
      previousHash,
      hash,
    );
  }

  seal({ last }: JournalSegment): void {
    this.#sql.exec('UPDATE segments SET sealed = 1 WHERE last = ?', last);
    this.#sealed = last;
  }

  /** The sealed segment that has a row; null when none has. */
  having(seq: number): JournalSegment | null {
    if (seq > this.#sealed) return null;
    return this.#first(`SELECT ${FIELDS} FROM segments WHERE last >= ? ORDER BY last LIMIT 1`, seq);
  }

  #lastSealed(): JournalSegment | null {
    return this.#first(`SELECT ${FIELDS} FROM segments WHERE sealed = 1 ORDER BY last DESC LIMIT 1`);
  }

  #first(query: string, ...values: SqlStorageValue[]): JournalSegment | null {
    const row = this.#sql.exec<SegmentRow>(query, ...values).toArray()[0];
    if (row === undefined) return null;
    const { first, last, first_time, last_time, previous_hash, hash } = row;
    return { first, last, firstTime: first_time, lastTime: last_time, previousHash: previous_hash, hash };
  }
}
