import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type FormEvent, type KeyboardEvent, useEffect, useState } from 'react';
import { ApiProblem } from '../api/api-problem.ts';
import { compare, type Decimal, sign, trim } from '../numbers/decimal.ts';
import { readInput, showInput } from '../numbers/read-input.ts';
import { announce } from '../parts/announce.tsx';
import { ConfirmDialog } from '../parts/dialog.tsx';
import { Field, NumberField, SelectField } from '../parts/field.tsx';
import { FactList } from '../parts/panel.tsx';
import type { TextKey } from '../texts/texts.ts';
import { useWords, type Words } from '../texts/words.tsx';
import { type Placed, placeElsewhere, placeInBook, type TicketPreview } from './place-order.ts';
import { RefusalNote } from './refusal-note.tsx';
import {
  type Flaw,
  flawOf,
  largestSize,
  needsPrice,
  needsStopPrice,
  type OrderType,
  partOf,
  type Rules,
  type Side,
  stepped,
  type TicketForm,
  type TimeInForce,
} from './ticket-rules.ts';
import { usePreview } from './use-preview.ts';

export interface TicketProps {
  readonly assetId: string;
  /** Of the asset, and of what it is paid with. */
  readonly base: string;
  readonly quote: string;
  /** The pair whose book takes it; null where it is executed elsewhere. */
  readonly pair: string | null;
  readonly isIndication: boolean;
  readonly rules: Rules;
  readonly side: Side;
  readonly onSide: (side: Side) => void;
  /** A price that was pressed in the book. */
  readonly picked: Decimal | null;
  readonly last: Decimal | null;
  readonly cash: Decimal;
  readonly holding: Decimal;
}

