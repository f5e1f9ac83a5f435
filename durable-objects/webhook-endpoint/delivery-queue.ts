import { uuidv7 } from 'uuidv7';
import { DAY_MS } from '../../domain/calendar/durations.ts';
import type { Attempt, AttemptError, DisabledReason } from '../../domain/webhooks/attempt.ts';
import type { DeliveryState } from '../../domain/webhooks/delivery-state.ts';
import {
  type DeliveriesQuery,
  type Delivery,
  type DeliveryAttempt,
  type DeliveryWithAttempts,
  MESSAGES_PER_CALL_MAX,
  type RangeReplay,
  type ReplayOutcome,
  type ReplayRange,
  WAITING_BYTES_MAX,
  WAITING_BYTES_WITH_REPLAYS_MAX,
  WAITING_MAX,
  WAITING_WITH_REPLAYS_MAX,
  type WebhookMessage,
} from './api.ts';

/** What has ended is kept so long, and so much of it at most. */
const KEPT_MS = 30 * DAY_MS;
const KEPT_MAX = 500_000;
/** Rows that one look at the log deletes. */
const DELETED_MAX = 1_000;
/** Until more of them are deleted. */
const AGAIN_MS = 60_000;

/** A message that waits. Of those that wait only the first, the head, has been tried. */
export interface Waiting {
  readonly sequence: number;
  readonly eventId: string;
  readonly type: string;
  readonly payload: string;
  readonly tries: number;
  readonly firstTriedAt: number | null;
  readonly nextTryAt: number | null;
}

/** A try that has ended, as the log keeps it. */
export interface EndedAttempt extends Attempt {
  readonly at: number;
  readonly durationMs: number;
}

/** A message that was taken by its receiver. */
export interface Taken {
  readonly message: Pick<Waiting, 'sequence' | 'tries'>;
  readonly attempt: EndedAttempt;
}

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
};

const COLUMNS =
  'id, sequence, event_id, type, replay_of, state, reason, tries, created_at, first_tried_at, next_try_at, ended_at';

