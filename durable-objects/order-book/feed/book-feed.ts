import type { BookConfig } from '../../../data/markets/book-config.ts';
import { BAR_INTERVALS } from '../../../domain/charts/bar-interval.ts';
import type { SettlementChunk, Trade } from '../../../domain/ledger/records.ts';
import { bookChecksum } from '../../../protocol/feeds/checksum.ts';
import type { FeedError } from '../../../protocol/feeds/feed-error.ts';
import type { BookSnapshotMessage, ServerMessage, StatusMessage } from '../../../protocol/feeds/server-message.ts';
import { bookDepth, DEPTH_MAX, type Topic, topicKey, topicOf } from '../../../protocol/feeds/topic.ts';
import type { FeedSource } from '../../fan-out/feed-source.ts';
import type { Hub } from '../../fan-out/hub.ts';
import type { BookState, CycleOutcome } from '../cycle/book-state.ts';
import type { Level } from '../engine/engine.ts';
import type { ToldAdjustment } from '../rpc/told-adjustment.ts';
import { BookWindow, type Levels } from './book-window.ts';
import { ReplayRing } from './replay-ring.ts';
import { ToldAdjustments } from './told-adjustments.ts';
import { WireMarket } from './wire-market.ts';

/** Trades that can be said again. */
const TRADES_KEPT = 1_000;
/** Changes of a book that nobody follows any more are kept this long, for one who comes back. */
const LINGER_MS = 30_000;
const SEQUENCES_KEY = 'feed_sequences';

interface Sequences {
  readonly book: number;
  readonly trade: number;
}

/** What the feed needs of the object it stands in. */
export interface BookFeedHost {
  readonly storage: DurableObjectStorage;
  /** The book, started if need be; null while the ledger is out of reach. */
  book(): Promise<BookState | null>;
  /** The market's rules as the book goes by them; null before it has read them. */
  config(): BookConfig | null;
}

/**
 * Tells the sockets of a book what each journaled cycle did. Sequences follow from the journal, so that a book that was evicted, with
 * its sockets open, goes on where it was.
 */
export class BookFeed implements FeedSource {
  readonly #host: BookFeedHost;
  readonly #trades = new ReplayRing<Trade>(TRADES_KEPT);
  readonly #adjustments: ToldAdjustments;
  /** Depths that somebody follows, by their topics; some of BOOK_DEPTHS. */
  readonly #depths = new Map<string, number>();
  /** Null while nobody follows the book, in no depth. */
  #window: BookWindow | null = null;
  /** Unix ms since when nobody does; counts only then. */
  #leftAt = 0;
  #hub: Hub | null = null;
  #state: BookState | null = null;
  #wire: WireMarket | null = null;
  #bookSequence = 0;
  #ticker = '';
  /** What the last status said. */
  #status = '';

  constructor(host: BookFeedHost) {
    this.#host = host;
    this.#adjustments = new ToldAdjustments(host.storage);
  }

  attach(hub: Hub): void {
    this.#hub = hub;
  }

  /** Trades of a cycle that is being replayed, for those who ask again. */
  remember(chunks: readonly SettlementChunk[]): void {
    for (const { trades } of chunks) for (const trade of trades) this.#trades.push(trade.sequence, trade);
  }

  /** The book has recovered; who was connected before has all of it. */
  begin(state: BookState): void {
    this.#state = state;
    this.#wire = new WireMarket(state.market);
    this.#bookSequence = state.view.bookSequence;
    for (const key of this.#hub?.topics ?? []) {
      const topic = topicOf(key);
      if (topic.channel === 'orderbook') this.#follow(key, topic.depth, state);
    }
  }

