import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import type { Column } from '../../parts/columns.ts';
import { DataTable } from '../../parts/data-table.tsx';
import { SelectField } from '../../parts/field.tsx';
import { State } from '../../parts/panel.tsx';
import { Empty, ReadBlock } from '../../parts/read-block.tsx';
import { TableChoices } from '../../parts/table-choices.tsx';
import { usePageTitle } from '../../parts/use-page-title.ts';
import { UserLink } from '../parts/links.tsx';
import { Pager } from '../parts/pager.tsx';
import { type ListedUser, usersQuery } from '../queue-queries.ts';
import { useOperatorWords } from '../use-operator-words.ts';
import { ROLES, type Role, roleLabel } from './role-words.ts';

const route = getRouteApi('/own/venue/operator/people');

/** Finds people. What is searched for names somebody, so it stands in no address: filters do. */
export function PeoplePage() {
  const { o, t } = useOperatorWords();
  const { owner, role, active, cursor } = route.useSearch();
  const navigate = route.useNavigate();
  const [typed, setTyped] = useState('');
  const [words, setWords] = useState<string | undefined>(undefined);
  const query = useQuery(usersQuery({ owner, role, active, cursor, words }));
  usePageTitle(t('people.title'));
  const columns = usePeopleColumns();
  const search = (event: FormEvent) => {
    event.preventDefault();
    setWords(typed.trim() === '' ? undefined : typed.trim());
    void navigate({ search: ({ cursor: _, ...rest }) => rest });
  };
  return (
    <div className="page">
      <div className="page-head">
        <div>
          <h1>{t('people.title')}</h1>
          <p className="lede">{o('people.lede')}</p>
        </div>
        <div className="row">
          <Link to="/operator/organizations" className="button">
            {t('organizations.title')}
          </Link>
          <Link to="/operator/accounts" className="button">
            {t('accounts.title')}
          </Link>
        </div>
      </div>
      <section className="panel">
        <header className="filters">
          <form className="row" role="search" onSubmit={search}>
            <input
              className="input search"
              type="search"
              maxLength={200}
              aria-label={o('people.search')}
              placeholder={o('people.search')}
              value={typed}
              onChange={(event) => setTyped(event.target.value)}
            />
            <button type="submit" className="button small-button">
              {o('people.find')}
            </button>
          </form>
          <SelectField<Role | ''>
            label={o('person.role')}
            value={role ?? ''}
            options={[
              { value: '', label: t('filter.all') },
              ...ROLES.map((value) => ({ value, label: roleLabel(value, o) })),
            ]}
            onChange={(next) =>
              void navigate({
                search: ({ cursor: _, role: __, ...rest }) => (next === '' ? rest : { ...rest, role: next }),
              })
            }
          />
          <SelectField<'' | 'true' | 'false'>
            label={t('column.state')}
            value={active ?? ''}
            options={[
              { value: '', label: t('filter.all') },
              { value: 'true', label: o('person.active') },
              { value: 'false', label: o('person.ended') },
            ]}
            onChange={(next) =>
              void navigate({
                search: ({ cursor: _, active: __, ...rest }) => (next === '' ? rest : { ...rest, active: next }),
              })
            }
          />
          {owner !== undefined && (
            <button
              type="button"
              className="button small-button"
              onClick={() => void navigate({ search: ({ cursor: _, owner: __, ...rest }) => rest })}
            >
              {o('people.every_organization', { owner })}
            </button>
          )}
          <span className="end">
            <TableChoices name="people" columns={columns} />
          </span>
        </header>
        <ReadBlock query={query} failed={o('people.failed')} rows={8}>
          {({ rows, next }) =>
            rows.length === 0 ? (
              <Empty
                title={o('people.none')}
                text={o('people.none_text')}
                action={
                  <button
                    type="button"
                    className="button"
                    onClick={() => {
                      setTyped('');
                      setWords(undefined);
                      void navigate({ search: {} });
                    }}
                  >
                    {t('filter.clear')}
                  </button>
                }
              />
            ) : (
              <>
                <DataTable
                  name="people"
                  caption={t('people.title')}
                  columns={columns}
                  rows={rows}
                  keyOf={(user) => user.userId}
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

function usePeopleColumns(): readonly Column<ListedUser>[] {
  const { o, t, date } = useOperatorWords();
  return [
    {
      name: 'person',
      title: o('column.person'),
      isFixed: true,
      cell: (user) => (
        <>
          <UserLink id={user.userId}>{user.name}</UserLink>
          <small>{user.email}</small>
        </>
      ),
    },
    {
      name: 'roles',
      title: o('person.roles'),
      cell: (user) => user.roles.map((role) => roleLabel(role, o)).join(', ') || '–',
    },
    { name: 'organization', title: o('column.organization'), looks: 'less', cell: (user) => user.owner },
    {
      name: 'state',
      title: t('column.state'),
      cell: (user) => (
        <State tone={user.deactivatedAt === null ? 'ok' : 'none'}>
          {o(user.deactivatedAt === null ? 'person.active' : 'person.ended')}
        </State>
      ),
    },
    { name: 'since', title: o('person.since'), looks: 'less nowrap', cell: (user) => date(user.createdAt) },
  ];
}
