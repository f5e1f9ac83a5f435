import type {
  Balances,
  Currencies,
  Dict,
  Int,
  LedgerEntry,
  Market,
  OHLCV,
  Order,
  OrderBook,
  Status,
  Str,
  Strings,
  Ticker,
  Tickers,
  Trade,
  TradingFeeInterface,
  TradingFees,
  Transaction,
} from 'ccxt';
import { LIMIT_MAX, PagingDriver } from './paging-driver.ts';
import { uuidAt } from './uuid-at.ts';

const DAY_MS = 24 * 3_600_000;
/** ccxt's symbol of a market that is not listed: `PRIME:BTC/USD`; that of one whose base has a hyphen stays as the exchange has it. */
const UNLISTED = /^[^/]+[/-][^/]+$/;
/** How far back own trades are read where nobody says since when. */
const MY_TRADES_MS = 7 * DAY_MS;
/** How the ledger's last 31 days are read where nobody says since when: the newest first, until there are enough. */
const LEDGER_WINDOWS_MS = [DAY_MS, 7 * DAY_MS, 23 * DAY_MS];
/** Calls that look for candles at most. Where nothing traded, each looks four times as far as the one before. */
const CANDLE_CALLS_MAX = 20;

/** ccxt's calls that read, of profile book. */
export class RestDriver extends PagingDriver {
  override async fetchTime(params: Dict = {}): Promise<Int> {
    return this.safeInteger(await this.request('v1/time', 'public', 'GET', params), 'timestamp');
  }

  override async fetchStatus(params: Dict = {}): Promise<Status> {
    const answer = await this.request('v1/status', 'public', 'GET', params);
    const status = this.safeString(answer, 'status') === 'open' ? 'ok' : 'maintenance';
    return {
      status,
      updated: this.safeInteger(answer, 'timestamp'),
      eta: undefined,
      url: undefined,
      info: answer,
    } as unknown as Status;
  }

  override async fetchMarkets(params: Dict = {}): Promise<Market[]> {
    if (this.options.adjustForTimeDifference === true) await this.loadTimeDifference();
    const markets = await this.#allOf('v1/markets', 'public', 'markets', params);
    return markets.map((market) => this.parseMarket(market));
  }

  override async fetchCurrencies(params: Dict = {}): Promise<Currencies> {
    const currencies = await this.#allOf('v1/currencies', 'public', 'currencies', params);
    const parsed = currencies.map((currency) => this.parseCurrency(currency));
    return this.indexBy(parsed, 'code') as Currencies;
  }

  override async fetchTicker(symbol: string, params: Dict = {}): Promise<Ticker> {
    const market = await this.marketOf(symbol);
    const request = { symbol: market?.id, ...params };
    return this.parseTicker(await this.request('v1/ticker/{symbol}', 'public', 'GET', request), market);
  }

  /** Without best prices, which `fetchTicker` has. */
  override async fetchTickers(symbols: Strings = undefined, params: Dict = {}): Promise<Tickers> {
    await this.loadMarkets();
    const tickers = await this.#allOf('v1/tickers', 'public', 'tickers', params, ['timestamp']);
    return this.parseTickers(tickers, this.marketSymbols(symbols) as Strings);
  }

  override async fetchOrderBook(symbol: string, limit: Int = undefined, params: Dict = {}): Promise<OrderBook> {
    const market = await this.marketOf(symbol);
    const request = { symbol: market?.id, ...this.limited(limit, 'depth'), ...params };
    const book = await this.request('v1/orderbook/{symbol}', 'public', 'GET', request);
    const timestamp = this.safeInteger(book, 'timestamp');
    const parsed = this.parseOrderBook(
      book,
      market?.symbol as string,
      timestamp,
      'bids',
      'asks',
      'price' as never,
      'size' as never,
    );
    return { ...parsed, nonce: this.safeInteger(book, 'sequence') } as unknown as OrderBook;
  }

