import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { book, dataOf, sent } from '../api/client.ts';
import type { Order } from '../api/queries.ts';
import { sendOnce } from '../api/send-once.ts';
import { compare, trim } from '../numbers/decimal.ts';
import { readInput, showInput } from '../numbers/read-input.ts';
import { announce } from '../parts/announce.tsx';
import { ConfirmDialog, Dialog } from '../parts/dialog.tsx';
import { NumberField } from '../parts/field.tsx';
import { FactList } from '../parts/panel.tsx';
import { ProblemNote } from '../parts/read-block.tsx';
import { useWords } from '../texts/words.tsx';

/** Cancelling one asks no question; amending opens its form. */
export function OrderActs({ order }: { readonly order: Order }) {
  const { t } = useWords();
  const queries = useQueryClient();
  const [isAmending, setAmending] = useState(false);
  const [problem, setProblem] = useState<unknown>(null);
  const [isCancelling, setCancelling] = useState(false);
  const cancel = async () => {
    setCancelling(true);
    setProblem(null);
    try {
      await sendOnce(`cancel ${order.order_id}`, (key) =>
        dataOf(
          book.DELETE('/v1/orders/{order_id}', {
            params: { path: { order_id: order.order_id }, header: { 'Idempotency-Key': key } },
          }),
        ),
      );
      announce(t('order.cancelled_said', { symbol: order.symbol }));
    } catch (error) {
      setProblem(error);
    } finally {
      setCancelling(false);
      await queries.invalidateQueries({ queryKey: ['own'] });
    }
  };
  const named = <span className="hidden-text"> {t('order.named', { symbol: order.symbol, id: order.order_id })}</span>;
  return (
    <span className="acts">
      {!order.is_indication && (
        <button type="button" className="link" onClick={() => setAmending(true)}>
          {t('order.amend')}
          {named}
        </button>
      )}
      <button type="button" className="link danger" disabled={isCancelling} onClick={() => void cancel()}>
        {t('order.cancel')}
        {named}
      </button>
      {isAmending && <AmendDialog order={order} onClose={() => setAmending(false)} />}
      {problem !== null && (
        <Dialog title={t('order.not_cancelled')} opened onClose={() => setProblem(null)}>
          <div className="dialog-body">
            <ProblemNote title={t('order.not_cancelled')} error={problem} onRetry={() => void cancel()} />
          </div>
        </Dialog>
      )}
    </span>
  );
}

