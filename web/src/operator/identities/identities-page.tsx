import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { SelectField } from '../../parts/field.tsx';
import { State } from '../../parts/panel.tsx';
import { Empty, ReadBlock } from '../../parts/read-block.tsx';
import { usePageTitle } from '../../parts/use-page-title.ts';
import { Pager } from '../parts/pager.tsx';
import { type IdentityItem, identitiesQuery } from '../queue-queries.ts';
import { useOperatorWords } from '../use-operator-words.ts';
import { IDENTITY_STATES, type IdentityState, isOutdated, toneOfIdentity, toneOfScreening } from './identity-words.ts';

const route = getRouteApi('/own/venue/operator/identities');

/** Who waits to be known, the longest ago first. */
export function IdentitiesPage() {
  const { o, t } = useOperatorWords();
  const { state = 'IN_REVIEW', cursor } = route.useSearch();
  const navigate = route.useNavigate();
  const query = useQuery(identitiesQuery({ state: state === 'all' ? undefined : state, cursor }));
  usePageTitle(t('identities.title'));
  return (
    <div className="page">
      <div className="page-head">
        <div>
          <h1>{t('identities.title')}</h1>
          <p className="lede">{o('identities.lede')}</p>
        </div>
      </div>
      <section className="panel">
        <header className="filters">
          <SelectField<IdentityState | 'all'>
            label={t('column.state')}
            value={state}
            options={[
              ...IDENTITY_STATES.map((value) => ({ value, label: o(`identity_state.${value}`) })),
              { value: 'all', label: t('filter.all') },
            ]}
            onChange={(next) => void navigate({ search: next === 'DRAFT' ? {} : { state: next } })}
          />
        </header>
        <ReadBlock query={query} failed={o('identities.failed')} rows={6}>
          {({ rows, next }) =>
            rows.length === 0 ? (
              <Empty
                title={o(state === 'IN_REVIEW' ? 'identities.none' : 'identities.none_fits')}
                text={o(state === 'IN_REVIEW' ? 'identities.none_text' : 'identities.none_fits_text')}
                action={
                  state === 'IN_REVIEW' ? (
                    <button
                      type="button"
                      className="button"
                      onClick={() => void navigate({ search: { state: 'all' } })}
                    >
                      {o('identities.see_all')}
                    </button>
                  ) : (
                    <button type="button" className="button" onClick={() => void navigate({ search: {} })}>
                      {o('identities.see_waiting')}
                    </button>
                  )
                }
              />
            ) : (
              <>
                <IdentityTable rows={rows} />
                <Pager cursor={cursor} next={next} />
              </>
            )
          }
        </ReadBlock>
      </section>
    </div>
  );
}

function IdentityTable({ rows }: { readonly rows: readonly IdentityItem[] }) {
  const { o, t, dateTime } = useOperatorWords();
  return (
    <div className="scroll">
      <table className="table roomy">
        <caption className="hidden-text">{t('identities.title')}</caption>
        <thead>
          <tr>
            <th>{o('column.person')}</th>
            <th>{t('column.state')}</th>
            <th>{o('identity.lists')}</th>
            <th className="less">{o('identity.media')}</th>
            <th className="less">{o('identity.checked')}</th>
            <th className="less">{o('identity.handed_in')}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.id}>
              <td>
                <Link to="/operator/identities/$identityId" params={{ identityId: row.id }} className="strong">
                  {row.name ?? row.userId}
                </Link>
                <small>{row.owner}</small>
              </td>
              <td>
                <State tone={toneOfIdentity(row.state)}>{o(`identity_state.${row.state}`)}</State>
              </td>
              <td>
                <State tone={toneOfScreening(row.sanctions)}>{o(`screening.${row.sanctions}`)}</State>
              </td>
              <td className="less">
                <State tone={toneOfScreening(row.adverseMedia)}>{o(`screening.${row.adverseMedia}`)}</State>
              </td>
              <td className="less">
                {row.checkedAt === null ? '–' : dateTime(row.checkedAt)}
                {isOutdated(row, Date.now()) && <small className="warn">{o('identity.outdated')}</small>}
              </td>
              <td className="less nowrap">{row.submittedAt === null ? '–' : dateTime(row.submittedAt)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