  override async fetchTrades(
    symbol: string,
    since: Int = undefined,
    limit: Int = undefined,
    params: Dict = {},
  ): Promise<Trade[]> {
    const market = await this.marketOf(symbol);
    const trades = await this.rowsOf({
      path: 'v1/trades/{symbol}',
      api: 'public',
      name: 'trades',
      request: { symbol: market?.id, ...this.limited(since === undefined ? limit : LIMIT_MAX), ...params },
      isEnough: this.#newest('timestamp', since, limit),
    });
    return this.parseTrades(trades.filter(isStanding), market, since, limit);
  }

  override async fetchOHLCV(
    symbol: string,
    timeframe = '1m',
    since: Int = undefined,
    limit: Int = undefined,
    params: Dict = {},
  ): Promise<OHLCV[]> {
    const market = await this.marketOf(symbol);
    const wanted = Math.min(limit ?? LIMIT_MAX, LIMIT_MAX);
    const request = { symbol: market?.id, interval: this.timeframes[timeframe] ?? timeframe, ...params };
    const candles =
      since === undefined
        ? this.safeList(
            await this.request('v1/candles/{symbol}', 'public', 'GET', { limit: wanted, ...request }),
            'candles',
            [],
          )
        : await this.#candlesFrom(since, wanted, this.parseTimeframe(timeframe) * 1_000, request);
    return this.parseOHLCVs(candles as never, market, timeframe, since, limit);
  }

