import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { type Transaction, type TransactionKind, transactionPagesQuery } from '../api/queries.ts';
import { toneOf } from '../numbers/show-number.ts';
import type { Column } from '../parts/columns.ts';
import { DataTable } from '../parts/data-table.tsx';
import { SelectField } from '../parts/field.tsx';
import { MoreRows, rowsOf } from '../parts/more-rows.tsx';
import { Empty, ReadBlock } from '../parts/read-block.tsx';
import { TableChoices } from '../parts/table-choices.tsx';
import { usePageTitle } from '../parts/use-page-title.ts';
import { useWords } from '../texts/words.tsx';

const route = getRouteApi('/own/account/transactions');

const KINDS = ['deposit', 'withdrawal', 'trade'] as const satisfies readonly TransactionKind[];

export function TransactionsPage() {
  const { t, count } = useWords();
  const { type } = route.useSearch();
  const query = useInfiniteQuery(transactionPagesQuery(type));
  const navigate = route.useNavigate();
  const columns = useTransactionColumns();
  usePageTitle(t('transactions.title'));
  const all = query.data === undefined ? [] : rowsOf(query.data);
  const isWhole = query.data !== undefined && !query.hasNextPage && type === undefined;
  const csv = `/console/call/exchange/v1/core-transactions?format=csv${type === undefined ? '' : `&type=${type}`}`;
  return (
    <div className="page">
      <p className="crumb">
        <Link to="/account">{t('place.account')}</Link>
      </p>
      <div className="page-head">
        <div>
          <h1>{isWhole ? count('transactions.count', all.length) : t('transactions.title')}</h1>
          <p className="lede">{t('transactions.lede')}</p>
        </div>
        <a className="button" href={csv} download="transactions.csv">
          {t('transactions.csv')}
        </a>
      </div>
      <section className="panel">
        <header className="filters">
          <SelectField<TransactionKind | ''>
            label={t('transactions.type')}
            value={type ?? ''}
            options={[
              { value: '', label: t('filter.all') },
              ...KINDS.map((value) => ({ value, label: t(`transaction.${value}`) })),
            ]}
            onChange={(next) => void navigate({ search: next === '' ? {} : { type: next } })}
          />
          <span className="end">
            <TableChoices name="transactions" columns={columns} />
          </span>
        </header>
        <ReadBlock query={query} failed={t('transactions.failed')} rows={6}>
          {() =>
            all.length === 0 ? (
              <Empty title={t('transactions.none')} text={t('transactions.none_text')} />
            ) : (
              <DataTable
                name="transactions"
                caption={t('transactions.title')}
                columns={columns}
                rows={all}
                keyOf={({ id }) => id}
              />
            )
          }
        </ReadBlock>
        <MoreRows query={query} failed={t('transactions.failed')} />
      </section>
    </div>
  );
}

function useTransactionColumns(): readonly Column<Transaction>[] {
  const { t, dateTime, date, exact, number, signed } = useWords();
  return [
    {
      name: 'time',
      title: t('column.time'),
      isFixed: true,
      looks: 'nowrap',
      cell: ({ timestamp }) => dateTime(timestamp),
    },
    { name: 'type', title: t('transactions.type'), isFixed: true, cell: ({ type }) => typeLabel(type, t) },
    {
      name: 'asset',
      title: t('column.asset'),
      cell: ({ assetId, currency }) =>
        assetId === null ? (
          (currency ?? '–')
        ) : (
          <code>{assetId.length > 16 ? `…${assetId.slice(-8)}` : assetId.toUpperCase()}</code>
        ),
    },
    { name: 'quantity', title: t('column.quantity'), looks: 'right', cell: ({ quantity }) => exact(quantity) },
    { name: 'price', title: t('column.price'), looks: 'right less', cell: ({ price }) => exact(price) },
    {
      name: 'total',
      title: t('transactions.total'),
      looks: 'right nowrap',
      cell: ({ currency, total }) => (currency === null ? '–' : `${number(total)} ${currency}`),
    },
    { name: 'fee', title: t('column.fee'), looks: 'right less', cell: ({ fee }) => number(fee) },
    {
      name: 'gain',
      title: t('transactions.gain'),
      looks: 'right less',
      tone: ({ realizedPnl }) => (realizedPnl === null ? 'dim' : (toneOf(realizedPnl) ?? '')),
      cell: ({ realizedPnl }) => (realizedPnl === null ? '–' : signed(realizedPnl)),
    },
    {
      name: 'settles',
      title: t('transactions.settles'),
      looks: 'less',
      cell: ({ isSettled, settlementDate }) => {
        if (isSettled) return t('transactions.settled');
        return settlementDate === null ? t('transactions.open') : date(settlementDate);
      },
    },
  ];
}

function typeLabel(type: string, t: ReturnType<typeof useWords>['t']): string {
  switch (type) {
    case 'buy':
    case 'sell':
    case 'deposit':
    case 'withdrawal':
      return t(`transaction.${type}`);
    default:
      return type;
  }
}
