import { Link, Outlet } from '@tanstack/react-router';
import { lazy, Suspense, useCallback, useEffect, useState } from 'react';
import { feed, useFeedState } from '../feed/feed.ts';
import { useOwnAccount } from '../feed/use-own-account.ts';
import { PAGES, type PagePath, placesBelow, placesOf } from '../pages.ts';
import { announce, LiveRegions } from '../parts/announce.tsx';
import { Apart } from '../parts/apart.tsx';
import { State } from '../parts/panel.tsx';
import { usePreferences } from '../session/preferences.tsx';
import { useSession } from '../session/session.ts';
import { useWords } from '../texts/words.tsx';
import { KeysHelp } from './keys-help.tsx';
import { Palette } from './palette.tsx';
import { PersonMenu } from './person-menu.tsx';
import { useFocusOfPage } from './use-focus-of-page.ts';
import { useOnline } from './use-online.ts';
import { useShortcuts } from './use-shortcuts.ts';

/** What loads beside the page: nothing of the first picture waits for it. */
const StaySignedIn = lazy(async () => ({
  default: (await import('../session/stay-signed-in.tsx')).StaySignedIn,
}));
const IncidentBar = lazy(async () => ({ default: (await import('../status/incident-bar.tsx')).IncidentBar }));

/** Bar, places and the page of a session. */
export function Frame() {
  const { t } = useWords();
  const [palette, setPalette] = useState(false);
  const [help, setHelp] = useState(false);
  const openPalette = useCallback(() => setPalette(true), []);
  const openHelp = useCallback(() => setHelp(true), []);
  const { load, preferences } = usePreferences();
  useShortcuts({ onPalette: openPalette, onHelp: openHelp, singleKeys: preferences.singleKeys });
  useFocusOfPage();
  useOwnAccount();
  useEffect(() => {
    void load();
    feed.start();
  }, [load]);
  return (
    <>
      <a className="skip" href="#main">
        {t('frame.skip')}
      </a>
      <header className="bar">
        <Brand />
        <Places />
        <div className="bar-end">
          <button type="button" className="find" onClick={openPalette}>
            {t('frame.find')} <kbd>Ctrl K</kbd>
          </button>
          <FeedMark />
          <PersonMenu onHelp={openHelp} onPalette={openPalette} />
        </div>
      </header>
      <Bars />
      <Apart>
        <Suspense fallback={null}>
          <IncidentBar />
        </Suspense>
      </Apart>
      <main id="main" tabIndex={-1}>
        <Outlet />
      </main>
      <Places isBottom />
      <Palette opened={palette} onClose={() => setPalette(false)} />
      <KeysHelp opened={help} onClose={() => setHelp(false)} />
      <Apart>
        <Suspense fallback={null}>
          <StaySignedIn />
        </Suspense>
      </Apart>
      <LiveRegions />
    </>
  );
}

function Brand() {
  const { t } = useWords();
  const session = useSession();
  return (
    <Link to="/" className="brand">
      Edge exchange
      {session?.environment !== 'production' && session !== undefined && (
        <span className="mark">{t('frame.test_data')}</span>
      )}
    </Link>
  );
}

const TITLES = new Map<PagePath, (typeof PAGES)[number]['title']>(PAGES.map(({ path, title }) => [path, title]));

/** In the bar, and on a phone at the lower edge. */
function Places({ isBottom = false }: { readonly isBottom?: boolean }) {
  const { t } = useWords();
  const session = useSession();
  return (
    <nav
      className={isBottom ? 'places bottom' : 'places'}
      aria-label={t(isBottom ? 'frame.places_below' : 'frame.places')}
    >
      {(isBottom ? placesBelow : placesOf)(session).map((path) => (
        <Link key={path} to={path} activeOptions={{ exact: path === '/' }} activeProps={{ 'aria-current': 'page' }}>
          {t(TITLES.get(path) ?? 'place.home')}
        </Link>
      ))}
    </nav>
  );
}

function FeedMark() {
  const { t, time } = useWords();
  const state = useFeedState();
  const isOnline = useOnline();
  if (!isOnline) return <State tone="warn">{t('feed.offline')}</State>;
  if (state.is === 'live') return <State tone="ok">{t('feed.live')}</State>;
  if (state.is === 'connecting') return <State tone="wait">{t('feed.connecting')}</State>;
  return <State tone="warn">{t('feed.lost_short', { time: time(state.since) })}</State>;
}

/** Under the bar, the worst first. */
function Bars() {
  const { t, time } = useWords();
  const state = useFeedState();
  const isOnline = useOnline();
  const [isLong, setIsLong] = useState(false);
  const since = state.is === 'lost' ? state.since : null;
  useEffect(() => {
    setIsLong(false);
    if (since === null) return undefined;
    // A blink of the connection is no news.
    const timer = setTimeout(() => {
      setIsLong(true);
      announce(t('feed.lost', { time: time(since) }), 'assertive');
    }, 2_000);
    return () => clearTimeout(timer);
  }, [since, t, time]);
  if (!isOnline) return <div className="stale-bar wide">{t('feed.offline_long')}</div>;
  if (since === null || !isLong) return null;
  return (
    <div className="stale-bar wide">
      <span className="state warn">{t('feed.lost', { time: time(since) })}</span>
      <button type="button" className="link" onClick={() => feed.retry()}>
        {t('act.now')}
      </button>
    </div>
  );
}
