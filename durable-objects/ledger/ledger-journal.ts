import { createHash } from 'node:crypto';
import { DAY_MS } from '../../domain/calendar/durations.ts';
import type { CheckpointPiece } from '../../domain/ledger/columns.ts';
import { assertFollows, chainHash, JournalBroken, type StoredRow } from '../../domain/ledger/journal-chain.ts';
import type { LedgerOutcome } from '../../domain/ledger/outcomes.ts';
import { type ReplayRow, rowOf } from '../../domain/ledger/row-text.ts';
import { LongTexts } from '../storage/long-texts.ts';
import type { LedgerSettings } from './ledger-settings.ts';
import type { RebuildRecord } from './rebuild-record.ts';
import { SegmentIndex } from './segment-index.ts';

/** Kind of the journal's rows in `more_text`. */
const TEXT_KIND = 'journal';
/** Rows deleted at a time, so that nobody waits for the end of a long journal. */
const PRUNED_ROWS_MAX = 1_000;
/** How long answers are kept by the id of their transaction; those of transfers stay for good. */
const ANSWER_KEPT_MS = 30 * DAY_MS;
/** Failed transactions that are remembered. */
const FAILURES_MAX = 1_000;

/** Where the journal ends. */
export interface JournalHead {
  readonly seq: number;
  readonly time: number;
  /** Of the chain up to and with this row. */
  readonly hash: string;
  /** Length of the row's text. */
  readonly bytes: number;
}

export interface KeptAnswer {
  /** Of what was asked, so that another transaction under this id is noticed. */
  readonly hash: string;
  readonly outcome: LedgerOutcome;
}

/** A transaction that could not be applied: it is answered so for good, and not tried again. */
export interface FailedTransaction {
  readonly key: string;
  /** Of its text. */
  readonly hash: string;
  readonly message: string;
}

type StoredRecord = Record<string, SqlStorageValue> & {
  seq: number;
  time: number;
  bytes: number;
  row: string;
  hash: string;
};

const NOTHING: JournalHead = { seq: 0, time: 0, hash: '', bytes: 0 };

/**
 * The ledger's durable memory in the object's own SQLite: one row a group commit, each with the hash of all before it, the last
 * checkpoint, and answers by the id of their transaction.
 */
