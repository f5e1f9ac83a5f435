import { useMantineColorScheme } from '@mantine/core';
import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo, useState } from 'react';
import { callConsole } from '../api/client.ts';
import { whenForgotten } from './forget.ts';
import { changedWire, keptByDevice, known, merged, type Preferences, type Wire } from './preferences-wire.ts';

interface Kept {
  readonly preferences: Preferences;
  change(changed: Partial<Preferences>): void;
  /** Reads what the server keeps, once there is a session. */
  load(): Promise<void>;
  /** Leaves nothing of this person to whoever signs in next. */
  forget(): void;
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
    document.documentElement.dataset.density = preferences.density;
    setColorScheme(preferences.theme);
    localStorage.setItem(LOCAL, JSON.stringify(keptByDevice(preferences)));
  }, [preferences, setColorScheme]);

  const load = useCallback(async () => {
    const wire = await readServer();
    if (wire !== null) setPreferences((before) => ({ ...before, ...known(wire) }));
  }, []);

  const change = useCallback((changed: Partial<Preferences>) => {
    setPreferences((before) => merged(before, changed));
    void writeServer(changed);
  }, []);

  const forget = useCallback(() => setPreferences(readLocal), []);
  useEffect(() => whenForgotten(forget), [forget]);

  const kept = useMemo(() => ({ preferences, change, load, forget }), [preferences, change, load, forget]);
  return <PreferencesContext value={kept}>{children}</PreferencesContext>;
}

function readLocal(): Preferences {
  const first: Preferences = {
    language: navigator.language.startsWith('de') ? 'de' : 'en',
    theme: 'auto',
    watchlist: [],
    density: 'comfortable',
    columns: {},
    singleKeys: true,
    tradingKeys: false,
  };
  try {
    const { language, theme } = JSON.parse(localStorage.getItem(LOCAL) ?? '{}') as Record<string, unknown>;
    return { ...first, ...known({ locale: language, theme }) };
  } catch {
    return first;
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
async function writeServer(changed: Partial<Preferences>): Promise<void> {
  const before = await readServer();
  if (before === null) return;
  const request = new Request(URL_OF_PREFERENCES, {
    method: 'PUT',
    body: JSON.stringify(changedWire(before, changed)),
    headers: { 'content-type': 'application/json' },
  });
  await callConsole(request).catch(() => {});
}
