import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { Column } from '../../parts/columns.ts';
import { DataTable } from '../../parts/data-table.tsx';
import { Segments } from '../../parts/field.tsx';
import { State } from '../../parts/panel.tsx';
import { Empty, ReadBlock } from '../../parts/read-block.tsx';
import { TableChoices } from '../../parts/table-choices.tsx';
import { usePageTitle } from '../../parts/use-page-title.ts';
import { PersonLink } from '../parts/links.tsx';
import { Pager } from '../parts/pager.tsx';
import { type Approval, approvalsQuery } from '../queue-queries.ts';
import { useOperatorWords } from '../use-operator-words.ts';
import { approvalState, toneOfApproval, useCallTitle } from './approval-words.ts';

const route = getRouteApi('/own/venue/operator/approvals');

/** Acts that two people decide on: those that wait, and what became of the others within a day. */
export function ApprovalsPage() {
  const { o, t } = useOperatorWords();
  const { state = 'asked', cursor } = route.useSearch();
  const navigate = route.useNavigate();
  const query = useQuery(approvalsQuery({ state, cursor }));
  usePageTitle(t('approvals.title'));
  const columns = useApprovalColumns();
  return (
    <div className="page">
      <div className="page-head">
        <div>
          <h1>{t('approvals.title')}</h1>
          <p className="lede">{o('approvals.lede')}</p>
        </div>
      </div>
      <section className="panel">
        <header className="filters">
          <Segments<Approval['state']>
            label={t('column.state')}
            value={state}
            options={(['asked', 'approved', 'rejected'] as const).map((value) => ({
              value,
              label: o(`approval_state.${value}`),
            }))}
            onChange={(next) => void navigate({ search: next === 'asked' ? {} : { state: next } })}
          />
          <span className="end">
            <TableChoices name="approvals" columns={columns} />
          </span>
        </header>
        <ReadBlock query={query} failed={o('approvals.failed')} rows={5}>
          {({ rows, next }) =>
            rows.length === 0 ? (
              <Empty
                title={o(state === 'asked' ? 'approvals.none' : 'approvals.none_fits')}
                text={o('approvals.none_text')}
              />
            ) : (
              <>
                <DataTable
                  name="approvals"
                  caption={t('approvals.title')}
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
    </div>
  );
}

function useApprovalColumns(): readonly Column<Approval>[] {
  const { o, t, dateTime } = useOperatorWords();
  const titleOf = useCallTitle();
  return [
    {
      name: 'what',
      title: o('approval.what'),
      isFixed: true,
      cell: (row) => (
        <Link to="/operator/approvals/$approvalId" params={{ approvalId: row.id }} className="strong">
          {titleOf(row)}
        </Link>
      ),
    },
    {
      name: 'asked_by',
      title: o('approval.asked_by'),
      cell: (row) => (
        <>
          <PersonLink id={row.askedBy} />
          {row.own && <span className="mark quiet">{o('approval.yours')}</span>}
        </>
      ),
    },
    { name: 'asked_at', title: o('approval.asked_at'), looks: 'less nowrap', cell: (row) => dateTime(row.askedAt) },
    { name: 'ends', title: o('approval.ends'), looks: 'nowrap', cell: (row) => dateTime(row.expiresAt) },
    {
      name: 'state',
      title: t('column.state'),
      cell: (row) => <State tone={toneOfApproval(row)}>{o(`approval_state.${approvalState(row)}`)}</State>,
    },
  ];
}
