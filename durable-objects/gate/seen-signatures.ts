import { SIGNATURE_WINDOW_MS } from '../../domain/identity/signed-text.ts';

/**
 * Signatures used within the window, so that none is used twice. They are kept in the object's storage: in memory alone, whoever makes
 * the object restart could replay an order.
 */
export class SeenSignatures {
  readonly #sql: SqlStorage;
  #ready = false;
  #forgetAt = 0;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  has(signature: string): boolean {
    this.#open();
    return this.#sql.exec('SELECT 1 FROM signatures WHERE signature = ?', signature).toArray().length > 0;
  }

  /** @param timestamp that the signature covers; past the window it is refused for its age, in its last millisecond it is still taken. */
  add(signature: string, timestamp: number, now: number): void {
    this.#open();
    if (now >= this.#forgetAt) {
      this.#sql.exec('DELETE FROM signatures WHERE useless_at < ?', now);
      this.#forgetAt = now + SIGNATURE_WINDOW_MS;
    }
    this.#sql.exec('INSERT INTO signatures VALUES (?, ?)', signature, timestamp + SIGNATURE_WINDOW_MS);
  }

  #open(): void {
    if (this.#ready) return;
    this.#sql.exec(
      'CREATE TABLE IF NOT EXISTS signatures (signature TEXT PRIMARY KEY, useless_at INTEGER NOT NULL) WITHOUT ROWID',
    );
    this.#ready = true;
  }
}
