import { DAY_MS, MINUTE_MS, SECOND_MS } from '../../domain/calendar/durations.ts';
import type { WebhookMessage } from '../webhook-endpoint/api.ts';

/** Messages held for one endpoint. */
const HELD_MAX = 10_000;
/** As long as the log of an endpoint reaches back. */
const KEPT_MS = 30 * DAY_MS;
/** Until an endpoint is asked again; it doubles with each failure. */
const WAIT_MS = SECOND_MS;
const WAIT_MS_MAX = MINUTE_MS;
const DOUBLINGS_MAX = 6;

/** Messages that were handed over together. */
export interface HeldPage {
  readonly messages: readonly WebhookMessage[];
  /** Of the last one. */
  readonly number: number;
}

/**
 * Messages for endpoints whose objects did not take them, in the dispatcher's SQLite: what comes for such an endpoint afterwards stands behind
 * them, so that it stays in order, and no other endpoint waits. Changes are synchronous.
 */
export class HeldMessages {
  readonly #storage: DurableObjectStorage;
  readonly #sql: SqlStorage;

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
    this.#sql = storage.sql;
    this.#sql.exec(`
      CREATE TABLE IF NOT EXISTS held (number INTEGER PRIMARY KEY AUTOINCREMENT, endpoint TEXT NOT NULL, event_id TEXT NOT NULL,
        type TEXT NOT NULL, payload TEXT NOT NULL, line TEXT, held_at INTEGER NOT NULL, UNIQUE (endpoint, event_id));
      CREATE INDEX IF NOT EXISTS held_by_endpoint ON held (endpoint, number);
      CREATE TABLE IF NOT EXISTS silent (endpoint TEXT PRIMARY KEY, tries INTEGER NOT NULL, next_try_at INTEGER NOT NULL) WITHOUT ROWID;
      CREATE INDEX IF NOT EXISTS silent_by_time ON silent (next_try_at);
    `);
  }

  isHolding(endpoint: string): boolean {
    return this.#sql.exec('SELECT 1 FROM silent WHERE endpoint = ?', endpoint).toArray().length > 0;
  }

  /** Each once by its event's id. @returns how many there is no room for */
  hold(endpoint: string, messages: readonly WebhookMessage[], now: number): number {
    return this.#storage.transactionSync(() => {
      this.#sql.exec('INSERT INTO silent VALUES (?, 0, ?) ON CONFLICT DO NOTHING', endpoint, now + WAIT_MS);
      const { count } = this.#sql
        .exec<{ count: number }>('SELECT count(*) AS count FROM held WHERE endpoint = ?', endpoint)
        .one();
      const kept = messages.slice(0, Math.max(0, HELD_MAX - count));
      for (const { eventId, type, payload, line } of kept)
        this.#sql.exec(
          'INSERT INTO held (endpoint, event_id, type, payload, line, held_at) VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING',
          endpoint,
          eventId,
          type,
          payload,
          line,
          now,
        );
      return messages.length - kept.length;
    });
  }

  /** Endpoints that are asked again now, the longest due first. */
  due(now: number, limit: number): string[] {
    return this.#sql
      .exec<{ endpoint: string }>(
        'SELECT endpoint FROM silent WHERE next_try_at <= ? ORDER BY next_try_at LIMIT ?',
        now,
        limit,
      )
      .toArray()
      .map(({ endpoint }) => endpoint);
  }

  /** When the next endpoint is asked again; null where nothing is held. */
  nextDue(): number | null {
    return this.#sql.exec<{ at: number | null }>('SELECT min(next_try_at) AS at FROM silent').one().at;
  }

  /** The oldest of an endpoint; null where it has all, and holds nothing any more. */
  page(endpoint: string, limit: number): HeldPage | null {
    const rows = this.#sql
      .exec<{ number: number; event_id: string; type: string; payload: string; line: string | null }>(
        'SELECT number, event_id, type, payload, line FROM held WHERE endpoint = ? ORDER BY number LIMIT ?',
        endpoint,
        limit,
      )
      .toArray();
    const last = rows.at(-1);
    if (last === undefined) {
      this.#sql.exec('DELETE FROM silent WHERE endpoint = ?', endpoint);
      return null;
    }
    const messages = rows.map(({ event_id: eventId, type, payload, line }) => ({ eventId, type, payload, line }));
    return { messages, number: last.number };
  }

  /** The endpoint has taken them. */
  release(endpoint: string, { number }: HeldPage): void {
    this.#sql.exec('DELETE FROM held WHERE endpoint = ? AND number <= ?', endpoint, number);
  }

  /** The endpoint has not answered again. What is too old is given up. */
  wait(endpoint: string, now: number): void {
    this.#storage.transactionSync(() => {
      this.#sql.exec('DELETE FROM held WHERE endpoint = ? AND held_at < ?', endpoint, now - KEPT_MS);
      const [row] = this.#sql
        .exec<{ tries: number }>('UPDATE silent SET tries = tries + 1 WHERE endpoint = ? RETURNING tries', endpoint)
        .toArray();
      const wait_ms = Math.min(WAIT_MS * 2 ** Math.min(row?.tries ?? 0, DOUBLINGS_MAX), WAIT_MS_MAX);
      this.#sql.exec('UPDATE silent SET next_try_at = ? WHERE endpoint = ?', now + wait_ms, endpoint);
    });
  }
}
