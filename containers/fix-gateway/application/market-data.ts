import type {
  BookSnapshotMessage,
  BookUpdateMessage,
  ServerMessage,
  TradeAdjustmentMessage,
  TradeMessage,
} from '../../../protocol/feeds/server-message.ts';
import { bookDepth } from '../../../protocol/feeds/topic.ts';
import { decimalText } from '../codec/decimal.ts';
import { type Field, type FixMessage, textOf } from '../codec/fix-message.ts';
import { MSG_TYPE } from '../codec/msg-types.ts';
import { TAG } from '../codec/tags.ts';
import type { Outgoing } from './application.ts';
import { BUSINESS_REJ, businessReject } from './business-reject.ts';
import type { CallerHeaders, Exchange, ExchangeAnswer } from './exchange.ts';
import type { FeedSocket, FeedTopic } from './feed-socket.ts';
import { whyUnanswered } from './order-placement.ts';
import { named, refusedField } from './refused-field.ts';

const SUBSCRIBE = '1';
const UNSUBSCRIBE = '2';
const BID = '0';
const OFFER = '1';
const TRADE = '2';
const FULL_REFRESH = '0';
/** The deepest book, and what MarketDepth 0, the full book, means here. */
const DEPTH_MAX = 1_000;
const SYMBOLS_MAX = 100;
const REQUEST_ID_LENGTH_MAX = 256;
const SUBSCRIPTIONS_MAX = 100;
/** Trades among which the last that stands is looked for. */
const LAST_TRADES = 100;
/** MDReqRejReason(281). */
const REJECT = {
  UNKNOWN_SYMBOL: '0',
  DUPLICATE: '1',
  BANDWIDTH: '2',
  DEPTH: '5',
  UPDATE_TYPE: '6',
  ENTRY_TYPE: '8',
  OTHER: '0',
};
/** MDReqRejReason of fields that are not offered, where it has one. */
const REJECT_OF_FIELD: ReadonlyMap<number, string> = new Map([
  [TAG.AggregatedBook, '7'],
  [TAG.NoTradingSessions, '9'],
  [TAG.Scope, 'A'],
  [TAG.OpenCloseSettlFlag, 'B'],
  [TAG.MDImplicitDelete, 'C'],
]);

type NoAnswer = Exclude<ExchangeAnswer, { type: 'ok' }>;

type Level = readonly [price: number, size: number];

/** A level of GET /v1/orderbook, or a trade. */
interface WireBookLevel {
  readonly price: number;
  readonly size: number;
}

interface WireTrade extends WireBookLevel {
  readonly trade_id: string;
  readonly status: 'executed' | 'bust' | 'correction';
  /** What it stands at once it is corrected. */
  readonly corrected_price: number | null;
}

interface Subscription {
  readonly id: string;
  readonly symbols: readonly string[];
  readonly depth: number;
  readonly entryTypes: ReadonlySet<string>;
  /** The last trade of each pair that its peer has been told of, or is told of with the first book; none where none stands. */
  readonly lastTrades: Map<string, readonly LastTrade[]>;
}

interface LastTrade {
  readonly id: string;
  readonly level: Level;
}

interface Sides {
  /** Best first. */
  readonly bids: readonly Level[];
  readonly asks: readonly Level[];
}

/** A book as the feed has told of it: what each subscription is told of a change is cut from it. */
interface Book {
  /** One of the feed's: as many levels as the deepest subscription wants, or more. */
  readonly depth: number;
  /** Null until the feed has told of it. */
  readonly sides: Sides | null;
}

/** MarketDataRequest: snapshots, and subscriptions with incremental refreshes. A subscription ends with the connection. */
export class MarketData {
  readonly #exchange: Exchange;
  readonly #feed: FeedSocket;
  readonly #send: (outgoing: Outgoing) => void;
  readonly #subscriptions = new Map<string, Subscription>();
  readonly #books = new Map<string, Book>();

  constructor(exchange: Exchange, feed: FeedSocket, send: (outgoing: Outgoing) => void) {
    this.#exchange = exchange;
    this.#feed = feed;
    this.#send = send;
  }

