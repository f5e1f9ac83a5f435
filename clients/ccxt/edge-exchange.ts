import type { Balances, Dict, Int, Market, Order, OrderBook, Str, Ticker, Trade } from 'ccxt';
import { BadRequest, ExchangeClosedByUser, NetworkError, UnsubscribeError } from 'ccxt';
import type { FeedMessage } from '../../protocol/feeds/server-message.ts';
import type { FeedConnection, Topic } from '../sdk/feeds/feed-connection.ts';
import { FollowedBook } from '../sdk/feeds/followed-book.ts';
import { OwnAccount } from '../sdk/feeds/own-account.ts';
import { bookFeed } from '../sdk/feeds/platform-feed.ts';
import { TradingDriver } from './trading-driver.ts';
import { Unread } from './unread.ts';
import { timeOfUuid } from './uuid-at.ts';

const DEPTH_MAX = 1_000;

type Told = 'orders' | 'fills' | 'changes';

/** What the own channels have told, and nobody has taken yet. */
interface Account {
  readonly followed: OwnAccount;
  readonly orders: Unread<Dict>;
  readonly fills: Unread<Dict>;
  readonly changes: Unread<true>;
  /** What of it is watched. */
  readonly watched: Set<Told>;
}

interface WatchedTopic {
  readonly unread: Unread<Dict>;
  readonly end: () => void;
}

/**
 * The exchange for ccxt: REST of profile book, and its feeds by `watch*`. One connection serves all that is watched; it heals by itself.
 *
 * @example
 * const exchange = new EdgeExchange({ apiKey, secret, urls: { api: { public: base, private: base } } });
 * const book = await exchange.watchOrderBook('ACME/USD');
 */
export class EdgeExchange extends TradingDriver {
  #feed: FeedConnection | null = null;
  #account: Account | null = null;
  readonly #books = new Map<string, { readonly followed: FollowedBook; readonly changes: Unread<true> }>();
  readonly #topics = new Map<string, WatchedTopic>();

  override async watchOrderBook(symbol: string, limit: Int = undefined, _params: Dict = {}): Promise<OrderBook> {
    const market = await this.marketOf(symbol);
    const { followed, changes } = this.#bookOf(market?.id as string, limit);
    do await changes.take();
    while (followed.state !== 'fresh' && followed.refused === null);
    if (followed.refused !== null) throw this.errorOf(followed.refused);
    const { bids, asks, sequence } = followed.book;
    const timestamp = this.milliseconds();
    return {
      symbol: market?.symbol,
      bids: bids.slice(0, limit),
      asks: asks.slice(0, limit),
      timestamp,
      datetime: this.iso8601(timestamp),
      nonce: sequence,
    } as unknown as OrderBook;
  }

  override async watchTrades(
    symbol: string,
    since: Int = undefined,
    limit: Int = undefined,
    _params: Dict = {},
  ): Promise<Trade[]> {
    const market = await this.marketOf(symbol);
    const told = await this.#told({ channel: 'trades', symbol: market?.id as string }, 'trade').take();
    return this.parseTrades(told, market, since, limit);
  }

  override async watchTicker(symbol: string, _params: Dict = {}): Promise<Ticker> {
    const market = await this.marketOf(symbol);
    const told = await this.#told({ channel: 'ticker', symbol: market?.id as string }, 'ticker').take();
    return this.parseTicker(told.at(-1) as Dict, market);
  }

  override async watchOrders(
    symbol: Str = undefined,
    since: Int = undefined,
    limit: Int = undefined,
    _params: Dict = {},
  ): Promise<Order[]> {
    const market = await this.ownMarketOf(symbol);
    const told = await this.#ofMarket(this.#watchedAccount('orders').orders, market);
    // The feed tells no time of creation: the id of an order has it.
    return this.parseOrders(
      told.map((order) => ({ created_at: timeOfUuid(this.safeString(order, 'order_id')), ...order })),
      market,
      since,
      limit,
    );
  }

