import { DAY_MS } from '../../domain/calendar/durations.ts';
import type { AttemptError } from '../../domain/webhooks/attempt.ts';
import type { DeliveryState } from '../../domain/webhooks/delivery-state.ts';
import type { DeliveriesQuery, Delivery, DeliveryAttempt, DeliveryWithAttempts, EndedAttempt } from './api.ts';

/** What has ended is kept so long, and so much of it at most. */
const KEPT_MS = 30 * DAY_MS;
const KEPT_MAX = 500_000;
/** Rows of one statement that inserts tries: it takes 100 values. */
const ATTEMPTS_AT_ONCE = 14;
/** Rows that one look at the log deletes. */
const DELETED_MAX = 1_000;
/** Until more of them are deleted: as fast as messages come, where a whole look has gone; else what waits stands before them. */
const AGAIN_AT_ONCE_MS = 1_000;
const AGAIN_MS = 60_000;

type DeliveryRow = Record<string, string | number | null> & {
  id: string;
  sequence: number;
  event_id: string;
  type: string;
  replay_of: string | null;
  state: string;
  reason: string | null;
  tries: number;
  created_at: number;
  first_tried_at: number | null;
  next_try_at: number | null;
  ended_at: number | null;
  sent_again: string | null;
};

/** Of a dead delivery, what became of its event otherwise: `waiting` or `delivered`, and the id after it. */
const SENT_AGAIN = `CASE state WHEN 'dead' THEN (
  SELECT other.state || ' ' || other.id FROM deliveries other INDEXED BY deliveries_of_event
  WHERE other.event_id = deliveries.event_id AND other.state IN ('waiting', 'delivered') ORDER BY other.sequence DESC LIMIT 1) END`;

const COLUMNS = `id, sequence, event_id, type, replay_of, state, reason, tries, created_at, first_tried_at, next_try_at, ended_at, ${SENT_AGAIN} AS sent_again`;

/** A try of a message, the first, the second, and so on. */
export interface NumberedAttempt {
  readonly sequence: number;
  readonly number: number;
  readonly attempt: EndedAttempt;
}