  /**
   * Answers a request; what follows a subscription is sent as it comes.
   * @param isConnected whether the connection that it came on stands: a subscription ends with that, so none begins after it
   */
  async request(
    caller: CallerHeaders,
    message: FixMessage,
    isConnected: () => boolean = () => true,
  ): Promise<Outgoing[]> {
    const id = textOf(message, TAG.MDReqID) ?? '';
    const type = textOf(message, TAG.SubscriptionRequestType);
    if (!isConnected()) return [];
    if (type === UNSUBSCRIBE) {
      this.#unsubscribe(id);
      return [];
    }
    const entryTypes = new Set(valuesOf(message, TAG.MDEntryType));
    const symbols = valuesOf(message, TAG.Symbol);
    const refusal = refusalOf(message, entryTypes, symbols);
    if (refusal !== null) return [rejected(id, ...refusal)];
    const depth = Number(textOf(message, TAG.MarketDepth)) || DEPTH_MAX;
    if (this.#subscriptions.has(id)) return [rejected(id, REJECT.DUPLICATE, 'MDReqID is in use')];
    if (type === SUBSCRIBE && this.#subscriptions.size >= SUBSCRIPTIONS_MAX)
      return [rejected(id, REJECT.BANDWIDTH, 'too many subscriptions')];
    if (type === SUBSCRIBE && !this.#feed.hasRoomFor(topicsOf({ symbols, entryTypes })))
      return [rejected(id, REJECT.BANDWIDTH, 'a session follows at most 80 books and trades')];
    const snapshots: Outgoing[] = [];
    const lastTrades = new Map<string, readonly LastTrade[]>();
    for (const symbol of new Set(symbols)) {
      const path = `/v1/orderbook/${encodeURIComponent(symbol)}?depth=${depth}`;
      const answer = await this.#exchange.call('GET', path, caller);
      if (isUnknownSymbol(answer)) return [rejected(id, REJECT.UNKNOWN_SYMBOL, `${symbol}: ${answer.message}`)];
      if (answer.type !== 'ok') return [unavailable(message, answer)];
      const { bids, asks } = answer.body as { bids: WireBookLevel[]; asks: WireBookLevel[] };
      const last = entryTypes.has(TRADE) ? await this.#lastTrade(caller, symbol) : [];
      if ('type' in last) return [unavailable(message, last)];
      lastTrades.set(symbol, last);
      // The book of a subscription is the one that its refreshes go on from.
      if (type === SUBSCRIBE && wantsBook({ entryTypes })) continue;
      const trades = last.map(({ level }) => level);
      snapshots.push(snapshot(id, symbol, entryTypes, bids.map(levelOf), asks.map(levelOf), trades));
    }
    if (!isConnected()) return [];
    if (type === SUBSCRIBE) this.#subscribe({ id, symbols: [...new Set(symbols)], depth, entryTypes, lastTrades });
    return snapshots;
  }

  /** The last trade of a pair that stands, at what it stands at, or none; what the exchange says instead when it cannot say. */
  async #lastTrade(caller: CallerHeaders, symbol: string): Promise<LastTrade[] | NoAnswer> {
    const path = `/v1/trades/${encodeURIComponent(symbol)}?limit=${LAST_TRADES}`;
    const answer = await this.#exchange.call('GET', path, caller);
    if (answer.type !== 'ok') return answer;
    const last = (answer.body as { trades: WireTrade[] }).trades.find(({ status }) => status !== 'bust');
    if (last === undefined) return [];
    return [{ id: last.trade_id, level: [last.corrected_price ?? last.price, last.size] }];
  }

  heard(message: ServerMessage): void {
    if (message.type === 'orderbook_snapshot') this.#snapshot(message);
    else if (message.type === 'orderbook_update') this.#update(message);
    else if (message.type === 'trade') this.#trade(message);
    else if (isAdjustment(message)) this.#adjusted(message);
  }

  /** The peer may see a pair no more: requests that name it end, as one that came now would be refused. */
  ended(symbol: string, { code, message }: { readonly code: string; readonly message: string }): void {
    const reason = code === 'TOO_MANY_SUBSCRIPTIONS' ? REJECT.BANDWIDTH : REJECT.UNKNOWN_SYMBOL;
    for (const { id } of this.#of(symbol)) {
      this.#unsubscribe(id);
      this.#send(rejected(id, reason, message));
    }
  }

  stop(): void {
    for (const id of [...this.#subscriptions.keys()]) this.#unsubscribe(id);
  }

  #subscribe(subscription: Subscription): void {
    this.#subscriptions.set(subscription.id, subscription);
    for (const symbol of subscription.symbols) {
      if (wantsBook(subscription)) this.#followBook(symbol, subscription);
      if (subscription.entryTypes.has(TRADE)) this.#feed.follow({ channel: 'trades', symbol });
    }
  }

  /** One feed of a book serves every subscription to it, in the least of the feed's depths that has the levels of each. */
  #followBook(symbol: string, subscription: Subscription): void {
    const depth = bookDepth(subscription.depth);
    const known = this.#books.get(symbol);
    if (known !== undefined && known.depth >= depth) {
      if (known.sides !== null) this.#sendBook(symbol, subscription, known.sides);
      return;
    }
    if (known !== undefined) this.#feed.unfollow({ channel: 'orderbook', symbol, depth: known.depth });
    this.#books.set(symbol, { depth, sides: null });
    this.#feed.follow({ channel: 'orderbook', symbol, depth });
  }

  #unsubscribe(id: string): void {
    const subscription = this.#subscriptions.get(id);
    if (subscription === undefined) return;
    this.#subscriptions.delete(id);
    for (const symbol of subscription.symbols) {
      const others = [...this.#subscriptions.values()].filter(({ symbols }) => symbols.includes(symbol));
      const book = this.#books.get(symbol);
      if (book !== undefined && !others.some(wantsBook)) {
        this.#feed.unfollow({ channel: 'orderbook', symbol, depth: book.depth });
        this.#books.delete(symbol);
      }
      if (!others.some(({ entryTypes }) => entryTypes.has(TRADE))) this.#feed.unfollow({ channel: 'trades', symbol });
    }
  }

  #of(symbol: string): Subscription[] {
    return [...this.#subscriptions.values()].filter(({ symbols }) => symbols.includes(symbol));
  }

  #snapshot({ symbol, bids, asks }: BookSnapshotMessage): void {
    const book = this.#books.get(symbol);
    if (book === undefined) return;
    this.#books.set(symbol, { ...book, sides: { bids, asks } });
    for (const subscription of this.#of(symbol).filter(wantsBook)) this.#sendBook(symbol, subscription, { bids, asks });
  }

  #sendBook(symbol: string, { id, depth, entryTypes, lastTrades }: Subscription, { bids, asks }: Sides): void {
    const trades = (lastTrades.get(symbol) ?? []).map(({ level }) => level);
    this.#send(snapshot(id, symbol, entryTypes, bids.slice(0, depth), asks.slice(0, depth), trades));
  }

  #update({ symbol, bids, asks }: BookUpdateMessage): void {
    const book = this.#books.get(symbol);
    // One that is not known is told of by an earlier subscription, which has yet to end.
    if (book === undefined || book.sides === null) return;
    const before = book.sides;
    const after = { bids: changed(before.bids, bids, -1), asks: changed(before.asks, asks, 1) };
    this.#books.set(symbol, { ...book, sides: after });
    for (const { id, depth, entryTypes } of this.#of(symbol).filter(wantsBook)) {
      const entries = [
        ...(entryTypes.has(BID) ? changesWithin(depth, before.bids, after.bids, BID) : []),
        ...(entryTypes.has(OFFER) ? changesWithin(depth, before.asks, after.asks, OFFER) : []),
      ];
      if (entries.length === 0) continue;
      const told = entries.map(({ action, side, level: [price, size] }) =>
        entry(action, side, symbol, price, action === '2' ? null : size),
      );
      this.#send(incremental(id, told));
    }
  }

