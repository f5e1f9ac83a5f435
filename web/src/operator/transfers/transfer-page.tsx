import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { saidOf, shownStateOf } from '../../money/request-words.ts';
import { CopyText } from '../../parts/copy-text.tsx';
import { FactList, Panel, State } from '../../parts/panel.tsx';
import { useSession } from '../../session/session.ts';
import { BalanceChange } from '../parts/balance-change.tsx';
import { AccountLink, UserLink } from '../parts/links.tsx';
import { ObjectPage } from '../parts/object-page.tsx';
import { TrailPanel } from '../parts/trail-panel.tsx';
import { type TransferRequest, transferRequestQuery } from '../queue-queries.ts';
import { useOperatorWords } from '../use-operator-words.ts';
import { DecideTransfer } from './decide-transfer.tsx';
import { decisionsOf, type TransferDecision, toneOfTransfer } from './transfer-words.ts';

const route = getRouteApi('/own/venue/operator/transfers/$requestId');

export function TransferPage() {
  const { o, t } = useOperatorWords();
  const { requestId } = route.useParams();
  const query = useQuery(transferRequestQuery(requestId));
  return (
    <ObjectPage
      title={t('transfer.title')}
      list={<Link to="/operator/transfers">{t('transfers.title')}</Link>}
      query={query}
      failed={o('transfer.failed')}
    >
      {(request) => <OneRequest request={request} />}
    </ObjectPage>
  );
}

function OneRequest({ request }: { readonly request: TransferRequest }) {
  const { o, t, price, dateTime } = useOperatorWords();
  const session = useSession();
  const [decision, setDecision] = useState<TransferDecision | null>(null);
  const said = saidOf(request);
  const mayDecide = session?.powers.includes('run_venue') === true;
  const decisions = mayDecide ? decisionsOf(request.status) : [];
  return (
    <>
      <div className="page-head">
        <div>
          <h1>
            {o(`transfer_type.${request.type}`)} · {price(request.amount)} {request.symbol}
          </h1>
          <p className="lede">
            <State tone={toneOfTransfer(request.status)}>{o(`transfer_state.${shownStateOf(request)}`)}</State>{' '}
            {o('transfer.asked', { time: dateTime(request.createdAt) })}
          </p>
        </div>
        <div className="row">
          {decisions.map((one) => (
            <button
              key={one}
              type="button"
              className={one === 'reject' ? 'button danger' : 'button primary'}
              onClick={() => setDecision(one)}
            >
              {o(`transfer_act.${one}`)}
            </button>
          ))}
        </div>
      </div>
      <div className="columns">
        <div className="stack">
          <Panel title={t('transfer.title')} padded>
            <FactList
              rows={[
                [
                  o('column.person'),
                  request.userId === null ? (
                    '–'
                  ) : (
                    <UserLink key="u" id={request.userId}>
                      {request.name}
                    </UserLink>
                  ),
                ],
                [o('column.account'), <AccountLink key="a" id={request.accountId} />],
                [o('column.organization'), request.owner],
                request.type === 'deposit'
                  ? [o('transfer.payment_reference'), <CopyText key="p" text={request.paymentReference} />]
                  : null,
                [o(`transfer.reference_${request.type}`), request.reference ?? '–'],
                [o('transfer.changed_at'), dateTime(request.updatedAt)],
                said === null ? null : [o('act.reason'), said],
                [o('transfer.id'), <CopyText key="id" text={request.id} shown={`…${request.id.slice(-8)}`} />],
              ]}
            />
          </Panel>
          {decisionsOf(request.status).length > 0 && (
            <BalanceChange
              accountId={request.accountId}
              assetId={request.assetId}
              change={{ type: request.type, amount: request.amount, isRequest: true }}
            />
          )}
        </div>
        <TrailPanel subject={request.accountId} />
      </div>
      {decision !== null && <DecideTransfer request={request} decision={decision} onClose={() => setDecision(null)} />}
    </>
  );
}
