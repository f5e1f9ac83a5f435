import { addDays, type CalendarDate } from '../../calendar/calendar-date.ts';
import { newYorkDate, newYorkTime } from '../../calendar/new-york-time.ts';
import { isNyseTradingDay, nextNyseTradingDay } from '../../calendar/nyse-calendar.ts';

const NOON_MINUTES = 12 * 60;
const DUE_AFTER_DAYS = 3;
/** Of the routine items that are received in a month, 17 CFR 240.17Ad-2(a). */
const TURNAROUND_PERCENT_MIN = 90;

/**
 * When an item has to be turned around (17 CFR 240.17Ad-2(a)): within three business days. What comes in after noon in New York, or on no business day, counts
 * as of noon of the next business day; business days are those of the New York Stock Exchange. Unix ms.
 */
export function turnaroundDue(receivedAt: number): number {
  const day = newYorkDate(receivedAt);
  const isInTime = isNyseTradingDay(day) && receivedAt <= newYorkTime(day, NOON_MINUTES);
  let due = isInTime ? day : nextNyseTradingDay(day);
  for (let days = 0; days < DUE_AFTER_DAYS; days++) due = nextNyseTradingDay(due);
  return newYorkTime(due, NOON_MINUTES);
}

/** Business days and weekends that lie between an item and its due time, at most. */
const LOOKED_BACK_DAYS = 20;

/** The latest moment of which an item that was received then is due by a moment. Unix ms. */
export function receivedForDue(dueBy: number): number {
  let day = newYorkDate(dueBy);
  for (let days = 0; days < LOOKED_BACK_DAYS; days++) {
    const noon = newYorkTime(day, NOON_MINUTES);
    if (isNyseTradingDay(day) && turnaroundDue(noon) <= dueBy) return noon;
    day = addDays(day, -1);
  }
  throw new RangeError('no business day in weeks');
}

/** An instruction as an item for transfer. Unix ms. */
export interface ReceivedItem {
  readonly receivedAt: number;
  /** When it was recorded, or returned with a reason; null while it waits. */
  readonly turnedAroundAt: number | null;
}

/** Items by the month, in New York, in which they were received. */
export interface TurnaroundMonth {
  /** YYYY-MM */
  readonly month: string;
  readonly received: number;
  readonly inTime: number;
  readonly late: number;
  /** Not turned around, and not late yet. */
  readonly open: number;
  /** At least 90 percent of what was received, and is not open, in time. */
  readonly isCompliant: boolean;
}

/** Adds up items month by month, as they come. */
export class TurnaroundTally {
  readonly #months = new Map<string, { received: number; inTime: number; late: number; open: number }>();

  /** @param now until which an item may still be in time */
  add({ receivedAt, turnedAroundAt }: ReceivedItem, now: number): void {
    const key = monthOf(newYorkDate(receivedAt));
    const month = this.#months.get(key) ?? { received: 0, inTime: 0, late: 0, open: 0 };
    const due = turnaroundDue(receivedAt);
    month.received += 1;
    if (turnedAroundAt === null && now <= due) month.open += 1;
    else if (turnedAroundAt !== null && turnedAroundAt <= due) month.inTime += 1;
    else month.late += 1;
    this.#months.set(key, month);
  }

  /** In order. */
  months(): TurnaroundMonth[] {
    return [...this.#months]
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([month, counts]) => {
        const decided = counts.inTime + counts.late;
        return { month, ...counts, isCompliant: counts.inTime * 100 >= decided * TURNAROUND_PERCENT_MIN };
      });
  }
}

function monthOf(day: CalendarDate): string {
  return new Date(day).toISOString().slice(0, 7);
}
