import type { PrimeEvent } from '../../domain/prime/prime-event.ts';
import type { PrimeFaults, Sending } from '../../domain/sandbox-prime/prime-faults.ts';
import { NEW_PRIME, type PrimeOrder, type PrimeState } from '../../domain/sandbox-prime/prime-market.ts';
import { DELETED_MAX, SandboxRecords } from '../broker/sandbox-records.ts';

/** Events are kept for who asks for them. */
const EVENTS_MAX = 200_000;

/** A webhook that is to be sent. */
export interface Webhook {
  readonly id: number;
  readonly event: PrimeEvent;
  readonly isMissigned: boolean;
  /** Sendings before this one. */
  readonly tries: number;
}

/** An event with the times at which it is sent; no times where it is lost. */
export interface SentEvent {
  readonly event: PrimeEvent;
  readonly sendings: readonly Sending[];
}

/** What the sandbox prime of a coin has on disk: orders, events by position, and webhooks until they are taken. */
export class PrimeRecords extends SandboxRecords<PrimeState, PrimeOrder, PrimeFaults> {
  constructor(storage: DurableObjectStorage) {
    super(storage, {
      name: 'prime_orders',
      newState: NEW_PRIME,
      clientOrderIdOf: ({ clientOrderId }) => clientOrderId,
    });
    this.sql.exec(`
      CREATE TABLE IF NOT EXISTS events (position INTEGER PRIMARY KEY AUTOINCREMENT, event TEXT NOT NULL);
      CREATE TABLE IF NOT EXISTS webhooks (id INTEGER PRIMARY KEY AUTOINCREMENT, at_ms INTEGER NOT NULL, position INTEGER NOT NULL, is_missigned INTEGER NOT NULL, tries INTEGER NOT NULL DEFAULT 0);
      CREATE INDEX IF NOT EXISTS webhooks_by_time ON webhooks (at_ms, id);
    `);
  }

  /** Writes what happened to an order and what is told of it, all or nothing. */
  keep(state: PrimeState, order: PrimeOrder, events: readonly SentEvent[]): void {
    this.storage.transactionSync(() => {
      this.write(state, [order]);
      for (const { event, sendings } of events) {
        const { position } = this.sql
          .exec<{ position: number }>('INSERT INTO events (event) VALUES (?) RETURNING position', JSON.stringify(event))
          .one();
        for (const { at_ms, isMissigned } of sendings) {
          this.sql.exec(
            'INSERT INTO webhooks (at_ms, position, is_missigned) VALUES (?, ?, ?)',
            at_ms,
            position,
            isMissigned ? 1 : 0,
          );
        }
      }
      this.#forget();
    });
  }

  /** Events after a position, oldest first; null where the position is none that a client can have. */
  eventsAfter(position: number, count: number): { readonly position: number; readonly event: PrimeEvent }[] | null {
    const { first, last } = this.sql
      .exec<{ first: number | null; last: number | null }>(
        'SELECT MIN(position) AS first, MAX(position) AS last FROM events',
      )
      .one();
    if (position > (last ?? 0) || position < (first ?? 1) - 1) return null;
    return this.sql
      .exec<{ position: number; event: string }>(
        'SELECT position, event FROM events WHERE position > ? ORDER BY position LIMIT ?',
        position,
        count,
      )
      .toArray()
      .map((row) => ({ position: row.position, event: JSON.parse(row.event) as PrimeEvent }));
  }

  /** Webhooks that are to be sent by now, those that wait longest first. */
  due(now_ms: number, count: number): Webhook[] {
    return this.sql
      .exec<{ id: number; event: string; is_missigned: number; tries: number }>(
        `SELECT w.id, e.event, w.is_missigned, w.tries FROM webhooks w JOIN events e ON e.position = w.position
         WHERE w.at_ms <= ? ORDER BY w.at_ms, w.id LIMIT ?`,
        now_ms,
        count,
      )
      .toArray()
      .map(({ id, event, is_missigned, tries }) => ({
        id,
        event: JSON.parse(event) as PrimeEvent,
        isMissigned: is_missigned === 1,
        tries,
      }));
  }

  /** When the next webhook is to be sent; null for never. */
  get nextDue(): number | null {
    return this.sql.exec<{ next: number | null }>('SELECT MIN(at_ms) AS next FROM webhooks').one().next;
  }

  /** It was taken, or is given up. */
  removeWebhook(id: number): void {
    this.sql.exec('DELETE FROM webhooks WHERE id = ?', id);
  }

  sendAgain(id: number, at_ms: number): void {
    this.sql.exec('UPDATE webhooks SET at_ms = ?, tries = tries + 1, is_missigned = 0 WHERE id = ?', at_ms, id);
  }

  #forget(): void {
    this.sql.exec(
      `DELETE FROM events WHERE position IN (SELECT position FROM events WHERE position <= (SELECT MAX(position) FROM events) - ?
         AND position NOT IN (SELECT position FROM webhooks) LIMIT ?)`,
      EVENTS_MAX,
      DELETED_MAX,
    );
  }
}
