import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { accountQuery, sessionsQuery } from '../api/queries.ts';
import { CopyText } from '../parts/copy-text.tsx';
import { FactList, Panel, State } from '../parts/panel.tsx';
import { Empty, ReadBlock } from '../parts/read-block.tsx';
import { usePageTitle } from '../parts/use-page-title.ts';
import { useSession } from '../session/session.ts';
import { useWords } from '../texts/words.tsx';

export function AccountPage() {
  const { t, number, dateTime } = useWords();
  const session = useSession();
  const account = useQuery(accountQuery);
  const sessions = useQuery(sessionsQuery);
  usePageTitle(t('place.account'));
  return (
    <div className="page mid">
      <div className="page-head">
        <div>
          <h1>{session?.name ?? t('place.account')}</h1>
          <p className="lede">
            {session === undefined ? '' : t('account.lede', { organization: session.organization.name })}
          </p>
        </div>
        <div className="row">
          <Link to="/account/money" className="button primary">
            {t('money.title')}
          </Link>
          <Link to="/account/accreditation" className="button">
            {t('accreditation.title')}
          </Link>
          <Link to="/account/keys" className="button">
            {t('keys.title')}
          </Link>
          <Link to="/account/transactions" className="button">
            {t('transactions.title')}
          </Link>
          <Link to="/account/statements" className="button">
            {t('statements.title')}
          </Link>
          <Link to="/account/gains" className="button">
            {t('gains.title')}
          </Link>
          <Link to="/account/fees" className="button">
            {t('fees.title')}
          </Link>
        </div>
      </div>
      <div className="columns">
        <div className="stack">
          <Panel title={t('account.standing')} padded>
            <ReadBlock query={account} failed={t('account.failed')} rows={4}>
              {(own) => (
                <FactList
                  rows={[
                    [
                      t('me.identity'),
                      own.kycStatus === 'completed' ? (
                        <State key="k" tone="ok">
                          {t('me.known')}
                        </State>
                      ) : (
                        <State key="k" tone="warn">
                          {t('me.unknown')}
                        </State>
                      ),
                    ],
                    [
                      t('me.accreditation'),
                      own.accreditationStatus === 'completed' ? (
                        <State key="a" tone="ok">
                          {t('account.accredited', { rule: own.accreditationType ?? '' })}
                        </State>
                      ) : (
                        <State key="a" tone="wait">
                          {t('account.not_accredited')}
                        </State>
                      ),
                    ],
                    [t('account.mail'), own.email ?? '–'],
                    [t('account.phone'), own.phone ?? '–'],
                    [t('account.id'), <CopyText key="id" text={own.userId} />],
                  ]}
                />
              )}
            </ReadBlock>
          </Panel>
          <Panel title={t('account.sessions')} footer={t('account.sessions_text')}>
            <ReadBlock query={sessions} failed={t('account.failed')} rows={3}>
              {(rows) => {
                const open = rows.filter(({ endedAt }) => endedAt === null);
                if (open.length === 0)
                  return <Empty title={t('account.no_sessions')} text={t('account.sessions_text')} />;
                return (
                  <div className="scroll">
                    <table className="table">
                      <caption className="hidden-text">{t('account.sessions')}</caption>
                      <thead>
                        <tr>
                          <th>{t('account.device')}</th>
                          <th>{t('account.begun')}</th>
                          <th className="less">{t('account.used')}</th>
                          <th className="less">{t('account.ends')}</th>
                        </tr>
                      </thead>
                      <tbody>
                        {open.map((row) => (
                          <tr key={row.id}>
                            <td>
                              {row.device} {row.current && <span className="mark quiet">{t('account.this')}</span>}
                            </td>
                            <td>{dateTime(row.begunAt)}</td>
                            <td className="less">{dateTime(row.lastUsedAt)}</td>
                            <td className="less">{dateTime(row.endsAt)}</td>
                          </tr>
                        ))}
                      </tbody>
                    </table>
                  </div>
                );
              }}
            </ReadBlock>
          </Panel>
        </div>
        <Panel title={t('home.cash')} padded>
          <ReadBlock query={account} failed={t('account.failed')} rows={3}>
            {({ cashBalance, unsettledCash, buyingPower }) => (
              <FactList
                summed
                rows={[
                  [t('home.free'), `${number(buyingPower)} USD`],
                  [t('home.unsettled'), `${number(unsettledCash)} USD`],
                  [t('home.cash'), `${number(cashBalance)} USD`],
                ]}
              />
            )}
          </ReadBlock>
        </Panel>
      </div>
    </div>
  );
}
