import type { Hash } from '../../domain/consensus/bytes.ts';
import type { Checkpoint } from '../../domain/consensus/checkpoints/checkpoint.ts';
import { type CheckpointKeys, checkpointKeysHash } from '../../domain/consensus/checkpoints/checkpoint-keys.ts';
import type { SignedCheckpoint } from '../../domain/consensus/checkpoints/checkpoint-vote.ts';

/**
 * The checkpointer's memory in the object's own SQLite: checkpoints, the keys of committees, and what each member that lives here has signed last. Nothing
 * of it is ever taken away. Certificates lie in R2 (`CheckpointArchive`).
 */
export class CheckpointStore {
  readonly #sql: SqlStorage;
  #last: Checkpoint | null;
  #open: Checkpoint | null;
  #certifiedAt: number;

  constructor({ sql }: DurableObjectStorage) {
    this.#sql = sql;
    sql.exec(`
      CREATE TABLE IF NOT EXISTS checkpoints (number INTEGER PRIMARY KEY, last_height INTEGER NOT NULL UNIQUE, checkpoint TEXT NOT NULL,
        certified_at INTEGER) STRICT;
      CREATE TABLE IF NOT EXISTS keys (hash TEXT PRIMARY KEY, keys TEXT NOT NULL) STRICT, WITHOUT ROWID;
      CREATE TABLE IF NOT EXISTS signed (committee TEXT NOT NULL, member INTEGER NOT NULL, number INTEGER NOT NULL, hash TEXT NOT NULL,
        PRIMARY KEY (committee, member)) STRICT, WITHOUT ROWID`);
    this.#last = this.#one(
      'SELECT checkpoint FROM checkpoints WHERE certified_at IS NOT NULL ORDER BY number DESC LIMIT 1',
    );
    this.#open = this.#one('SELECT checkpoint FROM checkpoints WHERE certified_at IS NULL');
    this.#certifiedAt =
      sql.exec<{ at: number | null }>('SELECT max(certified_at) AS at FROM checkpoints').one().at ?? 0;
  }

  /** The last that is certified. */
  get last(): Checkpoint | null {
    return this.#last;
  }

  /** The one that was proposed after it. Members may have signed it, so there is no other of its number. */
  get open(): Checkpoint | null {
    return this.#open;
  }

  /** When the last was certified, Unix ms; 0 before the first, and where the clock has gone back behind it: nobody waits for a wrong time to pass. */
  get certifiedAt(): number {
    return this.#certifiedAt > Date.now() ? 0 : this.#certifiedAt;
  }

  propose(checkpoint: Checkpoint): void {
    const { number, lastHeight } = checkpoint;
    this.#sql.exec('INSERT INTO checkpoints VALUES (?, ?, ?, NULL)', number, lastHeight, JSON.stringify(checkpoint));
    this.#open = checkpoint;
  }

  certify(checkpoint: Checkpoint, now: number): void {
    this.#sql.exec('UPDATE checkpoints SET certified_at = ? WHERE number = ?', now, checkpoint.number);
    this.#last = checkpoint;
    this.#open = null;
    this.#certifiedAt = now;
  }

  /** The certified one in which a block stands. */
  over(height: number): Checkpoint | null {
    if (height > (this.#last?.lastHeight ?? 0)) return null;
    return this.#one('SELECT checkpoint FROM checkpoints WHERE last_height >= ? ORDER BY last_height LIMIT 1', height);
  }

  certifiedAfter(number: number, count: number): Checkpoint[] {
    const rows = this.#sql.exec<{ checkpoint: string }>(
      'SELECT checkpoint FROM checkpoints WHERE number > ? AND certified_at IS NOT NULL ORDER BY number LIMIT ?',
      number,
      count,
    );
    return Array.from(rows, ({ checkpoint }) => JSON.parse(checkpoint) as Checkpoint);
  }

  keepKeys(keys: CheckpointKeys): void {
    this.#sql.exec('INSERT OR IGNORE INTO keys VALUES (?, ?)', checkpointKeysHash(keys), JSON.stringify(keys));
  }

  keys(hash: Hash): CheckpointKeys | null {
    const [row] = this.#sql.exec<{ keys: string }>('SELECT keys FROM keys WHERE hash = ?', hash).toArray();
    return row === undefined ? null : (JSON.parse(row.keys) as CheckpointKeys);
  }

  /** Those of a committee, where they are known. */
  keysOf(committee: Hash): CheckpointKeys | null {
    const query = "SELECT keys FROM keys WHERE keys ->> 'committee' = ?";
    const [row] = this.#sql.exec<{ keys: string }>(query, committee).toArray();
    return row === undefined ? null : (JSON.parse(row.keys) as CheckpointKeys);
  }

  signed(committee: Hash, member: number): SignedCheckpoint | null {
    const [row] = this.#sql
      .exec<{ number: number; hash: string }>(
        'SELECT number, hash FROM signed WHERE committee = ? AND member = ?',
        committee,
        member,
      )
      .toArray();
    return row ?? null;
  }

  keepSigned(committee: Hash, member: number, { number, hash }: SignedCheckpoint): void {
    this.#sql.exec('INSERT OR REPLACE INTO signed VALUES (?, ?, ?, ?)', committee, member, number, hash);
  }

  #one(query: string, ...bindings: number[]): Checkpoint | null {
    const [row] = this.#sql.exec<{ checkpoint: string }>(query, ...bindings).toArray();
    return row === undefined ? null : (JSON.parse(row.checkpoint) as Checkpoint);
  }
}
