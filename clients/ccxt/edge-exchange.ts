import type { Balances, Dict, Int, Market, Order, OrderBook, Str, Ticker, Trade } from 'ccxt';
import { BadRequest, ExchangeClosedByUser, NetworkError } from 'ccxt';
import type { FeedMessage } from '../../protocol/feeds/server-message.ts';
import type { FeedConnection, Topic } from '../sdk/feeds/feed-connection.ts';
import { FollowedBook } from '../sdk/feeds/followed-book.ts';
import { OwnAccount } from '../sdk/feeds/own-account.ts';
import { bookFeed } from '../sdk/feeds/platform-feed.ts';
import { TradingDriver } from './trading-driver.ts';
import { Unread } from './unread.ts';

const DEPTH_MAX = 1_000;

/** What the own channels have told, and nobody has taken yet. */
interface Account {
  readonly followed: OwnAccount;
  readonly orders: Unread<Dict>;
  readonly fills: Unread<Dict>;
  readonly changes: Unread<true>;
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
  readonly #topics = new Map<string, Unread<Dict>>();

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
    const market = await this.marketOf(symbol);
    const told = await this.#ofMarket(this.#followedAccount().orders, market);
    // The feed tells no time of creation: an order that was watched is as old as its last change.
    return this.parseOrders(
      told.map((order) => ({ created_at: order.timestamp, ...order })),
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
    const market = await this.marketOf(symbol);
    return this.parseTrades(await this.#ofMarket(this.#followedAccount().fills, market), market, since, limit);
  }

  override async watchBalance(_params: Dict = {}): Promise<Balances> {
    await this.loadMarkets();
    const { followed, changes } = this.#followedAccount();
    do await changes.take();
    while (followed.state !== 'fresh');
    return this.parseBalance({ balances: [...followed.balances.values()] });
  }

  override async close(cleanInstanceCache = false): Promise<void> {
    const closed = new ExchangeClosedByUser(`${this.id} closedByUser`);
    this.#feed?.stop();
    this.#feed = null;
    for (const { followed, changes } of this.#books.values()) {
      followed.stop();
      changes.fail(closed);
    }
    for (const unread of this.#topics.values()) unread.fail(closed);
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
    if (known !== undefined) return known;
    const unread = new Unread<Dict>();
    this.#topics.set(key, unread);
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
    return unread;
  }

  #followedAccount(): Account {
    this.checkRequiredCredentials();
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
    this.#account = { followed, orders, fills, changes };
    return this.#account;
  }
}
