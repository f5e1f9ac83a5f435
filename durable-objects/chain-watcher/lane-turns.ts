import { type AskingTransfer, earlierThan, mayPass, type WaitingTransfer } from '../../domain/bridge/lane-turns.ts';

/** Transfers of one lane that wait at the same time: more wait outside of the line, and are overtaken. */
const WAITING_MAX = 1_000;

/** Who waits for room in a lane, in the order in which they began. Nothing of it is money: the guard alone counts. */
export class LaneTurns {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    this.#sql.exec(`
      CREATE TABLE IF NOT EXISTS waiting (position INTEGER PRIMARY KEY, commitment TEXT NOT NULL UNIQUE, amount INTEGER NOT NULL,
        overtaken INTEGER NOT NULL, until INTEGER NOT NULL) STRICT`);
  }

  /** Whether it may ask the guard now. What may is counted against those before it at once, so that no two pass on the same room. */
  mayPass(asking: AskingTransfer, now: number): boolean {
    // Whoever was lost, or was told to wait no longer, holds up nobody.
    this.#sql.exec('DELETE FROM waiting WHERE until <= ?', now);
    const waiting = this.#waiting();
    if (!mayPass(waiting, asking)) return false;
    this.#overtake(earlierThan(waiting, asking), asking.amount);
    return true;
  }

  /** It waits from now on, or still: the guard had no room for it, or others are before it. @param hasAsked whether it was let pass */
  waits(
    { commitment, amount, until }: { readonly commitment: string; readonly amount: number; readonly until: number },
    hasAsked: boolean,
  ): void {
    const waiting = this.#waiting();
    if (hasAsked) this.#overtake(earlierThan(waiting, { commitment }), -amount);
    if (waiting.length >= WAITING_MAX) return;
    const insert = 'INSERT OR IGNORE INTO waiting (commitment, amount, overtaken, until) VALUES (?, ?, 0, ?)';
    this.#sql.exec(insert, commitment, amount, until);
  }

  /** It waits no longer: it has its room, or goes back. */
  leaves(commitment: string): void {
    this.#sql.exec('DELETE FROM waiting WHERE commitment = ?', commitment);
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