  /**
   * The exchange answers the newest first, so that those from a moment on are asked for window by window. Where nothing traded there is no candle: after
   * a window with too few the next one is wider, and halved where it has more than an answer holds.
   */
  async #candlesFrom(since: number, wanted: number, intervalMs: number, request: Dict): Promise<Dict[]> {
    const found: Dict[] = [];
    const now = this.milliseconds() - (this.safeInteger(this.options, 'timeDifference') ?? 0);
    let [from, span] = [since, wanted];
    for (let call = 0; call < CANDLE_CALLS_MAX && found.length < wanted && from <= now; call++) {
      const end = from + span * intervalMs;
      const window = { limit: LIMIT_MAX, from, cursor: end };
      const answer: unknown = await this.request('v1/candles/{symbol}', 'public', 'GET', { ...window, ...request });
      if (this.nextCursorOf(answer) !== undefined && span > wanted) {
        span = Math.max(wanted, Math.floor(span / 2));
        continue;
      }
      found.push(...(this.safeList(answer, 'candles', []) as Dict[]));
      [from, span] = [end, span * 4];
    }
    return found;
  }

  override async fetchBalance(params: Dict = {}): Promise<Balances> {
    await this.loadMarkets();
    return this.parseBalance(await this.request('v1/account/balances', 'private', 'GET', params));
  }

  override async fetchTradingFees(params: Dict = {}): Promise<TradingFees> {
    await this.loadMarkets();
    const fees = await this.#allOf('v1/account/fees', 'private', 'fees', params);
    return this.indexBy(
      fees.map((fee) => this.parseTradingFee(fee)),
      'symbol',
    ) as TradingFees;
  }

  override async fetchTradingFee(symbol: string, params: Dict = {}): Promise<TradingFeeInterface> {
    const market = await this.marketOf(symbol);
    const fees = await this.fetchTradingFees(params);
    return fees[market?.symbol as string] as TradingFeeInterface;
  }

  override async fetchLedger(
    code: Str = undefined,
    since: Int = undefined,
    limit: Int = undefined,
    params: Dict = {},
  ): Promise<LedgerEntry[]> {
    await this.loadMarkets();
    const currency = code === undefined ? undefined : this.currency(code);
    const read = (request: Dict, isEnough?: (rows: readonly Dict[]) => boolean) =>
      this.rowsOf({
        path: 'v1/account/ledger',
        api: 'private',
        name: 'entries',
        request: { ...request, ...params },
        ...(isEnough !== undefined && { isEnough }),
      });
    const count = (rows: readonly Dict[]) => rows.filter(isOf(currency)).length;
    let rows: Dict[] = [];
    if (since !== undefined) rows = await read({ from: since }, (found) => count(found) >= (limit ?? LIMIT_MAX));
    else if ('from' in params || 'to' in params) rows = await read({});
    else {
      let to: number | undefined;
      const now = this.milliseconds() - (this.safeInteger(this.options, 'timeDifference') ?? 0);
      for (const window of LEDGER_WINDOWS_MS) {
        const from: number = (to ?? now) - window;
        rows = [...(await read({ from, ...(to !== undefined && { to }) })), ...rows];
        if (limit !== undefined && count(rows) >= limit) break;
        to = from;
      }
    }
    const entries = numbered(this.parseLedger(rows, currency));
    return this.filterByCurrencySinceLimit(entries, currency?.code, since, limit, since === undefined) as LedgerEntry[];
  }

  override async fetchDepositsWithdrawals(
    code: Str = undefined,
    since: Int = undefined,
    limit: Int = undefined,
    params: Dict = {},
  ): Promise<Transaction[]> {
    await this.loadMarkets();
    const currency = code === undefined ? undefined : this.currency(code);
    const transfers = await this.rowsOf({
      path: 'v1/account/transfers',
      api: 'private',
      name: 'transfers',
      request: { ...(since === undefined ? {} : { from: since }), ...params },
      // The newest come first: of those since a moment all have to be read for the first of them.
      isEnough: (rows) => since === undefined && rows.filter(isOf(currency)).length >= (limit ?? LIMIT_MAX),
    });
    return this.parseTransactions(transfers, currency, since, limit);
  }

  override fetchDeposits(
    code: Str = undefined,
    since: Int = undefined,
    limit: Int = undefined,
    params: Dict = {},
  ): Promise<Transaction[]> {
    return this.fetchDepositsWithdrawals(code, since, limit, { type: 'deposit', ...params });
  }

  override fetchWithdrawals(
    code: Str = undefined,
    since: Int = undefined,
    limit: Int = undefined,
    params: Dict = {},
  ): Promise<Transaction[]> {
    return this.fetchDepositsWithdrawals(code, since, limit, { type: 'withdrawal', ...params });
  }

  /** Without `since` those of the last seven days. */
  override async fetchMyTrades(
    symbol: Str = undefined,
    since: Int = undefined,
    limit: Int = undefined,
    params: Dict = {},
  ): Promise<Trade[]> {
    const market = await this.ownMarketOf(symbol);
    const cursor = uuidAt(since ?? this.milliseconds() - MY_TRADES_MS);
    const fills = await this.rowsOf({
      path: 'v1/fills',
      api: 'private',
      name: 'fills',
      request: { cursor, ...(market === undefined ? {} : { symbol: market.id }), ...params },
      // The oldest come first: without `since` the newest are wanted, and so all of them.
      isEnough: (rows) => since !== undefined && rows.filter(isStanding).length >= (limit ?? LIMIT_MAX),
    });
    return this.parseTrades(fills.filter(isStanding), market, since, limit);
  }

  override fetchOrderTrades(
    id: string,
    symbol: Str = undefined,
    since: Int = undefined,
    limit: Int = undefined,
    params: Dict = {},
  ): Promise<Trade[]> {
    return this.fetchMyTrades(symbol, since ?? 0, limit, { order_id: id, ...params });
  }

  override async fetchOrder(id: string, symbol: Str = undefined, params: Dict = {}): Promise<Order> {
    const market = await this.ownMarketOf(symbol);
    const [clientOrderId, rest] = this.clientOrderIdOf(params);
    const answer =
      clientOrderId === undefined
        ? await this.request('v1/orders/{order_id}', 'private', 'GET', { order_id: id, ...rest })
        : await this.request('v1/orders/client/{client_order_id}', 'private', 'GET', {
            client_order_id: clientOrderId,
            ...rest,
          });
    return this.parseOrder(answer, market);
  }

  override async fetchOrders(
    symbol: Str = undefined,
    since: Int = undefined,
    limit: Int = undefined,
    params: Dict = {},
  ): Promise<Order[]> {
    const market = await this.ownMarketOf(symbol);
    const named = market === undefined ? {} : { symbol: market.id };
    const request = { status: 'all', ...named, ...this.limited(since === undefined ? limit : LIMIT_MAX), ...params };
    // Whoever cancels what is listed as open has to be told of all of it.
    const isWhole = request.status === 'open' && limit === undefined;
    const orders = await this.rowsOf({
      path: 'v1/orders',
      api: 'private',
      name: 'orders',
      request,
      isEnough: isWhole ? () => false : this.#newest('created_at', since, limit),
    });
    return this.parseOrders(orders, market, since, limit);
  }

  override async fetchOpenOrders(
    symbol: Str = undefined,
    since: Int = undefined,
    limit: Int = undefined,
    params: Dict = {},
  ): Promise<Order[]> {
    return this.filterBy(
      await this.fetchOrders(symbol, since, limit, { status: 'open', ...params }),
      'status',
      'open',
    ) as Order[];
  }

  override async fetchClosedOrders(
    symbol: Str = undefined,
    since: Int = undefined,
    limit: Int = undefined,
    params: Dict = {},
  ): Promise<Order[]> {
    return await this.fetchOrders(symbol, since, limit, { status: 'filled', ...params });
  }

  override async fetchCanceledOrders(
    symbol: Str = undefined,
    since: Int = undefined,
    limit: Int = undefined,
    params: Dict = {},
  ): Promise<Order[]> {
    return await this.fetchOrders(symbol, since, limit, { status: 'cancelled', ...params });
  }

  /** The market of a symbol; undefined where none is given. */
  protected async marketOf(symbol: Str): Promise<Market> {
    await this.loadMarkets();
    return symbol === undefined ? undefined : this.market(symbol);
  }

  /**
   * The market of own orders and fills: one that is not listed, at a broker say, as well, by the symbol that `parseOrder` gives its orders.
   * Its tick and lot are unknown here.
   */
  protected async ownMarketOf(symbol: Str): Promise<Market> {
    await this.loadMarkets();
    if (symbol === undefined || symbol in (this.markets ?? {})) return this.marketOf(symbol);
    if (!UNLISTED.test(symbol)) return this.market(symbol);
    return this.safeMarketStructure({ id: symbol.replace('/', '-'), symbol } as never) as Market;
  }

  /** A list with its newest first has enough once it has passed `since`, or has the `limit` of its newest. */
  #newest(time: string, since: Int, limit: Int): (rows: readonly Dict[]) => boolean {
    if (since === undefined) return (rows) => rows.length >= (limit ?? LIMIT_MAX);
    return (rows) => (this.safeInteger(rows.at(-1), time) ?? since) < since;
  }

  /** A list whole, each row with the fields of its answer that are named. */
  async #allOf(
    path: string,
    api: 'public' | 'private',
    name: string,
    request: Dict,
    ofAnswer: readonly string[] = [],
  ): Promise<Dict[]> {
    return await this.rowsOf({ path, api, name, request, ofAnswer });
  }
}

/** Whether a row is of a currency; each is where none is asked for. */
function isOf(currency: { readonly id?: string | undefined } | undefined): (row: Dict) => boolean {
  return ({ asset }) => currency === undefined || asset === currency.id;
}

/** Legs that are alike, such as the two fees of an account that has traded with itself, are told apart by their place. */
function numbered(entries: LedgerEntry[]): LedgerEntry[] {
  const seen = new Map<string, number>();
  return entries.map((entry) => {
    const id = String(entry.id);
    const place = (seen.get(id) ?? 0) + 1;
    seen.set(id, place);
    return place === 1 ? entry : { ...entry, id: `${id}/${place}` };
  });
}

/** Nothing is left of a trade that was taken back. */
function isStanding(trade: Dict): boolean {
  return trade.status !== 'bust';
}
