import type { GasPrice, SignedTransaction } from '../chain/registry-client.ts';
import type { FinalEntry } from '../sequencer/api.ts';

/** In place of a nonce, of what the registry refuses for good. */
const REFUSED = -1;
/** Entries of one statement: a bound text has two megabytes at most, and each entry 170 bytes. */
const TAKEN_AT_ONCE = 5_000;

/** One signing of a transaction. All of a nonce record the same; at most one of them gets into a block. */
interface Try extends SignedTransaction {
  readonly price: GasPrice;
}

/** A transaction that was handed in. */
export interface Sent {
  readonly nonce: number;
  /** From the first to the last; each pays more than the one before. */
  readonly tries: readonly Try[];
  /** Of the last try, Unix ms. */
  readonly sentAt: number;
  /** Number of the last of the checkpoints that it records; null where it records settlements. */
  readonly checkpoint: number | null;
}

type SentRow = Record<string, SqlStorageValue> & {
  nonce: number;
  tries: string;
  sent_at: number;
  checkpoint: number | null;
};
type EntryRow = Record<string, SqlStorageValue> & { id: string; trade: string; hash: string };

/** The recorder's memory in the object's own SQLite: what waits for the registry, in the order of the blocks, and what is under way. */
export class RecordQueue {
  readonly #storage: DurableObjectStorage;
  readonly #sql: SqlStorage;

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
    this.#sql = storage.sql;
    this.#sql.exec(`
      CREATE TABLE IF NOT EXISTS waiting (place INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, trade TEXT NOT NULL,
        hash TEXT NOT NULL, since INTEGER NOT NULL, nonce INTEGER) STRICT;
      CREATE INDEX IF NOT EXISTS waiting_nonce ON waiting (nonce, place);
      CREATE INDEX IF NOT EXISTS waiting_trade ON waiting (trade, place);
      CREATE TABLE IF NOT EXISTS sent (nonce INTEGER PRIMARY KEY, tries TEXT NOT NULL, sent_at INTEGER NOT NULL) STRICT;
      CREATE TABLE IF NOT EXISTS sent_checkpoints (nonce INTEGER PRIMARY KEY, checkpoint INTEGER NOT NULL) STRICT;
      CREATE TABLE IF NOT EXISTS taken (one INTEGER PRIMARY KEY CHECK (one = 1), height INTEGER NOT NULL) STRICT`);
  }

  /** Height of the last block whose entries are here, or were. */
  get height(): number {
    return this.#sql.exec<{ height: number }>('SELECT height FROM taken').toArray()[0]?.height ?? 0;
  }

  /** What waits for the registry. */
  get size(): number {
    return this.#sql.exec<{ n: number }>('SELECT count(*) AS n FROM waiting WHERE nonce IS NOT ?', REFUSED).one().n;
  }

  /** What the registry refuses for good. */
  get refused(): number {
    return this.#sql.exec<{ n: number }>('SELECT count(*) AS n FROM waiting WHERE nonce = ?', REFUSED).one().n;
  }

  /** Since when the oldest waits, Unix ms. */
  get since(): number | null {
    const oldest = 'SELECT since FROM waiting WHERE nonce IS NOT ? ORDER BY place LIMIT 1';
    return this.#sql.exec<{ since: number }>(oldest, REFUSED).toArray()[0]?.since ?? null;
  }

  /** Takes over the entries of blocks, to this height. */
  take(entries: readonly FinalEntry[], height: number, now: number): void {
    this.#storage.transactionSync(() => {
      for (let from = 0; from < entries.length; from += TAKEN_AT_ONCE) {
        this.#sql.exec(
          `INSERT INTO waiting (id, trade, hash, since)
           SELECT value ->> 'id', value ->> 'tradeId', value ->> 'hash', ? FROM json_each(?) WHERE true ON CONFLICT DO NOTHING`,
          now,
          JSON.stringify(entries.slice(from, from + TAKEN_AT_ONCE)),
        );
      }
      this.#sql.exec('INSERT OR REPLACE INTO taken VALUES (1, ?)', height);
    });
  }

  /**
   * The first that are in no transaction. What was made of a trade waits until its settlement is confirmed, or goes with it: a transaction that is reverted
   * would else leave it the first record of the trade.
   */
  next(count: number): FinalEntry[] {
    return this.#entries(
      `SELECT id, trade, hash FROM waiting w WHERE nonce IS NULL AND NOT EXISTS (
         SELECT 1 FROM waiting e WHERE e.trade = w.trade AND e.place < w.place AND e.nonce >= 0)
       ORDER BY place LIMIT ?`,
      count,
    );
  }

  /** What a transaction records. */
  entriesOf(nonce: number): FinalEntry[] {
    return this.#entries('SELECT id, trade, hash FROM waiting WHERE nonce = ? ORDER BY place', nonce);
  }

  /** Transactions under way, by nonce. */
  sent(): Sent[] {
    const query =
      'SELECT nonce, tries, sent_at, checkpoint FROM sent LEFT JOIN sent_checkpoints USING (nonce) ORDER BY nonce';
    return Array.from(this.#sql.exec<SentRow>(query), (row) => ({
      nonce: row.nonce,
      tries: (JSON.parse(row.tries) as StoredTry[]).map(fromStored),
      sentAt: row.sent_at,
      checkpoint: row.checkpoint,
    }));
  }

  /** Keeps a transaction before it is handed in, with the settlements that it records, if it does. */
  keep({ nonce, tries, sentAt, checkpoint }: Sent, entries: readonly FinalEntry[]): void {
    this.#storage.transactionSync(() => {
      const stored = JSON.stringify(tries.map(toStored));
      this.#sql.exec('INSERT OR REPLACE INTO sent VALUES (?, ?, ?)', nonce, stored, sentAt);
      if (checkpoint !== null)
        this.#sql.exec('INSERT OR REPLACE INTO sent_checkpoints VALUES (?, ?)', nonce, checkpoint);
      const ids = JSON.stringify(entries.map(({ id }) => id));
      this.#sql.exec('UPDATE waiting SET nonce = ? WHERE id IN (SELECT value FROM json_each(?))', nonce, ids);
    });
  }

  /** A transaction is confirmed: what it records waits no longer. */
  confirm(nonce: number): void {
    this.#storage.transactionSync(() => {
      this.#sql.exec('DELETE FROM waiting WHERE nonce = ?', nonce);
      this.#forget(nonce);
    });
  }

  /** A transaction will never be: what it was to record waits for another. */
  release(nonce: number): void {
    this.#storage.transactionSync(() => {
      this.#sql.exec('UPDATE waiting SET nonce = NULL WHERE nonce = ?', nonce);
      this.#forget(nonce);
    });
  }

  /** The registry takes no more records of a trade: those that are in no transaction keep back no others. */
  refuse(tradeId: string): void {
    this.#sql.exec('UPDATE waiting SET nonce = ? WHERE nonce IS NULL AND lower(trade) = ?', REFUSED, tradeId);
  }

  #forget(nonce: number): void {
    this.#sql.exec('DELETE FROM sent WHERE nonce = ?', nonce);
    this.#sql.exec('DELETE FROM sent_checkpoints WHERE nonce = ?', nonce);
  }

  #entries(query: string, bound: number): FinalEntry[] {
    return Array.from(this.#sql.exec<EntryRow>(query, bound), ({ id, trade, hash }) => ({ id, tradeId: trade, hash }));
  }
}

interface StoredTry extends SignedTransaction {
  readonly total: string;
  readonly priority: string;
}

function toStored({ hash, raw, price }: Try): StoredTry {
  return { hash, raw, total: String(price.total), priority: String(price.priority) };
}

function fromStored({ hash, raw, total, priority }: StoredTry): Try {
  return { hash, raw, price: { total: BigInt(total), priority: BigInt(priority) } };
}
