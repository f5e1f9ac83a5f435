import { isLanguage, type Language } from '../texts/texts.ts';

export type Theme = 'light' | 'dark' | 'auto';

export interface Preferences {
  readonly language: Language;
  /** Undefined for the device's. */
  readonly timeZone?: string;
  readonly theme: Theme;
  /** Ids of assets. */
  readonly watchlist: readonly string[];
}

/** As the server keeps them, with what this page does not know. */
export interface Wire {
  readonly locale?: unknown;
  readonly time_zone?: unknown;
  readonly theme?: unknown;
  readonly watchlist?: unknown;
  readonly version?: number;
}

/** What is of the device and not of the person: the first picture is right by it, and it may stay for whoever signs in next. */
export function keptByDevice({ language, theme }: Preferences) {
  return { language, theme };
}

export function known({ locale, theme, time_zone, watchlist }: Wire): Partial<Preferences> {
  return {
    ...(isLanguage(locale) && { language: locale }),
    ...((theme === 'light' || theme === 'dark') && { theme }),
    ...((theme === 'system' || theme === 'auto') && { theme: 'auto' as const }),
    ...(typeof time_zone === 'string' && isTimeZone(time_zone) && { timeZone: time_zone }),
    ...(Array.isArray(watchlist) && { watchlist: watchlist.filter((id) => typeof id === 'string') }),
  };
}

/** What the server keeps, with what was changed here and nothing else. */
export function changedWire(before: Wire, { language, theme, timeZone, watchlist }: Partial<Preferences>): Wire {
  return {
    ...before,
    ...(language !== undefined && { locale: language }),
    ...(theme !== undefined && { theme: theme === 'auto' ? 'system' : theme }),
    ...(watchlist !== undefined && { watchlist }),
    ...(timeZone !== undefined && { time_zone: timeZone }),
  };
}

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}
