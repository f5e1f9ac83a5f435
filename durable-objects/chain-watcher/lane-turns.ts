import {
  type AskingTransfer,
  earlierThan,
  hasOwnRoom,
  type LaneTurn,
  mayPass,
  type WaitingTransfer,
} from '../../domain/bridge/lane-turns.ts';
import { DAY_MS } from '../../domain/calendar/durations.ts';

/** Transfers of one lane that wait at the same time: more wait outside of the line, and are overtaken. */
const WAITING_MAX = 1_000;

/** A transfer that has passed and was never heard of again is forgotten: whom it has overtaken waits no longer. */
const PASSED_MS = 30 * DAY_MS;

/** Who waits for room in a lane, in the order in which they began. Nothing of it is money: the guard alone counts. */
export class LaneTurns {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    this.#sql.exec(`
      CREATE TABLE IF NOT EXISTS waiting (position INTEGER PRIMARY KEY, commitment TEXT NOT NULL UNIQUE, amount INTEGER NOT NULL,
        overtaken INTEGER NOT NULL, until INTEGER NOT NULL) STRICT;
      CREATE TABLE IF NOT EXISTS passed (commitment TEXT PRIMARY KEY, at INTEGER NOT NULL) STRICT, WITHOUT ROWID;
      CREATE TABLE IF NOT EXISTS given_back (commitment TEXT PRIMARY KEY, customer TEXT NOT NULL, amount INTEGER NOT NULL,
        at INTEGER NOT NULL) STRICT, WITHOUT ROWID;
      CREATE INDEX IF NOT EXISTS given_back_customer ON given_back (customer)`);
  }

  /**
   * Whether it may ask the guard now. One whose customer has no room of its own holds up nobody meanwhile. What may is counted against those before it at once, so that no two pass on the same room, and once: it asks again where the guard's answer was lost.
   */
  turnOf(asking: AskingTransfer, now: number): LaneTurn {
    // Whoever was lost, or was told to wait no longer, holds up nobody.
    this.#sql.exec('DELETE FROM waiting WHERE until <= ?', now);
    this.#sql.exec('DELETE FROM passed WHERE at <= ?', now - PASSED_MS);
    this.#sql.exec('DELETE FROM given_back WHERE at <= ?', now - DAY_MS);
    const { commitment, customer } = asking;
    if (this.#sql.exec('SELECT 1 FROM passed WHERE commitment = ?', commitment).toArray().length > 0) return 'passes';
    if (!hasOwnRoom(this.#givenBackBy(customer), asking)) {
      this.#sql.exec('DELETE FROM waiting WHERE commitment = ?', commitment);
      return 'own_day';
    }
    const waiting = this.#waiting();
    if (!mayPass(waiting, asking)) return 'others_first';
    this.#overtake(earlierThan(waiting, asking), asking.amount);
    this.#sql.exec('INSERT INTO passed VALUES (?, ?)', commitment, now);
    return 'passes';
  }

  /** It waits from now on, or still: the guard had no room for it, or others are before it. @param hasAsked whether it was let pass */
  waits(
    { commitment, amount, until }: { readonly commitment: string; readonly amount: number; readonly until: number },
    hasAsked: boolean,
  ): void {
    const waiting = this.#waiting();
    const hasPassed = this.#sql.exec('DELETE FROM passed WHERE commitment = ? RETURNING 1', commitment).toArray();
    if (hasAsked && hasPassed.length > 0) this.#overtake(earlierThan(waiting, { commitment }), -amount);
    if (waiting.length >= WAITING_MAX) return;
    const insert = 'INSERT OR IGNORE INTO waiting (commitment, amount, overtaken, until) VALUES (?, ?, 0, ?)';
    this.#sql.exec(insert, commitment, amount, until);
  }

  /** It waits no longer: it has its room, or goes back. */
  leaves(commitment: string): void {
    this.#sql.exec('DELETE FROM waiting WHERE commitment = ?', commitment);
    this.#sql.exec('DELETE FROM passed WHERE commitment = ?', commitment);
  }

  /** The guard has freed its room: others may take it, and for its own customer it counts for a day. Told again, it counts once. */
  gaveBack(
    { commitment, customer, amount }: Pick<AskingTransfer, 'commitment' | 'customer' | 'amount'>,
    now: number,
  ): void {
    this.#sql.exec('INSERT OR IGNORE INTO given_back VALUES (?, ?, ?, ?)', commitment, customer, amount, now);
  }

  #givenBackBy(customer: string): number {
    return this.#sql
      .exec<{ sum: number }>('SELECT COALESCE(SUM(amount), 0) AS sum FROM given_back WHERE customer = ?', customer)
      .one().sum;
  }

  #waiting(): WaitingTransfer[] {
    return this.#sql
      .exec<WaitingTransfer & Record<string, SqlStorageValue>>(
        'SELECT commitment, amount, overtaken FROM waiting ORDER BY position',
      )
      .toArray();
  }

  #overtake(waiting: readonly WaitingTransfer[], amount: number): void {
    for (const { commitment } of waiting)
      this.#sql.exec('UPDATE waiting SET overtaken = max(0, overtaken + ?) WHERE commitment = ?', amount, commitment);
  }
}
