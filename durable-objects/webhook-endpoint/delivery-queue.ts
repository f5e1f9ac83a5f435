import { uuidv7 } from 'uuidv7';
import type { DisabledReason } from '../../domain/webhooks/attempt.ts';
import type { DeliveryState } from '../../domain/webhooks/delivery-state.ts';
import {
  type DeadReplayOutcome,
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
import { DeliveryLog } from './delivery-log.ts';

/** Rows of one statement that inserts: it takes 100 values. */
const INSERTED_AT_ONCE = 10;

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
  readonly isWaiting: boolean;
}

/** A try that was taken. */
export interface Taken {
  readonly message: Tried;
  readonly attempt: EndedAttempt;
}

/** A row that is inserted. */
interface NewDelivery {
  readonly message: WebhookMessage;
  readonly id: string;
  readonly replayOf: string | null;
}

const utf8 = new TextEncoder();

const ORDERS = {
  longest_due: { index: 'due', order: 'ifnull(next_try_at, 0), sequence' },
  oldest: { index: 'waiting', order: 'sequence' },
  newest: { index: 'waiting', order: 'sequence DESC' },
} as const;

/** What waits at an endpoint: a state of the rows of its log. Changes are synchronous. */
export class DeliveryQueue {
  readonly #storage: DurableObjectStorage;
  readonly #sql: SqlStorage;
  #waiting: number;
  #waitingBytes: number;
  /** Whether something may wait for a time to come. */
  #mayBeLater = true;
  readonly log: DeliveryLog;

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
    this.#sql = storage.sql;
    this.log = new DeliveryLog(storage);
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
    this.#storage.transactionSync(() =>
      this.#insertAll(
        messages.map((message) => ({ message, id: uuidv7(), replayOf: null })),
        now,
      ),
    );
  }

  /** A delivery beside the queue, that has ended with its one try. */
  recordTest(message: EventBody, attempt: EndedAttempt): DeliveryWithAttempts {
    const id = uuidv7();
    const state = attempt.error === null ? 'delivered' : 'dead';
    this.#storage.transactionSync(() => {
      this.#insert([{ message: { ...message, line: null }, id, replayOf: null }], state, attempt.at);
      this.#sql.exec(
        'UPDATE deliveries SET tries = 1, first_tried_at = ?, ended_at = ?, reason = ? WHERE id = ?',
        attempt.at,
        attempt.at + attempt.durationMs,
        attempt.error === null ? null : 'test_failed',
        id,
      );
      this.log.insertAttempt(this.#sequenceOf(id), 1, attempt);
    });
    const kept = this.log.find(id);
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
    if (!this.#mayBeLater) return null;
    const at = this.#nextTryAfter(now);
    if (at === null) this.#mayBeLater = this.#nextTryAfter(0) !== null;
    return at;
  }

  #nextTryAfter(now: number): number | null {
    const [row] = this.#sql
      .exec<{ at: number }>(
        `SELECT ifnull(next_try_at, 0) AS at FROM deliveries INDEXED BY due WHERE state = 'waiting' AND is_blocked = 0 AND ifnull(next_try_at, 0) > ?
         ORDER BY ifnull(next_try_at, 0) LIMIT 1`,
        now,
      )
      .toArray();
    return row?.at ?? null;
  }

  /** Those of these that may be tried now, read one by one; the others wait no longer, or not yet. */
  findDue(sequences: readonly number[], now: number): Iterable<Waiting> {
    return this.#sql.exec<{ sequence: number; eventId: string; type: string; payload: string; line: string | null }>(
      `SELECT sequence, event_id AS eventId, deliveries.type, payload, line FROM json_each(?) CROSS JOIN deliveries ON sequence = value
       WHERE state = 'waiting' AND is_blocked = 0 AND ifnull(next_try_at, 0) <= ?`,
      JSON.stringify(sequences),
      now,
    );
  }

  /** Those of these of which the log has something, by sequence. */
  findTried(sequences: readonly number[]): ReadonlyMap<number, Tried> {
    const rows = this.#sql
      .exec<{ sequence: number; line: string | null; tries: number; firstTriedAt: number | null; state: string }>(
        `SELECT sequence, line, tries, first_tried_at AS firstTriedAt, state FROM json_each(?) CROSS JOIN deliveries ON sequence = value`,
        JSON.stringify(sequences),
      )
      .toArray();
    return new Map(
      rows.map(({ sequence, line, tries, firstTriedAt, state }) => [
        sequence,
        { sequence, line, tries, firstTriedAt, isWaiting: state === 'waiting' },
      ]),
    );
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

  /** Notes tries that were taken. What was skipped meanwhile stays skipped. */
  recordTaken(taken: readonly Taken[]): void {
    // Nearly all are the first try of a message that stands in no line: these are noted together.
    const isPlain = ({ message: { tries, line, isWaiting } }: Taken) => tries === 0 && line === null && isWaiting;
    this.#recordPlain(taken.filter(isPlain));
    for (const { message, attempt } of taken.filter((each) => !isPlain(each))) this.#recordOne(message, attempt);
  }

  #recordPlain(taken: readonly Taken[]): void {
    if (taken.length === 0) return;
    this.log.insertAttempts(taken.map(({ message: { sequence }, attempt }) => ({ sequence, number: 1, attempt })));
    const ended = this.#sql
      .exec<{ bytes: number }>(
        `UPDATE deliveries SET tries = 1, first_tried_at = value ->> 1, next_try_at = NULL, state = 'delivered', ended_at = value ->> 2
         FROM json_each(?) WHERE sequence = value ->> 0 AND state = 'waiting' RETURNING bytes`,
        JSON.stringify(
          taken.map(({ message: { sequence }, attempt: { at, durationMs } }) => [sequence, at, at + durationMs]),
        ),
      )
      .toArray();
    for (const { bytes } of ended) this.#release(null, bytes);
  }

  #recordOne(message: Tried, attempt: EndedAttempt): void {
    this.log.insertAttempt(message.sequence, message.tries + 1, attempt);
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
    this.log.insertAttempt(message.sequence, message.tries + 1, attempt);
    this.#mayBeLater = true;
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
    this.#insertAll([{ message: { eventId: row.event_id, type, payload, line }, id: as, replayOf: id }], now);
    return 'queued';
  }

  /** One that was given up, while its event neither waits nor was taken as another delivery. @param as as for `replay` */
  replayDead(id: string, as: string, now: number): DeadReplayOutcome {
    const dead = this.log.find(as) === null ? this.log.find(id) : null;
    if (dead !== null && (dead.state !== 'dead' || dead.sentAgain !== null)) return 'not_dead';
    return this.replay(id, as, now);
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
    this.#storage.transactionSync(() =>
      this.#insertAll(
        rows.map(({ id, event_id: eventId, type, payload, line }) => ({
          message: { eventId, type, payload, line },
          id: uuidv7(),
          replayOf: id,
        })),
        now,
      ),
    );
    const last = rows.at(-1);
    const isDone = last === undefined || rows.length < MESSAGES_PER_CALL_MAX;
    return { type: 'queued', replayed: rows.length, next: isDone ? null : last.sequence };
  }

  #hasNoRoomFor(replays: readonly { readonly bytes: number }[]): boolean {
    const bytes = replays.reduce((sum, replay) => sum + replay.bytes, 0);
    return (
      this.#waiting + replays.length > WAITING_WITH_REPLAYS_MAX ||
      this.#waitingBytes + bytes > WAITING_BYTES_WITH_REPLAYS_MAX
    );
  }

  /** In this order, as waiting. Whether one is blocked follows from those before it in its line: such ones are inserted one by one. */
  #insertAll(deliveries: readonly NewDelivery[], now: number): void {
    let together: NewDelivery[] = [];
    for (const delivery of deliveries) {
      const isInLine = delivery.message.line !== null;
      if (together.length === INSERTED_AT_ONCE || (isInLine && together.length > 0)) {
        this.#insert(together, 'waiting', now);
        together = [];
      }
      if (isInLine) this.#insert([delivery], 'waiting', now);
      else together.push(delivery);
    }
    if (together.length > 0) this.#insert(together, 'waiting', now);
  }

  #insert(deliveries: readonly NewDelivery[], state: DeliveryState, now: number): void {
    const rows = deliveries.map(({ message: { eventId, type, payload, line }, id, replayOf }) => {
      const isBlocked = line !== null && this.headOf(line) !== null ? 1 : 0;
      return [id, eventId, type, replayOf, payload, utf8.encode(payload).byteLength, state, now, line, isBlocked];
    });
    const inserted = this.#sql
      .exec<{ bytes: number }>(
        `INSERT INTO deliveries (id, event_id, type, replay_of, payload, bytes, state, created_at, line, is_blocked)
         VALUES ${rows.map(() => '(?, ?, ?, ?, ?, ?, ?, ?, ?, ?)').join(', ')}
         ON CONFLICT (event_id) WHERE replay_of IS NULL DO NOTHING RETURNING bytes`,
        ...rows.flat(),
      )
      .toArray();
    if (state !== 'waiting') return;
    this.#waiting += inserted.length;
    for (const { bytes } of inserted) this.#waitingBytes += bytes;
  }

  /** One waits no longer: what comes next in its line may be tried. */
  #release(line: string | null, bytes: number): void {
    this.#waiting -= 1;
    this.#waitingBytes -= bytes;
    const head = line === null ? null : this.headOf(line);
    if (head !== null)
      this.#sql.exec('UPDATE deliveries SET is_blocked = 0 WHERE sequence = ? AND is_blocked = 1', head);
  }

  #sequenceOf(id: string): number {
    return this.#sql.exec<{ sequence: number }>('SELECT sequence FROM deliveries WHERE id = ?', id).one().sequence;
  }
}