function AmendDialog({ order, onClose }: { readonly order: Order; readonly onClose: () => void }) {
  const { t, locale, exact } = useWords();
  const queries = useQueryClient();
  const [size, setSize] = useState(showInput(trim(order.size), locale));
  const [price, setPrice] = useState(order.price === null ? '' : showInput(trim(order.price), locale));
  const [stop, setStop] = useState(order.stop_price === null ? '' : showInput(trim(order.stop_price), locale));
  const [problem, setProblem] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  const [base = '', quote = ''] = order.symbol.split('-');
  const wanted = { size: readInput(size, locale), price: readInput(price, locale), stop: readInput(stop, locale) };
  const changed = {
    ...(wanted.size !== null && compare(wanted.size, order.size) !== 0 && { size: sent(wanted.size) }),
    ...(order.price !== null &&
      wanted.price !== null &&
      compare(wanted.price, order.price) !== 0 && { price: sent(wanted.price) }),
    ...(order.stop_price !== null &&
      wanted.stop !== null &&
      compare(wanted.stop, order.stop_price) !== 0 && { stop_price: sent(wanted.stop) }),
  };
  const isSmaller = wanted.size !== null && compare(wanted.size, order.size) < 0;
  const keepsPlace = Object.keys(changed).length === 1 && 'size' in changed && isSmaller;
  const isUnread =
    wanted.size === null ||
    (order.price !== null && wanted.price === null) ||
    (order.stop_price !== null && wanted.stop === null);
  const send = async (event: FormEvent) => {
    event.preventDefault();
    if (isUnread || Object.keys(changed).length === 0) return;
    setBusy(true);
    try {
      await sendOnce(`amend ${order.order_id} ${size} ${price} ${stop}`, (key) =>
        dataOf(
          book.PATCH('/v1/orders/{order_id}', {
            body: changed,
            params: { path: { order_id: order.order_id }, header: { 'Idempotency-Key': key } },
          }),
        ),
      );
      announce(t('order.amended_said', { symbol: order.symbol }));
      onClose();
    } catch (error) {
      setProblem(error);
    } finally {
      setBusy(false);
      await queries.invalidateQueries({ queryKey: ['own'] });
    }
  };
  return (
    <Dialog title={t('order.amend_title', { symbol: order.symbol })} opened onClose={onClose} size={440}>
      <form onSubmit={(event) => void send(event)} noValidate>
        <div className="dialog-body stack">
          {order.stop_price !== null && order.status === 'pending_trigger' && (
            <NumberField label={t('ticket.stop')} name="stop-price" unit={quote} value={stop} onChange={setStop} />
          )}
          {order.price !== null && (
            <NumberField label={t('ticket.price')} name="price" unit={quote} value={price} onChange={setPrice} />
          )}
          <NumberField
            label={t('order.new_size')}
            name="size"
            unit={base}
            value={size}
            hint={t('order.filled_hint', { filled: exact(order.filled_size) })}
            error={isUnread ? t('flaw.not_positive') : null}
            onChange={setSize}
          />
          <p className="note">{t(keepsPlace ? 'order.keeps_place' : 'order.loses_place')}</p>
          {problem !== null && <ProblemNote title={t('order.not_amended')} error={problem} />}
        </div>
        <div className="dialog-acts">
          <button type="button" className="button" onClick={onClose}>
            {t('order.leave')}
          </button>
          <button
            type="submit"
            className="button primary"
            disabled={busy || isUnread || Object.keys(changed).length === 0}
          >
            {t('order.amend_do')}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

interface CancelAllProps {
  readonly orders: readonly Order[];
  /** Of this pair alone; null for all. */
  readonly symbol: string | null;
}

/** Says how many, of what, before it cancels them. */
export function CancelAll({ orders, symbol }: CancelAllProps) {
  const { t, count, exact } = useWords();
  const queries = useQueryClient();
  const [asks, setAsks] = useState(false);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<unknown>(null);
  const buys = orders.filter(({ side }) => side === 'buy').length;
  const symbols = new Set(orders.map((order) => order.symbol)).size;
  const send = async () => {
    setBusy(true);
    setProblem(null);
    try {
      const name = `cancel-all ${symbol ?? '*'} ${orders.map(({ order_id }) => order_id).join(' ')}`;
      const answer = await sendOnce(name, (key) =>
        dataOf(
          book.DELETE('/v1/orders', {
            params: { query: symbol === null ? {} : { symbol }, header: { 'Idempotency-Key': key } },
          }),
        ),
      );
      announce(count('orders.cancelled_said', answer.order_ids.length));
      setAsks(false);
    } catch (error) {
      setProblem(error);
    } finally {
      setBusy(false);
      await queries.invalidateQueries({ queryKey: ['own'] });
    }
  };
  if (orders.length === 0) return null;
  const act = count('orders.cancel', orders.length);
  return (
    <>
      <button type="button" className="link danger" onClick={() => setAsks(true)}>
        {count('orders.cancel_all', orders.length)}
      </button>
      <ConfirmDialog
        title={
          symbol === null
            ? count('orders.cancel_title', orders.length)
            : count('orders.cancel_title_in', orders.length, { symbol })
        }
        opened={asks}
        onClose={() => setAsks(false)}
        onConfirm={() => void send()}
        act={act}
        keep={t('orders.keep')}
        danger
        busy={busy}
      >
        <FactList
          rows={[
            [t('orders.buys'), exact(String(buys))],
            [t('orders.sells'), exact(String(orders.length - buys))],
            symbol === null ? [t('orders.markets'), exact(String(symbols))] : null,
          ]}
        />
        <p className="dim small">{t('orders.cancel_text')}</p>
        {problem !== null && <ProblemNote title={t('order.not_cancelled')} error={problem} />}
      </ConfirmDialog>
    </>
  );
}
