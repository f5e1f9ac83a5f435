import { DAY_MS, HOUR_MS, MINUTE_MS } from '../calendar/durations.ts';

/** What a text of ISO 8601 names: a day, or an instant. */
export interface IsoDate {
  readonly names: 'day' | 'instant';
  /** Of a day its beginning, in its zone; Unix milliseconds. */
  readonly at: number;
  /** Milliseconds by which its zone is ahead of UTC; null where it names none, which is taken for UTC. */
  readonly offset: number | null;
}

const CALENDAR = /^(\d{4})-(\d{2})-(\d{2})$|^(\d{4})(\d{2})(\d{2})$/;
const ORDINAL = /^(\d{4})-?(\d{3})$/;
const WEEK = /^(\d{4})-W(\d{2})-([1-7])$|^(\d{4})W(\d{2})([1-7])$/;
const TIME = /^(\d{2})(?::(\d{2})(?::(\d{2}))?)?([.,]\d{1,9})?$|^(\d{2})(\d{2})(\d{2})?([.,]\d{1,9})?$/;
const LEAP_SECOND = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:)60((?:\.\d+)?(?:Z|[+-]\d{2}:\d{2}))$/;
const RFC_3339 = /^\d{4}-\d{2}-\d{2}T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;
const ZONE = /(Z|[+-]\d{2}(?::?\d{2})?)$/;

/**
 * Reads the complete forms of ISO 8601-1:2019, extended and basic: a calendar, ordinal or week date, alone or with a time of day to the hour, minute or
 * second, of which the last may have a fraction, and a zone. Null for anything else, and for a day or time that there is not.
 */
export function isoDateOf(text: string): IsoDate | null {
  const [date = '', time, ...more] = text.toUpperCase().split(/T(?=\d)/);
  if (more.length > 0) return null;
  const day = dayOf(date);
  if (day === null) return null;
  if (time === undefined) return { names: 'day', at: day, offset: null };
  const zone = ZONE.exec(time)?.[0];
  const offset = zone === undefined ? null : offsetOf(zone);
  const ofDay = timeOf(zone === undefined ? time : time.slice(0, -zone.length));
  if (ofDay === null || Number.isNaN(offset)) return null;
  const at = day + ofDay - (offset ?? 0);
  return isLeapSecond(time) && !beginsMonth(at) ? null : { names: 'instant', at, offset };
}

/** Beginning of the day in UTC. */
function dayOf(text: string): number | null {
  const [year = 0, month = 0, day = 0] = numbersOf(CALENDAR, text);
  if (day > 0) {
    const at = utcDay(year, month - 1, day);
    return new Date(at).getUTCMonth() === month - 1 ? yearIsThere(year, at) : null;
  }
  const [ordinalYear = 0, ordinal = 0] = numbersOf(ORDINAL, text);
  if (ordinal > 0) {
    const at = utcDay(ordinalYear, 0, ordinal);
    return new Date(at).getUTCFullYear() === ordinalYear ? yearIsThere(ordinalYear, at) : null;
  }
  const [weekYear = 0, week = 0, weekday = 0] = numbersOf(WEEK, text);
  if (week === 0 || week > 53) return null;
  // The fourth of January lies in the first week, which begins on a Monday.
  const fourth = utcDay(weekYear, 0, 4);
  const monday = fourth - ((new Date(fourth).getUTCDay() + 6) % 7) * DAY_MS;
  const at = monday + ((week - 1) * 7 + weekday - 1) * DAY_MS;
  const thursday = new Date(at + (4 - weekday) * DAY_MS);
  return thursday.getUTCFullYear() === weekYear ? yearIsThere(weekYear, at) : null;
}

/** `Date.UTC` takes the first hundred years for those of the twentieth century. */
function utcDay(year: number, month: number, day: number): number {
  return new Date(0).setUTCFullYear(year, month, day);
}

/** Calendars of events have no year 0. */
function yearIsThere(year: number, at: number): number | null {
  return year > 0 ? at : null;
}

/**
 * An instant of RFC 3339 as Unix milliseconds, null for what is none. A leap second, which Unix time does not have, is the first second of the month that
 * follows.
 */
export function instantOf(text: string): number | null {
  const [, before = '', after = ''] = LEAP_SECOND.exec(text) ?? [];
  if (before === '') return unixTimeOf(text);
  const second = unixTimeOf(`${before}59${after}`);
  return second !== null && beginsMonth(second + 1_000) ? second + 1_000 : null;
}

function unixTimeOf(text: string): number | null {
  return RFC_3339.test(text) && dayOf(text.slice(0, '0000-00-00'.length)) !== null ? Date.parse(text) : null;
}

function isLeapSecond(time: string): boolean {
  return /^\d{2}:?\d{2}:?60/.test(time);
}

/** The last minute of a month in UTC may have a leap second (ITU-R TF.460); which have had one, nobody knows ahead. */
function beginsMonth(at: number): boolean {
  return new Date(at).toISOString().slice(0, -5).endsWith('-01T00:00:00');
}

/** Milliseconds into the day; 24:00 is its end, and a leap second lies behind that. */
function timeOf(text: string): number | null {
  const parts = TIME.exec(text)?.slice(1);
  if (parts === undefined) return null;
  const [hours, minutes, seconds, fraction] = parts[0] === undefined ? parts.slice(4) : parts;
  const unit = seconds === undefined ? (minutes === undefined ? HOUR_MS : MINUTE_MS) : 1_000;
  const whole = Number(hours) * HOUR_MS + Number(minutes ?? 0) * MINUTE_MS + Number(seconds ?? 0) * 1_000;
  const time = whole + Math.floor(Number((fraction ?? '0').replace(',', '.')) * unit);
  const isLeap = seconds === '60' && Number(hours) < 24;
  if (Number(minutes ?? 0) > 59 || (Number(seconds ?? 0) > 59 && !isLeap)) return null;
  return time <= DAY_MS || isLeap ? time : null;
}

function offsetOf(zone: string): number {
  if (zone === 'Z') return 0;
  const hours = Number(zone.slice(1, 3));
  const minutes = Number(zone.slice(3).replace(':', '') || 0);
  if (hours > 23 || minutes > 59) return Number.NaN;
  return (zone.startsWith('-') ? -1 : 1) * (hours * HOUR_MS + minutes * MINUTE_MS);
}

/** What the form of them that fits has captured. */
function numbersOf(form: RegExp, text: string): number[] {
  return (form.exec(text)?.slice(1) ?? []).filter((part) => part !== undefined).map(Number);
}
