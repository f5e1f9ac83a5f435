import type { CapacityAlert, CountedTime, MovementCounts, Occupancy } from './occupancy.ts';

/** A leaf has 65.536 s, a span of a level above as many of the level below as this has: 70 minutes, three days, 199 days. */
export const LEAF_BITS = 16;
export const LEVEL_BITS = 6;
/** Beyond, spans stand beside one another. */
export const TOP_LEVEL = 3;
/** Level of a movement that stands alone. */
export const MOVEMENT_LEVEL = -1;

/** Before, during and after an event: no span lies in two of them. */
type Phase = 0 | 1 | 2;

/** What the movements of a room come to in a span of time (docs/design/timeline.md#movements-and-spans). */
export interface RoomSpan extends MovementCounts {
  readonly phase: Phase;
  readonly level: number;
  /** Its place among those of its level and phase. */
  readonly span: number;
  /** The most people more than before it that there are in it, and when first; null where no movement counts. */
  readonly high: number | null;
  readonly highAt: number | null;
  readonly low: number | null;
  /** Its first movement that counts, and its last of any kind. */
  readonly changesAt: number | null;
  readonly endsAt: number;
}

/** First instant of the time that a span sums, whatever happened in it. Of a phase before the event it is before the event's date. */
export function spanBegin({ phase, level, span }: RoomSpan, { during }: Pick<CountedTime, 'during'>): number {
  const from = phase === 2 ? during.endDate : during.date;
  return from + span * 2 ** (LEAF_BITS + level * LEVEL_BITS);
}

/** @param spans of one room, in order of time, and nothing later than now */
export function occupancyOfSpans(spans: readonly RoomSpan[], time: CountedTime): Occupancy {
  const counts = countsOfSpans(spans);
  let peak = 0;
  let peakAt: number | null = null;
  for (const { high, highAt } of stretchesOf(spans, time))
    if (high > peak) {
      peak = high;
      peakAt = highAt;
    }
  return { current: counts.entries - counts.exits, peak, peakAt, ...counts };
}

export function countsOfSpans(spans: readonly MovementCounts[]): MovementCounts {
  const sum = { entries: 0, exits: 0, repeatedEntries: 0, repeatedExits: 0 };
  for (const { entries, exits, repeatedEntries, repeatedExits } of spans) {
    sum.entries += entries;
    sum.exits += exits;
    sum.repeatedEntries += repeatedEntries;
    sum.repeatedExits += repeatedExits;
  }
  return sum;
}

/** An alert as far as spans tell it. */
export interface SpanAlert extends CapacityAlert {
  /** Spans that must be looked into before it is certain; then it may be another one, several, or none. */
  readonly unsure: readonly RoomSpan[];
  /** It starts at `startedAt`, or later and up to here. */
  readonly startsBy: number;
}

/** The alerts of a room, each certain or with the spans that hide it. What hides several is one. @param spans as for occupancy */
export function alertsOfSpans(
  spans: readonly RoomSpan[],
  capacity: number | null,
  time: CountedTime,
): readonly SpanAlert[] {
  if (capacity === null) return [];
  const { during, now } = time;
  const found: { alert: Omit<SpanAlert, 'endedAt' | 'unsure'>; until: number | null; unsure: RoomSpan[] }[] = [];
  for (const { high, low, after, from, until, span } of stretchesOf(spans, time)) {
    if (high <= capacity) continue;
    const last = found.at(-1);
    const goesOn = last !== undefined && last.until === from;
    if (low > capacity) {
      if (goesOn) found.pop();
      const occupancy = goesOn ? Math.max(high, last.alert.occupancy) : high;
      const alert = goesOn ? { ...last.alert, occupancy } : { occupancy, startedAt: from, startsBy: from };
      found.push({ alert, until, unsure: goesOn ? last.unsure : [] });
      continue;
    }
    if (span === null) continue; // One count is over or not.
    if (goesOn) last.unsure.push(span);
    const alert = { occupancy: high, startedAt: from, startsBy: span.endsAt };
    found.push({ alert, until: after > capacity ? until : span.endsAt, unsure: [span] });
  }
  const ends = (until: number | null) => {
    if (until !== null && until <= during.endDate) return until;
    return now > during.endDate ? during.endDate : null;
  };
  return found.map(({ alert, until, unsure }) => ({ ...alert, endedAt: ends(until), unsure }));
}

/** People there were during the event, from the first change to the next one that is not of the stretch. */
interface Stretch {
  readonly high: number;
  readonly highAt: number;
  readonly low: number;
  /** How many there are when it is over. */
  readonly after: number;
  readonly from: number;
  /** Null while it lasts. */
  readonly until: number | null;
  /** Null of those who were there when the event began. */
  readonly span: RoomSpan | null;
}

/** Whoever is inside when the event begins counts from then on. */
function stretchesOf(spans: readonly RoomSpan[], { during, now }: CountedTime): Stretch[] {
  const { date } = during;
  if (now < date) return [];
  const changing = spans.filter(({ changesAt }) => changesAt !== null);
  const first = changing.findIndex(({ phase }) => phase > 0);
  const before = first < 0 ? changing : changing.slice(0, first);
  let count = before.reduce((sum, { entries, exits }) => sum + entries - exits, 0);
  const stretches: Stretch[] = [];
  const next = first < 0 ? null : changing[first]!.changesAt;
  if (before.length > 0 && (next === null || next > date))
    stretches.push({ high: count, highAt: date, low: count, after: count, from: date, until: next, span: null });
  for (const [index, span] of changing.entries()) {
    if (span.phase !== 1) continue;
    const { high, highAt, low, changesAt, entries, exits } = span;
    const after = count + entries - exits;
    const until = changing[index + 1]?.changesAt ?? null;
    stretches.push({ high: count + high!, highAt: highAt!, low: count + low!, after, from: changesAt!, until, span });
    count = after;
  }
  return stretches;
}
