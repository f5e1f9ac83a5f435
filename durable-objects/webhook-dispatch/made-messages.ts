import type { EventMessage } from './event-payload.ts';

/**
 * Messages that were made and are not known to be told, in the dispatcher's SQLite: a message says what held when it was made, and everybody gets the
 * same one, also where the dispatcher was lost between two of them. Changes are synchronous.
 */
export class MadeMessages {
  readonly #storage: DurableObjectStorage;
  readonly #sql: SqlStorage;

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
    this.#sql = storage.sql;
    this.#sql.exec('CREATE TABLE IF NOT EXISTS made (event_id TEXT PRIMARY KEY, message TEXT NOT NULL) WITHOUT ROWID');
  }

  /** Keeps them, each as it was first made. @returns by event's id */
  keep(messages: ReadonlyMap<string, EventMessage>): ReadonlyMap<string, EventMessage> {
    return this.#storage.transactionSync(() => {
      const kept = new Map<string, EventMessage>();
      for (const [eventId, made] of messages) {
        const [before] = this.#sql
          .exec<{ message: string }>('SELECT message FROM made WHERE event_id = ?', eventId)
          .toArray();
        if (before === undefined) this.#sql.exec('INSERT INTO made VALUES (?, ?)', eventId, JSON.stringify(made));
        kept.set(eventId, before === undefined ? made : (JSON.parse(before.message) as EventMessage));
      }
      return kept;
    });
  }

  /** They are told. */
  forget(eventIds: readonly string[]): void {
    this.#sql.exec('DELETE FROM made WHERE event_id IN (SELECT value FROM json_each(?))', JSON.stringify(eventIds));
  }

  /** Everything is told. */
  clear(): void {
    this.#sql.exec('DELETE FROM made');
  }
}
