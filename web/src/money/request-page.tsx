import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { ApiProblem } from '../api/api-problem.ts';
import { dataOf, exchange } from '../api/client.ts';
import { announce } from '../parts/announce.tsx';
import { CopyText } from '../parts/copy-text.tsx';
import { ConfirmDialog } from '../parts/dialog.tsx';
import { FactList, Panel, State } from '../parts/panel.tsx';
import { ProblemNote, ReadBlock } from '../parts/read-block.tsx';
import { usePageTitle } from '../parts/use-page-title.ts';
import { useCustomerWords } from '../texts/use-customer-words.ts';
import { isOpenRequest, type PayRequest, payRequestQuery } from './money-queries.ts';
import { saidOf, shownStateOf, toneOfRequest } from './request-words.ts';

const route = getRouteApi('/own/account/money/$requestId');

/** One request to pay in or out, to its end. */
export function RequestPage() {
  const { c, t } = useCustomerWords();
  const { requestId } = route.useParams();
  const query = useQuery(payRequestQuery(requestId));
  usePageTitle(t('money.one'));
  return (
    <div className="page mid">
      <p className="crumb">
        <Link to="/account/money">{t('money.title')}</Link>
      </p>
      {query.data === undefined && <h1 className="hidden-text">{t('money.one')}</h1>}
      <ReadBlock query={query} failed={c('request.failed')} rows={6}>
        {(request) => <OneRequest request={request} />}
      </ReadBlock>
    </div>
  );
}

function OneRequest({ request }: { readonly request: PayRequest }) {
  const { c, price, dateTime } = useCustomerWords();
  const [isTakingBack, setTakingBack] = useState(false);
  const { type, status, symbol } = request;
  const shown = shownStateOf(request);
  const said = saidOf(request);
  const amount = `${price(request.amount)} ${symbol}`;
  const isHolding = type === 'withdrawal' && isOpenRequest(request);
  return (
    <>
      <div className="page-head">
        <div>
          <h1>{c(`request.title_${type}`, { amount })}</h1>
          <p className="lede">
            <State tone={toneOfRequest(status)}>{c(`request_state.${shown}`)}</State>{' '}
            {c(`request.now_${shown}_${type}`)}
          </p>
        </div>
        {status === 'requested' && (
          <button type="button" className="button danger" onClick={() => setTakingBack(true)}>
            {c('request.take_back')}
          </button>
        )}
      </div>
      <div className="stack">
        {type === 'deposit' && status === 'approved' && (
          <Panel title={c('request.how')} padded>
            <div className="stack">
              <p>{c('request.how_text', { amount })}</p>
              <FactList
                rows={[
                  [c('request.payment_reference'), <CopyText key="p" text={request.paymentReference} />],
                  [c('request.amount'), amount],
                ]}
              />
              <p className="dim small">{c('request.how_care')}</p>
            </div>
          </Panel>
        )}
        <Panel title={c('request.facts')} padded>
          <FactList
            rows={[
              [c('request.amount'), amount],
              isHolding ? [c('money.held'), amount] : null,
              [c(`pay.reference_${type}`), request.reference ?? '–'],
              [c('request.asked'), dateTime(request.createdAt)],
              [c('request.changed'), dateTime(request.updatedAt)],
              said === null ? null : [c('request.reason'), said],
              status === 'executed'
                ? [
                    c('request.movement'),
                    <Link key="t" to="/account/transactions">
                      {c('request.see_movements')}
                    </Link>,
                  ]
                : null,
              [c('request.id'), <CopyText key="i" text={request.id} shown={`…${request.id.slice(-8)}`} />],
            ]}
          />
        </Panel>
      </div>
      {isTakingBack && <TakeBack request={request} amount={amount} onClose={() => setTakingBack(false)} />}
    </>
  );
}

interface TakeBackProps {
  readonly request: PayRequest;
  readonly amount: string;
  readonly onClose: () => void;
}

/** Done again it is done: it needs no key. */
function TakeBack({ request: { id, type }, amount, onClose }: TakeBackProps) {
  const { c } = useCustomerWords();
  const queries = useQueryClient();
  const [problem, setProblem] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  const takeBack = async () => {
    setBusy(true);
    setProblem(null);
    const call = { params: { path: { id } } };
    try {
      if (type === 'deposit') await dataOf(exchange.DELETE('/v1/account/deposits/{id}', call));
      else await dataOf(exchange.DELETE('/v1/account/withdrawals/{id}', call));
      announce(c('request.taken_back'));
      onClose();
    } catch (error) {
      setProblem(error);
    } finally {
      setBusy(false);
      await queries.invalidateQueries({ queryKey: ['own'] });
    }
  };
  return (
    <ConfirmDialog
      title={c('request.take_back_ask')}
      opened
      onClose={onClose}
      onConfirm={() => void takeBack()}
      act={c('request.take_back_act', { amount })}
      keep={c('request.keep')}
      danger
      busy={busy}
    >
      <p>{c(`request.take_back_${type}`, { amount })}</p>
      {problem !== null && <NotTakenBack problem={problem} />}
    </ConfirmDialog>
  );
}

/** It may be taken back although no answer came: to press again is safe. */
function NotTakenBack({ problem }: { readonly problem: unknown }) {
  const { c } = useCustomerWords();
  if (!(problem instanceof ApiProblem && problem.isOutcomeUnknown))
    return <ProblemNote title={c('request.not_taken_back')} error={problem} />;
  return (
    <div className="note warn" role="alert">
      <strong>{c('request.maybe_taken_back')}</strong>
      <p>{c('request.maybe_taken_back_text')}</p>
    </div>
  );
}
