import { isLanguage, type Language } from '../texts/texts.ts';

export type Theme = 'light' | 'dark' | 'auto';

type Density = 'comfortable' | 'compact';

export interface Preferences {
  readonly language: Language;
  /** Undefined for the device's. */
  readonly timeZone?: string;
  readonly theme: Theme;
  /** Ids of assets. */
  readonly watchlist: readonly string[];
  /** Of the rows of every table. */
  readonly density: Density;
  /** By table, the columns that are left out: what comes new is shown. */
  readonly columns: Readonly<Record<string, readonly string[]>>;
  /** Keys without Ctrl do something: who speaks to their computer, or strikes keys by mistake, turns them off. */
  readonly singleKeys: boolean;
  /** `b` and `s` begin an order wherever the focus is on an asset's page. */
  readonly tradingKeys: boolean;
}

/** As the server keeps them, with what this page does not know. */
export interface Wire {
  readonly locale?: unknown;
  readonly time_zone?: unknown;
  readonly theme?: unknown;
  readonly watchlist?: unknown;
  readonly density?: unknown;
  readonly columns?: unknown;
  readonly single_keys?: unknown;
  readonly trading_keys?: unknown;
  readonly version?: number;
}

/** What is of the device and not of the person: the first picture is right by it, and it may stay for whoever signs in next. */
export function keptByDevice({ language, theme }: Preferences) {
  return { language, theme };
}

export function known(wire: Wire): Partial<Preferences> {
  const { locale, theme, time_zone, watchlist, density, columns, single_keys, trading_keys } = wire;
  return {
    ...(isLanguage(locale) && { language: locale }),
    ...((theme === 'light' || theme === 'dark') && { theme }),
    ...((theme === 'system' || theme === 'auto') && { theme: 'auto' as const }),
    ...(typeof time_zone === 'string' && isTimeZone(time_zone) && { timeZone: time_zone }),
    ...(Array.isArray(watchlist) && { watchlist: textsOf(watchlist) }),
    ...((density === 'comfortable' || density === 'compact') && { density }),
    ...(typeof columns === 'object' && columns !== null && { columns: columnsOf(columns) }),
    ...(typeof single_keys === 'boolean' && { singleKeys: single_keys }),
    ...(typeof trading_keys === 'boolean' && { tradingKeys: trading_keys }),
  };
}

/** What the server keeps, with what was changed here and nothing else. */
export function changedWire(before: Wire, changed: Partial<Preferences>): Wire {
  const { language, theme, timeZone, watchlist, density, columns, singleKeys, tradingKeys } = changed;
  return {
    ...before,
    ...(language !== undefined && { locale: language }),
    ...(theme !== undefined && { theme: theme === 'auto' ? 'system' : theme }),
    ...(watchlist !== undefined && { watchlist }),
    ...(timeZone !== undefined && { time_zone: timeZone }),
    ...(density !== undefined && { density }),
    ...(singleKeys !== undefined && { single_keys: singleKeys }),
    ...(tradingKeys !== undefined && { trading_keys: tradingKeys }),
    ...(columns !== undefined && { columns: { ...columnsOf(before.columns ?? {}), ...columns } }),
  };
}

/** With what was changed; of tables, of those alone. */
export function merged(before: Preferences, changed: Partial<Preferences>): Preferences {
  return { ...before, ...changed, columns: { ...before.columns, ...changed.columns } };
}

function textsOf(values: readonly unknown[]): readonly string[] {
  return values.filter((value) => typeof value === 'string');
}

function columnsOf(columns: object): Preferences['columns'] {
  return Object.fromEntries(
    Object.entries(columns).flatMap(([table, names]) => (Array.isArray(names) ? [[table, textsOf(names)]] : [])),
  );
}

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}
