import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useEffect, useEffectEvent, useMemo, useState } from 'react';
import {
  type AssetDetails,
  accountQuery,
  assetQuery,
  balancesQuery,
  fillsQuery,
  holdingsQuery,
  type Market,
  marketsQuery,
  openOrdersQuery,
  routedBookQuery,
  tickerQuery,
} from '../api/queries.ts';
import { add, type Decimal } from '../numbers/decimal.ts';
import { isTyping } from '../parts/is-typing.ts';
import { ReadBlock } from '../parts/read-block.tsx';
import { usePageTitle } from '../parts/use-page-title.ts';
import { usePreferences } from '../session/preferences.tsx';
import { useWords } from '../texts/words.tsx';
import { BookPanel } from './book-panel.tsx';
import { ChartPanel } from './chart-panel.tsx';
import { MaySentence } from './eligibility.tsx';
import { InstrumentHead } from './instrument-head.tsx';
import { MinePanel } from './mine-panel.tsx';
import { TapePanel } from './tape-panel.tsx';
import { Ticket } from './ticket.tsx';
import { INDICATION_RULES, ROUTED_RULES, rulesOfMarket, type Side } from './ticket-rules.ts';
import { type ShownBook, useBook } from './use-book.ts';
import { useMarketStatus } from './use-market-status.ts';

const route = getRouteApi('/own/assets/$assetId');

/** One asset: its price, its book, what it means for me, and the ticket. */
export function AssetPage() {
  const { t } = useWords();
  const { assetId } = route.useParams();
  const asset = useQuery(assetQuery(assetId));
  const markets = useQuery(marketsQuery);
  return (
    <ReadBlock query={asset} failed={t('asset.failed')} rows={12}>
      {(details) => (
        <ReadBlock query={markets} failed={t('asset.failed')} rows={12}>
          {(all) => (
            <Desk
              key={details.id}
              asset={details}
              markets={all.filter(({ base_asset }) => base_asset === details.symbol)}
            />
          )}
        </ReadBlock>
      )}
    </ReadBlock>
  );
}

const ROWS = 10;