/** An order, with what it would do and cost before it is sent. */
export function Ticket(props: TicketProps) {
  const { assetId, base, quote, pair, isIndication, rules, side, onSide, picked, last, cash, holding } = props;
  const words = useWords();
  const { t, locale, exact, number } = words;
  const queries = useQueryClient();
  const types = Object.keys(rules.timesByType) as OrderType[];
  const [type, setType] = useState<OrderType>(types.includes('limit') ? 'limit' : (types[0] ?? 'limit'));
  const times = rules.timesByType[type] ?? ['GTC'];
  const [wantedTime, setTime] = useState<TimeInForce>('GTC');
  const timeInForce = times.includes(wantedTime) ? wantedTime : (times[0] ?? 'GTC');
  const [size, setSize] = useState('');
  const [price, setPrice] = useState('');
  const [stop, setStop] = useState('');
  const [until, setUntil] = useState('');
  const [touched, setTouched] = useState<ReadonlySet<string>>(new Set());
  const [isReviewing, setReviewing] = useState(false);
  const [sending, setSending] = useState<'no' | 'sent' | 'asking'>('no');
  const [refused, setRefused] = useState<unknown>(null);
  const [placed, setPlaced] = useState<Placed | null>(null);

  useEffect(() => {
    if (picked === null) return;
    setPrice(showInput(trim(picked), locale));
    setType((before) => (needsPrice(before) ? before : 'limit'));
  }, [picked, locale]);

  const form: TicketForm = {
    side,
    type,
    timeInForce,
    size: readInput(size, locale),
    price: needsPrice(type) ? readInput(price, locale) : null,
    stopPrice: needsStopPrice(type) ? readInput(stop, locale) : null,
    expiresAt: timeInForce === 'GTD' && until !== '' ? new Date(until).getTime() : null,
  };
  const flaw = flawOf(form, rules, Date.now());
  const { preview, error, isCurrent } = usePreview(
    pair === null ? { assetId, isIndication } : { pair },
    flaw === null ? form : null,
  );
  const available = side === 'buy' ? cash : holding;
  const reckoned = needsPrice(type) ? form.price : needsStopPrice(type) ? form.stopPrice : last;
  const largest = largestSize(side, available, reckoned, rules);
  const touch = (field: string) => setTouched((before) => new Set([...before, field]));
  const shownFlaw = (field: Flaw['field']) =>
    flaw?.field === field && touched.has(field) ? flawText(flaw, words) : null;
  const change = (field: string, set: (value: string) => void) => (value: string) => {
    set(value);
    touch(field);
    setRefused(null);
    setPlaced(null);
  };

  const review = (event: FormEvent) => {
    event.preventDefault();
    setTouched(new Set(['size', 'price', 'stopPrice', 'expiresAt']));
    if (flaw !== null || error !== null) {
      announce(flaw === null ? t('ticket.refused_said') : flawText(flaw, words), 'assertive');
      return;
    }
    setPlaced(null);
    setRefused(null);
    setReviewing(true);
  };

  const send = async () => {
    setSending('sent');
    const onAsking = () => setSending('asking');
    try {
      const done = await (pair === null
        ? placeElsewhere(assetId, form, isIndication, onAsking)
        : placeInBook(pair, form, onAsking));
      setPlaced(done);
      setSize('');
      setTouched(new Set());
      announce(t('ticket.placed', { what: titleOf(form, base, words) }));
    } catch (problem) {
      setRefused(problem);
      if (problem instanceof ApiProblem) announce(t('ticket.refused_said'), 'assertive');
    } finally {
      setSending('no');
      setReviewing(false);
      void queries.invalidateQueries({ queryKey: ['own'] });
    }
  };

  const keys = (event: KeyboardEvent) => {
    if (event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement) return;
    if (event.key === 'b' || event.key === 's') onSide(event.key === 'b' ? 'buy' : 'sell');
  };

  const typeOptions = types.map((value) => ({ value, label: t(`type.${value}`) }));
  const timeOptions = times.map((value) => ({ value, label: t(`time.${value}`) }));
  return (
    <section className={`ticket ${side}`} id="ticket" aria-label={t('ticket.title')} onKeyDown={keys}>
      <div className="sides" role="group" aria-label={t('ticket.side')}>
        <button type="button" className="buy" aria-pressed={side === 'buy'} onClick={() => onSide('buy')}>
          {t('side.buy')}
        </button>
        <button type="button" className="sell" aria-pressed={side === 'sell'} onClick={() => onSide('sell')}>
          {t('side.sell')}
        </button>
      </div>
      <form className="ticket-body" onSubmit={review} noValidate>
        <div className="two">
          <SelectField label={t('ticket.type')} value={type} options={typeOptions} onChange={setType} />
          <SelectField label={t('ticket.time')} value={timeInForce} options={timeOptions} onChange={setTime} />
        </div>
        {needsStopPrice(type) && (
          <NumberField
            label={t('ticket.stop')}
            name="stop-price"
            unit={quote}
            value={stop}
            error={shownFlaw('stopPrice')}
            onChange={change('stopPrice', setStop)}
            onStep={(direction) =>
              setStop(showInput(stepped(readInput(stop, locale) ?? last, rules.tick ?? '0.01', direction), locale))
            }
          />
        )}
        {needsPrice(type) && (
          <NumberField
            label={t(isIndication ? 'ticket.indication_price' : 'ticket.price')}
            name="price"
            unit={quote}
            value={price}
            error={shownFlaw('price')}
            onChange={change('price', setPrice)}
            onStep={(direction) =>
              setPrice(showInput(stepped(readInput(price, locale) ?? last, rules.tick ?? '0.01', direction), locale))
            }
          />
        )}
        <NumberField
          label={t('ticket.quantity')}
          name="quantity"
          unit={base}
          value={size}
          error={shownFlaw('size')}
          onChange={change('size', setSize)}
          onStep={(direction) =>
            setSize(showInput(stepped(readInput(size, locale), rules.lot ?? '1', direction), locale))
          }
        />
        {timeInForce === 'GTD' && (
          <Field label={t('ticket.until')} error={shownFlaw('expiresAt')}>
            {({ id, describedBy }) => (
              <input
                id={id}
                type="datetime-local"
                className="input"
                aria-describedby={describedBy}
                value={until}
                onChange={(event) => change('expiresAt', setUntil)(event.target.value)}
              />
            )}
          </Field>
        )}
        <div className="parts" role="group" aria-label={t('ticket.parts')}>
          {[25, 50, 75].map((percent) => (
            <button
              key={percent}
              type="button"
              disabled={largest === null || sign(largest) === 0}
              onClick={() => change('size', setSize)(showInput(partOf(largest ?? '0', percent, rules.lot), locale))}
            >
              {percent} %
            </button>
          ))}
          <button
            type="button"
            disabled={largest === null || sign(largest) === 0}
            onClick={() => change('size', setSize)(showInput(largest ?? '0', locale))}
          >
            {largest === null ? t('ticket.max') : t('ticket.max_of', { size: exact(largest) })}
          </button>
        </div>
        <p className="small dim">
          {t('ticket.available', {
            amount: side === 'buy' ? number(available) : exact(available),
            asset: side === 'buy' ? quote : base,
          })}
        </p>
        {isIndication && <p className="note">{t('ticket.indication')}</p>}
        {flaw === null && !isIndication && (
          <PreviewFacts preview={preview} error={error} isCurrent={isCurrent} base={base} quote={quote} rules={rules} />
        )}
        {flaw === null && isIndication && error !== null && <RefusalNote error={error} symbol={base} />}
        {refused !== null && <RefusalNote error={refused} symbol={base} />}
        {placed !== null && (
          <div className="note ok" role="status">
            <strong>{t(isIndication ? 'ticket.indicated' : 'ticket.done')}</strong>{' '}
            <Link to="/orders/$orderId" params={{ orderId: placed.orderId }}>
              {t('ticket.see_order')}
            </Link>
          </div>
        )}
        <button
          type="submit"
          className={`button full large ${side === 'buy' ? 'up' : 'down'}`}
          disabled={sending !== 'no'}
          aria-disabled={error !== null || undefined}
        >
          {sending === 'no'
            ? titleOf(form, base, words, isIndication)
            : t(sending === 'sent' ? 'ticket.sending' : 'ticket.asking')}
        </button>
        <p className="small dim">{t(`time_text.${timeInForce}`)}</p>
      </form>
      <ConfirmDialog
        title={t('ticket.review', { what: titleOf(form, base, words, isIndication) })}
        opened={isReviewing}
        onClose={() => setReviewing(false)}
        onConfirm={() => void send()}
        busy={sending !== 'no'}
        act={
          sending === 'no'
            ? titleOf(form, base, words, isIndication)
            : t(sending === 'sent' ? 'ticket.sending' : 'ticket.asking')
        }
        keep={t('ticket.not_yet')}
      >
        <FactList rows={reviewRows(props, form, preview, words)} />
        {sending === 'asking' && <p className="note warn">{t('ticket.asking_text')}</p>}
      </ConfirmDialog>
    </section>
  );
}

