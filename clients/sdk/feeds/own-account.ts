import type { FeedMessage, OwnBalance, OwnFillMessage, OwnOrder } from '../../../protocol/feeds/server-message.ts';
import type { FeedConnection } from './feed-connection.ts';
import type { Freshness } from './freshness.ts';

const TOPIC = { channel: 'account' };

/** What an account hears of. All of it may be left out. */
interface OwnAccountListeners {
  /** After each change of orders, balances or state. */
  readonly changed?: () => void;
  /** An order as it now stands; one that has ended is not among `orders` any more. */
  readonly order?: (order: OwnOrder) => void;
  readonly fill?: (fill: OwnFillMessage) => void;
  /** Messages were lost for good: fills of the meantime are in `GET /v1/fills`, ends of orders in `GET /v1/orders`. */
  readonly interrupted?: () => void;
}

/**
 * The own account on all markets: open orders and balances, kept right by one sequence. It resumes after a loss; where the exchange no
 * longer has what followed, it begins with snapshots and says `interrupted`.
 */
export class OwnAccount {
  readonly orders = new Map<string, OwnOrder>();
  readonly balances = new Map<string, OwnBalance>();
  readonly #connection: FeedConnection;
  readonly #listeners: OwnAccountListeners;
  readonly #ends: (() => void)[];
  #sequence: number | null = null;
  #hasOrders = false;
  #hasBalances = false;
  #isConfirmed = false;
  /** Orders of a snapshot whose parts have not all come. */
  #parts: OwnOrder[] = [];

  constructor(connection: FeedConnection, listeners: OwnAccountListeners = {}) {
    this.#connection = connection;
    this.#listeners = listeners;
    this.#ends = [
      connection.watch(() => this.#watched()),
      connection.follow(
        TOPIC,
        (message) => this.#receive(message),
        () => this.#sequence,
      ),
    ];
  }

  /** Of the last message that it includes; null before its snapshots. */
  get sequence(): number | null {
    return this.#sequence;
  }

  get state(): Freshness {
    if (this.#isConfirmed) return 'fresh';
    return this.#connection.state.is === 'live' || this.#sequence === null ? 'healing' : 'stale';
  }

  stop(): void {
    for (const end of this.#ends) end();
  }

  #watched(): void {
    const isLive = this.#connection.state.is === 'live';
    // Half of the snapshots of a connection that was lost says nothing of what the next one begins with.
    if (!isLive) this.#forgetParts();
    this.#changed(this.#isConfirmed && isLive);
  }

  #forgetParts(): void {
    this.#parts = [];
    if (this.#sequence !== null) return;
    this.#hasOrders = false;
    this.#hasBalances = false;
  }

  #receive(message: FeedMessage): void {
    if (!('channel' in message) || message.channel !== TOPIC.channel) return;
    switch (message.type) {
      case 'subscribed':
        if (this.#sequence === message.sequence) this.#changed(true);
        return;
      case 'reset':
        this.#lost();
        return;
      case 'orders_snapshot':
        this.#ordersSnapshot(message.orders, message.more, message.sequence);
        return;
      case 'balances_snapshot':
        this.balances.clear();
        for (const balance of message.balances) this.balances.set(balance.asset, balance);
        this.#hasBalances = true;
        this.#snapshot(message.sequence);
        return;
      case 'heartbeat':
        if (this.#sequence !== null && message.sequence > this.#sequence) {
          this.#begin();
          return;
        }
        this.#changed(this.#sequence !== null);
        return;
      case 'error':
        this.#changed(false);
        return;
      case 'order':
      case 'fill':
      case 'balance':
      case 'trade_bust':
      case 'trade_correction':
        if ('prev_sequence' in message) this.#next(message);
    }
  }

  #ordersSnapshot(orders: readonly OwnOrder[], more: boolean, sequence: number): void {
    this.#parts.push(...orders);
    if (more) return;
    this.orders.clear();
    for (const order of this.#parts) this.orders.set(order.order_id, order);
    this.#parts = [];
    this.#hasOrders = true;
    this.#snapshot(sequence);
    for (const order of this.orders.values()) this.#listeners.order?.(order);
  }

  #snapshot(sequence: number): void {
    if (!this.#hasOrders || !this.#hasBalances) return;
    this.#sequence = Math.max(this.#sequence ?? 0, sequence);
    this.#changed(true);
  }

  #next(message: Extract<FeedMessage, { prev_sequence: number }>): void {
    // Before the snapshots are whole: they include it, or it comes again behind them.
    if (this.#sequence === null || message.sequence <= this.#sequence) return;
    if (message.prev_sequence > this.#sequence) {
      this.#begin();
      return;
    }
    this.#sequence = message.sequence;
    if (message.type === 'order' && 'order_type' in message) this.#order(message);
    else if (message.type === 'fill' && 'order_type' in message) this.#listeners.fill?.(message);
    else if (message.type === 'balance') this.balances.set(message.asset, message);
    this.#changed(true);
  }

  #order(order: OwnOrder): void {
    if (isOpen(order)) this.orders.set(order.order_id, order);
    else this.orders.delete(order.order_id);
    this.#listeners.order?.(order);
  }

  /** Messages are missing: the snapshots come again. */
  #begin(): void {
    this.#lost();
    this.#connection.again(TOPIC);
  }

  #lost(): void {
    const wasWhole = this.#sequence !== null;
    this.#sequence = null;
    this.#forgetParts();
    if (wasWhole) this.#listeners.interrupted?.();
    this.#changed(false);
  }

  #changed(isConfirmed: boolean): void {
    this.#isConfirmed = isConfirmed;
    this.#listeners.changed?.();
  }
}

function isOpen({ status }: OwnOrder): boolean {
  return status === 'open' || status === 'partially_filled' || status === 'pending_trigger';
}