export class LedgerJournal {
  readonly segments: SegmentIndex;
  readonly #storage: DurableObjectStorage;
  readonly #sql: SqlStorage;
  readonly #texts: LongTexts;
  #head = NOTHING;
  #checkpoint = NOTHING;
  #prunedTo = 0;
  #rowsSinceCheckpoint = 0;
  #bytesSinceCheckpoint = 0;

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
    this.#sql = storage.sql;
    this.#texts = new LongTexts(storage.sql);
    this.segments = new SegmentIndex(storage.sql);
    this.#sql.exec(`
      CREATE TABLE IF NOT EXISTS journal (seq INTEGER PRIMARY KEY, time INTEGER NOT NULL, bytes INTEGER NOT NULL, row TEXT NOT NULL,
        hash TEXT NOT NULL) STRICT;
      CREATE TABLE IF NOT EXISTS checkpoint (part INTEGER PRIMARY KEY, name TEXT NOT NULL, hash TEXT NOT NULL, data BLOB NOT NULL) STRICT;
      CREATE TABLE IF NOT EXISTS answers (id TEXT PRIMARY KEY, kind TEXT NOT NULL, hash TEXT NOT NULL, outcome TEXT NOT NULL,
        time INTEGER NOT NULL) STRICT, WITHOUT ROWID;
      CREATE INDEX IF NOT EXISTS answers_time ON answers (time) WHERE kind <> 'transfer';
      CREATE TABLE IF NOT EXISTS failures (id INTEGER PRIMARY KEY AUTOINCREMENT, key TEXT NOT NULL, hash TEXT NOT NULL,
        message TEXT NOT NULL) STRICT;
      CREATE TABLE IF NOT EXISTS meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID`);
    const checkpoint = this.#meta('checkpoint');
    if (checkpoint !== undefined) this.#checkpoint = JSON.parse(checkpoint) as JournalHead;
    this.#head = this.#checkpoint;
    const first = this.#sql.exec<{ seq: number | null }>('SELECT min(seq) AS seq FROM journal').one().seq;
    this.#prunedTo = first === null ? this.#checkpoint.seq : first - 1;
  }

  get head(): JournalHead {
    return this.#head;
  }

  /** Rows up to here are gone. */
  get prunedTo(): number {
    return this.#prunedTo;
  }

  /** Where the last checkpoint stands; sequence 0 when there is none. */
  get checkpoint(): JournalHead {
    return this.#checkpoint;
  }

  wantsCheckpoint({ checkpointRows, checkpointBytes }: LedgerSettings): boolean {
    return this.#rowsSinceCheckpoint >= checkpointRows || this.#bytesSinceCheckpoint >= checkpointBytes;
  }

  /** Adds a row, within the caller's SQL transaction. */
  append(time: number, text: string): void {
    const seq = this.#head.seq + 1;
    const head = { seq, time, hash: chainHash(this.#head.hash, text), bytes: text.length };
    this.#sql.exec(
      'INSERT INTO journal (seq, time, bytes, row, hash) VALUES (?, ?, ?, ?, ?)',
      seq,
      time,
      head.bytes,
      this.#texts.keep(TEXT_KIND, seq, text),
      head.hash,
    );
    this.#advance(head);
  }

  /**
   * Rows after the last checkpoint, in order. Throws JournalBroken at the first that does not continue the chain of hashes.
   *
   * @param read told the head after each row
   */
  *replayRows(read: (head: JournalHead) => void = () => undefined): Generator<ReplayRow> {
    let head = this.#checkpoint;
    const rows = this.#sql.exec<{ seq: number; time: number; row: string; hash: string }>(
      'SELECT seq, time, row, hash FROM journal WHERE seq > ? ORDER BY seq',
      head.seq,
    );
    for (const { seq, time, row, hash } of rows) {
      const text = this.#texts.whole(TEXT_KIND, seq, row);
      assertFollows({ seq, time, text, hash }, head);
      head = { seq, time, hash, bytes: text.length };
      yield rowOf(seq, text);
      read(head);
    }
  }

  /** Tells the journal that it has been read up to here while recovering. */
  readonly recovered = (head: JournalHead): void => this.#advance(head);

  /** Rows after `seq` as they stand: at least one if there is any, and no more than either bound allows. */
  storedRows(seq: number, rowsMax: number, bytesMax: number): StoredRow[] {
    const found: StoredRow[] = [];
    let total = 0;
    for (const { bytes, row, ...stored } of this.#sql.exec<StoredRecord>(
      'SELECT seq, time, bytes, row, hash FROM journal WHERE seq > ? ORDER BY seq LIMIT ?',
      seq,
      rowsMax,
    )) {
      total += bytes;
      if (found.length > 0 && total > bytesMax) break;
      found.push({ ...stored, text: this.#texts.whole(TEXT_KIND, stored.seq, row) });
    }
    return found;
  }

  /** Text of all rows after `seq`. */
  bytesAfter(seq: number): number {
    return this.#sql.exec<{ n: number }>('SELECT coalesce(sum(bytes), 0) AS n FROM journal WHERE seq > ?', seq).one().n;
  }

  /** When a row was written: of one that is pruned, the first of its segment; null for one that is not there. */
  timeOf(seq: number): number | null {
    if (seq <= this.#prunedTo) return this.segments.having(seq)?.firstTime ?? null;
    return this.#sql.exec<{ time: number }>('SELECT time FROM journal WHERE seq = ?', seq).toArray()[0]?.time ?? null;
  }

  /** Brings the checkpoint to the journal's head. Pieces that are as they were are not written again: ids seldom change. */
  writeCheckpoint(pieces: Iterable<CheckpointPiece>, now: number): void {
    this.#storage.transactionSync(() => {
      const written = this.#sql
        .exec<{ name: string; hash: string }>('SELECT name, hash FROM checkpoint ORDER BY part')
        .toArray();
      let part = 0;
      for (const { name, data } of pieces) {
        const hash = hashOf(data);
        const before = written[part];
        if (before?.hash !== hash || before.name !== name) {
          const statement = 'INSERT OR REPLACE INTO checkpoint (part, name, hash, data) VALUES (?, ?, ?, ?)';
          this.#sql.exec(statement, part, name, hash, data);
        }
        part += 1;
      }
      this.#sql.exec('DELETE FROM checkpoint WHERE part >= ?', part);
      this.#setMeta('checkpoint', JSON.stringify(this.#head));
      this.#sql.exec(
        "DELETE FROM answers WHERE kind NOT IN ('transfer', 'register_entry', 'distribution', 'bridge') AND time < ?",
        now - ANSWER_KEPT_MS,
      );
    });
    this.#checkpoint = this.#head;
    this.#rowsSinceCheckpoint = 0;
    this.#bytesSinceCheckpoint = 0;
  }

  /** Pieces of the checkpoint in their order. Throws JournalBroken at one that is not as it was written. */
  *pieces(): Generator<CheckpointPiece> {
    for (const { name, data, hash } of this.#sql.exec<{ name: string; data: ArrayBuffer; hash: string }>(
      'SELECT name, data, hash FROM checkpoint ORDER BY part',
    )) {
      const piece = { name, data: new Uint8Array(data) };
      if (hashOf(piece.data) !== hash) throw new JournalBroken(`piece ${name} of the checkpoint is not as written`);
      yield piece;
    }
  }

  /** Forgets rows that the checkpoint, D1 and a sealed segment all have, some at a time. */
  prune(projected: number): void {
    const { sealed } = this.segments;
    const to = Math.min(this.#checkpoint.seq, projected, sealed, this.#prunedTo + PRUNED_ROWS_MAX);
    if (to <= this.#prunedTo) return;
    this.#storage.transactionSync(() => {
      this.#sql.exec('DELETE FROM journal WHERE seq <= ?', to);
      this.#texts.forget(TEXT_KIND, to);
      this.saveProjected(projected);
    });
    this.#prunedTo = to;
  }

  /** The last row known to stand in D1; D1 itself may have more. */
  get projected(): number {
    return Number(this.#meta('projected') ?? 0);
  }

  saveProjected(seq: number): void {
    this.#setMeta('projected', String(seq));
  }

  /** The last rebuild of the read model; null when there never was one. */
  get rebuild(): RebuildRecord | null {
    const kept = this.#meta('rebuild');
    return kept === undefined ? null : (JSON.parse(kept) as RebuildRecord);
  }

  saveRebuild(record: RebuildRecord): void {
    this.#setMeta('rebuild', JSON.stringify(record));
  }

  /** What the transaction of this id was answered; null for one that changed nothing, or is not known. */
  answer(id: string): KeptAnswer | null {
    const [row] = this.#sql
      .exec<{ hash: string; outcome: string }>('SELECT hash, outcome FROM answers WHERE id = ?', id)
      .toArray();
    return row === undefined ? null : { hash: row.hash, outcome: JSON.parse(row.outcome) as LedgerOutcome };
  }

  keepAnswer(id: string, kind: string, { hash, outcome }: KeptAnswer, time: number): void {
    const text = JSON.stringify(outcome);
    this.#sql.exec(
      'INSERT INTO answers (id, kind, hash, outcome, time) VALUES (?, ?, ?, ?, ?)',
      id,
      kind,
      hash,
      text,
      time,
    );
  }

  failures(): FailedTransaction[] {
    return this.#sql
      .exec<{ key: string; hash: string; message: string }>('SELECT key, hash, message FROM failures')
      .toArray();
  }

  rememberFailure({ key, hash, message }: FailedTransaction): void {
    this.#storage.transactionSync(() => {
      this.#sql.exec('INSERT INTO failures (key, hash, message) VALUES (?, ?, ?)', key, hash, message);
      this.#sql.exec('DELETE FROM failures WHERE id <= (SELECT max(id) FROM failures) - ?', FAILURES_MAX);
    });
  }

  #advance(head: JournalHead): void {
    this.#head = head;
    this.#rowsSinceCheckpoint += 1;
    this.#bytesSinceCheckpoint += head.bytes;
  }

  #meta(key: string): string | undefined {
    return this.#sql.exec<{ value: string }>('SELECT value FROM meta WHERE key = ?', key).toArray()[0]?.value;
  }

  #setMeta(key: string, value: string): void {
    this.#sql.exec(
      'INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value',
      key,
      value,
    );
  }
}

function hashOf(data: Uint8Array): string {
  return createHash('sha256').update(data).digest('hex');
}
