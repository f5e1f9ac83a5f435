import type { BrokerEventPage, BrokerExecution } from '../../domain/broker/broker-client.ts';
import { timeOf } from './read-values.ts';
import { remember } from './remember.ts';

/** How much of what was read is read again, so that an execution that is entered late is not missed. */
const OVERLAP_MS = 60_000;
/** Cursors of which it is remembered what their holder has. */
const CURSORS_MAX = 1_000;

/** Where the next reading of executions begins: after a time, or in the middle of those after it. Empty is what there is not. */
export interface ReadingCursor {
  readonly after: string;
  readonly pageToken: string;
  /** Time of the last execution that was read. */
  readonly seen: string;
  /** How many executions its holder was told that are read again: with one more, the cursor is another. */
  readonly told: number;
}

/** Of a text that is no cursor null. */
export function readCursor(text: string | null): ReadingCursor | null {
  if (text === null) return { after: '', pageToken: '', seen: '', told: 0 };
  const [after, token, seen, told, ...others] = text.split('|');
  if (after === undefined || token === undefined || seen === undefined || others.length > 0) return null;
  return told === undefined || !/^\d+$/.test(told) ? null : { after, pageToken: token, seen, told: Number(told) };
}

function cursorText({ after, pageToken, seen, told }: ReadingCursor): string {
  return [after, pageToken, seen, told].join('|');
}

/**
 * On through full pages; at their end back to a little before the last execution, never behind where the reading began.
 *
 * @param last time of the last execution that was read
 * @param pageToken of the next page; null at the end
 */
export function nextCursor(
  cursor: ReadingCursor,
  last: unknown,
  pageToken: string | null,
): Omit<ReadingCursor, 'told'> {
  const seen = timeOf(last) === null ? cursor.seen : String(last);
  if (pageToken !== null) return { ...cursor, pageToken, seen };
  const seen_ms = timeOf(seen);
  if (seen_ms === null) return { ...cursor, pageToken: '' };
  const back_ms = Math.max(seen_ms - OVERLAP_MS, timeOf(cursor.after) ?? 0);
  return { after: new Date(back_ms).toISOString(), pageToken: '', seen };
}

/** Leaves out what the holder of a cursor was told: where that is not remembered, all that is read again is told again. */
export class ToldExecutions {
  /** Executions that whoever holds a cursor of a symbol was told and that are read again from there, with their times. */
  readonly #told = new Map<string, ReadonlyMap<string, number>>();

  page(
    symbol: string,
    cursor: ReadingCursor,
    executions: readonly BrokerExecution[],
    next: Omit<ReadingCursor, 'told'>,
  ): BrokerEventPage {
    const more = next.pageToken !== '';
    const key = `${symbol} ${cursorText(cursor)}`;
    const told = this.#told.get(key) ?? new Map<string, number>();
    remember(this.#told, key, told, CURSORS_MAX);
    const after_ms = timeOf(next.after) ?? 0;
    const known = new Map([...told, ...executions.map(({ id, at_ms }) => [id, at_ms] as const)]);
    const readAgain = new Map([...known].filter(([, at_ms]) => more || at_ms >= after_ms));
    const text = cursorText({ ...next, told: readAgain.size });
    remember(this.#told, `${symbol} ${text}`, readAgain, CURSORS_MAX);
    return { events: executions.filter(({ id }) => !told.has(id)), cursor: text, more };
  }
}
