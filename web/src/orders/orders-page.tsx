import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { allOrdersQuery, type Order } from '../api/queries.ts';
import { Segments, SelectField } from '../parts/field.tsx';
import { Empty, ReadBlock } from '../parts/read-block.tsx';
import { usePageTitle } from '../parts/use-page-title.ts';
import { useWords } from '../texts/words.tsx';
import { CancelAll } from './order-acts.tsx';
import { OrderTable } from './order-table.tsx';
import { isOpen } from './order-words.ts';

const route = getRouteApi('/own/orders');

type Tab = 'open' | 'done' | 'refused';

export function OrdersPage() {
  const { t, count } = useWords();
  const query = useQuery(allOrdersQuery);
  const { tab = 'open', symbol, side } = route.useSearch();
  const navigate = route.useNavigate();
  usePageTitle(t('place.orders'));
  const orders = query.data ?? [];
  const open = orders.filter(isOpen);
  const symbols = [...new Set(orders.map((order) => order.symbol))].sort();
  const fits = (order: Order) =>
    (symbol === undefined || order.symbol === symbol) && (side === undefined || order.side === side);
  const shown = orders.filter((order) => tabOf(order) === tab && fits(order));
  const isFiltered = symbol !== undefined || side !== undefined;
  return (
    <div className="page">
      <div className="page-head">
        <div>
          <h1>{query.data === undefined ? t('place.orders') : count('orders.title', open.length)}</h1>
          <p className="lede">{t('orders.lede')}</p>
        </div>
        <Link to="/fills" className="button">
          {t('fills.title')}
        </Link>
      </div>
      <section className="panel">
        <header className="filters">
          <Segments<Tab>
            label={t('orders.which')}
            value={tab}
            options={[
              { value: 'open', label: t('orders.tab_open', { n: open.length }) },
              { value: 'done', label: t('orders.tab_done') },
              { value: 'refused', label: t('orders.tab_refused') },
            ]}
            onChange={(next) => void navigate({ search: (before) => ({ ...before, tab: next }) })}
          />
          <SelectField
            label={t('column.market')}
            value={symbol ?? ''}
            options={[
              { value: '', label: t('filter.all_markets') },
              ...symbols.map((value) => ({ value, label: value })),
            ]}
            onChange={(next) =>
              void navigate({ search: ({ symbol: _, ...rest }) => (next === '' ? rest : { ...rest, symbol: next }) })
            }
          />
          <SelectField
            label={t('column.side')}
            value={side ?? ''}
            options={[
              { value: '', label: t('filter.both_sides') },
              { value: 'buy', label: t('side.buy') },
              { value: 'sell', label: t('side.sell') },
            ]}
            onChange={(next) =>
              void navigate({
                search: ({ side: _, ...rest }) => (next === '' ? rest : { ...rest, side: next as 'buy' | 'sell' }),
              })
            }
          />
          <span className="end">
            {tab === 'open' && (
              <CancelAll
                orders={symbol === undefined ? open : open.filter((order) => order.symbol === symbol)}
                symbol={symbol ?? null}
              />
            )}
          </span>
        </header>
        <ReadBlock query={query} failed={t('orders.failed')} rows={6}>
          {() => {
            if (shown.length > 0) return <OrderTable orders={shown} caption={t('place.orders')} />;
            if (isFiltered) {
              return (
                <Empty
                  title={t('orders.none_fits')}
                  text={t('orders.none_fits_text', { n: orders.filter((order) => tabOf(order) === tab).length })}
                  action={
                    <button type="button" className="button" onClick={() => void navigate({ search: { tab } })}>
                      {t('filter.clear')}
                    </button>
                  }
                />
              );
            }
            return (
              <Empty
                title={t(
                  tab === 'open' ? 'orders.none_open' : tab === 'done' ? 'orders.none_done' : 'orders.none_refused',
                )}
                text={t(
                  tab === 'open'
                    ? 'orders.none_open_text'
                    : tab === 'done'
                      ? 'orders.none_done_text'
                      : 'orders.none_refused_text',
                )}
                action={
                  <Link to="/markets" className="button">
                    {t('orders.to_markets')}
                  </Link>
                }
              />
            );
          }}
        </ReadBlock>
      </section>
    </div>
  );
}

function tabOf(order: Order): Tab {
  if (isOpen(order)) return 'open';
  return order.status === 'rejected' ? 'refused' : 'done';
}