interface PreviewProps {
  readonly preview: TicketPreview | undefined;
  readonly error: unknown;
  readonly isCurrent: boolean;
  readonly base: string;
  readonly quote: string;
  readonly rules: Rules;
}

function PreviewFacts({ preview, error, isCurrent, base, quote, rules }: PreviewProps) {
  const { t, number, exact, dateTime } = useWords();
  if (error !== null) return <RefusalNote error={error} symbol={base} />;
  if (preview === undefined) return <p className="small dim preview">{t('preview.asking')}</p>;
  const isBuy = preview.side === 'buy';
  const isTaking = sign(preview.estimated_filled_size) > 0;
  const rest = compare(preview.size, preview.estimated_filled_size) > 0;
  const price = (value: Decimal) => number(value, rules.priceDecimals);
  return (
    <div className={isCurrent ? 'preview' : 'preview old'}>
      <h3>{t('preview.title')}</h3>
      <FactList
        rows={[
          preview.estimated_average_price === null
            ? null
            : [t('preview.average'), `${price(preview.estimated_average_price)} ${quote}`],
          [
            t('preview.at_once'),
            preview.isEstimated
              ? t('preview.of', { filled: exact(preview.estimated_filled_size), size: exact(preview.size) })
              : t('value.unknown'),
          ],
          [
            t('preview.fee', { bps: exact(preview.takerFeeBps ?? rules.takerFeeBps ?? '0') }),
            preview.isEstimated ? `${number(preview.estimated_fee)} ${quote}` : t('value.unknown'),
          ],
          isTaking
            ? [
                <strong key="total">{t(isBuy ? 'preview.pay' : 'preview.get')}</strong>,
                <strong key="amount">{`${number(preview.estimated_total)} ${quote}`}</strong>,
              ]
            : null,
          [t(isBuy ? 'preview.never_above' : 'preview.never_below'), `${price(preview.worst_price)} ${quote}`],
          [
            t('preview.held'),
            `${preview.held_asset === base ? exact(preview.held) : number(preview.held)} ${preview.held_asset}`,
          ],
        ]}
      />
      {preview.isElsewhere && (
        <p className="small dim">
          {preview.waitsUntil === null
            ? t(preview.isEstimated ? 'preview.displayed' : 'preview.not_displayed')
            : t('preview.waits', { time: dateTime(preview.waitsUntil) })}
        </p>
      )}
      <p className="note ok">
        {t(
          !preview.isElsewhere && rest && preview.type !== 'market' && preview.time_in_force !== 'IOC'
            ? 'preview.let_in_rests'
            : 'preview.let_in',
        )}
      </p>
    </div>
  );
}

