import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { type Fill, fillsQuery } from '../api/queries.ts';
import { type Decimal, multiply, round, sum } from '../numbers/decimal.ts';
import { SelectField } from '../parts/field.tsx';
import { Empty, ReadBlock } from '../parts/read-block.tsx';
import { usePageTitle } from '../parts/use-page-title.ts';
import { useWords } from '../texts/words.tsx';
import { FillTable } from './fill-table.tsx';

const route = getRouteApi('/own/fills');

export function FillsPage() {
  const { t, number, count } = useWords();
  const query = useQuery(fillsQuery());
  const { symbol, side } = route.useSearch();
  const navigate = route.useNavigate();
  usePageTitle(t('fills.title'));
  const all = query.data ?? [];
  const symbols = [...new Set(all.map((fill) => fill.symbol))].sort();
  const shown = all.filter(
    (fill) => (symbol === undefined || fill.symbol === symbol) && (side === undefined || fill.side === side),
  );
  const inDollars = shown.filter((fill) => fill.symbol.endsWith('-USD') && fill.status !== 'bust');
  return (
    <div className="page">
      <div className="page-head">
        <div>
          <h1>{query.data === undefined ? t('fills.title') : count('fills.count', all.length)}</h1>
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
        </header>
        <ReadBlock query={query} failed={t('fills.failed')} rows={6}>
          {() =>
            shown.length > 0 ? (
              <FillTable fills={shown} />
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
        {inDollars.length > 0 && (
          <footer>
            {t('fills.sum', {
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
