import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { dataOf, exchange } from '../../api/client.ts';
import { CopyText } from '../../parts/copy-text.tsx';
import { FactList, Panel, State } from '../../parts/panel.tsx';
import { Empty } from '../../parts/read-block.tsx';
import { useSession } from '../../session/session.ts';
import { ActDialog } from '../act-dialog.tsx';
import { UserLink } from '../parts/links.tsx';
import { ObjectPage } from '../parts/object-page.tsx';
import { TrailPanel } from '../parts/trail-panel.tsx';
import { type AccountDetail, accountDetailQuery } from '../queue-queries.ts';
import { useOperatorWords } from '../use-operator-words.ts';

const route = getRouteApi('/own/venue/operator/accounts/$accountId');

export function OneAccountPage() {
  const { o, t } = useOperatorWords();
  const { accountId } = route.useParams();
  const query = useQuery(accountDetailQuery(accountId));
  return (
    <ObjectPage
      title={t('accounts.one')}
      list={<Link to="/operator/accounts">{t('accounts.title')}</Link>}
      query={query}
      failed={o('accounts.one_failed')}
    >
      {(account) => <OneAccount account={account} />}
    </ObjectPage>
  );
}

function OneAccount({ account }: { readonly account: AccountDetail }) {
  const { o, t, many, exact } = useOperatorWords();
  const session = useSession();
  const [asked, setAsked] = useState<'freeze' | 'unfreeze' | null>(null);
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
              {o(facts.frozen ? 'account_state.frozen' : 'account_state.free')}
            </State>{' '}
            {many('account.open_orders', Number(openOrders.orders))}
          </p>
        </div>
        {session?.powers.includes('run_venue') === true && (
          <button type="button" className={facts.frozen ? 'button' : 'button danger'} onClick={() => setAsked(act)}>
            {o(`account_act.${act}`)}
          </button>
        )}
      </div>
      <div className="columns">
        <div className="stack">
          <Panel title={o('accounts.facts')} padded>
            <FactList
              rows={[
                account.userId === null
                  ? null
                  : [
                      o('column.person'),
                      <UserLink key="u" id={account.userId}>
                        {name}
                      </UserLink>,
                    ],
                [o('column.organization'), account.owner],
                [o('account.known'), facts.kycStatus],
                [t('me.accreditation'), `${facts.accreditationStatus} ${facts.accreditationType ?? ''}`],
                [o('account.us_person'), o(facts.usPerson ? 'word.yes' : 'word.no')],
                [o('account.income'), `${exact(facts.annualIncome)} USD`],
                [o('account.worth'), `${exact(facts.netWorth)} USD`],
                [t('account.id'), <CopyText key="id" text={accountId} />],
              ]}
            />
          </Panel>
          <Panel
            title={o('accounts.balances')}
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
              <Empty title={o('accounts.no_balances')} text={o('accounts.no_balances_text')} />
            ) : (
              <div className="scroll">
                <table className="table">
                  <caption className="hidden-text">{o('accounts.balances')}</caption>
                  <thead>
                    <tr>
                      <th>{t('column.asset')}</th>
                      <th className="right">{o('balance.available')}</th>
                      <th className="right">{o('balance.held')}</th>
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
      {asked !== null && (
        <ActDialog
          title={o(`account_ask.${asked}`, { name })}
          act={o(`account_act.${asked}`)}
          name={`${asked} ${accountId}`}
          danger={asked === 'freeze'}
          changed={asked !== act}
          onClose={() => setAsked(null)}
          send={async (reason, header) => {
            const call = { params: { path: { id: accountId }, header }, body: { reason } };
            await (asked === 'freeze'
              ? dataOf(exchange.POST('/v1/operator/accounts/{id}/freeze', call))
              : dataOf(exchange.POST('/v1/operator/accounts/{id}/unfreeze', call)));
            return o(`account_said.${asked}`, { name });
          }}
        >
          <p>{o(`account_happens.${asked}`)}</p>
          {asked === 'freeze' && (
            <FactList
              rows={[
                [o('account.cancels'), exact(openOrders.orders)],
                [o('account.in_markets'), exact(openOrders.markets)],
              ]}
            />
          )}
        </ActDialog>
      )}
    </>
  );
}
