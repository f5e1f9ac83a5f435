import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { SelectField } from '../../parts/field.tsx';
import { State } from '../../parts/panel.tsx';
import { Empty, ReadBlock } from '../../parts/read-block.tsx';
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
                <PeopleTable rows={rows} />
                <Pager cursor={cursor} next={next} />
              </>
            )
          }
        </ReadBlock>
      </section>
    </div>
  );
}

function PeopleTable({ rows }: { readonly rows: readonly ListedUser[] }) {
  const { o, t, date } = useOperatorWords();
  return (
    <div className="scroll">
      <table className="table roomy">
        <caption className="hidden-text">{t('people.title')}</caption>
        <thead>
          <tr>
            <th>{o('column.person')}</th>
            <th>{o('person.roles')}</th>
            <th className="less">{o('column.organization')}</th>
            <th>{t('column.state')}</th>
            <th className="less">{o('person.since')}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((user) => (
            <tr key={user.userId}>
              <td>
                <UserLink id={user.userId}>{user.name}</UserLink>
                <small>{user.email}</small>
              </td>
              <td>{user.roles.map((role) => roleLabel(role, o)).join(', ') || '–'}</td>
              <td className="less">{user.owner}</td>
              <td>
                <State tone={user.deactivatedAt === null ? 'ok' : 'none'}>
                  {o(user.deactivatedAt === null ? 'person.active' : 'person.ended')}
                </State>
              </td>
              <td className="less nowrap">{date(user.createdAt)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