function reviewRows(
  { base, quote, rules }: TicketProps,
  form: TicketForm,
  preview: TicketPreview | undefined,
  { t, exact, number, dateTime }: Words,
) {
  const price = (value: Decimal) => `${number(value, rules.priceDecimals)} ${quote}`;
  return [
    [t('ticket.quantity'), `${exact(form.size ?? '0')} ${base}`] as const,
    [t('ticket.type'), t(`type.${form.type}`)] as const,
    form.stopPrice === null ? null : ([t('ticket.stop'), price(form.stopPrice)] as const),
    form.price === null ? null : ([t('ticket.price'), price(form.price)] as const),
    [t('ticket.time'), form.expiresAt === null ? t(`time.${form.timeInForce}`) : dateTime(form.expiresAt)] as const,
    preview === undefined
      ? null
      : ([
          t('preview.held'),
          `${preview.held_asset === base ? exact(preview.held) : number(preview.held)} ${preview.held_asset}`,
        ] as const),
    preview === undefined
      ? null
      : ([t(form.side === 'buy' ? 'preview.never_above' : 'preview.never_below'), price(preview.worst_price)] as const),
  ];
}

function titleOf({ side, size }: TicketForm, base: string, { t, exact }: Words, isIndication = false): string {
  const facts = { size: size === null ? '' : exact(size), base };
  if (isIndication) return t('ticket.indicate', facts).replaceAll('  ', ' ');
  return t(side === 'buy' ? 'ticket.buy' : 'ticket.sell', facts).replaceAll('  ', ' ');
}

function flawText(flaw: Flaw, { t, exact }: Words): string {
  switch (flaw.flaw) {
    case 'missing':
      return t(`flaw.missing_${flaw.field}` as TextKey);
    case 'not_positive':
      return t('flaw.not_positive');
    case 'step':
      return t('flaw.step', { step: exact(flaw.step) });
    case 'below':
      return t('flaw.below', { limit: exact(flaw.limit) });
    case 'above':
      return t('flaw.above', { limit: exact(flaw.limit) });
    case 'band':
      return t('flaw.band', { low: exact(flaw.low), high: exact(flaw.high) });
    default:
      return t('flaw.past');
  }
}
