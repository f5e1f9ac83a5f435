import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { gainsQuery } from '../api/own-queries.ts';
import { round, sum } from '../numbers/decimal.ts';
import { toneOf } from '../numbers/show-number.ts';
import { SelectField } from '../parts/field.tsx';
import { Empty, ReadBlock } from '../parts/read-block.tsx';
import { usePageTitle } from '../parts/use-page-title.ts';
import { useWords } from '../texts/words.tsx';

const route = getRouteApi('/own/account/gains');

/** Years that are offered: so long may one have to show them. */
const YEARS = 7;

/** What the sales of a year have brought. */
export function GainsPage() {
  const { t, count, exact, number, signed, date } = useWords();
  const now = new Date().getUTCFullYear();
  const years = Array.from({ length: YEARS }, (_, at) => String(now - at));
  const { year = String(now) } = route.useSearch();
  const navigate = route.useNavigate();
  const gains = useQuery(gainsQuery(year));
  const { gains: rows, isCut } = gains.data ?? { gains: [], isCut: false };
  const known = rows.flatMap(({ gain }) => gain ?? []);
  const total = round(sum(known), 2);
  const csv = `/console/call/exchange/v1/gains?year=${encodeURIComponent(year)}&format=csv`;
  usePageTitle(t('gains.title'));
  return (
    <div className="page mid">
      <div className="page-head">
        <div>
          <h1>{t('gains.title')}</h1>
          <p className="lede">{t('gains.lede')}</p>
        </div>
        <a className="button" href={csv} download={`gains-${year}.csv`}>
          {t('gains.csv')}
        </a>
      </div>
      <section className="panel">
        <header className="filters">
          <SelectField
            label={t('gains.year')}
            value={year}
            options={years.map((value) => ({ value, label: value }))}
            onChange={(next) => void navigate({ search: { year: next } })}
          />
        </header>
        <ReadBlock query={gains} failed={t('gains.failed')} rows={6}>
          {() =>
            rows.length === 0 ? (
              <Empty title={t('gains.none', { year })} text={t('gains.none_text')} />
            ) : (
              <div className="scroll">
                <table className="table">
                  <caption className="hidden-text">{t('gains.title')}</caption>
                  <thead>
                    <tr>
                      <th>{t('gains.day')}</th>
                      <th>{t('column.asset')}</th>
                      <th className="right less">{t('column.quantity')}</th>
                      <th className="right less">{t('gains.proceeds')}</th>
                      <th className="right less">{t('gains.cost')}</th>
                      <th className="right">{t('gains.gain')}</th>
                      <th className="less">{t('confirmation.number')}</th>
                    </tr>
                  </thead>
                  <tbody>
                    {rows.map((row) => (
                      <tr key={row.tradeId}>
                        <td className="nowrap">{date(`${row.disposedOn}T12:00:00Z`)}</td>
                        <td>{row.symbol}</td>
                        <td className="right less">{exact(row.quantity)}</td>
                        <td className="right less nowrap">{`${number(row.proceeds)} ${row.currency}`}</td>
                        <td className="right less">
                          {row.costBasis === null ? t('gains.unknown') : number(row.costBasis)}
                        </td>
                        <td className={`right ${row.gain === null ? 'dim' : (toneOf(row.gain) ?? '')}`}>
                          {row.gain === null ? t('gains.unknown') : signed(row.gain)}
                        </td>
                        <td className="less">
                          <Link to="/confirmations/$tradeId" params={{ tradeId: row.tradeId }}>
                            {t('confirmation.see')}
                          </Link>
                        </td>
                      </tr>
                    ))}
                  </tbody>
                  {!isCut && (
                    <tfoot>
                      <tr>
                        <td>{t('column.sum')}</td>
                        <td />
                        <td className="less" />
                        <td className="less" />
                        <td className="less" />
                        <td className={`right ${toneOf(total) ?? ''}`}>{signed(total)}</td>
                        <td className="less" />
                      </tr>
                    </tfoot>
                  )}
                </table>
              </div>
            )
          }
        </ReadBlock>
        <footer>
          {isCut && <p>{t('gains.cut')}</p>}
          {!isCut && rows.length > known.length && <p>{count('gains.unknown_count', rows.length - known.length)}</p>}
          {t('gains.acquired_text')}
        </footer>
      </section>
    </div>
  );
}