  #trade({ symbol, price, size, trade_id }: TradeMessage): void {
    for (const { id, entryTypes, lastTrades } of this.#of(symbol)) {
      if (!entryTypes.has(TRADE)) continue;
      lastTrades.set(symbol, [{ id: trade_id, level: [price, size] }]);
      this.#send(incremental(id, [entry('0', TRADE, symbol, price, size, trade_id)]));
    }
  }

  /** An earlier trade is gone, or stands at another price; MDEntryID says which. */
  #adjusted({ symbol, price, size, trade_id, corrected_price: corrected }: TradeAdjustmentMessage): void {
    const changed =
      corrected === null
        ? entry('2', TRADE, symbol, price, null, trade_id)
        : entry('1', TRADE, symbol, corrected, size, trade_id);
    for (const { id, entryTypes, lastTrades } of this.#of(symbol)) {
      if (!entryTypes.has(TRADE)) continue;
      if (lastTrades.get(symbol)?.[0]?.id === trade_id)
        lastTrades.set(symbol, corrected === null ? [] : [{ id: trade_id, level: [corrected, size] }]);
      this.#send(incremental(id, [changed]));
    }
  }
}

function isAdjustment(message: ServerMessage): message is TradeAdjustmentMessage {
  return (message.type === 'trade_bust' || message.type === 'trade_correction') && message.channel === 'trades';
}

