import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { Column } from '../../parts/columns.ts';
import { CopyText } from '../../parts/copy-text.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { Empty, ReadBlock } from '../../parts/read-block.tsx';
import { TableChoices } from '../../parts/table-choices.tsx';
import { usePageTitle } from '../../parts/use-page-title.ts';
import { Pager } from '../parts/pager.tsx';
import { type ListedOrganization, organizationsQuery } from '../queue-queries.ts';
import { useOperatorWords } from '../use-operator-words.ts';

/** The API counts no further. */
const COUNTED_MAX = 1000;

const route = getRouteApi('/own/venue/operator/organizations');

export function OrganizationsPage() {
  const { o, t } = useOperatorWords();
  const { cursor } = route.useSearch();
  const query = useQuery(organizationsQuery({ cursor }));
  usePageTitle(t('organizations.title'));
  const columns = useOrganizationColumns();
  return (
    <div className="page">
      <p className="crumb">
        <Link to="/operator/people">{t('people.title')}</Link>
      </p>
      <div className="page-head">
        <div>
          <h1>{t('organizations.title')}</h1>
          <p className="lede">{o('organizations.lede')}</p>
        </div>
      </div>
      <section className="panel">
        <header className="filters">
          <span className="end">
            <TableChoices name="organizations" columns={columns} />
          </span>
        </header>
        <ReadBlock query={query} failed={o('organizations.failed')} rows={6}>
          {({ rows, next }) =>
            rows.length === 0 ? (
              <Empty title={o('organizations.none')} text={o('organizations.none_text')} />
            ) : (
              <>
                <DataTable
                  name="organizations"
                  caption={t('organizations.title')}
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

function useOrganizationColumns(): readonly Column<ListedOrganization>[] {
  const { o, exact, date } = useOperatorWords();
  return [
    {
      name: 'organization',
      title: o('column.organization'),
      isFixed: true,
      cell: (row) => (
        <>
          <Link to="/operator/people" search={{ owner: row.id }} className="strong">
            {row.name}
          </Link>
          <small>
            <CopyText text={row.id} />
          </small>
        </>
      ),
    },
    {
      name: 'people',
      title: o('organizations.people'),
      looks: 'right',
      cell: (row) => (Number(row.users) >= COUNTED_MAX ? `${exact(row.users)}+` : exact(row.users)),
    },
    {
      name: 'partner',
      title: o('organizations.partner'),
      cell: (row) => (row.partnerRole === null ? '–' : `${row.partnerRole} · ${row.partnerState}`),
    },
    { name: 'since', title: o('person.since'), looks: 'less nowrap', cell: (row) => date(row.createdAt) },
  ];
}
