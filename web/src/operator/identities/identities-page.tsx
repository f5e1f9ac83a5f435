import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { Column } from '../../parts/columns.ts';
import { DataTable } from '../../parts/data-table.tsx';
import { SelectField } from '../../parts/field.tsx';
import { State } from '../../parts/panel.tsx';
import { Empty, ReadBlock } from '../../parts/read-block.tsx';
import { TableChoices } from '../../parts/table-choices.tsx';
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
  const columns = useIdentityColumns();
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
          <span className="end">
            <TableChoices name="identities" columns={columns} />
          </span>
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
                <DataTable
                  name="identities"
                  caption={t('identities.title')}
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

function useIdentityColumns(): readonly Column<IdentityItem>[] {
  const { o, t, dateTime } = useOperatorWords();
  return [
    {
      name: 'person',
      title: o('column.person'),
      isFixed: true,
      cell: (row) => (
        <>
          <Link to="/operator/identities/$identityId" params={{ identityId: row.id }} className="strong">
            {row.name ?? row.userId}
          </Link>
          <small>{row.subject === 'entity' ? `${o('entity.kind')} · ${row.owner}` : row.owner}</small>
        </>
      ),
    },
    {
      name: 'state',
      title: t('column.state'),
      cell: (row) => <State tone={toneOfIdentity(row.state)}>{o(`identity_state.${row.state}`)}</State>,
    },
    {
      name: 'lists',
      title: o('identity.lists'),
      cell: (row) => <State tone={toneOfScreening(row.sanctions)}>{o(`screening.${row.sanctions}`)}</State>,
    },
    {
      name: 'media',
      title: o('identity.media'),
      looks: 'less',
      cell: (row) => <State tone={toneOfScreening(row.adverseMedia)}>{o(`screening.${row.adverseMedia}`)}</State>,
    },
    {
      name: 'checked',
      title: o('identity.checked'),
      looks: 'less',
      cell: (row) => (
        <>
          {row.checkedAt === null ? '–' : dateTime(row.checkedAt)}
          {isOutdated(row, Date.now()) && <small className="warn">{o('identity.outdated')}</small>}
        </>
      ),
    },
    {
      name: 'handed_in',
      title: o('identity.handed_in'),
      looks: 'less nowrap',
      cell: (row) => (row.submittedAt === null ? '–' : dateTime(row.submittedAt)),
    },
  ];
}