  override async watchMyTrades(
    symbol: Str = undefined,
    since: Int = undefined,
    limit: Int = undefined,
    _params: Dict = {},
  ): Promise<Trade[]> {
    const market = await this.ownMarketOf(symbol);
    return this.parseTrades(await this.#ofMarket(this.#watchedAccount('fills').fills, market), market, since, limit);
  }

  override async watchBalance(_params: Dict = {}): Promise<Balances> {
    await this.loadMarkets();
    const { followed, changes } = this.#watchedAccount('changes');
    do await changes.take();
    while (followed.state !== 'fresh');
    return this.parseBalance({ balances: [...followed.balances.values()] });
  }

  /** Ends what is watched of a book, whatever the depth. Whoever waits is told so by ccxt's UnsubscribeError, here and below. */
  override async unWatchOrderBook(symbol: string, _params: Dict = {}): Promise<true> {
    const market = await this.marketOf(symbol);
    for (const [key, { followed, changes }] of this.#books) {
      if (!key.startsWith(`${market?.id} `)) continue;
      this.#books.delete(key);
      followed.stop();
      changes.end(this.#unsubscribed('watchOrderBook'));
    }
    return true;
  }

  override async unWatchTrades(symbol: string, _params: Dict = {}): Promise<true> {
    return this.#untold('trades', (await this.marketOf(symbol))?.id);
  }

  override async unWatchTicker(symbol: string, _params: Dict = {}): Promise<true> {
    return this.#untold('ticker', (await this.marketOf(symbol))?.id);
  }

  /** Of all symbols: they come by one channel. */
  override async unWatchOrders(_symbol: Str = undefined, _params: Dict = {}): Promise<true> {
    return this.#endOfAccount('orders');
  }

  /** Of all symbols: they come by one channel. */
  override async unWatchMyTrades(_symbol: Str = undefined, _params: Dict = {}): Promise<true> {
    return this.#endOfAccount('fills');
  }

  /** ccxt has no such call of its own. */
  async unWatchBalance(_params: Dict = {}): Promise<true> {
    return this.#endOfAccount('changes');
  }

  override async close(cleanInstanceCache = false): Promise<void> {
    const closed = new ExchangeClosedByUser(`${this.id} closedByUser`);
    this.#feed?.stop();
    this.#feed = null;
    for (const { followed, changes } of this.#books.values()) {
      followed.stop();
      changes.fail(closed);
    }
    for (const { unread } of this.#topics.values()) unread.fail(closed);
    if (this.#account !== null) this.#failAccount(this.#account, closed);
    this.#account = null;
    this.#books.clear();
    this.#topics.clear();
    await super.close(cleanInstanceCache);
  }

  #failAccount({ followed, orders, fills, changes }: Account, error: Error): void {
    followed.stop();
    for (const unread of [orders, fills, changes]) unread.fail(error);
  }

  /** Takes what is told of a market, or of all. What is told of others meanwhile is passed over. */
  async #ofMarket(unread: Unread<Dict>, market: Market): Promise<Dict[]> {
    for (;;) {
      const told = await unread.take();
      const found = market === undefined ? told : told.filter(({ symbol }) => symbol === market.id);
      if (found.length > 0) return found;
    }
  }

  #connection(): FeedConnection {
    if (this.#feed !== null) return this.#feed;
    const baseUrl = this.implodeHostname((this.urls.api as Record<string, string>).public ?? '');
    const open = this.options.openSocket as Parameters<typeof bookFeed>[0]['open'];
    const hasKey = this.apiKey !== undefined && this.apiKey !== '';
    const auth = async () => ({ api_key: this.apiKey, api_secret: this.secret });
    this.#feed = bookFeed({ baseUrl, ...(hasKey && { auth }), ...(open !== undefined && { open }) });
    this.#feed.start();
    return this.#feed;
  }

  #bookOf(id: string, limit: Int) {
    const depth = limit ?? (this.options.watchedDepth as number);
    if (!Number.isInteger(depth) || depth < 1 || depth > DEPTH_MAX)
      throw new BadRequest(`${this.id} watchOrderBook() takes a limit from 1 to ${DEPTH_MAX}`);
    const key = `${id} ${depth}`;
    const known = this.#books.get(key);
    if (known !== undefined && known.followed.refused === null) return known;
    known?.followed.stop();
    const changes = new Unread<true>(1);
    const followed = new FollowedBook(this.#connection(), id, depth);
    followed.watch(() => changes.tell(true));
    this.#books.set(key, { followed, changes });
    return { followed, changes };
  }

  /** Messages of one kind of a topic; a refusal of the topic fails whoever waits for one. */
  #told(topic: Topic, type: FeedMessage['type']): Unread<Dict> {
    const key = `${topic.channel} ${topic.symbol}`;
    const known = this.#topics.get(key);
    if (known !== undefined) return known.unread;
    const unread = new Unread<Dict>();
    let last: number | null = null;
    const receive = (message: FeedMessage) => {
      if ('sequence' in message) last = Number(message.sequence);
      if (message.type === type) unread.tell(message as unknown as Dict);
      if (message.type !== 'error') return;
      this.#topics.delete(key);
      end();
      unread.fail(this.errorOf(message as unknown as Dict));
    };
    const end = this.#connection().follow(topic, receive, () => (topic.channel === 'trades' ? last : null));
    this.#topics.set(key, { unread, end });
    return unread;
  }

  #untold(channel: string, id: Str): true {
    const key = `${channel} ${id}`;
    const known = this.#topics.get(key);
    this.#topics.delete(key);
    known?.end();
    known?.unread.end(this.#unsubscribed(key));
    return true;
  }

  #unsubscribed(what: string): Error {
    return new UnsubscribeError(`${this.id} ${what} is watched no more`);
  }

  #watchedAccount(kind: Told): Account {
    this.checkRequiredCredentials();
    const account = this.#followedAccount();
    account.watched.add(kind);
    return account;
  }

  /** The channel is left once nothing of it is watched. */
  #endOfAccount(kind: Told): true {
    const account = this.#account;
    if (account === null) return true;
    account[kind].end(this.#unsubscribed(kind));
    account.watched.delete(kind);
    if (account.watched.size > 0) return true;
    account.followed.stop();
    this.#account = null;
    return true;
  }

  #followedAccount(): Account {
    if (this.#account !== null) return this.#account;
    const [orders, fills, changes] = [new Unread<Dict>(), new Unread<Dict>(), new Unread<true>(1)];
    const followed = new OwnAccount(this.#connection(), {
      order: (order) => orders.tell(order as unknown as Dict),
      fill: (fill) => fills.tell(fill as unknown as Dict),
      changed: () => changes.tell(true),
      // Whoever watches has to read what was missed, and may watch on.
      interrupted: () => {
        for (const unread of [orders, fills])
          unread.fail(new NetworkError(`${this.id} messages of the own account were lost`));
      },
    });
    this.#account = { followed, orders, fills, changes, watched: new Set() };
    return this.#account;
  }
}
