import { Link } from '@tanstack/react-router';
import type { Fill } from '../api/queries.ts';
import { multiply, round } from '../numbers/decimal.ts';
import type { Column } from '../parts/columns.ts';
import { DataTable } from '../parts/data-table.tsx';
import { useWords } from '../texts/words.tsx';

interface FillTableProps {
  readonly fills: readonly Fill[];
  /** All of one pair: its name is left out. */
  readonly isOfOne?: boolean;
  /** Under which its columns are kept. */
  readonly name?: string;
}

export function FillTable({ fills, isOfOne = false, name }: FillTableProps) {
  const { t } = useWords();
  const columns = useFillColumns(isOfOne);
  return (
    <DataTable
      name={name}
      caption={t('fills.title')}
      columns={columns}
      rows={fills}
      keyOf={({ trade_id, order_id }) => `${trade_id} ${order_id}`}
    />
  );
}

export function useFillColumns(isOfOne: boolean): readonly Column<Fill>[] {
  const { t, dateTime, exact, number, price } = useWords();
  const market: Column<Fill> = {
    name: 'market',
    title: t('column.market'),
    isFixed: true,
    cell: ({ symbol }) => symbol,
  };
  return [
    {
      name: 'time',
      title: t('column.time'),
      isFixed: true,
      looks: 'nowrap',
      cell: ({ timestamp }) => dateTime(timestamp),
    },
    ...(isOfOne ? [] : [market]),
    {
      name: 'side',
      title: t('column.side'),
      tone: ({ side }) => (side === 'buy' ? 'up strong' : 'down strong'),
      cell: ({ side }) => t(side === 'buy' ? 'side.buy' : 'side.sell'),
    },
    {
      name: 'price',
      title: t('column.price'),
      looks: 'right',
      cell: (fill) =>
        fill.status === 'executed' ? (
          price(fill.price)
        ) : (
          <>
            <s>{price(fill.price)}</s>{' '}
            {fill.corrected_price === null ? t('tape.taken_back') : price(fill.corrected_price)}
          </>
        ),
    },
    { name: 'size', title: t('column.size'), looks: 'right', cell: ({ size }) => exact(size) },
    {
      name: 'value',
      title: t('column.value'),
      looks: 'right less',
      cell: (fill) => number(round(multiply(fill.corrected_price ?? fill.price, fill.size), 2)),
    },
    {
      name: 'fee',
      title: t('column.fee'),
      looks: 'right less',
      cell: (fill) => number(fill.corrected_fee ?? fill.fee),
    },
    {
      name: 'liquidity',
      title: t('column.liquidity'),
      looks: 'less',
      cell: ({ liquidity }) => t(liquidity === 'maker' ? 'fills.maker' : 'fills.taker'),
    },
    {
      name: 'order',
      title: t('order.title'),
      looks: 'less',
      cell: (fill) => (
        <Link to="/orders/$orderId" params={{ orderId: fill.order_id }}>
          <code>{fill.order_id.slice(-8)}</code>
        </Link>
      ),
    },
    {
      name: 'confirmation',
      title: t('confirmation.see'),
      cell: (fill) => (
        <Link to="/confirmations/$tradeId" params={{ tradeId: fill.trade_id }}>
          {t('confirmation.see')}
        </Link>
      ),
    },
  ];
}
