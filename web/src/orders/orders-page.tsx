import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { openOrdersQuery, orderPagesQuery } from '../api/queries.ts';
import { Segments, SelectField } from '../parts/field.tsx';
import { MoreRows, rowsOf } from '../parts/more-rows.tsx';
import { Empty, ReadBlock } from '../parts/read-block.tsx';
import { TableChoices } from '../parts/table-choices.tsx';
import { usePageTitle } from '../parts/use-page-title.ts';
import { useWords } from '../texts/words.tsx';
import { CancelAll } from './order-acts.tsx';
import { OrderTable, useOrderColumns } from './order-table.tsx';

const route = getRouteApi('/own/orders');

type Tab = 'open' | 'done' | 'refused';

const STATUS_OF = { open: 'open', done: 'done', refused: 'rejected' } as const satisfies Record<Tab, string>;

export function OrdersPage() {
  const { t, count } = useWords();
  const { tab = 'open', symbol, side } = route.useSearch();
  const query = useInfiniteQuery(orderPagesQuery({ status: STATUS_OF[tab], symbol }));
  const { data: open = [], isPending: isCounting } = useQuery(openOrdersQuery);
  // The same list without a market: what can be chosen.
  const { data: ofAll } = useInfiniteQuery(orderPagesQuery({ status: STATUS_OF[tab] }));
  const navigate = route.useNavigate();
  usePageTitle(t('place.orders'));
  const columns = useOrderColumns({ isOfOne: false, hasActs: tab === 'open' });
  const known = ofAll === undefined ? [] : rowsOf(ofAll).map((order) => order.symbol);
  const symbols = [...new Set(symbol === undefined ? known : [...known, symbol])].sort();
  const isFiltered = symbol !== undefined || side !== undefined;
  return (
    <div className="page">
      <div className="page-head">
        <div>
          <h1>{isCounting ? t('place.orders') : count('orders.title', open.length)}</h1>
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
          <span className="end row">
            <TableChoices name="orders" columns={columns} />
            {tab === 'open' && (
              <CancelAll
                orders={symbol === undefined ? open : open.filter((order) => order.symbol === symbol)}
                symbol={symbol ?? null}
              />
            )}
          </span>
        </header>
        <ReadBlock query={query} failed={t('orders.failed')} rows={6}>
          {(data) => {
            const rows = rowsOf(data);
            const shown = side === undefined ? rows : rows.filter((order) => order.side === side);
            if (shown.length > 0) return <OrderTable name="orders" orders={shown} caption={t('place.orders')} />;
            if (query.hasNextPage) return <Empty title={t('list.none_yet')} text={t('list.none_yet_text')} />;
            if (isFiltered) {
              return (
                <Empty
                  title={t('orders.none_fits')}
                  text={t('orders.none_fits_text')}
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
        <MoreRows query={query} failed={t('orders.failed')} />
      </section>
    </div>
  );
}