function Desk({ asset, markets }: { readonly asset: AssetDetails; readonly markets: readonly Market[] }) {
  const { t } = useWords();
  const { market: wanted, side: wantedSide, interval } = route.useSearch();
  const navigate = route.useNavigate();
  const market =
    markets.find(({ symbol }) => symbol === wanted) ??
    markets.find(({ quote_asset }) => quote_asset === 'USD') ??
    markets[0] ??
    null;
  const symbol = market?.symbol ?? null;
  const side: Side = wantedSide ?? 'buy';
  const [picked, setPicked] = useState<Decimal | null>(null);
  const quote = market?.quote_asset ?? 'USD';
  const isIndication = asset.type === 'pre-ipo';
  const rules = market === null ? (isIndication ? INDICATION_RULES : ROUTED_RULES) : rulesOfMarket(market);
  usePageTitle(symbol ?? asset.symbol);

  const status = useMarketStatus(market);
  const ticker = useQuery({ ...tickerQuery(symbol ?? ''), enabled: symbol !== null });
  const live = useBook(symbol, ROWS);
  const routed = useQuery({ ...routedBookQuery(asset.id), enabled: symbol === null && !isIndication, retry: false });
  const book = symbol === null ? shownOf(routed.data, ROWS) : live;
  const orders = useQuery(openOrdersQuery);
  const fills = useQuery(fillsQuery(symbol === null ? {} : { symbol }));
  const balances = useQuery(balancesQuery);
  const holdings = useQuery(holdingsQuery);
  const account = useQuery(accountQuery);

  const pairName = symbol ?? `${asset.symbol}-${quote}`;
  const ownOrders = useMemo(
    () => (orders.data ?? []).filter((order) => order.symbol === pairName),
    [orders.data, pairName],
  );
  const ownFills = useMemo(() => (fills.data ?? []).filter((fill) => fill.symbol === pairName), [fills.data, pairName]);
  const free = (name: string) => balances.data?.find(({ asset: held }) => held === name)?.free ?? '0';
  const holding = holdings.data?.find(({ assetId }) => assetId === asset.id);
  const last = ticker.data?.last ?? market?.reference_price ?? (asset.price === '0' ? null : asset.price);
  const setSide = (next: Side) => void navigate({ search: (before) => ({ ...before, side: next }), replace: true });

  /** On a phone the ticket stands below the book: the buttons at the lower edge lead to it. */
  const openTicket = (next: Side) => {
    setSide(next);
    document.getElementById('ticket')?.scrollIntoView({ block: 'start' });
  };

  const { singleKeys, tradingKeys } = usePreferences().preferences;
  const begin = useEffectEvent((event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || isTyping(event.target)) return;
    // A window over the page has its own keys.
    if (document.querySelector('[role=dialog]') !== null) return;
    if (event.key !== 'b' && event.key !== 's') return;
    event.preventDefault();
    setSide(event.key === 'b' ? 'buy' : 'sell');
    document.querySelector<HTMLInputElement>('#ticket input[name=quantity]')?.focus();
  });
  useEffect(() => {
    if (!singleKeys || !tradingKeys) return undefined;
    const press = (event: KeyboardEvent) => begin(event);
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, [singleKeys, tradingKeys]);

  return (
    <div className="asset-page">
      <InstrumentHead
        asset={asset}
        market={market}
        markets={markets}
        status={status}
        ticker={ticker.data ?? null}
        last={last}
        onMarket={(next) => void navigate({ search: (before) => ({ ...before, market: next }) })}
      />
      <MaySentence assetId={asset.id} />
      <div className={isIndication ? 'desk bookless' : 'desk'}>
        <ChartPanel
          assetId={asset.id}
          symbol={symbol}
          priceDecimals={rules.priceDecimals}
          orders={ownOrders}
          fills={ownFills}
          interval={interval}
          onInterval={(next) => void navigate({ search: (before) => ({ ...before, interval: next }), replace: true })}
        />
        {!isIndication && (
          <BookPanel
            book={book}
            quote={quote}
            unit={t('column.size')}
            tick={market?.tick_size ?? null}
            priceDecimals={rules.priceDecimals}
            last={last}
            ownOrders={ownOrders}
            rows={ROWS}
            onPrice={setPicked}
            isPolled={symbol === null}
          />
        )}
        <aside className="ticket-tile" aria-label={t('ticket.title')}>
          <Ticket
            key={symbol ?? asset.id}
            assetId={asset.id}
            base={asset.symbol}
            quote={quote}
            pair={symbol}
            isIndication={isIndication}
            rules={rules}
            side={side}
            onSide={setSide}
            picked={picked}
            last={last}
            cash={free(quote)}
            holding={free(asset.symbol)}
          />
        </aside>
        <MinePanel
          asset={asset}
          symbol={pairName}
          isPair={symbol !== null}
          isIndication={isIndication}
          priceDecimals={rules.priceDecimals}
          orders={orders}
          holding={holding}
          holdings={holdings}
          fills={ownFills}
          account={account.data ?? null}
        />
        {symbol !== null && (
          <TapePanel
            key={symbol}
            symbol={symbol}
            quote={quote}
            unit={t('column.size')}
            priceDecimals={rules.priceDecimals}
          />
        )}
      </div>
      <div className="ticket-keys">
        <button type="button" className="button up" onClick={() => openTicket('buy')}>
          {t('side.buy')}
        </button>
        <button type="button" className="button down" onClick={() => openTicket('sell')}>
          {t('side.sell')}
        </button>
      </div>
    </div>
  );
}

interface RoutedBook {
  readonly bids: readonly { readonly price: string; readonly size: string }[];
  readonly asks: readonly { readonly price: string; readonly size: string }[];
}

function shownOf(book: RoutedBook | undefined, rows: number): ShownBook | null {
  if (book === undefined) return null;
  const levels = (side: RoutedBook['bids']) => {
    let sum: Decimal = '0';
    return side.slice(0, rows).map(({ price, size }) => {
      sum = add(sum, size);
      return { price, size, sum };
    });
  };
  return { bids: levels(book.bids), asks: levels(book.asks), sequence: 0 };
}
