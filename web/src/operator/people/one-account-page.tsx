import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { dataOf, exchange } from '../../api/client.ts';
import { CopyText } from '../../parts/copy-text.tsx';
import { FactList, Panel, State } from '../../parts/panel.tsx';
import { Empty } from '../../parts/read-block.tsx';
import { useSession } from '../../session/session.ts';
import { useWords } from '../../texts/words.tsx';
import { ActDialog } from '../parts/act-dialog.tsx';
import { UserLink } from '../parts/links.tsx';
import { ObjectPage } from '../parts/object-page.tsx';
import { TrailPanel } from '../parts/trail-panel.tsx';
import { type AccountDetail, accountDetailQuery } from '../queue-queries.ts';

const route = getRouteApi('/own/operator/accounts/$accountId');

export function OneAccountPage() {
  const { t } = useWords();
  const { accountId } = route.useParams();
  const query = useQuery(accountDetailQuery(accountId));
  return (
    <ObjectPage
      title={t('accounts.one')}
      list={<Link to="/operator/accounts">{t('accounts.title')}</Link>}
      query={query}
      failed={t('accounts.one_failed')}
    >
      {(account) => <OneAccount account={account} />}
    </ObjectPage>
  );
}

function OneAccount({ account }: { readonly account: AccountDetail }) {
  const { t, exact, count } = useWords();
  const session = useSession();
  const [asks, setAsks] = useState(false);
  const { facts, accountId, openOrders } = account;
  const name = account.name ?? accountId;
  const act = facts.frozen ? 'unfreeze' : 'freeze';
  return (
    <>
      <div className="page-head">
        <div>
          <h1>{name}</h1>
          <p className="lede">
            <State tone={facts.frozen ? 'bad' : 'ok'}>
              {t(facts.frozen ? 'account_state.frozen' : 'account_state.free')}
            </State>{' '}
            {count('account.open_orders', Number(openOrders.orders))}
          </p>
        </div>
        {session?.powers.includes('run_venue') === true && (
          <button type="button" className={facts.frozen ? 'button' : 'button danger'} onClick={() => setAsks(true)}>
            {t(`account_act.${act}`)}
          </button>
        )}
      </div>
      <div className="columns">
        <div className="stack">
          <Panel title={t('accounts.facts')} padded>
            <FactList
              rows={[
                account.userId === null
                  ? null
                  : [
                      t('column.person'),
                      <UserLink key="u" id={account.userId}>
                        {name}
                      </UserLink>,
                    ],
                [t('column.organization'), account.owner],
                [t('account.known'), facts.kycStatus],
                [t('me.accreditation'), `${facts.accreditationStatus} ${facts.accreditationType ?? ''}`],
                [t('account.us_person'), t(facts.usPerson ? 'word.yes' : 'word.no')],
                [t('account.income'), `${exact(facts.annualIncome)} USD`],
                [t('account.worth'), `${exact(facts.netWorth)} USD`],
                [t('account.id'), <CopyText key="id" text={accountId} />],
              ]}
            />
          </Panel>
          <Panel
            title={t('accounts.balances')}
            footer={
              <span className="row">
                <Link to="/operator/transfers" search={{ accountId, status: 'all' }}>
                  {t('transfers.title')}
                </Link>
                <Link to="/operator/refusals" search={{ accountId }}>
                  {t('refusals.title')}
                </Link>
              </span>
            }
          >
            {account.balances.length === 0 ? (
              <Empty title={t('accounts.no_balances')} text={t('accounts.no_balances_text')} />
            ) : (
              <div className="scroll">
                <table className="table">
                  <caption className="hidden-text">{t('accounts.balances')}</caption>
                  <thead>
                    <tr>
                      <th>{t('column.asset')}</th>
                      <th className="right">{t('balance.available')}</th>
                      <th className="right">{t('balance.held')}</th>
                    </tr>
                  </thead>
                  <tbody>
                    {account.balances.map((balance) => (
                      <tr key={balance.assetId}>
                        <td>{balance.symbol}</td>
                        <td className="right">{exact(balance.available)}</td>
                        <td className="right">{exact(balance.held)}</td>
                      </tr>
                    ))}
                  </tbody>
                </table>
              </div>
            )}
          </Panel>
        </div>
        <TrailPanel subject={accountId} />
      </div>
      {asks && (
        <ActDialog
          title={t(`account_ask.${act}`, { name })}
          act={t(`account_act.${act}`)}
          failed={t('account.not_changed')}
          said={t(`account_said.${act}`, { name })}
          name={`${act} ${accountId}`}
          danger={act === 'freeze'}
          onClose={() => setAsks(false)}
          send={(reason, key) => {
            const call = {
              params: { path: { id: accountId }, header: { 'Idempotency-Key': key } },
              body: { reason },
            };
            return act === 'freeze'
              ? dataOf(exchange.POST('/v1/operator/accounts/{id}/freeze', call))
              : dataOf(exchange.POST('/v1/operator/accounts/{id}/unfreeze', call));
          }}
        >
          <p>{t(`account_happens.${act}`)}</p>
          {act === 'freeze' && (
            <FactList
              rows={[
                [t('account.cancels'), exact(openOrders.orders)],
                [t('account.in_markets'), exact(openOrders.markets)],
              ]}
            />
          )}
        </ActDialog>
      )}
    </>
  );
}
