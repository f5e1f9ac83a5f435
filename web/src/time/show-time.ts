/** Of our API: ISO text, or Unix milliseconds as the text of a number, or as a feed's number. */
export type ApiTime = string | number;

export function readTime(time: ApiTime): Date {
  if (typeof time === 'number') return new Date(time);
  return /^\d+$/.test(time) ? new Date(Number(time)) : new Date(time);
}

export interface Clock {
  readonly locale: string;
  /** Undefined for the device's. */
  readonly timeZone: string | undefined;
}

/** `24 Nov, 14:32:08`, with the year where it is another. */
export function showDateTime(time: ApiTime, { locale, timeZone }: Clock, now = Date.now()): string {
  const date = readTime(time);
  const isThisYear = date.getUTCFullYear() === new Date(now).getUTCFullYear();
  return new Intl.DateTimeFormat(locale, {
    day: 'numeric',
    month: 'short',
    ...(!isThisYear && { year: 'numeric' }),
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
    ...(timeZone !== undefined && { timeZone }),
  }).format(date);
}

export function showTime(time: ApiTime, { locale, timeZone }: Clock): string {
  return new Intl.DateTimeFormat(locale, {
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
    ...(timeZone !== undefined && { timeZone }),
  }).format(readTime(time));
}

export function showDate(time: ApiTime, { locale, timeZone }: Clock): string {
  return new Intl.DateTimeFormat(locale, {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    ...(timeZone !== undefined && { timeZone }),
  }).format(readTime(time));
}

/** Whole days from `from` to `to`; 0 where it lies behind. */
export function daysBetween(from: number, to: number): number {
  return Math.max(0, Math.floor((to - from) / 86_400_000));
}
