import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { feesQuery } from '../api/own-queries.ts';
import { Empty, ReadBlock } from '../parts/read-block.tsx';
import { usePageTitle } from '../parts/use-page-title.ts';
import { useWords } from '../texts/words.tsx';

/** What trades cost, market by market. */
export function FeesPage() {
  const { t, exact } = useWords();
  const fees = useQuery(feesQuery);
  usePageTitle(t('fees.title'));
  return (
    <div className="page mid">
      <div className="page-head">
        <div>
          <h1>{t('fees.title')}</h1>
          <p className="lede">{t('fees.lede')}</p>
        </div>
      </div>
      <section className="panel">
        <ReadBlock query={fees} failed={t('fees.failed')} rows={8}>
          {(rows) =>
            rows.length === 0 ? (
              <Empty title={t('fees.none')} text={t('fees.none_text')} />
            ) : (
              <div className="scroll">
                <table className="table">
                  <caption className="hidden-text">{t('fees.title')}</caption>
                  <thead>
                    <tr>
                      <th>{t('column.market')}</th>
                      <th className="less">{t('fees.where')}</th>
                      <th className="right">{t('fees.maker')}</th>
                      <th className="right">{t('fees.taker')}</th>
                    </tr>
                  </thead>
                  <tbody>
                    {rows.map((row) => (
                      <tr key={row.market}>
                        <td>
                          <Link to="/assets/$assetId" params={{ assetId: row.assetId }}>
                            {row.market}
                          </Link>
                        </td>
                        <td className="less">{t(`confirmation.${row.route}`)}</td>
                        <td className="right">{exact(row.makerFeeBps ?? row.takerFeeBps)} bp</td>
                        <td className="right">{exact(row.takerFeeBps)} bp</td>
                      </tr>
                    ))}
                  </tbody>
                </table>
              </div>
            )
          }
        </ReadBlock>
        <footer>{t('fees.rounding')}</footer>
      </section>
    </div>
  );
}
