import type { PrimeEvent } from '../../domain/prime/prime-event.ts';
import type { PrimeFaults, Sending } from '../../domain/sandbox-prime/prime-faults.ts';
import { NEW_PRIME, type PrimeOrder, type PrimeState } from '../../domain/sandbox-prime/prime-market.ts';

const STATE_KEY = 'state';
const FAULTS_KEY = 'faults';
/** Orders that have ended are known so long: until so many came after them. */
const ENDED_ORDERS_MAX = 100_000;
/** Events are kept for who asks for them. */
const EVENTS_MAX = 200_000;
/** Rows deleted at a time. */
const DELETED_MAX = 1_000;

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
export class PrimeRecords {
  readonly #storage: DurableObjectStorage;
  readonly #sql: SqlStorage;

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
    this.#sql = storage.sql;
    this.#sql.exec(`
      CREATE TABLE IF NOT EXISTS prime_orders (sequence INTEGER PRIMARY KEY, client_order_id TEXT NOT NULL UNIQUE, is_open INTEGER NOT NULL, record TEXT NOT NULL);
      CREATE INDEX IF NOT EXISTS open_orders ON prime_orders (sequence) WHERE is_open = 1;
      CREATE TABLE IF NOT EXISTS events (position INTEGER PRIMARY KEY AUTOINCREMENT, event TEXT NOT NULL);
      CREATE TABLE IF NOT EXISTS webhooks (id INTEGER PRIMARY KEY AUTOINCREMENT, at_ms INTEGER NOT NULL, position INTEGER NOT NULL, is_missigned INTEGER NOT NULL, tries INTEGER NOT NULL DEFAULT 0);
      CREATE INDEX IF NOT EXISTS webhooks_by_time ON webhooks (at_ms, id);
    `);
  }

  get state(): PrimeState {
    return this.#storage.kv.get<PrimeState>(STATE_KEY) ?? NEW_PRIME;
  }

  get faults(): PrimeFaults | null {
    return this.#storage.kv.get<PrimeFaults>(FAULTS_KEY) ?? null;
  }

  setFaults(faults: PrimeFaults | null): void {
    if (faults === null) this.#storage.kv.delete(FAULTS_KEY);
    else this.#storage.kv.put(FAULTS_KEY, faults);
  }

  findOrder(clientOrderId: string): PrimeOrder | null {
    const [row] = this.#sql
      .exec<{ record: string }>('SELECT record FROM prime_orders WHERE client_order_id = ?', clientOrderId)
      .toArray();
    return row === undefined ? null : (JSON.parse(row.record) as PrimeOrder);
  }

  /** Open orders after a sequence, oldest first. */
  openOrders(after: number, count: number): PrimeOrder[] {
    return this.#sql
      .exec<{ record: string }>(
        'SELECT record FROM prime_orders WHERE is_open = 1 AND sequence > ? ORDER BY sequence LIMIT ?',
        after,
        count,
      )
      .toArray()
      .map(({ record }) => JSON.parse(record) as PrimeOrder);
  }

  get openCount(): number {
    return this.#sql.exec<{ open: number }>('SELECT COUNT(*) AS open FROM prime_orders WHERE is_open = 1').one().open;
  }

  /** Writes what happened to an order and what is told of it, all or nothing. */
  keep(state: PrimeState, order: PrimeOrder, events: readonly SentEvent[]): void {
    this.#storage.transactionSync(() => {
      this.#storage.kv.put(STATE_KEY, state);
      this.#sql.exec(
        'INSERT OR REPLACE INTO prime_orders (sequence, client_order_id, is_open, record) VALUES (?, ?, ?, ?)',
        order.sequence,
        order.clientOrderId,
        order.status === 'open' ? 1 : 0,
        JSON.stringify(order),
      );
      for (const { event, sendings } of events) {
        const { position } = this.#sql
          .exec<{ position: number }>('INSERT INTO events (event) VALUES (?) RETURNING position', JSON.stringify(event))
          .one();
        for (const { at_ms, isMissigned } of sendings) {
          this.#sql.exec(
            'INSERT INTO webhooks (at_ms, position, is_missigned) VALUES (?, ?, ?)',
            at_ms,
            position,
            isMissigned ? 1 : 0,
          );
        }
      }
      this.#forget(state);
    });
  }

  /** Events after a position, oldest first; null where the position is none that a client can have. */
  eventsAfter(position: number, count: number): { readonly position: number; readonly event: PrimeEvent }[] | null {
    const { first, last } = this.#sql
      .exec<{ first: number | null; last: number | null }>(
        'SELECT MIN(position) AS first, MAX(position) AS last FROM events',
      )
      .one();
    if (position > (last ?? 0) || position < (first ?? 1) - 1) return null;
    return this.#sql
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
    return this.#sql
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
    return this.#sql.exec<{ next: number | null }>('SELECT MIN(at_ms) AS next FROM webhooks').one().next;
  }

  /** It was taken, or is given up. */
  removeWebhook(id: number): void {
    this.#sql.exec('DELETE FROM webhooks WHERE id = ?', id);
  }

  sendAgain(id: number, at_ms: number): void {
    this.#sql.exec('UPDATE webhooks SET at_ms = ?, tries = tries + 1, is_missigned = 0 WHERE id = ?', at_ms, id);
  }

  #forget({ orders }: PrimeState): void {
    this.#sql.exec(
      'DELETE FROM prime_orders WHERE sequence IN (SELECT sequence FROM prime_orders WHERE is_open = 0 AND sequence < ? LIMIT ?)',
      orders - ENDED_ORDERS_MAX,
      DELETED_MAX,
    );
    this.#sql.exec(
      `DELETE FROM events WHERE position IN (SELECT position FROM events WHERE position <= (SELECT MAX(position) FROM events) - ?
         AND position NOT IN (SELECT position FROM webhooks) LIMIT ?)`,
      EVENTS_MAX,
      DELETED_MAX,
    );
  }
}
