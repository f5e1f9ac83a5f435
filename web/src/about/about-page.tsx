import { Panel } from '../parts/panel.tsx';
import { usePageTitle } from '../parts/use-page-title.ts';
import { useWords } from '../texts/words.tsx';

/** What the pages are made of, with the licences that ask to be named. */
const PARTS = [
  ['React', 'MIT', 'https://react.dev'],
  ['TanStack Router, Query, Virtual', 'MIT', 'https://tanstack.com'],
  ['Mantine', 'MIT', 'https://mantine.dev'],
  ['openapi-fetch', 'MIT', 'https://openapi-ts.dev'],
  ['TradingView Lightweight Charts', 'Apache 2.0', 'https://www.tradingview.com'],
  ['IBM Plex Sans', 'OFL 1.1', 'https://www.ibm.com/plex'],
] as const;

export function AboutPage() {
  const { t } = useWords();
  usePageTitle(t('about.title'));
  return (
    <div className="page mid">
      <h1>{t('about.head')}</h1>
      <p className="lede">{t('about.lede')}</p>
      <div className="columns gap-above">
        <Panel title={t('about.parts')}>
          <table className="table">
            <caption className="hidden-text">{t('about.parts')}</caption>
            <thead>
              <tr>
                <th>{t('about.part')}</th>
                <th>{t('about.licence')}</th>
              </tr>
            </thead>
            <tbody>
              {PARTS.map(([name, licence, href]) => (
                <tr key={name}>
                  <td>
                    <a href={href} rel="noreferrer">
                      {name}
                    </a>
                  </td>
                  <td>{licence}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </Panel>
        <div className="stack">
          <Panel title={t('about.session')} padded>
            <p>{t('about.session_text')}</p>
          </Panel>
          <Panel title={t('about.charts')} padded>
            <p>{t('about.charts_text')}</p>
            <p className="small dim">TradingView Lightweight Charts™ Copyright (c) 2025 TradingView, Inc.</p>
          </Panel>
        </div>
      </div>
    </div>
  );
}