function levelOf({ price, size }: WireBookLevel): Level {
  return [price, size];
}

function wantsBook({ entryTypes }: Pick<Subscription, 'entryTypes'>): boolean {
  return entryTypes.has(BID) || entryTypes.has(OFFER);
}

interface Change {
  /** MDUpdateAction: 0 is new, 1 changed, 2 gone. */
  readonly action: '0' | '1' | '2';
  readonly side: string;
  readonly level: Level;
}

/** A side with changed levels; size 0 is none. @param direction 1 where the lowest price is the best */
function changed(levels: readonly Level[], changes: readonly Level[], direction: 1 | -1): readonly Level[] {
  if (changes.length === 0) return levels;
  const sizes = new Map(levels);
  for (const [price, size] of changes) {
    if (size > 0) sizes.set(price, size);
    else sizes.delete(price);
  }
  return [...sizes].toSorted(([a], [b]) => direction * (a - b));
}

/**
 * What has changed among the best levels of a side. A level that leaves them is gone, and one that comes up into them new (FIX 4.4 volume 3,
 * Market Data Incremental Refresh): levels that go are told first, so that a peer never holds more than it asked for.
 */
function changesWithin(depth: number, before: readonly Level[], after: readonly Level[], side: string): Change[] {
  if (before === after) return [];
  const old = new Map(before.slice(0, depth));
  const now = new Map(after.slice(0, depth));
  const gone = [...old].filter(([price]) => !now.has(price));
  const others = [...now].filter(([price, size]) => old.get(price) !== size);
  return [
    ...gone.map((level): Change => ({ action: '2', side, level })),
    ...others.map((level): Change => ({ action: old.has(level[0]) ? '1' : '0', side, level })),
  ];
}

function snapshot(
  id: string,
  symbol: string,
  entryTypes: ReadonlySet<string>,
  bids: readonly Level[],
  asks: readonly Level[],
  trades: readonly Level[] = [],
): Outgoing {
  const sides = [
    [BID, bids],
    [OFFER, asks],
    [TRADE, trades],
  ] as const;
  const entries = sides.flatMap(([side, levels]) =>
    entryTypes.has(side) ? levels.map((level) => [side, level] as const) : [],
  );
  return {
    type: MSG_TYPE.MarketDataSnapshotFullRefresh,
    kept: false,
    body: [
      [TAG.MDReqID, id],
      [TAG.Symbol, symbol],
      [TAG.NoMDEntries, String(entries.length)],
      ...entries.flatMap(([side, [price, size]]): Field[] => [
        [TAG.MDEntryType, side],
        [TAG.MDEntryPx, decimalText(price)],
        [TAG.MDEntrySize, decimalText(size)],
      ]),
    ],
  };
}

