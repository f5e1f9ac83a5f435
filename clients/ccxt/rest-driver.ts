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
import { BadRequest } from 'ccxt';
import { OrderTermsDriver } from './order-terms-driver.ts';
import { uuidAt } from './uuid-at.ts';

const LIMIT_MAX = 1_000;
const PAGES_MAX = 20;
/** How far back own trades are read where nobody says since when. */
const MY_TRADES_MS = 7 * 24 * 3_600_000;

/** ccxt's calls that read, of profile book. */
export class RestDriver extends OrderTermsDriver {
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
    const markets = await this.#allOf('v1/markets', 'public', 'markets', 'symbol', params);
    return markets.map((market) => this.parseMarket(market));
  }

  override async fetchCurrencies(params: Dict = {}): Promise<Currencies> {
    const currencies = await this.#allOf('v1/currencies', 'public', 'currencies', 'asset', params);
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
    const tickers = await this.#allOf('v1/tickers', 'public', 'tickers', 'symbol', params);
    return this.parseTickers(tickers, this.marketSymbols(symbols) as Strings);
  }

  override async fetchOrderBook(symbol: string, limit: Int = undefined, params: Dict = {}): Promise<OrderBook> {
    const market = await this.marketOf(symbol);
    const request = { symbol: market?.id, ...this.#limited(limit, 'depth'), ...params };
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
    const request = { symbol: market?.id, ...this.#limited(since === undefined ? limit : LIMIT_MAX), ...params };
    const answer = await this.request('v1/trades/{symbol}', 'public', 'GET', request);
    const standing = (this.safeList(answer, 'trades', []) as Dict[]).filter(isStanding);
    return this.parseTrades(standing, market, since, limit);
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
    // The exchange answers the newest first: those from `since` on end where as many have passed.
    const window =
      since === undefined ? {} : { from: since, cursor: since + wanted * this.parseTimeframe(timeframe) * 1_000 };
    const request = {
      symbol: market?.id,
      interval: this.timeframes[timeframe] ?? timeframe,
      limit: wanted,
      ...window,
      ...params,
    };
    const answer = await this.request('v1/candles/{symbol}', 'public', 'GET', request);
    return this.parseOHLCVs(this.safeList(answer, 'candles', []) as never, market, timeframe, since, limit);
  }

  override async fetchBalance(params: Dict = {}): Promise<Balances> {
    await this.loadMarkets();
    return this.parseBalance(await this.request('v1/account/balances', 'private', 'GET', params));
  }

  override async fetchTradingFees(params: Dict = {}): Promise<TradingFees> {
    await this.loadMarkets();
    const fees = await this.#allOf('v1/account/fees', 'private', 'fees', 'symbol', params);
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
    const span = since === undefined ? {} : { from: since };
    const request = { limit: LIMIT_MAX, ...span, ...params };
    const answer = await this.request('v1/account/ledger', 'private', 'GET', request);
    return this.parseLedger(this.safeList(answer, 'entries', []) as Dict[], currency, since, limit);
  }

  override async fetchDepositsWithdrawals(
    code: Str = undefined,
    since: Int = undefined,
    limit: Int = undefined,
    params: Dict = {},
  ): Promise<Transaction[]> {
    await this.loadMarkets();
    const currency = code === undefined ? undefined : this.currency(code);
    const request = {
      ...this.#limited(code === undefined ? limit : LIMIT_MAX),
      ...(since === undefined ? {} : { from: since }),
      ...params,
    };
    const answer = await this.request('v1/account/transfers', 'private', 'GET', request);
    return this.parseTransactions(this.safeList(answer, 'transfers', []) as Dict[], currency, since, limit);
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
    const market = await this.marketOf(symbol);
    const from = since ?? this.milliseconds() - MY_TRADES_MS;
    const request = { ...(market === undefined ? {} : { symbol: market.id }), ...params };
    const fills = await this.#fillsBehind(uuidAt(from), request, since === undefined ? undefined : limit);
    return this.parseTrades(fills, market, since, limit);
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

  /** Oldest first, page by page; at least `limit` of them where there are so many. */
  async #fillsBehind(first: string, request: Dict, limit: Int): Promise<Dict[]> {
    const fills: Dict[] = [];
    let cursor: string | undefined = first;
    for (
      let page = 0;
      cursor !== undefined && page < PAGES_MAX && fills.length < (limit ?? Number.POSITIVE_INFINITY);
      page++
    ) {
      const answer: unknown = await this.request('v1/fills', 'private', 'GET', {
        limit: LIMIT_MAX,
        cursor,
        ...request,
      });
      const found = this.safeList(answer, 'fills', []) as Dict[];
      fills.push(...found);
      // Both sides of a trade may be the account's own, and a page counts trades.
      cursor = found.length < LIMIT_MAX ? undefined : this.safeString(found.at(-1), 'trade_id');
    }
    return fills;
  }

  override async fetchOrder(id: string, symbol: Str = undefined, params: Dict = {}): Promise<Order> {
    const market = await this.marketOf(symbol);
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
    const market = await this.marketOf(symbol);
    const named = market === undefined ? {} : { symbol: market.id };
    const request = { status: 'all', ...named, ...this.#limited(since === undefined ? limit : LIMIT_MAX), ...params };
    const answer = await this.request('v1/orders', 'private', 'GET', request);
    return this.parseOrders(this.safeList(answer, 'orders', []) as Dict[], market, since, limit);
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

  #limited(limit: Int, name = 'limit'): Dict {
    if (limit === undefined) return {};
    if (limit < 1) throw new BadRequest(`${this.id} a limit is above zero`);
    return { [name]: Math.min(limit, LIMIT_MAX) };
  }

  /** A list whole, by the cursor that is its last row's name. */
  async #allOf(path: string, api: string, list: string, name: string, params: Dict): Promise<Dict[]> {
    const rows: Dict[] = [];
    let cursor: string | undefined;
    for (let page = 0; page < PAGES_MAX; page++) {
      const behind = cursor === undefined ? {} : { cursor };
      const answer = await this.request(path, api, 'GET', { limit: LIMIT_MAX, ...behind, ...params });
      const found = this.safeList(answer, list, []) as Dict[];
      rows.push(...found);
      if (found.length < LIMIT_MAX) break;
      cursor = this.safeString(found.at(-1), name);
    }
    return rows;
  }
}

/** Nothing is left of a trade that was taken back. */
function isStanding(trade: Dict): boolean {
  return trade.status !== 'bust';
}
