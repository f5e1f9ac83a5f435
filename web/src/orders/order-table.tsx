import { Link } from '@tanstack/react-router';
import type { CSSProperties } from 'react';
import type { Order } from '../api/queries.ts';
import { type Decimal, toPixels } from '../numbers/decimal.ts';
import type { Column } from '../parts/columns.ts';
import { DataTable } from '../parts/data-table.tsx';
import { State } from '../parts/panel.tsx';
import { useWords } from '../texts/words.tsx';
import { OrderActs } from './order-acts.tsx';
import { isOpen, priceOf, timeInForceOf, toneOfOrder, typeOf } from './order-words.ts';

interface OrderTableProps {
  readonly orders: readonly Order[];
  /** All of one pair: its name is left out. */
  readonly isOfOne?: boolean;
  readonly caption: string;
  /** Under which its columns are kept. */
  readonly name?: string;
}

export function OrderTable({ orders, isOfOne = false, caption, name }: OrderTableProps) {
  const columns = useOrderColumns({ isOfOne, hasActs: orders.some(isOpen) });
  return <DataTable name={name} caption={caption} columns={columns} rows={orders} keyOf={({ order_id }) => order_id} />;
}

interface OrderColumns {
  readonly isOfOne: boolean;
  readonly hasActs: boolean;
}

export function useOrderColumns({ isOfOne, hasActs }: OrderColumns): readonly Column<Order>[] {
  const words = useWords();
  const { t, dateTime, exact } = words;
  const sideOf = ({ side }: Order) => t(side === 'buy' ? 'side.buy' : 'side.sell');
  const market: Column<Order> = {
    name: 'market',
    title: t('column.market'),
    isFixed: true,
    cell: (order) => (
      <Link to="/orders/$orderId" params={{ orderId: order.order_id }}>
        {order.symbol}
      </Link>
    ),
  };
  const acts: Column<Order> = {
    name: 'acts',
    title: t('column.acts'),
    isFixed: true,
    isTitleHidden: true,
    looks: 'right',
    cell: (order) => isOpen(order) && <OrderActs order={order} />,
  };
  return [
    ...(isOfOne ? [] : [market]),
    {
      name: 'side',
      title: t('column.side'),
      isFixed: true,
      tone: ({ side }) => (side === 'buy' ? 'up strong' : 'down strong'),
      cell: (order) =>
        isOfOne ? (
          <Link to="/orders/$orderId" params={{ orderId: order.order_id }} className="inherit">
            {sideOf(order)}
          </Link>
        ) : (
          sideOf(order)
        ),
    },
    { name: 'type', title: t('column.type'), looks: 'less', cell: ({ type }) => typeOf(type, words) },
    { name: 'price', title: t('column.price'), looks: 'right', cell: (order) => priceOf(order, words) },
    {
      name: 'filled',
      title: t('column.filled'),
      looks: 'right',
      cell: ({ filled_size: filled, size }) => (
        <FilledBar filled={filled} size={size} label={t('preview.of', { filled: exact(filled), size: exact(size) })} />
      ),
    },
    {
      name: 'in_force',
      title: t('column.in_force'),
      looks: 'less',
      cell: (order) => timeInForceOf(order.time_in_force, words),
    },
    {
      name: 'placed',
      title: t('column.placed'),
      looks: 'less nowrap',
      cell: (order) => dateTime(order.created_at),
    },
    {
      name: 'state',
      title: t('column.state'),
      cell: (order) => <State tone={toneOfOrder(order)}>{t(`status.${order.status}`)}</State>,
    },
    ...(hasActs ? [acts] : []),
  ];
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