/** The queue of an endpoint and its log, in the object's SQLite: one table, in which what waits is a state. Changes are synchronous. */
export class DeliveryQueue {
  readonly #storage: DurableObjectStorage;
  readonly #sql: SqlStorage;
  #waiting: number;
  #waitingBytes: number;

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
    this.#sql = storage.sql;
    this.#sql.exec(`
      CREATE TABLE IF NOT EXISTS deliveries (sequence INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, event_id TEXT NOT NULL,
        type TEXT NOT NULL, replay_of TEXT, payload TEXT NOT NULL, bytes INTEGER NOT NULL, state TEXT NOT NULL, reason TEXT,
        tries INTEGER NOT NULL DEFAULT 0, created_at INTEGER NOT NULL, first_tried_at INTEGER, next_try_at INTEGER, ended_at INTEGER);
      CREATE INDEX IF NOT EXISTS waiting ON deliveries (sequence, bytes) WHERE state = 'waiting';
      CREATE UNIQUE INDEX IF NOT EXISTS told ON deliveries (event_id) WHERE replay_of IS NULL;
      CREATE INDEX IF NOT EXISTS deliveries_of_event ON deliveries (event_id, sequence);
      CREATE INDEX IF NOT EXISTS deliveries_by_state ON deliveries (state, sequence);
      CREATE INDEX IF NOT EXISTS deliveries_by_time ON deliveries (created_at, sequence);
      CREATE TABLE IF NOT EXISTS attempts (sequence INTEGER NOT NULL, number INTEGER NOT NULL, at INTEGER NOT NULL,
        duration_ms INTEGER NOT NULL, status INTEGER, error TEXT, response TEXT, PRIMARY KEY (sequence, number)) WITHOUT ROWID;
    `);
    const { waiting, bytes } = this.#sql
      .exec<{ waiting: number; bytes: number }>(
        `SELECT count(*) AS waiting, coalesce(sum(bytes), 0) AS bytes FROM deliveries WHERE state = 'waiting'`,
      )
      .one();
    this.#waiting = waiting;
    this.#waitingBytes = bytes;
  }

  get waiting(): number {
    return this.#waiting;
  }

  get waitingBytes(): number {
    return this.#waitingBytes;
  }

  get isOverfull(): boolean {
    return this.#waiting > WAITING_MAX || this.#waitingBytes > WAITING_BYTES_MAX;
  }

  /** Takes in what it does not have yet, in this order. */
  enqueue(messages: readonly WebhookMessage[], now: number): void {
    this.#storage.transactionSync(() => {
      for (const message of messages) this.#insert(message, { id: uuidv7(), replayOf: null, state: 'waiting', now });
    });
  }

  /** A delivery beside the queue, that has ended with its one try. */
  recordTest(message: WebhookMessage, attempt: EndedAttempt): DeliveryWithAttempts {
    const id = uuidv7();
    const state = attempt.error === null ? 'delivered' : 'dead';
    this.#storage.transactionSync(() => {
      this.#insert(message, { id, replayOf: null, state, now: attempt.at });
      this.#sql.exec(
        'UPDATE deliveries SET tries = 1, first_tried_at = ?, ended_at = ?, reason = ? WHERE id = ?',
        attempt.at,
        attempt.at + attempt.durationMs,
        attempt.error === null ? null : 'test_failed',
        id,
      );
      this.#insertAttempt(this.#sequenceOf(id), 1, attempt);
    });
    const kept = this.find(id);
    if (kept === null) throw new Error('a test is not in the log');
    return kept;
  }

  head(): Waiting | null {
    return this.next(1)[0] ?? null;
  }

  /** The first that wait, in their order. */
  next(count: number): Waiting[] {
    return this.#sql
      .exec<{
        sequence: number;
        event_id: string;
        type: string;
        payload: string;
        tries: number;
        first_tried_at: number | null;
        next_try_at: number | null;
      }>(
        `SELECT sequence, event_id, type, payload, tries, first_tried_at, next_try_at FROM deliveries
         WHERE state = 'waiting' ORDER BY sequence LIMIT ?`,
        count,
      )
      .toArray()
      .map(({ sequence, event_id: eventId, type, payload, tries, first_tried_at, next_try_at }) => ({
        ...{ sequence, eventId, type, payload, tries },
        firstTriedAt: first_tried_at,
        nextTryAt: next_try_at,
      }));
  }

  /** Notes tries that were taken, all at once. What was skipped meanwhile stays skipped. */
  recordTaken(taken: readonly Taken[]): void {
    this.#storage.transactionSync(() => {
      for (const { message, attempt } of taken) {
        this.#insertAttempt(message.sequence, message.tries + 1, attempt);
        const [ended] = this.#sql
          .exec<{ bytes: number }>(
            `UPDATE deliveries SET tries = ?, first_tried_at = coalesce(first_tried_at, ?), next_try_at = NULL, state = 'delivered', ended_at = ?
             WHERE sequence = ? AND state = 'waiting' RETURNING bytes`,
            message.tries + 1,
            attempt.at,
            attempt.at + attempt.durationMs,
            message.sequence,
          )
          .toArray();
        if (ended === undefined) this.#countTry(message, attempt, null);
        else this.#release(ended.bytes);
      }
    });
  }

  /** Notes a try of the head that was not taken, and when the next one is due. @returns whether it waits still: it may have been skipped meanwhile */
  recordRefused(head: Waiting, attempt: EndedAttempt, nextTryAt: number): boolean {
    return this.#storage.transactionSync(() => {
      this.#insertAttempt(head.sequence, head.tries + 1, attempt);
      return this.#countTry(head, attempt, nextTryAt) === 'waiting';
    });
  }

  /** @returns its state */
  #countTry({ sequence, tries }: Taken['message'], attempt: EndedAttempt, nextTryAt: number | null): string | null {
    const [row] = this.#sql
      .exec<{ state: string }>(
        `UPDATE deliveries SET tries = ?, first_tried_at = coalesce(first_tried_at, ?), next_try_at = CASE state WHEN 'waiting' THEN ? END
         WHERE sequence = ? RETURNING state`,
        tries + 1,
        attempt.at,
        nextTryAt,
        sequence,
      )
      .toArray();
    return row?.state ?? null;
  }

  /** Everything that waits is given up; kept for a replay. */
  bury(reason: DisabledReason, now: number): void {
    this.#sql.exec(
      `UPDATE deliveries SET state = 'dead', reason = ?, next_try_at = NULL, ended_at = ? WHERE state = 'waiting'`,
      reason,
      now,
    );
    this.#waiting = 0;
    this.#waitingBytes = 0;
  }

  /** The head is due at once, whatever it waits for. */
  hasten(): void {
    this.#sql.exec(`UPDATE deliveries SET next_try_at = NULL WHERE sequence =
      (SELECT sequence FROM deliveries WHERE state = 'waiting' ORDER BY sequence LIMIT 1)`);
  }

  /** @returns false where it waits no longer, null where there is none */
  skip(id: string, now: number): boolean | null {
    const [row] = this.#sql.exec<{ sequence: number }>('SELECT sequence FROM deliveries WHERE id = ?', id).toArray();
    if (row === undefined) return null;
    const [ended] = this.#sql
      .exec<{ bytes: number }>(
        `UPDATE deliveries SET state = 'skipped', next_try_at = NULL, ended_at = ? WHERE sequence = ? AND state = 'waiting' RETURNING bytes`,
        now,
        row.sequence,
      )
      .toArray();
    if (ended !== undefined) this.#release(ended.bytes);
    return ended !== undefined;
  }

  /** @param as id of the new delivery; one that is there already is not made again */
  replay(id: string, as: string, now: number): ReplayOutcome {
    if (this.#sql.exec('SELECT 1 FROM deliveries WHERE id = ?', as).toArray().length > 0) return 'queued';
    const [row] = this.#sql
      .exec<{ event_id: string; type: string; payload: string; bytes: number }>(
        'SELECT event_id, type, payload, bytes FROM deliveries WHERE id = ?',
        id,
      )
      .toArray();
    if (row === undefined) return 'not_found';
    if (this.#hasNoRoomFor([row])) return 'full';
    const { type, payload } = row;
    this.#insert({ eventId: row.event_id, type, payload }, { id: as, replayOf: id, state: 'waiting', now });
    return 'queued';
  }

  /** First deliveries of events that were made in a range and do not wait; tests are none. */
  replayRange({ from, to, after }: ReplayRange, now: number): RangeReplay {
    const rows = this.#sql
      .exec<{ sequence: number; id: string; event_id: string; type: string; payload: string; bytes: number }>(
        `SELECT sequence, id, event_id, type, payload, bytes FROM deliveries WHERE created_at >= ? AND created_at < ? AND sequence > ?
           AND replay_of IS NULL AND state <> 'waiting' AND type <> 'webhook.test' ORDER BY sequence LIMIT ?`,
        from,
        to,
        after,
        MESSAGES_PER_CALL_MAX,
      )
      .toArray();
    if (rows.length > 0 && this.#hasNoRoomFor(rows)) return { type: 'full', replayed: 0, next: after };
    this.#storage.transactionSync(() => {
      for (const { id, event_id: eventId, type, payload } of rows)
        this.#insert({ eventId, type, payload }, { id: uuidv7(), replayOf: id, state: 'waiting', now });
    });
    const last = rows.at(-1);
    const isDone = last === undefined || rows.length < MESSAGES_PER_CALL_MAX;
    return { type: 'queued', replayed: rows.length, next: isDone ? null : last.sequence };
  }

  /** Latest first. */
  list({ state, eventId, before, limit }: DeliveriesQuery): Delivery[] {
    const conditions = ['sequence < ?'];
    const values: (string | number)[] = [before ?? Number.MAX_SAFE_INTEGER];
    if (state !== null) {
      conditions.push('state = ?');
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
    this.#storage.transactionSync(() => {
      this.#sql.exec(`DELETE FROM attempts WHERE sequence IN (${doomed})`, ...bounds);
      this.#sql.exec(`DELETE FROM deliveries WHERE sequence IN (${doomed})`, ...bounds);
    });
    return now + AGAIN_MS;
  }

  #hasNoRoomFor(replays: readonly { readonly bytes: number }[]): boolean {
    const bytes = replays.reduce((sum, replay) => sum + replay.bytes, 0);
    return (
      this.#waiting + replays.length > WAITING_WITH_REPLAYS_MAX ||
      this.#waitingBytes + bytes > WAITING_BYTES_WITH_REPLAYS_MAX
    );
  }

  #insert(
    { eventId, type, payload }: WebhookMessage,
    {
      id,
      replayOf,
      state,
      now,
    }: { readonly id: string; readonly replayOf: string | null; readonly state: DeliveryState; readonly now: number },
  ): void {
    const bytes = new TextEncoder().encode(payload).byteLength;
    const inserted = this.#sql
      .exec(
        `INSERT INTO deliveries (id, event_id, type, replay_of, payload, bytes, state, created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
         ON CONFLICT (event_id) WHERE replay_of IS NULL DO NOTHING RETURNING sequence`,
        id,
        eventId,
        type,
        replayOf,
        payload,
        bytes,
        state,
        now,
      )
      .toArray();
    if (inserted.length === 0 || state !== 'waiting') return;
    this.#waiting += 1;
    this.#waitingBytes += bytes;
  }

  /** One waits no longer. */
  #release(bytes: number): void {
    this.#waiting -= 1;
    this.#waitingBytes -= bytes;
  }

  #insertAttempt(sequence: number, number: number, { at, durationMs, status, error, response }: EndedAttempt): void {
    this.#sql.exec(
      `INSERT INTO attempts (sequence, number, at, duration_ms, status, error, response) VALUES (?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT DO NOTHING`,
      sequence,
      number,
      at,
      durationMs,
      status,
      error,
      response,
    );
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

  #sequenceOf(id: string): number {
    return this.#sql.exec<{ sequence: number }>('SELECT sequence FROM deliveries WHERE id = ?', id).one().sequence;
  }
}

function deliveryOf(row: DeliveryRow): Delivery {
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
  };
}
