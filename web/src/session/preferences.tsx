import { useMantineColorScheme } from '@mantine/core';
import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo, useState } from 'react';
import { callConsole } from '../api/client.ts';
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

interface Wire {
  readonly locale?: unknown;
  readonly time_zone?: unknown;
  readonly theme?: unknown;
  readonly watchlist?: unknown;
  readonly version?: number;
}

interface Kept {
  readonly preferences: Preferences;
  change(changed: Partial<Preferences>): void;
  /** Reads what the server keeps, once there is a session. */
  load(): Promise<void>;
}

const URL_OF_PREFERENCES = '/console/v1/preferences';
const LOCAL = 'preferences';

const PreferencesContext = createContext<Kept | null>(null);

export function usePreferences(): Kept {
  const kept = useContext(PreferencesContext);
  if (kept === null) throw new Error('there is no PreferencesProvider');
  return kept;
}

/** Kept in the browser, so that the first picture is right, and by the server, so that every device has them. */
export function PreferencesProvider({ children }: { readonly children: ReactNode }) {
  const [preferences, setPreferences] = useState(readLocal);
  // Pausing transitions would take a style tag.
  const { setColorScheme } = useMantineColorScheme({ keepTransitions: true });

  useEffect(() => {
    document.documentElement.lang = preferences.language;
    setColorScheme(preferences.theme);
    localStorage.setItem(LOCAL, JSON.stringify(preferences));
  }, [preferences, setColorScheme]);

  const load = useCallback(async () => {
    const wire = await readServer();
    if (wire !== null) setPreferences((before) => ({ ...before, ...known(wire) }));
  }, []);

  const change = useCallback((changed: Partial<Preferences>) => {
    setPreferences((before) => {
      const after = { ...before, ...changed };
      void writeServer(after);
      return after;
    });
  }, []);

  const kept = useMemo(() => ({ preferences, change, load }), [preferences, change, load]);
  return <PreferencesContext value={kept}>{children}</PreferencesContext>;
}

function readLocal(): Preferences {
  const first: Preferences = {
    language: navigator.language.startsWith('de') ? 'de' : 'en',
    theme: 'auto',
    watchlist: [],
  };
  try {
    const { language, theme, timeZone, watchlist } = JSON.parse(localStorage.getItem(LOCAL) ?? '{}') as Record<
      string,
      unknown
    >;
    return { ...first, ...known({ locale: language, theme, time_zone: timeZone, watchlist }) };
  } catch {
    return first;
  }
}

function known({ locale, theme, time_zone, watchlist }: Wire): Partial<Preferences> {
  return {
    ...(isLanguage(locale) && { language: locale }),
    ...((theme === 'light' || theme === 'dark') && { theme }),
    ...((theme === 'system' || theme === 'auto') && { theme: 'auto' as const }),
    ...(typeof time_zone === 'string' && isTimeZone(time_zone) && { timeZone: time_zone }),
    ...(Array.isArray(watchlist) && { watchlist: watchlist.filter((id) => typeof id === 'string') }),
  };
}

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

async function readServer(): Promise<Wire | null> {
  try {
    return (await (await callConsole(new Request(URL_OF_PREFERENCES))).json()) as Wire;
  } catch {
    return null;
  }
}

/** Compared and set: what another tab has changed meanwhile is read first, and stays but for what is changed here. */
async function writeServer({ language, theme, timeZone, watchlist }: Preferences): Promise<void> {
  const before = await readServer();
  if (before === null) return;
  const body = JSON.stringify({
    ...before,
    locale: language,
    theme: theme === 'auto' ? 'system' : theme,
    watchlist,
    ...(timeZone !== undefined && { time_zone: timeZone }),
  });
  const request = new Request(URL_OF_PREFERENCES, {
    method: 'PUT',
    body,
    headers: { 'content-type': 'application/json' },
  });
  await callConsole(request).catch(() => {});
}