  async open(
    topic: Topic,
    resumeFrom: number | null,
    join: (messages: readonly string[]) => void,
  ): Promise<FeedError | null> {
    const state = await this.#host.book();
    const wire = this.#wire;
    if (state === null || wire === null || topic.symbol !== state.market.symbol) {
      return state !== null && wire !== null
        ? { code: 'INVALID_SYMBOL', message: `this connection follows ${state.market.symbol}` }
        : { code: 'SERVICE_UNAVAILABLE', message: 'the book is out of reach: try again' };
    }
    join(this.#opening(topic, resumeFrom, state, wire));
    // Who has left while the book was started has closed nothing.
    if (this.#hub?.follows(topicKey(topic)) !== true) this.close(topic);
    this.#saveSequences(state);
    return null;
  }

  close(topic: Topic): void {
    if (this.#depths.delete(topicKey(topic))) this.#leftAt = Date.now();
  }

  /** The rules that the book goes by have changed. */
  reconfigured(): void {
    const status = this.#changedStatus(Date.now());
    if (status !== null) this.#hub?.publish(this.#statusKey, [status]);
  }

  heartbeat({ channel, symbol }: Topic, now_ms: number): string | null {
    // A minute that turned may have moved the band, without a cycle.
    const status = channel === 'status' ? this.#changedStatus(now_ms) : null;
    if (status !== null) return status;
    const sequences =
      this.#state === null ? this.#host.storage.kv.get<Sequences>(SEQUENCES_KEY) : this.#sequences(this.#state);
    if (sequences === undefined) return null;
    const sequence = channel === 'trades' || channel === 'candles' ? sequences.trade : sequences.book;
    return text({ type: 'heartbeat', channel, symbol, sequence, timestamp: now_ms });
  }

  /** A cycle has been journaled: everything said here waits for that to be durable, by the output gate. */
  publish({ chunks, events, ended }: CycleOutcome): void {
    this.remember(chunks);
    const state = this.#state;
    const hub = this.#hub;
    const wire = this.#wire;
    if (state === null || hub === null || wire === null || (hub.isEmpty && this.#window === null)) {
      this.#bookSequence = state?.view.bookSequence ?? 0;
      return;
    }
    const trades = chunks.flatMap((chunk) => chunk.trades);
    this.#publishTrades(trades, hub, wire);
    this.#publishBook(state, hub, wire);
    this.#publishTicker(state, hub, wire);
    this.reconfigured();
    if (trades.length > 0) this.#publishCandles(state, hub, wire);
    this.#publishOrders(trades, { events, ended }, state, hub, wire);
    this.#saveSequences(state);
  }

  /** The ledger has these effects. */
  settled(chunks: readonly SettlementChunk[]): void {
    const wire = this.#wire;
    if (wire === null || this.#hub === null || this.#hub.isEmpty) return;
    const now_ms = Date.now();
    for (const { trades } of chunks) {
      for (const trade of trades) {
        this.#sayTo(trade.buyer, () => text(wire.settlement(trade, 'buy', now_ms)));
        this.#sayTo(trade.seller, () => text(wire.settlement(trade, 'sell', now_ms)));
      }
    }
  }

  /** A trade was taken back or corrected: followers of trades hear of it, and the two whose fill it was. */
  tellAdjustment(told: ToldAdjustment): void {
    const [state, hub, wire] = [this.#state, this.#hub, this.#wire];
    this.#adjustments.keep(told, state?.engine.tradeSequence ?? null);
    if (state === null || hub === null || wire === null) return;
    const sequence = state.engine.tradeSequence;
    const key = topicKey({ channel: 'trades', symbol: this.#symbol });
    if (hub.follows(key)) hub.publish(key, [text(wire.adjustment(told, sequence))]);
    this.#sayTo(told.trade.buyer, () => text(wire.fillAdjustment(told, 'buy', sequence)));
    this.#sayTo(told.trade.seller, () => text(wire.fillAdjustment(told, 'sell', sequence)));
  }

  #opening(topic: Topic, resumeFrom: number | null, state: BookState, wire: WireMarket): string[] {
    const { channel, symbol } = topic;
    const opened = (sequence: number, detail: { depth?: number; interval?: string } = {}) =>
      text({ type: 'subscribed', channel, symbol, sequence, ...detail });
    const reset = (sequence: number) => text({ type: 'reset', channel, symbol, sequence });
    const { tradeSequence } = state.engine;
    switch (topic.channel) {
      case 'orderbook': {
        const depth = bookDepth(topic.depth);
        const window = this.#follow(topicKey(topic), depth, state);
        const sequence = this.#bookSequence;
        const first = opened(sequence, { depth });
        if (resumeFrom === sequence) return [first];
        const missed = resumeFrom === null ? null : window.changesSince(resumeFrom, depth);
        if (resumeFrom !== null && missed !== null)
          return [first, this.#updateText(missed, window.cut(depth), resumeFrom, state, wire)];
        const snapshot = this.#snapshotText(window.cut(depth), state, wire);
        return resumeFrom === null ? [first, snapshot] : [first, reset(sequence), snapshot];
      }
      case 'trades': {
        if (resumeFrom === null) return [opened(tradeSequence)];
        const missed = this.#trades.after(resumeFrom, tradeSequence);
        const adjusted = this.#adjustments.since(resumeFrom);
        if (missed === null || adjusted === null) return [opened(tradeSequence), reset(tradeSequence)];
        return [
          opened(tradeSequence),
          ...missed.map((trade) => text(wire.trade(trade))),
          ...adjusted.map((told) => text(wire.adjustment(told, tradeSequence))),
        ];
      }
      case 'ticker':
        // Who follows already has heard of it.
        this.#ticker = pricesSeen(state);
        return [opened(state.view.bookSequence), this.#tickerText(state, wire)];
      case 'status': {
        // Who follows already hears of what has changed meanwhile.
        this.reconfigured();
        const status = this.#statusOf(state, wire, Date.now());
        if (status !== null) this.#status = seenOf(status);
        return status === null ? [opened(state.view.bookSequence)] : [opened(state.view.bookSequence), text(status)];
      }
      case 'candles': {
        const bar = state.view.bar(topic.interval);
        const first = opened(tradeSequence, { interval: topic.interval });
        return bar === undefined ? [first] : [first, text(wire.candle(bar, tradeSequence, state.view.changedAt))];
      }
      case 'orders': {
        const sequence = state.view.bookSequence;
        return resumeFrom === null ? [opened(sequence)] : [opened(sequence), reset(sequence)];
      }
      case 'account':
      case 'fills':
      case 'balances':
        throw new Error('a book follows no accounts');
    }
  }

  #publishTrades(trades: readonly Trade[], hub: Hub, wire: WireMarket): void {
    const key = topicKey({ channel: 'trades', symbol: this.#symbol });
    if (trades.length === 0 || !hub.follows(key)) return;
    hub.publish(
      key,
      trades.map((trade) => text(wire.trade(trade))),
    );
  }

  #publishBook(state: BookState, hub: Hub, wire: WireMarket): void {
    const sequence = state.view.bookSequence;
    const prev_sequence = this.#bookSequence;
    if (sequence === prev_sequence) return;
    this.#bookSequence = sequence;
    const window = this.#window;
    if (window === null) return;
    if (this.#depths.size === 0 && this.#leftAt < Date.now() - LINGER_MS) {
      this.#window = null;
      return;
    }
    window.advance(state.publicDepth(DEPTH_MAX), sequence);
    for (const [key, depth] of this.#depths)
      hub.publish(key, [this.#updateText(window.changes(depth), window.cut(depth), prev_sequence, state, wire)]);
  }

  #publishTicker(state: BookState, hub: Hub, wire: WireMarket): void {
    const key = topicKey({ channel: 'ticker', symbol: this.#symbol });
    if (!hub.follows(key)) return;
    const seen = pricesSeen(state);
    if (seen === this.#ticker) return;
    this.#ticker = seen;
    hub.publish(key, [this.#tickerText(state, wire)]);
  }

  #publishCandles(state: BookState, hub: Hub, wire: WireMarket): void {
    for (const interval of BAR_INTERVALS) {
      const key = topicKey({ channel: 'candles', symbol: this.#symbol, interval });
      const bar = state.view.bar(interval);
      if (bar !== undefined && hub.follows(key))
        hub.publish(key, [text(wire.candle(bar, state.engine.tradeSequence, state.view.changedAt))]);
    }
  }

  /** Own fills first, then each own order as the cycle has left it. */
  #publishOrders(
    trades: readonly Trade[],
    { events, ended }: Pick<CycleOutcome, 'events' | 'ended'>,
    state: BookState,
    hub: Hub,
    wire: WireMarket,
  ): void {
    for (const trade of trades) {
      this.#sayTo(trade.buyer, () => text(wire.fill(trade, 'buy')));
      this.#sayTo(trade.seller, () => text(wire.fill(trade, 'sell')));
    }
    const gone = new Map(ended.map((order) => [order.orderId, order]));
    const touched = new Set<string>(gone.keys());
    for (const event of events) {
      if (event.type === 'filled') touched.add(event.makerId).add(event.takerId);
      else if (event.type !== 'level' && event.type !== 'refused') touched.add(event.orderId);
    }
    for (const orderId of touched) {
      const order = gone.get(orderId) ?? state.orders.get(orderId);
      if (order === undefined) continue;
      const key = this.#ordersOf(order.account);
      if (key !== null) hub.publish(key, [text(wire.order(order, state.view.bookSequence))]);
    }
  }

  #sayTo(account: string, message: () => string): void {
    const key = this.#ordersOf(account);
    if (key !== null) this.#hub?.publish(key, [message()]);
  }

  /** The topic of an account's own orders; null where nobody follows them. */
  #ordersOf(account: string): string | null {
    const key = topicKey({ channel: 'orders', symbol: this.#symbol, account });
    return this.#hub?.follows(key) === true ? key : null;
  }

  #updateText(
    changes: Levels,
    { bids, asks }: Levels,
    prev_sequence: number,
    state: BookState,
    wire: WireMarket,
  ): string {
    return text({
      type: 'orderbook_update',
      channel: 'orderbook',
      symbol: this.#symbol,
      sequence: this.#bookSequence,
      prev_sequence,
      bids: wire.levels(changes.bids),
      asks: wire.levels(changes.asks),
      checksum: this.#checksum(bids, asks, wire),
      timestamp: state.view.changedAt,
    });
  }

  #snapshotText({ bids, asks }: Levels, state: BookState, wire: WireMarket): string {
    const message: BookSnapshotMessage = {
      type: 'orderbook_snapshot',
      channel: 'orderbook',
      symbol: this.#symbol,
      sequence: this.#bookSequence,
      bids: wire.levels(bids),
      asks: wire.levels(asks),
      checksum: this.#checksum(bids, asks, wire),
      timestamp: state.view.changedAt,
    };
    return text(message);
  }

  #tickerText(state: BookState, wire: WireMarket): string {
    const { bids, asks } = state.publicDepth(1);
    const price = (scaled: number | null | undefined) => (scaled == null ? null : wire.price(scaled));
    return text({
      type: 'ticker',
      channel: 'ticker',
      symbol: this.#symbol,
      sequence: state.view.bookSequence,
      bid: price(bids[0]?.[0]),
      ask: price(asks[0]?.[0]),
      last: price(state.engine.lastPrice()),
      timestamp: state.view.changedAt,
    });
  }

  /** The status, where it is another than the last one said to followers. */
  #changedStatus(now_ms: number): string | null {
    const [state, wire] = [this.#state, this.#wire];
    if (state === null || wire === null || this.#hub?.follows(this.#statusKey) !== true) return null;
    const status = this.#statusOf(state, wire, now_ms);
    if (status === null) return null;
    const seen = seenOf(status);
    if (seen === this.#status) return null;
    this.#status = seen;
    return text(status);
  }

  #statusOf(state: BookState, wire: WireMarket, now_ms: number): StatusMessage | null {
    const config = this.#host.config();
    return config && wire.status(config, state, now_ms);
  }

  get #statusKey(): string {
    return topicKey({ channel: 'status', symbol: this.#symbol });
  }

  #checksum(bids: readonly Level[], asks: readonly Level[], wire: WireMarket): number {
    return bookChecksum(wire.levels(bids.slice(0, 10)), wire.levels(asks.slice(0, 10)));
  }

  /** The window of the book, with one more depth that is followed. */
  #follow(key: string, depth: number, state: BookState): BookWindow {
    this.#depths.set(key, depth);
    this.#window ??= new BookWindow(state.publicDepth(DEPTH_MAX), this.#bookSequence);
    return this.#window;
  }

  #sequences(state: BookState): Sequences {
    return { book: this.#bookSequence, trade: state.engine.tradeSequence };
  }

  /** For heartbeats of a book that has been evicted since. */
  #saveSequences(state: BookState): void {
    this.#host.storage.kv.put(SEQUENCES_KEY, this.#sequences(state));
  }

  get #symbol(): string {
    return this.#state?.market.symbol ?? '';
  }
}

function text(message: ServerMessage): string {
  return JSON.stringify(message);
}

/** What of a ticker tells it from another. */
function pricesSeen(state: BookState): string {
  const { bids, asks } = state.publicDepth(1);
  return `${bids[0]?.[0]} ${asks[0]?.[0]} ${state.engine.lastPrice()}`;
}

/** What of a status tells it from another. */
function seenOf({ status, reason, halted_until, band }: StatusMessage): string {
  return JSON.stringify([status, reason, halted_until, band]);
}
