import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { type Transaction, transactionsQuery } from '../api/queries.ts';
import { toneOf } from '../numbers/show-number.ts';
import { SelectField } from '../parts/field.tsx';
import { Empty, ReadBlock } from '../parts/read-block.tsx';
import { usePageTitle } from '../parts/use-page-title.ts';
import { useWords } from '../texts/words.tsx';

const route = getRouteApi('/own/account/transactions');

export function TransactionsPage() {
  const { t, count } = useWords();
  const query = useQuery(transactionsQuery);
  const { type } = route.useSearch();
  const navigate = route.useNavigate();
  usePageTitle(t('transactions.title'));
  const all = query.data ?? [];
  const shown = all.filter((row) => type === undefined || row.type === type);
  const types = [...new Set(all.map((row) => row.type))].sort();
  const csv = `/console/call/exchange/v1/core-transactions?format=csv${type === undefined ? '' : `&type=${encodeURIComponent(type)}`}`;
  return (
    <div className="page">
      <p className="crumb">
        <Link to="/account">{t('place.account')}</Link>
      </p>
      <div className="page-head">
        <div>
          <h1>{query.data === undefined ? t('transactions.title') : count('transactions.count', all.length)}</h1>
          <p className="lede">{t('transactions.lede')}</p>
        </div>
        <a className="button" href={csv} download="transactions.csv">
          {t('transactions.csv')}
        </a>
      </div>
      <section className="panel">
        <header className="filters">
          <SelectField
            label={t('transactions.type')}
            value={type ?? ''}
            options={[
              { value: '', label: t('filter.all') },
              ...types.map((value) => ({ value, label: typeLabel(value, t) })),
            ]}
            onChange={(next) => void navigate({ search: next === '' ? {} : { type: next } })}
          />
        </header>
        <ReadBlock query={query} failed={t('transactions.failed')} rows={6}>
          {() =>
            shown.length === 0 ? (
              <Empty title={t('transactions.none')} text={t('transactions.none_text')} />
            ) : (
              <TransactionTable rows={shown} />
            )
          }
        </ReadBlock>
      </section>
    </div>
  );
}

function TransactionTable({ rows }: { readonly rows: readonly Transaction[] }) {
  const { t, dateTime, date, exact, number, signed } = useWords();
  return (
    <div className="scroll">
      <table className="table">
        <caption className="hidden-text">{t('transactions.title')}</caption>
        <thead>
          <tr>
            <th>{t('column.time')}</th>
            <th>{t('transactions.type')}</th>
            <th>{t('column.asset')}</th>
            <th className="right">{t('column.quantity')}</th>
            <th className="right less">{t('column.price')}</th>
            <th className="right">{t('transactions.total')}</th>
            <th className="right less">{t('column.fee')}</th>
            <th className="right less">{t('transactions.gain')}</th>
            <th className="less">{t('transactions.settles')}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.id}>
              <td className="nowrap">{dateTime(row.timestamp)}</td>
              <td>{typeLabel(row.type, t)}</td>
              <td>
                {row.assetId === null ? (
                  (row.currency ?? '–')
                ) : (
                  <code>{row.assetId.length > 16 ? `…${row.assetId.slice(-8)}` : row.assetId.toUpperCase()}</code>
                )}
              </td>
              <td className="right">{exact(row.quantity)}</td>
              <td className="right less">{exact(row.price)}</td>
              <td className="right nowrap">{row.currency === null ? '–' : `${number(row.total)} ${row.currency}`}</td>
              <td className="right less">{number(row.fee)}</td>
              <td className={`right less ${row.realizedPnl === null ? 'dim' : (toneOf(row.realizedPnl) ?? '')}`}>
                {row.realizedPnl === null ? '–' : signed(row.realizedPnl)}
              </td>
              <td className="less">
                {row.isSettled
                  ? t('transactions.settled')
                  : row.settlementDate === null
                    ? t('transactions.open')
                    : date(row.settlementDate)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
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
