import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Empty, ReadBlock } from '../../parts/read-block.tsx';
import { usePageTitle } from '../../parts/use-page-title.ts';
import { bridgesQuery } from '../desk-queries.ts';
import { Pager } from '../parts/pager.tsx';
import { useOperatorWords } from '../use-operator-words.ts';

const route = getRouteApi('/own/venue/operator/bridge');
const BPS_OF_PERCENT = 100;

/** Organizations that move assets to other chains and back. */
export function BridgesPage() {
  const { o, t, whole, number, dateTime } = useOperatorWords();
  const { cursor } = route.useSearch();
  const query = useQuery(bridgesQuery({ cursor }));
  usePageTitle(t('desk.bridge'));
  return (
    <div className="page">
      <div className="page-head">
        <div>
          <h1>{t('desk.bridge')}</h1>
          <p className="lede">{o('bridge.lede')}</p>
        </div>
      </div>
      <section className="panel">
        <ReadBlock query={query} failed={o('bridge.failed')} rows={4}>
          {({ rows, next }) =>
            rows.length === 0 ? (
              <Empty title={o('bridge.none')} text={o('bridge.none_text')} />
            ) : (
              <>
                <div className="scroll">
                  <table className="table roomy">
                    <caption className="hidden-text">{t('desk.bridge')}</caption>
                    <thead>
                      <tr>
                        <th>{o('column.organization')}</th>
                        <th className="right">{o('bridge.tenants')}</th>
                        <th className="right">{o('bridge.vaults')}</th>
                        <th className="right less">{o('bridge.fee')}</th>
                        <th className="less">{o('bridge.changes_at')}</th>
                      </tr>
                    </thead>
                    <tbody>
                      {rows.map((row) => (
                        <tr key={row.organization}>
                          <td>
                            <Link
                              to="/operator/bridge/$organization"
                              params={{ organization: row.organization }}
                              className="strong"
                            >
                              {row.name}
                            </Link>
                            <small>{row.organization}</small>
                          </td>
                          <td className="right">{whole(row.tenants)}</td>
                          <td className="right">{whole(row.vaults)}</td>
                          <td className="right less">
                            {row.feeBps === null ? '–' : `${number(String(Number(row.feeBps) / BPS_OF_PERCENT))} %`}
                          </td>
                          <td className="less">{row.changesAt === null ? '–' : dateTime(row.changesAt)}</td>
                        </tr>
                      ))}
                    </tbody>
                  </table>
                </div>
                <Pager cursor={cursor} next={next} />
              </>
            )
          }
        </ReadBlock>
      </section>
    </div>
  );
}