function incremental(id: string, entries: readonly (readonly Field[])[]): Outgoing {
  return {
    type: MSG_TYPE.MarketDataIncrementalRefresh,
    kept: false,
    body: [[TAG.MDReqID, id], [TAG.NoMDEntries, String(entries.length)], ...entries.flat()],
  };
}

function entry(
  action: string,
  type: string,
  symbol: string,
  price: number,
  size: number | null,
  entryId: string | null = null,
): Field[] {
  return [
    [TAG.MDUpdateAction, action],
    [TAG.MDEntryType, type],
    ...(entryId === null ? [] : ([[TAG.MDEntryID, entryId]] as const)),
    [TAG.Symbol, symbol],
    [TAG.MDEntryPx, decimalText(price)],
    ...(size === null ? [] : ([[TAG.MDEntrySize, decimalText(size)]] as const)),
  ];
}

/** Why a request asks for what is not offered; null when all of it is. */
function refusalOf(
  message: FixMessage,
  entryTypes: ReadonlySet<string>,
  symbols: readonly string[],
): readonly [reason: string, text: string] | null {
  // Each refresh repeats it.
  if ((textOf(message, TAG.MDReqID) ?? '').length > REQUEST_ID_LENGTH_MAX)
    return [REJECT.OTHER, `MDReqID has at most ${REQUEST_ID_LENGTH_MAX} characters`];
  const ignored = refusedField(message);
  if (ignored !== null) return [REJECT_OF_FIELD.get(ignored.tag) ?? REJECT.OTHER, ignored.text];
  const updateType = textOf(message, TAG.MDUpdateType);
  if (updateType === FULL_REFRESH && textOf(message, TAG.SubscriptionRequestType) === SUBSCRIBE)
    return [REJECT.UPDATE_TYPE, `${named(TAG.MDUpdateType, updateType)} is not offered: refreshes are incremental`];
  const depth = Number(textOf(message, TAG.MarketDepth));
  if (!(depth >= 0 && depth <= DEPTH_MAX)) return [REJECT.DEPTH, `MarketDepth must be 0 to ${DEPTH_MAX}`];
  if (symbols.length > SYMBOLS_MAX) return [REJECT.BANDWIDTH, `a request names at most ${SYMBOLS_MAX} symbols`];
  if ([...entryTypes].every((entry) => [BID, OFFER, TRADE].includes(entry))) return null;
  return [REJECT.ENTRY_TYPE, 'MDEntryType must be 0, 1 or 2'];
}

function valuesOf({ fields }: FixMessage, tag: number): string[] {
  return fields.flatMap(([candidate, value]) => (candidate === tag ? value : []));
}

function rejected(id: string, reason: string, text: string): Outgoing {
  return {
    type: MSG_TYPE.MarketDataRequestReject,
    kept: false,
    body: [
      [TAG.MDReqID, id],
      [TAG.MDReqRejReason, reason],
      [TAG.Text, text],
    ],
  };
}

function topicsOf({ symbols, entryTypes }: Pick<Subscription, 'symbols' | 'entryTypes'>): FeedTopic[] {
  const books = wantsBook({ entryTypes }) ? symbols.map((symbol) => ({ channel: 'orderbook', symbol }) as const) : [];
  const trades = entryTypes.has(TRADE) ? symbols.map((symbol) => ({ channel: 'trades', symbol }) as const) : [];
  return [...books, ...trades];
}

function isUnknownSymbol(answer: ExchangeAnswer): answer is Extract<ExchangeAnswer, { type: 'refused' }> {
  return answer.type === 'refused' && (answer.code === 'INVALID_SYMBOL' || answer.code === 'VALIDATION_ERROR');
}

/** No MDReqRejReason says so: each of FIX 4.4 is about what was asked for. */
function unavailable(message: FixMessage, answer: NoAnswer): Outgoing {
  return { ...businessReject(message, BUSINESS_REJ.NOT_AVAILABLE, whyUnanswered(answer)), kept: false };
}
