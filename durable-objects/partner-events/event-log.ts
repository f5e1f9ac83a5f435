import { DAY_MS, HOUR_MS } from '../../domain/calendar/durations.ts';
import type { EventBody } from '../webhook-endpoint/api.ts';
import type { EventsPage, EventsQuery } from './api.ts';

/** As the log of a webhook: so long, and so many at most. */
const KEPT_MS = 30 * DAY_MS;
const KEPT_MAX = 500_000;
/** Rows that one look at the log deletes. */
const DELETED_MAX = 5_000;
/** Until more of them are deleted. */
const AGAIN_MS = 1_000;
/** Until it is looked again whether there are too many. */
const LOOK_MS_MAX = HOUR_MS;
/** A page ends behind the event with which it is as long. */
const PAGE_CHARACTERS_MAX = 1_000_000;

/** The events of one organization, in its object's SQLite. Changes are synchronous. */
export class EventLog {
  readonly #storage: DurableObjectStorage;
  readonly #sql: SqlStorage;

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
    this.#sql = storage.sql;
    this.#sql.exec(`
      CREATE TABLE IF NOT EXISTS events (sequence INTEGER PRIMARY KEY AUTOINCREMENT, event_id TEXT NOT NULL UNIQUE, type TEXT NOT NULL,
        payload TEXT NOT NULL, told_at INTEGER NOT NULL);
      CREATE INDEX IF NOT EXISTS events_by_type ON events (type, sequence);
    `);
  }

  /** Takes in what it does not have yet, in this order. @returns whether there was any */
  append(messages: readonly EventBody[], now: number): boolean {
    return this.#storage.transactionSync(() => {
      let isNew = false;
      for (const { eventId, type, payload } of messages) {
        const inserted = this.#sql
          .exec(
            'INSERT INTO events (event_id, type, payload, told_at) VALUES (?, ?, ?, ?) ON CONFLICT (event_id) DO NOTHING RETURNING sequence',
            eventId,
            type,
            payload,
            now,
          )
          .toArray();
        isNew ||= inserted.length > 0;
      }
      return isNew;
    });
  }

  /** Null where no event of the id `after` is kept. Reads no more rows than a page has of each type. */
  read({ after, types, limit }: Omit<EventsQuery, 'waitMs'>): EventsPage | null {
    const from = after === null ? 0 : this.#sequenceOf(after);
    if (from === null) return null;
    const sequences = this.#next(from, types, limit + 1);
    const events: EventBody[] = [];
    let characters = 0;
    for (const sequence of sequences.slice(0, limit)) {
      if (characters >= PAGE_CHARACTERS_MAX) break;
      const message = this.#find(sequence);
      characters += message.payload.length;
      events.push(message);
    }
    const hasMore = sequences.length > events.length;
    return { events, hasMore, last: (hasMore ? events.at(-1)?.eventId : this.#last()) ?? null };
  }

  /** Deletes some of what is too old or too much, oldest first; when there is more to delete, or null for never. */
  forget(now: number): number | null {
    const [oldest] = this.#sql
      .exec<{ sequence: number; told_at: number }>('SELECT sequence, told_at FROM events ORDER BY sequence LIMIT 1')
      .toArray();
    if (oldest === undefined) return null;
    const { last } = this.#sql.exec<{ last: number }>('SELECT max(sequence) AS last FROM events').one();
    // The last one stays: whoever has it asks for what comes after it, however long nothing comes. What comes is looked at then.
    if (oldest.sequence === last) return null;
    const isKept = oldest.told_at >= now - KEPT_MS && oldest.sequence > last - KEPT_MAX;
    if (isKept) return Math.min(oldest.told_at + KEPT_MS + 1, now + LOOK_MS_MAX);
    this.#sql.exec(
      `DELETE FROM events WHERE sequence IN (SELECT sequence FROM (SELECT sequence, told_at FROM events ORDER BY sequence LIMIT ?)
         WHERE (told_at < ? OR sequence <= ?) AND sequence < ?)`,
      DELETED_MAX,
      now - KEPT_MS,
      last - KEPT_MAX,
      last,
    );
    return now + AGAIN_MS;
  }

  #next(from: number, types: EventsQuery['types'], count: number): number[] {
    return [...new Set(types)]
      .flatMap((type) =>
        this.#sql
          .exec<{ sequence: number }>(
            'SELECT sequence FROM events WHERE type = ? AND sequence > ? ORDER BY sequence LIMIT ?',
            type,
            from,
            count,
          )
          .toArray(),
      )
      .map(({ sequence }) => sequence)
      .toSorted((one, other) => one - other)
      .slice(0, count);
  }

  #find(sequence: number): EventBody {
    return this.#sql
      .exec<{ eventId: string; type: string; payload: string }>(
        'SELECT event_id AS eventId, type, payload FROM events WHERE sequence = ?',
        sequence,
      )
      .one();
  }

  #last(): string | null {
    const [row] = this.#sql
      .exec<{ eventId: string }>('SELECT event_id AS eventId FROM events ORDER BY sequence DESC LIMIT 1')
      .toArray();
    return row?.eventId ?? null;
  }

  #sequenceOf(eventId: string): number | null {
    const [row] = this.#sql
      .exec<{ sequence: number }>('SELECT sequence FROM events WHERE event_id = ?', eventId)
      .toArray();
    return row?.sequence ?? null;
  }
}
