import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { Column } from '../../parts/columns.ts';
import { DataTable } from '../../parts/data-table.tsx';
import { SelectField } from '../../parts/field.tsx';
import { Panel, State } from '../../parts/panel.tsx';
import { Empty, ReadBlock } from '../../parts/read-block.tsx';
import { TableChoices } from '../../parts/table-choices.tsx';
import { usePageTitle } from '../../parts/use-page-title.ts';
import { useSession } from '../../session/session.ts';
import { PersonLink, UserLink } from '../parts/links.tsx';
import { Pager } from '../parts/pager.tsx';
import { useOperatorWords } from '../use-operator-words.ts';
import { type CaseItem, casesQuery } from './case-queries.ts';
import { CASE_RULES } from './case-words.ts';
import { WatchedDays } from './watched-days.tsx';

const route = getRouteApi('/own/venue/operator/surveillance');

/** Cases that wait, unless the address asks for others, and the days that were watched. */
export function CasesPage() {
  const { o, t } = useOperatorWords();
  const session = useSession();
  const { state = 'open', rule, market, userId, assignee, cursor } = route.useSearch();
  const navigate = route.useNavigate();
  const asked = assignee === 'none' ? '' : assignee;
  const query = useQuery(casesQuery({ state, rule, market, userId, assignee: asked, cursor }));
  usePageTitle(t('surveillance.title'));
  const columns = useCaseColumns();
  const isFiltered = [rule, market, userId, assignee].some((value) => value !== undefined);
  const choose = (name: 'state' | 'rule' | 'assignee', value: string | undefined) =>
    void navigate({ search: ({ cursor: _, ...rest }) => ({ ...rest, [name]: value }) as typeof rest });
  return (
    <div className="page">
      <div className="page-head">
        <div>
          <h1>{t('surveillance.title')}</h1>
          <p className="lede">{o('surveillance.lede')}</p>
        </div>
        {isFiltered && (
          <button type="button" className="button" onClick={() => void navigate({ search: {} })}>
            {t('filter.clear')}
          </button>
        )}
      </div>
      <div className="stack">
        <section className="panel">
          <header className="filters">
            <SelectField<CaseItem['state'] | 'all'>
              label={t('column.state')}
              value={state}
              options={[
                { value: 'open', label: o('surveillance_state.open') },
                { value: 'closed', label: o('surveillance_state.closed') },
                { value: 'all', label: t('filter.all') },
              ]}
              onChange={(next) => choose('state', next)}
            />
            <SelectField<CaseItem['rule'] | ''>
              label={o('surveillance.rule')}
              value={rule ?? ''}
              options={[
                { value: '', label: t('filter.all') },
                ...CASE_RULES.map((value) => ({ value, label: o(`surveillance_rule.${value}`) })),
              ]}
              onChange={(next) => choose('rule', next === '' ? undefined : next)}
            />
            <SelectField<string>
              label={o('surveillance.whose')}
              value={assignee ?? ''}
              options={[
                { value: '', label: t('filter.all') },
                { value: session?.user_id ?? 'me', label: o('surveillance.whose_mine') },
                { value: 'none', label: o('surveillance.whose_nobody') },
              ]}
              onChange={(next) => choose('assignee', next === '' ? undefined : next)}
            />
            <span className="end">
              <TableChoices name="cases" columns={columns} />
            </span>
          </header>
          <ReadBlock query={query} failed={o('surveillance.failed')} rows={6}>
            {({ rows, next }) =>
              rows.length === 0 ? (
                <Empty
                  title={o(
                    isFiltered
                      ? 'surveillance.none_fits'
                      : state === 'closed'
                        ? 'surveillance.none_closed'
                        : 'surveillance.none',
                  )}
                  text={o('surveillance.none_text')}
                />
              ) : (
                <>
                  <DataTable
                    name="cases"
                    caption={t('surveillance.title')}
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
        </section>
        <Panel title={o('surveillance.days')}>
          <WatchedDays />
        </Panel>
      </div>
    </div>
  );
}

function useCaseColumns(): readonly Column<CaseItem>[] {
  const { o, t } = useOperatorWords();
  return [
    {
      name: 'rule',
      title: o('surveillance.rule'),
      isFixed: true,
      cell: (row) => (
        <>
          <Link to="/operator/surveillance/$caseId" params={{ caseId: row.id }} className="strong">
            {o(`surveillance_rule.${row.rule}`)}
          </Link>
          <small>{row.market}</small>
        </>
      ),
    },
    {
      name: 'people',
      title: o('surveillance.people'),
      cell: (row) =>
        row.people.map(({ userId, name }) => (
          <div key={userId}>
            <UserLink id={userId}>{name}</UserLink>
          </div>
        )),
    },
    { name: 'day', title: o('surveillance.day'), looks: 'less nowrap', cell: (row) => row.day },
    {
      name: 'assignee',
      title: o('surveillance.assignee'),
      looks: 'less',
      cell: (row) => (row.assignee === null ? o('surveillance.nobody') : <PersonLink id={row.assignee} />),
    },
    {
      name: 'state',
      title: t('column.state'),
      cell: (row) => <CaseState found={row} />,
    },
  ];
}

/** Open, or how it has ended. */
export function CaseState({ found }: { readonly found: Pick<CaseItem, 'state' | 'outcome'> }) {
  const { o } = useOperatorWords();
  if (found.state === 'open') return <State tone="warn">{o('surveillance_state.open')}</State>;
  return (
    <State tone="none">
      {o(found.outcome === null ? 'surveillance_state.closed' : `surveillance_outcome.${found.outcome}`)}
    </State>
  );
}
