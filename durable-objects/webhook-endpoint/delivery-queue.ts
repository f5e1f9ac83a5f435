import { uuidv7 } from 'uuidv7';
import { DAY_MS } from '../../domain/calendar/durations.ts';
import type { AttemptError, DisabledReason } from '../../domain/webhooks/attempt.ts';
import type { DeliveryState } from '../../domain/webhooks/delivery-state.ts';
import {
  type DeliveriesQuery,
  type Delivery,
  type DeliveryAttempt,
  type DeliveryWithAttempts,
  type EndedAttempt,
  type EventBody,
  MESSAGES_PER_CALL_MAX,
  type RangeReplay,
  type ReplayOutcome,
  type ReplayRange,
  TEST_TYPE,
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

/** A message that waits. Of those of a line only the first, its head, is tried. */
export interface Waiting {
  readonly sequence: number;
  readonly eventId: string;
  readonly type: string;
  readonly payload: string;
  readonly line: string | null;
}

/** A message that was tried. */
export interface Tried {
  readonly sequence: number;
  readonly line: string | null;
  readonly tries: number;
  readonly firstTriedAt: number | null;
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

const ORDERS = {
  longest_due: { index: 'due', order: 'ifnull(next_try_at, 0), sequence' },
  oldest: { index: 'waiting', order: 'sequence' },
  newest: { index: 'waiting', order: 'sequence DESC' },
} as const;

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
        tries INTEGER NOT NULL DEFAULT 0, created_at INTEGER NOT NULL, first_tried_at INTEGER, next_try_at INTEGER, ended_at INTEGER,
        line TEXT, is_blocked INTEGER NOT NULL DEFAULT 0);
      CREATE INDEX IF NOT EXISTS waiting ON deliveries (sequence, bytes) WHERE state = 'waiting';
      CREATE INDEX IF NOT EXISTS due ON deliveries (ifnull(next_try_at, 0), sequence) WHERE state = 'waiting' AND is_blocked = 0;
      CREATE INDEX IF NOT EXISTS tried ON deliveries (first_tried_at) WHERE state = 'waiting' AND first_tried_at IS NOT NULL;
      CREATE INDEX IF NOT EXISTS in_line ON deliveries (line, sequence) WHERE state = 'waiting' AND line IS NOT NULL;
      CREATE UNIQUE INDEX IF NOT EXISTS told ON deliveries (event_id) WHERE replay_of IS NULL;
      CREATE INDEX IF NOT EXISTS deliveries_of_event ON deliveries (event_id, sequence);
      CREATE INDEX IF NOT EXISTS deliveries_by_state ON deliveries (state, sequence);
      CREATE INDEX IF NOT EXISTS deliveries_by_time ON deliveries (created_at, sequence);
      CREATE TABLE IF NOT EXISTS attempts (sequence INTEGER NOT NULL, number INTEGER NOT NULL, at INTEGER NOT NULL,
        duration_ms INTEGER NOT NULL, status INTEGER, error TEXT, response TEXT, PRIMARY KEY (sequence, number)) WITHOUT ROWID;
    `);
    const { waiting, bytes } = this.#sql
      .exec<{ waiting: number; bytes: number }>(
        `SELECT count(*) AS waiting, coalesce(sum(bytes), 0) AS bytes FROM deliveries INDEXED BY waiting WHERE state = 'waiting'`,
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
  recordTest(message: EventBody, attempt: EndedAttempt): DeliveryWithAttempts {
    const id = uuidv7();
    const state = attempt.error === null ? 'delivered' : 'dead';
    this.#storage.transactionSync(() => {
      this.#insert({ ...message, line: null }, { id, replayOf: null, state, now: attempt.at });
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

  /** Of those that may be tried now, so many: the longest due first, the oldest or the newest. */
  due(now: number, count: number, first: keyof typeof ORDERS): number[] {
    const { index, order } = ORDERS[first];
    return this.#sql
      .exec<{ sequence: number }>(
        `SELECT sequence FROM deliveries INDEXED BY ${index} WHERE state = 'waiting' AND is_blocked = 0 AND ifnull(next_try_at, 0) <= ?
         ORDER BY ${order} LIMIT ?`,
        now,
        count,
      )
      .toArray()
      .map(({ sequence }) => sequence);
  }

  /** When the next one may be tried that may not be now; null for none. */
  nextDue(now: number): number | null {
    const [row] = this.#sql
      .exec<{ at: number }>(
        `SELECT ifnull(next_try_at, 0) AS at FROM deliveries INDEXED BY due WHERE state = 'waiting' AND is_blocked = 0 AND ifnull(next_try_at, 0) > ?
         ORDER BY ifnull(next_try_at, 0) LIMIT 1`,
        now,
      )
      .toArray();
    return row?.at ?? null;
  }

  /** One that may be tried now; null where it waits no longer, or not yet. */
  findDue(sequence: number, now: number): Waiting | null {
    const [row] = this.#sql
      .exec<{ sequence: number; eventId: string; type: string; payload: string; line: string | null }>(
        `SELECT sequence, event_id AS eventId, type, payload, line FROM deliveries
         WHERE sequence = ? AND state = 'waiting' AND is_blocked = 0 AND ifnull(next_try_at, 0) <= ?`,
        sequence,
        now,
      )
      .toArray();
    return row ?? null;
  }

  /** One that was tried; null where the log has none of it. */
  findTried(sequence: number): Tried | null {
    const [row] = this.#sql
      .exec<{ sequence: number; line: string | null; tries: number; firstTriedAt: number | null }>(
        'SELECT sequence, line, tries, first_tried_at AS firstTriedAt FROM deliveries WHERE sequence = ?',
        sequence,
      )
      .toArray();
    return row ?? null;
  }

  /** The first of a line; null where none waits in it. */
  headOf(line: string): number | null {
    return this.#sql
      .exec<{ sequence: number | null }>(
        `SELECT min(sequence) AS sequence FROM deliveries INDEXED BY in_line WHERE state = 'waiting' AND line = ? AND line IS NOT NULL`,
        line,
      )
      .one().sequence;
  }

  /** When what waits and was not taken was first tried; null where nothing fails. */
  failingSince(): number | null {
    return this.#sql
      .exec<{ at: number | null }>(
        `SELECT min(first_tried_at) AS at FROM deliveries INDEXED BY tried WHERE state = 'waiting' AND first_tried_at IS NOT NULL`,
      )
      .one().at;
  }

  /** Notes a try that was taken. What was skipped meanwhile stays skipped. */
  recordTaken(message: Tried, attempt: EndedAttempt): void {
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
    else this.#release(message.line, ended.bytes);
  }

  /** Notes a try that was not taken, and when the next one is due. @returns whether it waits still: it may have been skipped meanwhile */
  recordRefused(message: Tried, attempt: EndedAttempt, nextTryAt: number): boolean {
    this.#insertAttempt(message.sequence, message.tries + 1, attempt);
    return this.#countTry(message, attempt, nextTryAt) === 'waiting';
  }

  /** @returns its state */
  #countTry({ sequence, tries }: Tried, attempt: EndedAttempt, nextTryAt: number | null): string | null {
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

  /** One is given up, with all of its line. */
  buryLine({ sequence, line }: Tried, reason: DisabledReason, now: number): void {
    const [condition, value] = line === null ? ['sequence = ?', sequence] : ['line = ?', line];
    const ended = this.#sql
      .exec<{ bytes: number }>(
        `UPDATE deliveries SET state = 'dead', reason = ?, next_try_at = NULL, ended_at = ? WHERE state = 'waiting' AND ${condition} RETURNING bytes`,
        reason,
        now,
        value ?? null,
      )
      .toArray();
    for (const { bytes } of ended) this.#release(line, bytes);
  }

  /** What waits is due at once, where it was tried so often at most. */
  hasten(triesMax: number): void {
    this.#sql.exec(
      `UPDATE deliveries SET next_try_at = NULL WHERE state = 'waiting' AND next_try_at IS NOT NULL AND tries <= ?`,
      triesMax,
    );
  }

  /** Whether this very try is noted. */
  hasAttempt({ sequence, tries }: Tried, { at, durationMs }: EndedAttempt): boolean {
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

  /** @returns false where it waits no longer, null where there is none */
  skip(id: string, now: number): boolean | null {
    const [row] = this.#sql
      .exec<{ sequence: number; line: string | null }>('SELECT sequence, line FROM deliveries WHERE id = ?', id)
      .toArray();
    if (row === undefined) return null;
    const [ended] = this.#sql
      .exec<{ bytes: number }>(
        `UPDATE deliveries SET state = 'skipped', next_try_at = NULL, ended_at = ? WHERE sequence = ? AND state = 'waiting' RETURNING bytes`,
        now,
        row.sequence,
      )
      .toArray();
    if (ended !== undefined) this.#release(row.line, ended.bytes);
    return ended !== undefined;
  }

  /** @param as id of the new delivery; one that is there already is not made again */
  replay(id: string, as: string, now: number): ReplayOutcome {
    if (this.#sql.exec('SELECT 1 FROM deliveries WHERE id = ?', as).toArray().length > 0) return 'queued';
    const [row] = this.#sql
      .exec<{ event_id: string; type: string; payload: string; bytes: number; line: string | null }>(
        'SELECT event_id, type, payload, bytes, line FROM deliveries WHERE id = ?',
        id,
      )
      .toArray();
    if (row === undefined) return 'not_found';
    if (this.#hasNoRoomFor([row])) return 'full';
    const { type, payload, line } = row;
    this.#insert({ eventId: row.event_id, type, payload, line }, { id: as, replayOf: id, state: 'waiting', now });
    return 'queued';
  }

  /** First deliveries of events that were made in a range and do not wait; tests are none. */
  replayRange({ from, to, after }: ReplayRange, now: number): RangeReplay {
    const rows = this.#sql
      .exec<{
        sequence: number;
        id: string;
        event_id: string;
        type: string;
        payload: string;
        bytes: number;
        line: string | null;
      }>(
        `SELECT sequence, id, event_id, type, payload, bytes, line FROM deliveries WHERE created_at >= ? AND created_at < ? AND sequence > ?
           AND replay_of IS NULL AND state <> 'waiting' AND type <> ? ORDER BY sequence LIMIT ?`,
        from,
        to,
        after,
        TEST_TYPE,
        MESSAGES_PER_CALL_MAX,
      )
      .toArray();
    if (rows.length > 0 && this.#hasNoRoomFor(rows)) return { type: 'full', replayed: 0, next: after };
    this.#storage.transactionSync(() => {
      for (const { id, event_id: eventId, type, payload, line } of rows)
        this.#insert({ eventId, type, payload, line }, { id: uuidv7(), replayOf: id, state: 'waiting', now });
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
    { eventId, type, payload, line }: WebhookMessage,
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
        `INSERT INTO deliveries (id, event_id, type, replay_of, payload, bytes, state, created_at, line, is_blocked)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (event_id) WHERE replay_of IS NULL DO NOTHING RETURNING sequence`,
        id,
        eventId,
        type,
        replayOf,
        payload,
        bytes,
        state,
        now,
        line,
        line !== null && this.headOf(line) !== null ? 1 : 0,
      )
      .toArray();
    if (inserted.length === 0 || state !== 'waiting') return;
    this.#waiting += 1;
    this.#waitingBytes += bytes;
  }

  /** One waits no longer: what comes next in its line may be tried. */
  #release(line: string | null, bytes: number): void {
    this.#waiting -= 1;
    this.#waitingBytes -= bytes;
    const head = line === null ? null : this.headOf(line);
    if (head !== null)
      this.#sql.exec('UPDATE deliveries SET is_blocked = 0 WHERE sequence = ? AND is_blocked = 1', head);
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
