import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { ApiProblem } from '../api/api-problem.ts';
import { dataOf, exchange, sent } from '../api/client.ts';
import { sendOnce } from '../api/send-once.ts';
import { sign } from '../numbers/decimal.ts';
import { showInput } from '../numbers/read-input.ts';
import { announce } from '../parts/announce.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Field, NumberField, SelectField } from '../parts/field.tsx';
import { FactList } from '../parts/panel.tsx';
import { Empty, ProblemNote } from '../parts/read-block.tsx';
import { SignInAgain } from '../parts/sign-in-again.tsx';
import { useCustomerWords } from '../texts/use-customer-words.ts';
import type { PayableAsset, PayRequest, PayType } from './money-queries.ts';
import { leftAfter, payableMax, readAmount } from './pay-rules.ts';

const REFERENCE_LENGTH_MAX = 200;

interface Draft {
  readonly assetId: string;
  readonly amount: string;
  readonly reference: string;
}

interface PayDialogProps {
  readonly type: PayType;
  readonly assets: readonly PayableAsset[];
  readonly onClose: () => void;
}

/** Asks to pay in or out: what is asked for, then the same once more in words, and only then it goes out, once. */
export function PayDialog({ type, assets, onClose }: PayDialogProps) {
  const { c, t, price, locale } = useCustomerWords();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const kept = `pay:${type}`;
  const payable = assets.filter((asset) => type === 'deposit' || sign(payableMax(asset)) > 0);
  const [draft, setDraft] = useState<Draft>(
    () => draftOf(kept) ?? { assetId: firstOf(payable), amount: '', reference: '' },
  );
  const [isReviewed, setReviewed] = useState(draftOf(kept) !== null);
  const [isTried, setTried] = useState(false);
  const [problem, setProblem] = useState<unknown>(null);
  const [isUnknown, setUnknown] = useState(false);
  const [busy, setBusy] = useState(false);
  const asset = payable.find(({ assetId }) => assetId === draft.assetId) ?? payable[0];
  if (asset === undefined) {
    return (
      <Dialog title={c(`pay.${type}`)} opened onClose={onClose}>
        <Empty title={c('pay.nothing')} text={c('pay.nothing_text')} />
      </Dialog>
    );
  }
  const { amount, flaw } = readAmount(draft.amount, asset, type, locale);
  const reference = draft.reference.trim();
  const lacksReference = type === 'withdrawal' && reference === '';
  const keep = () => sessionStorage.setItem(kept, JSON.stringify(draft));
  const close = () => {
    // What may have been asked for is asked for again in the same words, under the same key.
    if (!isUnknown) sessionStorage.removeItem(kept);
    onClose();
  };
  const review = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (amount !== null && !lacksReference) setReviewed(true);
  };
  const send = async () => {
    if (amount === null) return;
    setBusy(true);
    setProblem(null);
    try {
      const request = await sendOnce(`pay ${type} ${asset.assetId} ${amount} ${reference}`, (key) => ask(type, key));
      sessionStorage.removeItem(kept);
      announce(c(`pay.said_${type}`));
      await navigate({ to: '/account/money/$requestId', params: { requestId: request.id } });
    } catch (error) {
      setUnknown(error instanceof ApiProblem && (error.isOutcomeUnknown || (isUnknown && error.isTurnedAway)));
      setProblem(error);
    } finally {
      setBusy(false);
      await queries.invalidateQueries({ queryKey: ['own'] });
    }
  };
  const ask = async (of: PayType, key: string): Promise<PayRequest> => {
    const body = {
      assetId: asset.assetId,
      amount: sent(amount ?? '0'),
      reference: reference === '' ? null : reference,
    };
    const call = { body, params: { header: { 'Idempotency-Key': key } } };
    const answer =
      of === 'deposit'
        ? await dataOf(exchange.POST('/v1/account/deposits', call))
        : await dataOf(exchange.POST('/v1/account/withdrawals', call));
    return answer.data;
  };
  if (isReviewed && amount !== null) {
    return (
      <Dialog title={c(`pay.review_${type}`)} opened onClose={close}>
        <div className="dialog-body stack">
          <FactList
            rows={[
              [c('request.amount'), `${price(amount)} ${asset.symbol}`],
              [c(`pay.reference_${type}`), reference === '' ? '–' : reference],
              type === 'withdrawal' ? [c('pay.left'), `${price(leftAfter(asset, amount))} ${asset.symbol}`] : null,
            ]}
          />
          <p className="dim small">{c(`pay.happens_${type}`)}</p>
          <PayProblem problem={problem} isUnknown={isUnknown} onLeave={keep} />
        </div>
        <div className="dialog-acts">
          <button
            type="button"
            className="button"
            data-autofocus
            disabled={busy || isUnknown}
            onClick={() => setReviewed(false)}
          >
            {c('pay.change')}
          </button>
          <button type="button" className="button primary" disabled={busy} onClick={() => void send()}>
            {c(busy ? 'pay.sending' : `pay.act_${type}`, { amount: `${price(amount)} ${asset.symbol}` })}
          </button>
        </div>
      </Dialog>
    );
  }
  const change = (next: Partial<Draft>) => setDraft({ ...draft, ...next });
  return (
    <Dialog title={c(`pay.${type}`)} opened onClose={close}>
      <form onSubmit={review} noValidate>
        <div className="dialog-body stack">
          <SelectField
            label={c('money.asset')}
            value={asset.assetId}
            options={payable.map(({ assetId, symbol, name }) => ({ value: assetId, label: `${symbol} · ${name}` }))}
            onChange={(assetId) => change({ assetId })}
          />
          <NumberField
            label={c('request.amount')}
            name="amount"
            unit={asset.symbol}
            hint={
              type === 'withdrawal' ? (
                <>
                  {c('pay.available', { amount: `${price(asset.available)} ${asset.symbol}` })}{' '}
                  <button
                    type="button"
                    className="link small"
                    onClick={() => change({ amount: showInput(payableMax(asset), locale) })}
                  >
                    {c('pay.all')}
                  </button>
                </>
              ) : undefined
            }
            value={draft.amount}
            error={
              flaw === 'not_positive'
                ? t('flaw.not_positive')
                : flaw !== null
                  ? c(`pay.${flaw}`, { decimals: asset.decimals, symbol: asset.symbol })
                  : isTried && amount === null
                    ? t('flaw.not_positive')
                    : null
            }
            onChange={(value) => change({ amount: value })}
          />
          <Field
            label={c(`pay.reference_${type}`)}
            hint={c(`pay.reference_hint_${type}`)}
            error={isTried && lacksReference ? c('pay.reference_missing') : null}
          >
            {({ id, describedBy, invalid }) => (
              <input
                id={id}
                name="reference"
                className="input"
                maxLength={REFERENCE_LENGTH_MAX}
                autoComplete="off"
                aria-describedby={describedBy}
                aria-invalid={invalid}
                value={draft.reference}
                onChange={(event) => change({ reference: event.target.value })}
              />
            )}
          </Field>
          {type === 'withdrawal' && <p className="dim small">{c('pay.unsettled_text')}</p>}
        </div>
        <div className="dialog-acts">
          <button type="button" className="button" onClick={close}>
            {c('pay.leave')}
          </button>
          <button type="submit" className="button primary">
            {c('pay.to_review')}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

interface PayProblemProps {
  readonly problem: unknown;
  readonly isUnknown: boolean;
  readonly onLeave: () => void;
}

function PayProblem({ problem, isUnknown, onLeave }: PayProblemProps) {
  const { c } = useCustomerWords();
  if (problem === null) return null;
  if (problem instanceof ApiProblem && problem.code === 'STEP_UP_REQUIRED')
    return (
      <SignInAgain
        title={c('fresh.title')}
        text={c(problem.details.reason === 'second_factor' ? 'fresh.second_factor_text' : 'fresh.text')}
        act={c('fresh.act')}
        failed={c('fresh.failed')}
        onLeave={onLeave}
      />
    );
  if (isUnknown)
    return (
      <div className="note warn" role="alert">
        <strong>{c('pay.unknown')}</strong>
        <p>{c('pay.unknown_text')}</p>
      </div>
    );
  return <ProblemNote title={c('pay.failed')} error={problem} />;
}

function firstOf(assets: readonly PayableAsset[]): string {
  return (assets.find(({ symbol }) => symbol === 'USD') ?? assets[0])?.assetId ?? '';
}

/** What its person wrote before they left to sign in once more. */
function draftOf(kept: string): Draft | null {
  try {
    const draft = JSON.parse(sessionStorage.getItem(kept) ?? 'null') as Partial<Draft> | null;
    if (draft === null) return null;
    const { assetId = '', amount = '', reference = '' } = draft;
    return { assetId, amount, reference };
  } catch {
    return null;
  }
}
