import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Segments } from '../../parts/field.tsx';
import { State } from '../../parts/panel.tsx';
import { Empty, ReadBlock } from '../../parts/read-block.tsx';
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
                <ApprovalTable rows={rows} />
                <Pager cursor={cursor} next={next} />
              </>
            )
          }
        </ReadBlock>
      </section>
    </div>
  );
}

function ApprovalTable({ rows }: { readonly rows: readonly Approval[] }) {
  const { o, t, dateTime } = useOperatorWords();
  const titleOf = useCallTitle();
  return (
    <div className="scroll">
      <table className="table roomy">
        <caption className="hidden-text">{t('approvals.title')}</caption>
        <thead>
          <tr>
            <th>{o('approval.what')}</th>
            <th>{o('approval.asked_by')}</th>
            <th className="less">{o('approval.asked_at')}</th>
            <th>{o('approval.ends')}</th>
            <th>{t('column.state')}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.id}>
              <td>
                <Link to="/operator/approvals/$approvalId" params={{ approvalId: row.id }} className="strong">
                  {titleOf(row)}
                </Link>
              </td>
              <td>
                <PersonLink id={row.askedBy} />
                {row.own && <span className="mark quiet">{o('approval.yours')}</span>}
              </td>
              <td className="less nowrap">{dateTime(row.askedAt)}</td>
              <td className="nowrap">{dateTime(row.expiresAt)}</td>
              <td>
                <State tone={toneOfApproval(row)}>{o(`approval_state.${approvalState(row)}`)}</State>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
