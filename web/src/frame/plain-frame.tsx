import { Link, Outlet } from '@tanstack/react-router';
import { LiveRegions } from '../parts/announce.tsx';
import { usePreferences } from '../session/preferences.tsx';
import { useWords } from '../texts/words.tsx';

/** Around the pages for anybody: the name, the language, and nothing that a session is needed for. */
export function PlainFrame() {
  const { t, language } = useWords();
  const { change } = usePreferences();
  const other = language === 'en' ? 'de' : 'en';
  return (
    <>
      <a className="skip" href="#main">
        {t('frame.skip')}
      </a>
      <header className="bar">
        <Link to="/" className="brand">
          Edge exchange
        </Link>
        <div className="bar-end">
          <button type="button" className="link" lang={other} onClick={() => change({ language: other })}>
            {other === 'de' ? 'Deutsch' : 'English'}
          </button>
        </div>
      </header>
      <main id="main" tabIndex={-1}>
        <Outlet />
      </main>
      <footer className="foot">
        <Link to="/about">{t('about.title')}</Link> <Link to="/status">{t('status.title')}</Link>
      </footer>
      <LiveRegions />
    </>
  );
}
