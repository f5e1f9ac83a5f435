import type { IdempotencyKeyClaim, IdempotencyKeyHolder, IdempotentAnswer } from './api.ts';
import { KEPT_MS, type KeyRecord, LEASE_MS } from './claim-decision.ts';

export interface KeyLimits {
  readonly keysMax: number;
  readonly bytesMax: number;
  /** Keys forgotten at a time, so that no call waits long. */
  readonly forgottenMax: number;
}

const KEY_LIMITS: KeyLimits = {
  /** Who places 10 orders a second all day (X-LIM-03) has 864,000. */
  keysMax: 1_000_000,
  /** An object has 10 GB. */
  bytesMax: 4_000_000_000,
  forgottenMax: 1_000,
};

type Row = {
  request_hash: string;
  resource_id: string;
  claim_id: string;
  claimed_at: number;
  released: number;
  status: number | null;
  body: string | null;
};

/**
 * The keys in the object's own SQLite: one row each. Every claim gives its row a new, highest `seq`, so that the order of `seq` is the
 * order of claims, and the first rows are the oldest.
 */
export class KeyRecords {
  readonly #storage: DurableObjectStorage;
  readonly #sql: SqlStorage;
  readonly #limits: KeyLimits;
  #hasTable = false;

  constructor(storage: DurableObjectStorage, limits = KEY_LIMITS) {
    this.#storage = storage;
    this.#sql = storage.sql;
    this.#limits = limits;
  }

  find(key: string): KeyRecord | null {
    this.#createTable();
    const [row] = this.#sql.exec<Row>('SELECT * FROM keys WHERE key = ?', key).toArray();
    return row === undefined ? null : recordOf(row);
  }

  /** Writes a claim down, the one before it under this key included. False when there is no room. */
  take({ key, requestHash, claimId }: IdempotencyKeyClaim, resourceId: string, now: number): boolean {
    this.#createTable();
    if (!this.#makeRoom(now)) return false;
    this.#sql.exec(
      'INSERT OR REPLACE INTO keys (key, request_hash, resource_id, claim_id, claimed_at) VALUES (?, ?, ?, ?, ?)',
      key,
      requestHash,
      resourceId,
      claimId,
      now,
    );
    return true;
  }

  /** Whoever answers first for a resource, be it one whose lease was over: that answer may have been given already. */
  answer({ key, resourceId }: IdempotencyKeyHolder, { status, body }: IdempotentAnswer): void {
    this.#createTable();
    this.#sql.exec(
      'UPDATE keys SET status = ?, body = ? WHERE key = ? AND resource_id = ? AND status IS NULL',
      status,
      body,
      key,
      resourceId,
    );
  }

  /** Only for the attempt that holds the key: another may have taken its place, and runs. */
  release({ key, claimId }: IdempotencyKeyHolder): void {
    this.#createTable();
    this.#sql.exec('UPDATE keys SET released = 1 WHERE key = ? AND claim_id = ? AND status IS NULL', key, claimId);
  }

  /** Forgets keys whose time is over, some at a time. */
  forgetExpired(now: number): void {
    this.#createTable();
    this.#forgetOldest(now - KEPT_MS);
  }

  /** When the oldest key was claimed, Unix milliseconds; null when there is none. */
  oldestClaimedAt(): number | null {
    this.#createTable();
    const [oldest] = this.#sql.exec<{ at: number }>('SELECT claimed_at AS at FROM keys ORDER BY seq LIMIT 1').toArray();
    return oldest?.at ?? null;
  }

  /** Leaves nothing in storage, not even an empty table. */
  async clear(): Promise<void> {
    this.#hasTable = false;
    await this.#storage.deleteAll();
  }

  /** By age alone, answered or not; never one in flight. */
  #makeRoom(now: number): boolean {
    if (!this.#isFull()) return true;
    this.#forgetOldest(now - LEASE_MS);
    return !this.#isFull();
  }

  #isFull(): boolean {
    const { first, last } = this.#sql
      .exec<{ first: number | null; last: number | null }>(
        'SELECT (SELECT min(seq) FROM keys) AS first, (SELECT max(seq) FROM keys) AS last',
      )
      .one();
    // Claims that took another's place have left gaps, so these are the rows or more.
    const keys = first === null || last === null ? 0 : last - first + 1;
    return keys >= this.#limits.keysMax || this.#sql.databaseSize >= this.#limits.bytesMax;
  }

  #forgetOldest(claimedBefore: number): void {
    this.#sql.exec(
      'DELETE FROM keys WHERE seq < (SELECT min(seq) FROM keys) + ? AND claimed_at < ?',
      this.#limits.forgottenMax,
      claimedBefore,
    );
  }

  #createTable(): void {
    if (this.#hasTable) return;
    this.#sql.exec(`CREATE TABLE IF NOT EXISTS keys (seq INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE,
      request_hash TEXT NOT NULL, resource_id TEXT NOT NULL, claim_id TEXT NOT NULL, claimed_at INTEGER NOT NULL,
      released INTEGER NOT NULL DEFAULT 0, status INTEGER, body TEXT) STRICT`);
    this.#hasTable = true;
  }
}

function recordOf(row: Row): KeyRecord {
  const { status, body } = row;
  return {
    requestHash: row.request_hash,
    resourceId: row.resource_id,
    claimId: row.claim_id,
    claimedAt: row.claimed_at,
    released: row.released === 1,
    answer: status === null || body === null ? null : { status, body },
  };
}
