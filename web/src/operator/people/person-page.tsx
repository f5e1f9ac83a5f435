import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { CopyText } from '../../parts/copy-text.tsx';
import { FactList, Panel, State } from '../../parts/panel.tsx';
import { Empty, ReadBlock } from '../../parts/read-block.tsx';
import { useSession } from '../../session/session.ts';
import { AccountLink } from '../parts/links.tsx';
import { ObjectPage } from '../parts/object-page.tsx';
import { TrailPanel } from '../parts/trail-panel.tsx';
import { type UserDetail, userQuery, userSessionsQuery } from '../queue-queries.ts';
import { useOperatorWords } from '../use-operator-words.ts';
import { EndCredential } from './end-credential.tsx';
import { Families } from './families.tsx';
import { PersonActs } from './person-acts.tsx';
import { powerLabel, roleLabel } from './role-words.ts';

const route = getRouteApi('/own/venue/operator/people/$userId');

export function PersonPage() {
  const { o, t } = useOperatorWords();
  const { userId } = route.useParams();
  const query = useQuery(userQuery(userId));
  return (
    <ObjectPage
      title={t('person.title')}
      list={<Link to="/operator/people">{t('people.title')}</Link>}
      query={query}
      failed={o('person.failed')}
    >
      {(user) => <OnePerson user={user} />}
    </ObjectPage>
  );
}

function OnePerson({ user }: { readonly user: UserDetail }) {
  const { o, t, dateTime } = useOperatorWords();
  const session = useSession();
  const isManager = session?.powers.includes('manage_credentials') === true;
  return (
    <>
      <div className="page-head">
        <div>
          <h1>{user.name}</h1>
          <p className="lede">
            <State tone={user.deactivatedAt === null ? 'ok' : 'none'}>
              {user.deactivatedAt === null
                ? o('person.active')
                : o('person.ended_at', { time: dateTime(user.deactivatedAt) })}
            </State>
          </p>
        </div>
        <PersonActs user={user} />
      </div>
      <div className="columns">
        <div className="stack">
          <Panel title={o('person.who')} padded>
            <FactList
              rows={[
                [t('account.mail'), user.email],
                [t('account.phone'), user.phone ?? '–'],
                [o('column.organization'), user.owner],
                [o('person.roles'), user.roles.map((role) => roleLabel(role, o)).join(', ')],
                [
                  o('person.powers'),
                  user.powers.length === 0
                    ? o('person.no_powers')
                    : user.powers.map((power) => powerLabel(power, o)).join(' · '),
                ],
                user.accountId === null ? null : [o('column.account'), <AccountLink key="a" id={user.accountId} />],
                [o('person.since'), dateTime(user.createdAt)],
                [o('person.id'), <CopyText key="id" text={user.userId} />],
              ]}
            />
          </Panel>
          {user.keys !== null && <Keys keys={user.keys} mayEnd={isManager} />}
          {isManager && <Sessions userId={user.userId} />}
          {user.accountId !== null && <Families user={user} />}
        </div>
        <TrailPanel subject={user.userId} />
      </div>
    </>
  );
}

interface KeysProps {
  readonly keys: NonNullable<UserDetail['keys']>;
  readonly mayEnd: boolean;
}

function Keys({ keys, mayEnd }: KeysProps) {
  const { o, t, date } = useOperatorWords();
  return (
    <Panel title={t('keys.title')}>
      {keys.length === 0 ? (
        <Empty title={o('person.no_keys')} text={o('person.no_keys_text')} />
      ) : (
        <div className="scroll">
          <table className="table roomy">
            <caption className="hidden-text">{t('keys.title')}</caption>
            <thead>
              <tr>
                <th>{t('keys.name')}</th>
                <th>{t('keys.scopes')}</th>
                <th className="less">{t('keys.made')}</th>
                <th>{t('keys.used')}</th>
                {mayEnd && <th>{t('column.acts')}</th>}
              </tr>
            </thead>
            <tbody>
              {keys.map((key) => (
                <tr key={key.id}>
                  <td>
                    <span className="strong">{key.name}</span>
                    <small>
                      <CopyText text={key.id} shown={key.id.length > 16 ? `…${key.id.slice(-8)}` : key.id} />
                    </small>
                  </td>
                  <td>{key.scopes.map((scope) => t(scope === 'trade' ? 'keys.trade' : 'keys.read')).join(', ')}</td>
                  <td className="less">{date(key.createdAt)}</td>
                  <td>{key.lastUsedOn === null ? t('keys.never') : date(key.lastUsedOn)}</td>
                  {mayEnd && (
                    <td>
                      <EndCredential kind="key" id={key.id} name={key.name} />
                    </td>
                  )}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Panel>
  );
}

function Sessions({ userId }: { readonly userId: string }) {
  const { o, t, dateTime } = useOperatorWords();
  const query = useQuery(userSessionsQuery(userId));
  return (
    <Panel title={o('person.sessions')}>
      <ReadBlock query={query} failed={o('person.failed')} rows={3}>
        {(sessions) =>
          sessions.length === 0 ? (
            <Empty title={t('account.no_sessions')} text={o('person.no_sessions_text')} />
          ) : (
            <div className="scroll">
              <table className="table">
                <caption className="hidden-text">{o('person.sessions')}</caption>
                <thead>
                  <tr>
                    <th>{t('account.device')}</th>
                    <th className="less">{t('account.begun')}</th>
                    <th>{t('account.used')}</th>
                    <th className="less">{t('account.ends')}</th>
                    <th>{t('column.acts')}</th>
                  </tr>
                </thead>
                <tbody>
                  {sessions.map((row) => (
                    <tr key={row.id}>
                      <td>{row.device ?? row.clientId}</td>
                      <td className="less">{dateTime(row.begunAt)}</td>
                      <td>{dateTime(row.lastUsedAt)}</td>
                      <td className="less">{dateTime(row.endsAt)}</td>
                      <td>
                        <EndCredential kind="session" id={row.id} name={row.device ?? row.clientId} />
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
          )
        }
      </ReadBlock>
    </Panel>
  );
}
