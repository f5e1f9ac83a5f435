import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { statementsQuery } from '../api/own-queries.ts';
import { State } from '../parts/panel.tsx';
import { Empty, ReadBlock } from '../parts/read-block.tsx';
import { usePageTitle } from '../parts/use-page-title.ts';
import { useWords } from '../texts/words.tsx';
import { showMonth } from './new-york-time.ts';

/** The months of which there is a statement. */
export function StatementsPage() {
  const { t, locale } = useWords();
  const statements = useQuery(statementsQuery);
  usePageTitle(t('statements.title'));
  return (
    <div className="page mid">
      <div className="page-head">
        <div>
          <h1>{t('statements.title')}</h1>
          <p className="lede">{t('statements.lede')}</p>
        </div>
        <Link to="/account/gains" className="button">
          {t('gains.title')}
        </Link>
      </div>
      <section className="panel">
        <ReadBlock query={statements} failed={t('statements.failed')} rows={6}>
          {(months) =>
            months.length === 0 ? (
              <Empty title={t('statements.none')} text={t('statements.none_text')} />
            ) : (
              <table className="table">
                <caption className="hidden-text">{t('statements.title')}</caption>
                <thead>
                  <tr>
                    <th>{t('statements.month')}</th>
                    <th>{t('statements.state')}</th>
                  </tr>
                </thead>
                <tbody>
                  {months.map(({ month, isOver }) => (
                    <tr key={month}>
                      <td>
                        <Link to="/account/statements/$month" params={{ month }}>
                          {showMonth(month, locale)}
                        </Link>
                      </td>
                      <td>
                        <State tone={isOver ? 'ok' : 'run'}>{t(isOver ? 'statements.over' : 'statements.open')}</State>
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
            )
          }
        </ReadBlock>
      </section>
    </div>
  );
}
