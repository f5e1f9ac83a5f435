import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { SelectField } from '../parts/field.tsx';
import { Empty, ReadBlock } from '../parts/read-block.tsx';
import { usePageTitle } from '../parts/use-page-title.ts';
import { useSession } from '../session/session.ts';
import { bandOf, feesOf, MarketState, sizesOf } from './market-words.tsx';
import { mayRunVenue } from './may-see.ts';
import { type MarketFilter, overviewQuery, type VenueMarket, venueMarketsQuery } from './queries.ts';
import { useOperatorWords } from './use-operator-words.ts';
import { HaltVenue } from './venue-acts.tsx';

const route = getRouteApi('/own/venue/operator/markets');
const STATES = ['open', 'halted', 'closed'] as const;
const ROUTES = ['internal', 'broker', 'prime', 'indication'] as const;

export function VenueMarketsPage() {
  const { o, many } = useOperatorWords();
  const filter = route.useSearch();
  const navigate = route.useNavigate();
  const session = useSession();
  const [pages, setPages] = useState(1);
  const query = useQuery(venueMarketsQuery(filter, pages));
  const { data: overview } = useQuery(overviewQuery);
  usePageTitle(o('nav.markets'));
  const set = (changed: MarketFilter) => {
    setPages(1);
    void navigate({
      search: (before) =>
        Object.fromEntries(
          Object.entries({ ...before, ...changed }).filter(([, value]) => value !== undefined && value !== ''),
        ),
      replace: true,
    });
  };
  return (
    <div className="page">
      <div className="page-head">
        <div>
          <h1>{query.data === undefined ? o('nav.markets') : many('markets.title', query.data.markets.length)}</h1>
          <p className="lede">{o('markets.lede')}</p>
        </div>
        {mayRunVenue(session) && <HaltVenue trading={overview?.trading ?? null} />}
      </div>
      <section className="panel">
        <header className="filters">
          <input
            className="input search"
            type="search"
            data-page-search
            aria-label={o('markets.search')}
            placeholder={o('markets.search')}
            maxLength={100}
            value={filter.search ?? ''}
            onChange={(event) => set({ search: event.target.value })}
          />
          <SelectField
            label={o('column.state')}
            value={filter.status ?? ''}
            options={[
              { value: '', label: o('markets.all_states') },
              ...STATES.map((value) => ({ value, label: o(`state.${value}`) })),
            ]}
            onChange={(status) => set({ status: status === '' ? undefined : status })}
          />
          <SelectField
            label={o('column.route')}
            value={filter.route ?? ''}
            options={[
              { value: '', label: o('markets.all_routes') },
              ...ROUTES.map((value) => ({ value, label: o(`route.${value}`) })),
            ]}
            onChange={(next) => set({ route: next === '' ? undefined : next })}
          />
        </header>
        <ReadBlock query={query} failed={o('markets.failed')} rows={10}>
          {({ markets, isMore }) =>
            markets.length === 0 ? (
              <Empty title={o('markets.none')} text={o('markets.none_text')} />
            ) : (
              <>
                <MarketTable markets={markets} />
                {isMore && (
                  <p className="pad">
                    <button type="button" className="button" onClick={() => setPages(pages + 1)}>
                      {o('markets.more')}
                    </button>
                  </p>
                )}
              </>
            )
          }
        </ReadBlock>
      </section>
    </div>
  );
}

function MarketTable({ markets }: { readonly markets: readonly VenueMarket[] }) {
  const words = useOperatorWords();
  const { o, t, price } = words;
  return (
    <section className="scroll" aria-label={o('nav.markets')}>
      <table className="table">
        <thead>
          <tr>
            <th scope="col">{t('column.market')}</th>
            <th scope="col">{o('column.state')}</th>
            <th scope="col" className="less">
              {o('column.route')}
            </th>
            <th scope="col" className="right">
              {o('column.last')}
            </th>
            <th scope="col" className="right less">
              {o('column.band')}
            </th>
            <th scope="col" className="right less">
              {o('column.fees')}
            </th>
            <th scope="col" className="right less">
              {o('column.sizes')}
            </th>
            <th scope="col" className="less">
              {o('column.hours')}
            </th>
          </tr>
        </thead>
        <tbody>
          {markets.map((market) => (
            <tr key={market.symbol}>
              <th scope="row">
                <Link to="/operator/markets/$symbol" params={{ symbol: market.symbol }}>
                  {market.symbol}
                </Link>
                <small className="dim"> {market.base.name}</small>
              </th>
              <td>
                <MarketState market={market} isAsked={false} />
              </td>
              <td className="less">{o(`route.${market.route}`)}</td>
              <td className="right">{market.lastPrice === null ? '–' : price(market.lastPrice)}</td>
              <td className="right less">{bandOf(market, words)}</td>
              <td className="right less">{feesOf(market, words)}</td>
              <td className="right less">{sizesOf(market, words)}</td>
              <td className="less">{o(`hours.${market.rules.tradingHours}`)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
