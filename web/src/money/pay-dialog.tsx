import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { ApiProblem } from '../api/api-problem.ts';
import { dataOf, exchange, sent } from '../api/client.ts';
import { sendOnce } from '../api/send-once.ts';
import { sign } from '../numbers/decimal.ts';
import { announce } from '../parts/announce.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { FactList } from '../parts/panel.tsx';
import { ProblemNote } from '../parts/read-block.tsx';
import { SignInAgain } from '../parts/sign-in-again.tsx';
import { useCustomerWords } from '../texts/use-customer-words.ts';
import type { PayableAsset, PayRequest, PayType } from './money-queries.ts';
import { canLeave, nameOfAsk, type PayAsk } from './pay-flow.ts';
import { PayForm } from './pay-form.tsx';
import { payableMax } from './pay-rules.ts';
import { usePayFlow } from './use-pay-flow.ts';

interface PayDialogProps {
  readonly type: PayType;
  /** Whose request it is: what was kept of it is theirs alone. */
  readonly owner: string;
  readonly assets: readonly PayableAsset[];
  readonly onClose: () => void;
}

/** Asks to pay in or out: what is asked for, then the same once more in words, and only then it goes out, once. */
export function PayDialog({ type, owner, assets, onClose }: PayDialogProps) {
  const { c, price } = useCustomerWords();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const payable = assets.filter((asset) => type === 'deposit' || sign(payableMax(asset)) > 0);
  const { state, step, forget } = usePayFlow(`pay:${type}`, owner, () => ({
    at: 'form',
    draft: { assetId: firstOf(payable), amount: '', reference: '' },
  }));
  const isHere = useRef(false);
  useEffect(() => {
    isHere.current = true;
    return () => {
      isHere.current = false;
    };
  }, []);
  const close = () => {
    if (!canLeave(state)) return;
    forget();
    onClose();
  };
  const send = async (ask: PayAsk) => {
    step({ is: 'sending' });
    try {
      const request = await sendOnce(nameOfAsk(type, ask), async (key) => {
        try {
          return await sendAsk(type, ask, key);
        } catch (error) {
          step({ is: 'try_failed', error });
          throw error;
        }
      });
      step({ is: 'answered' });
      announce(c(`pay.said_${type}`));
      if (isHere.current) await navigate({ to: '/account/money/$requestId', params: { requestId: request.id } });
    } catch (error) {
      step({ is: 'failed', error });
    } finally {
      await queries.invalidateQueries({ queryKey: ['own'] });
    }
  };
  if (state.at === 'done') return null;
  if (state.at === 'form')
    return (
      <PayForm
        type={type}
        payable={payable}
        draft={state.draft}
        onChange={(draft) => step({ is: 'changed', draft })}
        onReview={(ask) => step({ is: 'reviewed', ask })}
        onClose={close}
      />
    );
  const { ask, isSending, mayBeDone, problem } = state;
  const amount = `${price(ask.amount)} ${ask.symbol}`;
  return (
    <Dialog title={c(`pay.review_${type}`)} opened onClose={close}>
      <div className="dialog-body stack">
        <FactList
          rows={[
            [c('request.amount'), amount],
            [c(`pay.reference_${type}`), ask.reference === '' ? '–' : ask.reference],
            ask.left === null ? null : [c('pay.left'), `${price(ask.left)} ${ask.symbol}`],
          ]}
        />
        <p className="dim small">{c(`pay.happens_${type}`)}</p>
        {!isSending && <PayProblem problem={problem} mayBeDone={mayBeDone} />}
      </div>
      <div className="dialog-acts">
        <button
          type="button"
          className="button"
          data-autofocus
          disabled={isSending || mayBeDone}
          onClick={() => step({ is: 'back' })}
        >
          {c('pay.change')}
        </button>
        <button type="button" className="button primary" disabled={isSending} onClick={() => void send(ask)}>
          {c(isSending ? 'pay.sending' : `pay.act_${type}`, { amount })}
        </button>
      </div>
    </Dialog>
  );
}

async function sendAsk(type: PayType, { assetId, amount, reference }: PayAsk, key: string): Promise<PayRequest> {
  const body = { assetId, amount: sent(amount), reference };
  const params = { header: { 'Idempotency-Key': key } };
  const answer =
    type === 'withdrawal'
      ? await dataOf(exchange.POST('/v1/account/withdrawals', { body, params }))
      : await dataOf(
          exchange.POST('/v1/account/deposits', { body: { ...body, reference: reference || null }, params }),
        );
  return answer.data;
}

interface PayProblemProps {
  readonly problem: unknown;
  readonly mayBeDone: boolean;
}

function PayProblem({ problem, mayBeDone }: PayProblemProps) {
  const { c } = useCustomerWords();
  const stepUp = problem instanceof ApiProblem && problem.code === 'STEP_UP_REQUIRED' ? problem : null;
  return (
    <>
      {mayBeDone && (
        <div className="note warn" role="alert">
          <strong>{c('pay.unknown')}</strong>
          <p>{c('pay.unknown_text')}</p>
        </div>
      )}
      {stepUp !== null && (
        <SignInAgain
          title={c('fresh.title')}
          text={c(stepUp.details.reason === 'second_factor' ? 'fresh.second_factor_text' : 'fresh.text')}
          act={c('fresh.act')}
          failed={c('fresh.failed')}
        />
      )}
      {problem !== null && stepUp === null && !mayBeDone && <ProblemNote title={c('pay.failed')} error={problem} />}
    </>
  );
}

function firstOf(assets: readonly PayableAsset[]): string {
  return (assets.find(({ symbol }) => symbol === 'USD') ?? assets[0])?.assetId ?? '';
}
