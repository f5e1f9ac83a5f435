import { isDeepStrictEqual } from 'node:util';
import { DAY_MS } from '../../calendar/durations.ts';

/** How long before it holds a change of places is stated: for so long everybody can see it, and operators can take it back. */
export const PLACE_NOTICE_MS = 3 * DAY_MS;

/** What operators have stated: what holds, and what is to hold in its place. Times are Unix ms, of the first transfers that it holds for. */
export interface Stated<Value> {
  readonly value: Value;
  /** 0 where it holds for all. */
  readonly from: number;
  readonly next: { readonly value: Value; readonly from: number } | null;
}

/** Whether a value may take the place of another without notice. */
export type NeedsNoNotice<Value> = (held: Value, value: Value) => boolean;

/** What holds for a transfer that began at a time; null for nothing yet. */
export function heldAt<Value>({ value, from, next }: Stated<Value>, at: number): Value | null {
  if (next !== null && at >= next.from) return next.value;
  return at >= from ? value : null;
}

/**
 * What stands after a statement: another value holds after its notice, and so does a first one. The one that holds takes back what was to follow. What needs no notice holds at once, and what
 * is to follow still follows.
 *
 * @param stands what was stated before; null for nothing
 */
export function restated<Value>(
  stands: Stated<Value> | null,
  value: Value,
  now: number,
  needsNoNotice: NeedsNoNotice<Value> = isDeepStrictEqual,
): Stated<Value> {
  const first = { value, from: now + PLACE_NOTICE_MS, next: null };
  if (stands === null) return first;
  const held = heldAt(stands, now);
  if (held === null) return needsNoNotice(stands.value, value) ? { ...stands, value } : first;
  const waiting = stands.next !== null && stands.next.from > now ? stands.next : null;
  const from = waiting === stands.next ? stands.from : (stands.next?.from ?? 0);
  if (isDeepStrictEqual(held, value)) return { value, from, next: null };
  if (needsNoNotice(held, value)) return { value, from, next: waiting };
  const isStatedAgain = waiting !== null && needsNoNotice(waiting.value, value);
  return { value: held, from, next: { value, from: isStatedAgain ? waiting.from : now + PLACE_NOTICE_MS } };
}
