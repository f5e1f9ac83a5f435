import { Link } from '@tanstack/react-router';
import type { CSSProperties } from 'react';
import type { Order } from '../api/queries.ts';
import { type Decimal, toPixels } from '../numbers/decimal.ts';
import { State } from '../parts/panel.tsx';
import { useWords } from '../texts/words.tsx';
import { OrderActs } from './order-acts.tsx';
import { isOpen, priceOf, timeInForceOf, toneOfOrder, typeOf } from './order-words.ts';

interface OrderTableProps {
  readonly orders: readonly Order[];
  /** All of one pair: its name is left out. */
  readonly isOfOne?: boolean;
  readonly caption: string;
}

export function OrderTable({ orders, isOfOne = false, caption }: OrderTableProps) {
  const words = useWords();
  const { t, dateTime, exact } = words;
  const hasActs = orders.some(isOpen);
  return (
    <div className="scroll">
      <table className="table">
        <caption className="hidden-text">{caption}</caption>
        <thead>
          <tr>
            {!isOfOne && <th>{t('column.market')}</th>}
            <th>{t('column.side')}</th>
            <th className="less">{t('column.type')}</th>
            <th className="right">{t('column.price')}</th>
            <th className="right">{t('column.filled')}</th>
            <th className="less">{t('column.in_force')}</th>
            <th className="less">{t('column.placed')}</th>
            <th>{t('column.state')}</th>
            {hasActs && (
              <th>
                <span className="hidden-text">{t('column.acts')}</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {orders.map((order) => (
            <tr key={order.order_id}>
              {!isOfOne && (
                <td>
                  <Link to="/orders/$orderId" params={{ orderId: order.order_id }}>
                    {order.symbol}
                  </Link>
                </td>
              )}
              <td className={order.side === 'buy' ? 'up strong' : 'down strong'}>
                {isOfOne ? (
                  <Link to="/orders/$orderId" params={{ orderId: order.order_id }} className="inherit">
                    {t(order.side === 'buy' ? 'side.buy' : 'side.sell')}
                  </Link>
                ) : (
                  t(order.side === 'buy' ? 'side.buy' : 'side.sell')
                )}
              </td>
              <td className="less">{typeOf(order.type, words)}</td>
              <td className="right">{priceOf(order, words)}</td>
              <td className="right">
                <FilledBar
                  filled={order.filled_size}
                  size={order.size}
                  label={t('preview.of', { filled: exact(order.filled_size), size: exact(order.size) })}
                />
              </td>
              <td className="less">{timeInForceOf(order.time_in_force, words)}</td>
              <td className="less nowrap">{dateTime(order.created_at)}</td>
              <td>
                <State tone={toneOfOrder(order)}>{t(`status.${order.status}`)}</State>
              </td>
              {hasActs && <td className="right">{isOpen(order) && <OrderActs order={order} />}</td>}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function FilledBar({
  filled,
  size,
  label,
}: {
  readonly filled: Decimal;
  readonly size: Decimal;
  readonly label: string;
}) {
  const share = (100 * toPixels(filled)) / Math.max(toPixels(size), Number.MIN_VALUE);
  return (
    <span className="filled">
      {label}
      <span className="meter" aria-hidden="true">
        <i style={{ '--share': `${share.toFixed(1)}%` } as CSSProperties} />
      </span>
    </span>
  );
}
