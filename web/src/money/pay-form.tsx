import { type FormEvent, useState } from 'react';
import { trim } from '../numbers/decimal.ts';
import { showInput } from '../numbers/read-input.ts';
import { Dialog } from '../parts/dialog.tsx';
import { Field, NumberField, SelectField } from '../parts/field.tsx';
import { Empty } from '../parts/read-block.tsx';
import { useCustomerWords } from '../texts/use-customer-words.ts';
import type { PayableAsset, PayType } from './money-queries.ts';
import type { PayAsk, PayDraft } from './pay-flow.ts';
import { leftAfter, payableMax, readAmount } from './pay-rules.ts';

const REFERENCE_LENGTH_MAX = 200;

interface PayFormProps {
  readonly type: PayType;
  readonly payable: readonly PayableAsset[];
  readonly draft: PayDraft;
  readonly onChange: (draft: PayDraft) => void;
  readonly onReview: (ask: PayAsk) => void;
  readonly onClose: () => void;
}

/** What is asked for. An asset that was chosen is replaced by no other: where it cannot be paid any more, the form says so. */
export function PayForm({ type, payable, draft, onChange, onReview, onClose }: PayFormProps) {
  const { c, t, price, locale } = useCustomerWords();
  const [isTried, setTried] = useState(false);
  if (payable.length === 0) {
    return (
      <Dialog title={c(`pay.${type}`)} opened onClose={onClose}>
        <Empty title={c('pay.nothing')} text={c('pay.nothing_text')} />
      </Dialog>
    );
  }
  const asset = payable.find(({ assetId }) => assetId === draft.assetId) ?? null;
  const { amount, flaw } =
    asset === null ? { amount: null, flaw: null } : readAmount(draft.amount, asset, type, locale);
  const reference = draft.reference.trim();
  const lacksReference = type === 'withdrawal' && reference === '';
  const change = (next: Partial<PayDraft>) => onChange({ ...draft, ...next });
  const review = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (asset === null || amount === null || lacksReference) return;
    const { assetId, symbol } = asset;
    const left = type === 'withdrawal' ? leftAfter(asset, amount) : null;
    onReview({ assetId, symbol, amount: trim(amount), reference, left });
  };
  const choices = payable.map(({ assetId, symbol, name }) => ({ value: assetId, label: `${symbol} · ${name}` }));
  return (
    <Dialog title={c(`pay.${type}`)} opened onClose={onClose}>
      <form onSubmit={review} noValidate>
        <div className="dialog-body stack">
          <SelectField
            label={c('money.asset')}
            value={draft.assetId}
            options={asset === null ? [{ value: draft.assetId, label: '–' }, ...choices] : choices}
            onChange={(assetId) => change({ assetId })}
          />
          {asset === null && (
            <p className="note warn" role="alert">
              {c('pay.gone')}
            </p>
          )}
          <NumberField
            label={c('request.amount')}
            name="amount"
            unit={asset?.symbol ?? ''}
            hint={
              type === 'withdrawal' && asset !== null ? (
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
              asset !== null && flaw !== null && flaw !== 'not_positive'
                ? c(`pay.${flaw}`, { decimals: asset.decimals, symbol: asset.symbol })
                : flaw === 'not_positive' || (isTried && asset !== null && amount === null)
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
          <button type="button" className="button" onClick={onClose}>
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