/** What an endpoint was told, and each try of it, in the object's SQLite. What still waits is a state of the same rows (`delivery-queue.ts`). Changes are synchronous. */
export class DeliveryLog {
  readonly #storage: DurableObjectStorage;
  readonly #sql: SqlStorage;

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
    this.#sql = storage.sql;
    this.#sql.exec(`
      CREATE TABLE IF NOT EXISTS deliveries (sequence INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, event_id TEXT NOT NULL,
        type TEXT NOT NULL, replay_of TEXT, payload TEXT NOT NULL, bytes INTEGER NOT NULL, state TEXT NOT NULL, reason TEXT,
        tries INTEGER NOT NULL DEFAULT 0, created_at INTEGER NOT NULL, first_tried_at INTEGER, next_try_at INTEGER, ended_at INTEGER,
        line TEXT, is_blocked INTEGER NOT NULL DEFAULT 0);
      CREATE INDEX IF NOT EXISTS waiting ON deliveries (sequence, bytes) WHERE state = 'waiting';
      CREATE INDEX IF NOT EXISTS due ON deliveries (ifnull(next_try_at, 0), sequence) WHERE state = 'waiting' AND is_blocked = 0;
      CREATE INDEX IF NOT EXISTS tried ON deliveries (first_tried_at) WHERE state = 'waiting' AND first_tried_at IS NOT NULL;
      CREATE INDEX IF NOT EXISTS in_line ON deliveries (line, sequence) WHERE state = 'waiting' AND line IS NOT NULL;
      CREATE UNIQUE INDEX IF NOT EXISTS told ON deliveries (event_id) WHERE replay_of IS NULL;
      CREATE INDEX IF NOT EXISTS deliveries_of_event ON deliveries (event_id, sequence);
      DROP INDEX IF EXISTS deliveries_by_state;
      CREATE INDEX IF NOT EXISTS deliveries_ended ON deliveries (state, sequence) WHERE state <> 'waiting';
      CREATE INDEX IF NOT EXISTS deliveries_by_time ON deliveries (created_at, sequence);
      CREATE TABLE IF NOT EXISTS attempts (sequence INTEGER NOT NULL, number INTEGER NOT NULL, at INTEGER NOT NULL,
        duration_ms INTEGER NOT NULL, status INTEGER, error TEXT, response TEXT, PRIMARY KEY (sequence, number)) WITHOUT ROWID;
    `);
  }

  /** Latest first. */
  list({ state, eventId, before, limit }: DeliveriesQuery): Delivery[] {
    const conditions = ['sequence < ?'];
    const values: (string | number)[] = [before ?? Number.MAX_SAFE_INTEGER];
    if (state !== null) {
      conditions.push(state === 'waiting' ? 'state = ?' : `state = ? AND state <> 'waiting'`);
      values.push(state);
    }
    if (eventId !== null) {
      conditions.push('event_id = ?');
      values.push(eventId);
    }
    return this.#sql
      .exec<DeliveryRow>(
        `SELECT ${COLUMNS} FROM deliveries WHERE ${conditions.join(' AND ')} ORDER BY sequence DESC LIMIT ?`,
        ...values,
        limit,
      )
      .toArray()
      .map(deliveryOf);
  }

  find(id: string): DeliveryWithAttempts | null {
    const [row] = this.#sql
      .exec<DeliveryRow & { payload: string }>(`SELECT ${COLUMNS}, payload FROM deliveries WHERE id = ?`, id)
      .toArray();
    if (row === undefined) return null;
    return { ...deliveryOf(row), payload: row.payload, attempts: this.#attempts(row.sequence) };
  }

  deliveredAt(eventIds: readonly string[]): ReadonlyMap<string, number> {
    const rows = this.#sql
      .exec<{ id: string; at: number }>(
        `SELECT event_id AS id, min(ended_at) AS at FROM deliveries INDEXED BY deliveries_of_event
         WHERE event_id IN (SELECT value FROM json_each(?)) AND state = 'delivered' GROUP BY event_id`,
        JSON.stringify(eventIds),
      )
      .toArray();
    return new Map(rows.map(({ id, at }) => [id, at]));
  }

  /** Deletes some of what is too old or too much, oldest first; when there is more to delete, or null for never. */
  forget(now: number): number | null {
    const { first, last, createdAt } = this.#sql
      .exec<{ first: number | null; last: number | null; createdAt: number | null }>(
        `SELECT min(sequence) AS first, (SELECT max(sequence) FROM deliveries) AS last, created_at AS createdAt FROM deliveries`,
      )
      .one();
    if (first === null || last === null || createdAt === null) return null;
    if (createdAt >= now - KEPT_MS && first > last - KEPT_MAX) return createdAt + KEPT_MS;
    const doomed = `SELECT sequence FROM (SELECT sequence, state, created_at FROM deliveries ORDER BY sequence LIMIT ?)
      WHERE state <> 'waiting' AND (created_at < ? OR sequence <= ?)`;
    const bounds = [DELETED_MAX, now - KEPT_MS, last - KEPT_MAX];
    const deleted = this.#storage.transactionSync(() => {
      this.#sql.exec(`DELETE FROM attempts WHERE sequence IN (${doomed})`, ...bounds);
      return this.#sql.exec(`DELETE FROM deliveries WHERE sequence IN (${doomed}) RETURNING 1`, ...bounds).toArray()
        .length;
    });
    return now + (deleted === DELETED_MAX ? AGAIN_AT_ONCE_MS : AGAIN_MS);
  }

  /** Whether this very try is noted. */
  hasAttempt(
    { sequence, tries }: { readonly sequence: number; readonly tries: number },
    { at, durationMs }: EndedAttempt,
  ): boolean {
    return (
      this.#sql
        .exec(
          'SELECT 1 FROM attempts WHERE sequence = ? AND number = ? AND at = ? AND duration_ms = ?',
          sequence,
          tries,
          at,
          durationMs,
        )
        .toArray().length > 0
    );
  }

  insertAttempt(sequence: number, number: number, attempt: EndedAttempt): void {
    this.insertAttempts([{ sequence, number, attempt }]);
  }

  /** One that is noted stays as it is. */
  insertAttempts(attempts: readonly NumberedAttempt[]): void {
    for (let from = 0; from < attempts.length; from += ATTEMPTS_AT_ONCE) {
      const rows = attempts
        .slice(from, from + ATTEMPTS_AT_ONCE)
        .map(({ sequence, number, attempt: { at, durationMs, status, error, response } }) => [
          sequence,
          number,
          at,
          durationMs,
          status,
          error,
          response,
        ]);
      this.#sql.exec(
        `INSERT INTO attempts (sequence, number, at, duration_ms, status, error, response)
         VALUES ${rows.map(() => '(?, ?, ?, ?, ?, ?, ?)').join(', ')} ON CONFLICT DO NOTHING`,
        ...rows.flat(),
      );
    }
  }

  #attempts(sequence: number): DeliveryAttempt[] {
    return this.#sql
      .exec<{ at: number; duration_ms: number; status: number | null; error: string | null; response: string | null }>(
        'SELECT at, duration_ms, status, error, response FROM attempts WHERE sequence = ? ORDER BY number',
        sequence,
      )
      .toArray()
      .map(({ at, duration_ms: durationMs, status, error, response }) => ({
        at,
        durationMs,
        status,
        error: error as AttemptError | null,
        response,
      }));
  }
}

function deliveryOf(row: DeliveryRow): Delivery {
  const [state, id = ''] = row.sent_again?.split(' ') ?? [];
  return {
    id: row.id,
    sequence: row.sequence,
    eventId: row.event_id,
    type: row.type,
    replayOf: row.replay_of,
    state: row.state as DeliveryState,
    reason: row.reason as Delivery['reason'],
    tries: row.tries,
    createdAt: row.created_at,
    firstTriedAt: row.first_tried_at,
    nextTryAt: row.next_try_at,
    endedAt: row.ended_at,
    sentAgain: state === 'waiting' || state === 'delivered' ? { id, state } : null,
  };
}
