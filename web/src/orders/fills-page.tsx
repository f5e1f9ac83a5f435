import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { type Fill, fillPagesQuery } from '../api/queries.ts';
import { type Decimal, multiply, round, sum } from '../numbers/decimal.ts';
import { SelectField } from '../parts/field.tsx';
import { MoreRows, rowsOf } from '../parts/more-rows.tsx';
import { Empty, ReadBlock } from '../parts/read-block.tsx';
import { TableChoices } from '../parts/table-choices.tsx';
import { usePageTitle } from '../parts/use-page-title.ts';
import { useWords } from '../texts/words.tsx';
import { FillTable, useFillColumns } from './fill-table.tsx';

const route = getRouteApi('/own/fills');

export function FillsPage() {
  const { t, number, count } = useWords();
  const { symbol, side } = route.useSearch();
  const query = useInfiniteQuery(fillPagesQuery(symbol));
  // The same list without a market: what can be chosen.
  const { data: ofAll } = useInfiniteQuery(fillPagesQuery(undefined));
  const columns = useFillColumns(false);
  const navigate = route.useNavigate();
  usePageTitle(t('fills.title'));
  const all = query.data === undefined ? [] : rowsOf(query.data);
  const known = ofAll === undefined ? [] : rowsOf(ofAll).map((fill) => fill.symbol);
  const symbols = [...new Set(symbol === undefined ? known : [...known, symbol])].sort();
  const shown = side === undefined ? all : all.filter((fill) => fill.side === side);
  const isWhole = query.data !== undefined && !query.hasNextPage && symbol === undefined;
  const inDollars = shown.filter((fill) => fill.symbol.endsWith('-USD') && fill.status !== 'bust');
  return (
    <div className="page">
      <div className="page-head">
        <div>
          <h1>{isWhole ? count('fills.count', all.length) : t('fills.title')}</h1>
          <p className="lede">{t('fills.lede')}</p>
        </div>
      </div>
      <section className="panel">
        <header className="filters">
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
            <TableChoices name="fills" columns={columns} />
          </span>
        </header>
        <ReadBlock query={query} failed={t('fills.failed')} rows={6}>
          {() =>
            shown.length > 0 ? (
              <FillTable name="fills" fills={shown} />
            ) : query.hasNextPage ? (
              <Empty title={t('list.none_yet')} text={t('list.none_yet_text')} />
            ) : (
              <Empty
                title={t('fills.none')}
                text={t('fills.none_text')}
                action={
                  <Link to="/markets" className="button">
                    {t('orders.to_markets')}
                  </Link>
                }
              />
            )
          }
        </ReadBlock>
        <MoreRows query={query} failed={t('fills.failed')} />
        {inDollars.length > 0 && (
          <footer>
            {t(query.hasNextPage ? 'fills.sum_so_far' : 'fills.sum', {
              bought: number(totalOf(inDollars, 'buy')),
              sold: number(totalOf(inDollars, 'sell')),
              fees: number(round(sum(inDollars.map((fill) => fill.corrected_fee ?? fill.fee)), 2)),
            })}
          </footer>
        )}
      </section>
    </div>
  );
}

function totalOf(fills: readonly Fill[], side: 'buy' | 'sell'): Decimal {
  const values = fills
    .filter((fill) => fill.side === side)
    .map((fill) => multiply(fill.corrected_price ?? fill.price, fill.size));
  return round(sum(values), 2);
}
