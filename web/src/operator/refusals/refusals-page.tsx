import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { Column } from '../../parts/columns.ts';
import { DataTable } from '../../parts/data-table.tsx';
import { Panel } from '../../parts/panel.tsx';
import { Empty, ReadBlock } from '../../parts/read-block.tsx';
import { TableChoices } from '../../parts/table-choices.tsx';
import { usePageTitle } from '../../parts/use-page-title.ts';
import { AccountLink, UserLink } from '../parts/links.tsx';
import { Pager } from '../parts/pager.tsx';
import { shortId } from '../parts/short-id.ts';
import { type Refusal, type RuleName, refusalRulesQuery, refusalsQuery } from '../queue-queries.ts';
import { useOperatorWords } from '../use-operator-words.ts';
import { ruleLabel } from './rule-words.ts';

const route = getRouteApi('/own/venue/operator/refusals');

/** Why orders are refused: today by rule, and each one with what would help. */
export function RefusalsPage() {
  const { o, t, exact } = useOperatorWords();
  const { rule, accountId, cursor } = route.useSearch();
  const navigate = route.useNavigate();
  const query = useQuery(refusalsQuery({ rule: rule as RuleName | undefined, accountId, cursor }));
  const rules = useQuery(refusalRulesQuery);
  usePageTitle(t('refusals.title'));
  const columns = useRefusalColumns();
  const isFiltered = rule !== undefined || accountId !== undefined;
  return (
    <div className="page">
      <div className="page-head">
        <div>
          <h1>{t('refusals.title')}</h1>
          <p className="lede">{o('refusals.lede')}</p>
        </div>
        {isFiltered && (
          <button type="button" className="button" onClick={() => void navigate({ search: {} })}>
            {t('filter.clear')}
          </button>
        )}
      </div>
      <div className="stack">
        <Panel title={o('refusals.today')}>
          <ReadBlock query={rules} failed={o('refusals.failed')} rows={3}>
            {(today) =>
              today.length === 0 ? (
                <Empty title={o('refusals.none_today')} text={o('refusals.none_today_text')} />
              ) : (
                <div className="scroll">
                  <table className="table">
                    <caption className="hidden-text">{o('refusals.today')}</caption>
                    <thead>
                      <tr>
                        <th>{o('refusal.by_rule')}</th>
                        <th className="right">{o('refusals.orders')}</th>
                        <th className="right">{o('refusals.accounts')}</th>
                        <th className="less">{o('refusal.source')}</th>
                      </tr>
                    </thead>
                    <tbody>
                      {today.map((row) => (
                        <tr key={row.rule}>
                          <td>
                            <button
                              type="button"
                              className="link"
                              aria-pressed={row.rule === rule}
                              onClick={() =>
                                void navigate({ search: ({ cursor: _, ...rest }) => ({ ...rest, rule: row.rule }) })
                              }
                            >
                              {ruleLabel(row.rule)}
                            </button>
                          </td>
                          <td className="right">{exact(row.refusals)}</td>
                          <td className="right">{exact(row.accounts)}</td>
                          <td className="less">{row.source ?? '–'}</td>
                        </tr>
                      ))}
                    </tbody>
                  </table>
                </div>
              )
            }
          </ReadBlock>
        </Panel>
        <Panel
          title={rule === undefined ? o('refusals.all') : ruleLabel(rule)}
          aside={<TableChoices name="refusals" columns={columns} />}
        >
          <ReadBlock query={query} failed={o('refusals.failed')} rows={6}>
            {({ rows, next }) =>
              rows.length === 0 ? (
                <Empty title={o('refusals.none')} text={o('refusals.none_text')} />
              ) : (
                <>
                  <DataTable
                    name="refusals"
                    caption={o('refusals.all')}
                    columns={columns}
                    rows={rows}
                    keyOf={(row) => row.id}
                    roomy
                  />
                  <Pager cursor={cursor} next={next} />
                </>
              )
            }
          </ReadBlock>
        </Panel>
      </div>
    </div>
  );
}

function useRefusalColumns(): readonly Column<Refusal>[] {
  const { o, t, many, dateTime } = useOperatorWords();
  return [
    {
      name: 'time',
      title: t('column.time'),
      isFixed: true,
      looks: 'nowrap',
      cell: (row) => (
        <>
          {dateTime(row.at)}
          {Number(row.count) > 1 && <small>{many('refusal.counted', Number(row.count))}</small>}
        </>
      ),
    },
    {
      name: 'rule',
      title: o('refusal.by_rule'),
      cell: (row) => (
        <>
          {ruleLabel(row.rule)}
          {row.remedy !== null && (
            <small>
              {o('refusal.remedy')}: {row.remedy}
            </small>
          )}
          <small>
            <code title={row.orderId}>
              {row.code} {shortId(row.orderId)}
            </code>
          </small>
        </>
      ),
    },
    {
      name: 'person',
      title: o('column.person'),
      cell: (row) => (
        <>
          <UserLink id={row.userId}>{row.name ?? row.userId}</UserLink>
          <small>
            <AccountLink id={row.accountId} />
          </small>
        </>
      ),
    },
    { name: 'market', title: t('column.market'), looks: 'less', cell: (row) => row.market ?? row.assetId ?? '–' },
  ];
}
