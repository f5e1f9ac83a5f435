import { isDeepStrictEqual } from 'node:util';
import { DAY_MS } from '../../calendar/durations.ts';

/** How long before it holds a change of places is stated: for so long everybody can see it, and operators can take it back. */
export const PLACE_NOTICE_MS = 3 * DAY_MS;

/** What operators have stated: what holds, and what is to hold in its place. */
export interface Stated<Value> {
  readonly value: Value;
  /** `from`: Unix ms of the first transfers that it holds for. */
  readonly next: { readonly value: Value; readonly from: number } | null;
}

/** What holds for a transfer that began at a time, Unix ms. */
export function heldAt<Value>({ value, next }: Stated<Value>, at: number): Value {
  return next !== null && at >= next.from ? next.value : value;
}

/**
 * What stands after a statement: another value holds after its notice, the one that holds takes back what was to follow. What needs no notice holds at once.
 *
 * @param stands what was stated before; null for nothing, or where it was never used
 * @param isSame whether a value may take the place of another without notice
 */
export function restated<Value>(
  stands: Stated<Value> | null,
  value: Value,
  now: number,
  isSame: (one: Value, other: Value) => boolean = isDeepStrictEqual,
): Stated<Value> {
  if (stands === null) return { value, next: null };
  const held = heldAt(stands, now);
  if (isSame(held, value)) return { value, next: null };
  const waiting = stands.next !== null && stands.next.from > now ? stands.next : null;
  const from = waiting !== null && isSame(waiting.value, value) ? waiting.from : now + PLACE_NOTICE_MS;
  return { value: held, next: { value, from } };
}
