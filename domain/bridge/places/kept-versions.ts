import { DAY_MS, MINUTE_MS } from '../../calendar/durations.ts';
import { heldAt, type Stated } from './notice.ts';

/** For how long a signer has to have seen a change, by its own clock, before it goes by it: it looks every hour. */
export const SEEN_BEFORE_MS = 2 * DAY_MS;
/** For how long transfers that began before a change are carried on by what held then. */
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
 * What a signer keeps after it has seen what is stated. What it sees first counts at once. A change counts when it is stated to, and not before the signer has seen it for a while, whatever
 * is stated: who writes the statements cannot hurry it. One that is gone before it counts never was.
 *
 * @param kept oldest first; empty for nothing yet
 * @param isSame whether a value may take the place of another without notice
 */
export function keepStated<Value>(
  kept: readonly KeptVersion<Value>[],
  stated: Stated<Value>,
  now: number,
  isSame: (one: Value, other: Value) => boolean,
): readonly KeptVersion<Value>[] {
  const { next } = stated;
  const counting = kept.filter(({ countsFrom }) => countsFrom <= now);
  const last = counting.at(-1);
  if (last === undefined) {
    const first = { value: stated.value, from: 0, countsFrom: 0 };
    return next === null ? [first] : [first, { ...next, countsFrom: next.from }];
  }
  const known = (value: Value) => kept.find((of) => of.countsFrom > now && isSame(of.value, value));
  const waiting = (value: Value, from: number): KeptVersion<Value> => {
    return { value, from, countsFrom: Math.max(from, known(value)?.countsFrom ?? now + SEEN_BEFORE_MS) };
  };
  const lasting = counting.filter((_, index) => (counting[index + 1]?.from ?? now) > now - FORMER_MS);
  const held = heldAt(stated, now);
  const isLater = next !== null && next.from > now && !isSame(next.value, held);
  const later = isLater ? [waiting(next.value, next.from)] : [];
  if (isSame(last.value, held)) return [...lasting.slice(0, -1), { ...last, value: held }, ...later];
  return [...lasting, waiting(held, Math.min(known(held)?.from ?? now, now)), ...later];
}

/**
 * What holds for a transfer that began at a time.
 *
 * @param begunAt Unix ms, as its id says
 * @throws Error where it would begin later, or began by what held too long ago, or was changed without notice
 */
export function keptAt<Value>(kept: readonly KeptVersion<Value>[], begunAt: number, now: number): Value {
  if (!(begunAt <= now + CLOCKS_APART_MS)) throw new Error('the transfer begins later');
  const version = kept.findLast(({ from }) => from <= begunAt);
  if (version === undefined) throw new Error('what held when the transfer began is kept no more');
  if (version.countsFrom > Math.max(now, begunAt)) throw new Error('places were changed without notice');
  return version.value;
}
