import { DAY_MS, MINUTE_MS } from '../../calendar/durations.ts';
import { heldAt, type NeedsNoNotice, type Stated } from './notice.ts';

/** For how long a signer has to have seen a change, by its own clock, before it goes by it: it looks every hour. */
export const SEEN_BEFORE_MS = 2 * DAY_MS;
/** Former versions that are kept: at the most one in two days comes. */
export const VERSIONS_MAX = 64;
/** For how long funds of what was replaced may be under way, or lie there yet. */
export const FORMER_MS = 90 * DAY_MS;
/** How far clocks may be apart. */
const CLOCKS_APART_MS = MINUTE_MS;

/** What a signer goes by for transfers that begin from a time on, until the next. All times are Unix ms. */
export interface KeptVersion<Value> {
  readonly value: Value;
  /** Transfers that begin from then on. None that began before the signer has seen it. */
  readonly from: number;
  /** When the signer has seen it for long enough to go by it. */
  readonly countsFrom: number;
}

/**
 * What a signer keeps after it has seen what is stated. A change counts when it is stated to, and not before the signer has seen it for a while, whatever is stated: who writes the statements
 * cannot hurry it. One that is gone before it counts never was.
 *
 * @param kept oldest first; empty for nothing yet
 */
export function keepStated<Value>(
  kept: readonly KeptVersion<Value>[],
  stated: Stated<Value>,
  now: number,
  needsNoNotice: NeedsNoNotice<Value>,
): readonly KeptVersion<Value>[] {
  const former = counting(kept, now);
  const last = former.at(-1);
  const known = (value: Value) => kept.find((of) => of.countsFrom > now && needsNoNotice(of.value, value));
  const waiting = (value: Value, from: number): KeptVersion<Value> => {
    return { value, from, countsFrom: Math.max(from, known(value)?.countsFrom ?? now + SEEN_BEFORE_MS) };
  };
  const held = heldAt(stated, now);
  const first = held === null ? [waiting(stated.value, stated.from)] : [];
  const isLater = stated.next !== null && stated.next.from > now;
  const later = isLater ? [...first, waiting(stated.next.value, stated.next.from)] : first;
  if (held === null) return [...former, ...later];
  if (last !== undefined && needsNoNotice(last.value, held))
    return [...former.slice(0, -1), { ...last, value: held }, ...later];
  return [...former, waiting(held, Math.min(known(held)?.from ?? now, now)), ...later];
}

/** What a signer goes by already: all that it keeps of what is stated no more. */
export function counting<Value>(kept: readonly KeptVersion<Value>[], now: number): readonly KeptVersion<Value>[] {
  return kept.filter(({ countsFrom }) => countsFrom <= now).slice(-VERSIONS_MAX);
}

/** What a signer keeps that has seen no funds yet: what is stated, as it is. */
export function keepFirst<Value>({ value, from, next }: Stated<Value>): readonly KeptVersion<Value>[] {
  const first = { value, from, countsFrom: from };
  return next === null ? [first] : [first, { ...next, countsFrom: next.from }];
}

/**
 * What holds for a transfer that began at a time.
 *
 * @param begunAt Unix ms, as its id says
 * @throws Error where it would begin later, nothing is known to have held then, or it was changed without notice
 */
export function keptAt<Value>(kept: readonly KeptVersion<Value>[], begunAt: number, now: number): Value {
  if (!(begunAt <= now + CLOCKS_APART_MS)) throw new Error('the transfer begins later');
  const version = kept.findLast(({ from }) => from <= begunAt);
  if (version === undefined) throw new Error('nothing is known to have held when the transfer began');
  if (version.countsFrom > Math.max(now, begunAt)) throw new Error('places were changed without notice');
  return version.value;
}

/** Whether what held for a transfer that began at a time was replaced so long ago that nothing of then is under way any more: whoever names that time since goes by what holds no more. */
export function isOutlived(kept: readonly KeptVersion<unknown>[], begunAt: number, now: number): boolean {
  return kept.some(({ from, countsFrom }) => from > begunAt && countsFrom <= now - FORMER_MS);
}

/** What counts now, what is to, and what was replaced of late: its funds may lie there yet, so nothing else is paid from there. */
export function standing<Value>(kept: readonly KeptVersion<Value>[], now: number): Value[] {
  return kept.filter((_, index) => (kept[index + 1]?.countsFrom ?? now) > now - FORMER_MS).map(({ value }) => value);
}
