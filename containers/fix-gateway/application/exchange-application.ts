import type { ServerMessage } from '../../../protocol/feeds/server-message.ts';
import { type FixMessage, textOf, typeOf } from '../codec/fix-message.ts';
import { MSG_TYPE } from '../codec/msg-types.ts';
import { TAG } from '../codec/tags.ts';
import { readTimestamp } from '../codec/timestamp.ts';
import { log } from '../log.ts';
import type { SessionPort } from '../transport/session-port.ts';
import { openOrders } from './account-state.ts';
import type { Application, Logon, Outgoing } from './application.ts';
import { BUSINESS_REJ, businessReject } from './business-reject.ts';
import { amendOrder, cancelOrder } from './change-orders.ts';
import type { DeskContext } from './desk-context.ts';
import type { CallerHeaders, Exchange, ExchangeAnswer } from './exchange.ts';
import { FeedSocket } from './feed-socket.ts';
import { MarketData } from './market-data.ts';
import { massCancel } from './mass-cancel.ts';
import { OrderDesk } from './order-desk.ts';
import type { OrderNames } from './order-names.ts';
import { BATCH_MAX, findOrder, isUnanswered, type Unanswered } from './order-placement.ts';
import { OrderPlacing, type Taken } from './order-placing.ts';
import { Reconciliation } from './reconciliation.ts';
import { limitedFor_s, repeatWhenItFits } from './repeat.ts';
import { reportStatus } from './report-status.ts';
import { listSecurities, readMarkets } from './security-list.ts';
import type { TrackedOrder } from './tracked-order.ts';
import type { WireOrder } from './wire.ts';

/** MsgTypes that an exchange session takes. */
export const TAKEN: ReadonlySet<string> = new Set<string>([
  MSG_TYPE.NewOrderSingle,
  MSG_TYPE.OrderCancelRequest,
  MSG_TYPE.OrderCancelReplaceRequest,
  MSG_TYPE.OrderMassCancelRequest,
  MSG_TYPE.OrderStatusRequest,
  MSG_TYPE.SecurityListRequest,
  MSG_TYPE.MarketDataRequest,
]);

/** Requests about orders as they stand. */
const ABOUT_ORDERS: ReadonlySet<string> = new Set<string>([
  MSG_TYPE.OrderCancelRequest,
  MSG_TYPE.OrderCancelReplaceRequest,
  MSG_TYPE.OrderStatusRequest,
]);

/** Markets that could not be read are asked for again after this long. */
const MARKETS_RETRY_MS = 1_000;

/** What is worked off in turn: requests, and the cancellation of what they have placed when the connection ended. */
type Work = Taken | 'cancel_open_orders';

/** The exchange behind one FIX session: order entry with reports, market data and securities, or a drop copy of the account. */
export class ExchangeApplication implements Application {
  readonly #port: SessionPort;
  readonly #exchange: Exchange;
  readonly #desk: OrderDesk;
  readonly #feed: FeedSocket;
  readonly #marketData: MarketData;
  readonly #placing: OrderPlacing;
  readonly #reconciliation: Reconciliation;
  #caller: CallerHeaders | null = null;
  #queue: Work[] = [];
  #working: Promise<void> | null = null;
  /** Orders that could not be answered: taken up again at the next logon. */
  #unanswered: Taken[] = [];
  /** What happened while nobody was connected has been asked for. */
  #caughtUp: Promise<void> = Promise.resolve();
  #dropCopy = false;
  #cancelOnDisconnect = false;
  #closed = false;

  constructor(port: SessionPort, exchange: Exchange, names: OrderNames) {
    this.#port = port;
    this.#exchange = exchange;
    const desk = new OrderDesk(port, names);
    const feed = new FeedSocket(exchange.feedUrl, () => this.#caller ?? {}, {
      message: (message) => this.#heard(message),
      ended: ({ symbol }, why) => this.#marketData.ended(symbol, why),
      resumed: () => void this.#reconciliation.run(),
      lost: () => this.#reconciliation.watch(),
    });
    const placing = new OrderPlacing({
      port,
      exchange,
      desk,
      placed: (order) => this.#placed(order),
      isClosed: () => this.#closed,
    });
    this.#desk = desk;
    this.#feed = feed;
    this.#placing = placing;
    this.#reconciliation = new Reconciliation({
      port,
      exchange,
      desk,
      feed,
      placing,
      names,
      caller: () => this.#caller,
      isDropCopy: () => this.#dropCopy,
    });
    this.#marketData = new MarketData(exchange, feed, (outgoing) => port.send(outgoing));
  }

  /** Told at every logon, before the session layer takes messages. */
  admitted(caller: CallerHeaders): void {
    this.#caller = caller;
    this.#reconciliation.admitted();
    this.#work();
  }

  loggedOn({ cancelOnDisconnect, dropCopy }: Logon): void {
    // A gateway that was killed could not cancel when the connection ended.
    if (this.#port.store.state('connected').length > 0) this.#cancelAll();
    this.#cancelOnDisconnect = cancelOnDisconnect;
    this.#dropCopy = dropCopy;
    this.#desk.nameAsSessionsDo(dropCopy);
    if (cancelOnDisconnect) this.#port.store.putState('connected', true);
    this.#queue.unshift(...this.#unanswered.splice(0));
    this.#work();
    this.#feed.wake();
    for (const { symbol } of this.#desk.open) this.#feed.follow({ channel: 'orders', symbol });
    if (dropCopy) void this.#followEverything();
    this.#caughtUp = this.#reconciliation.begin();
  }

  take(sequence: number, message: FixMessage): void {
    const recovered = this.#caller === null;
    const sent_ms = readTimestamp(textOf(message, TAG.SendingTime) ?? '') ?? 0;
    this.#queue.push({ sequence, message, recovered, since_ms: recovered ? sent_ms : Date.now() });
    this.#work();
  }

  disconnected(): void {
    this.#marketData.stop();
    if (this.#cancelOnDisconnect) this.#cancelAll();
    this.#cancelOnDisconnect = false;
    this.#feed.rest();
    this.#reconciliation.rest();
  }

  async close(): Promise<void> {
    await this.#working;
    this.#closed = true;
    this.#reconciliation.close();
    this.#desk.close();
    this.#feed.rest();
  }

  #work(): void {
    if (this.#caller === null || this.#working !== null || this.#closed) return;
    this.#working = this.#workOff().finally(() => {
      this.#working = null;
      if (this.#queue.length > 0) this.#work();
    });
  }

  async #workOff(): Promise<void> {
    // Messages of one read of the connection come together; an order that is alone waits for no other.
    await new Promise(setImmediate);
    while (this.#queue.length > 0 && !this.#closed) {
      const orders = this.#dropCopy ? [] : this.#takeOrders();
      if (orders.length > 0) {
        this.#unanswered.push(...(await this.#placing.place(this.#caller as CallerHeaders, orders)));
        // What the feed told before the answer may want more.
        this.#reconciliation.watch();
        continue;
      }
      const work = this.#queue.shift() as Work;
      if (work === 'cancel_open_orders') await this.#cancelOpenOrders();
      else await this.#answer(work).catch((error: unknown) => this.#failed(work, error));
    }
  }

  /** The orders at the head of the queue, as many as one batch takes. */
  #takeOrders(): Taken[] {
    const orders: Taken[] = [];
    for (const work of this.#queue.slice(0, BATCH_MAX)) {
      if (work === 'cancel_open_orders' || typeOf(work.message) !== MSG_TYPE.NewOrderSingle) break;
      orders.push(work);
    }
    this.#queue.splice(0, orders.length);
    return orders;
  }

  async #answer({ sequence, message }: Taken): Promise<void> {
    const caller = this.#caller as CallerHeaders;
    const context: DeskContext = {
      desk: this.#desk,
      exchange: this.#exchange,
      caller,
      find: (clOrdId) => this.#adopt(clOrdId),
      refresh: (order) => this.#reconciliation.refresh(caller, order),
      reconcile: () => void this.#reconciliation.run(),
    };
    if (ABOUT_ORDERS.has(typeOf(message))) await this.#caughtUp;
    const answered = (outgoing: readonly Outgoing[]) => {
      this.#port.answer(sequence, outgoing);
      this.#desk.settle();
    };
    const type = typeOf(message);
    if (this.#dropCopy && type !== MSG_TYPE.SecurityListRequest) return answered([notAuthorized(message)]);
    switch (type) {
      case MSG_TYPE.OrderCancelRequest:
        return answered(await cancelOrder(context, message));
      case MSG_TYPE.OrderCancelReplaceRequest:
        return answered(await amendOrder(context, message));
      case MSG_TYPE.OrderMassCancelRequest:
        return answered(await massCancel(context, message));
      case MSG_TYPE.OrderStatusRequest:
        return answered(await reportStatus(context, message));
      case MSG_TYPE.SecurityListRequest:
        return answered([await listSecurities(this.#exchange, caller, message)]);
      case MSG_TYPE.MarketDataRequest:
        return answered(await this.#marketData.request(caller, message));
      default:
        return answered([]);
    }
  }

  #failed({ sequence, message }: Taken, error: unknown): void {
    log('error', 'request_failed', { type: typeOf(message), error: error instanceof Error ? error.message : '' });
    this.#port.answer(sequence, [
      businessReject(message, BUSINESS_REJ.NOT_AVAILABLE, 'the request could not be processed'),
    ]);
    this.#desk.settle();
  }

  #placed(order: WireOrder): void {
    this.#feed.follow({ channel: 'orders', symbol: order.symbol });
    this.#reconciliation.apply(order);
    if (!this.#feed.isLive) this.#reconciliation.watch();
  }

  /** An order of the account that the session did not place, found by its client_order_id. */
  async #adopt(clOrdId: string): Promise<TrackedOrder | null | Unanswered> {
    const found = await findOrder(this.#exchange, this.#caller as CallerHeaders, clOrdId);
    if (found === null || isUnanswered(found)) return found;
    this.#feed.follow({ channel: 'orders', symbol: found.symbol });
    const tracked =
      this.#desk.find(found.order_id) ??
      (await this.#reconciliation.adopt(this.#caller as CallerHeaders, found, clOrdId));
    // The order is there, and its fills cannot be counted.
    if (tracked === null) return { unanswered: 'the exchange could not be asked about the order: ask again' };
    this.#reconciliation.apply(found);
    return tracked;
  }

  #heard(message: ServerMessage): void {
    if (message.type === 'fill') this.#reconciliation.filled(message);
    else if (message.type === 'order') this.#reconciliation.changed(message);
    else if (isAdjustment(message)) void this.#reconciliation.run();
    else this.#marketData.heard(message);
  }

  async #followEverything(): Promise<void> {
    const markets = await readMarkets(this.#exchange, this.#caller as CallerHeaders);
    for (const { symbol } of markets ?? []) this.#feed.follow({ channel: 'orders', symbol });
    if (markets === null && !this.#feed.isResting) setTimeout(() => void this.#followEverything(), MARKETS_RETRY_MS);
  }

  /** Behind what is in the queue, before what a later connection will ask for. */
  #cancelAll(): void {
    this.#queue.push('cancel_open_orders');
    this.#work();
  }

  async #cancelOpenOrders(): Promise<void> {
    const caller = this.#caller as CallerHeaders;
    const known = this.#desk.open.map(({ orderId }) => orderId);
    await this.#cancelAtOnce(caller, known);
    // What the exchange has open of the session's, too, whatever the session has been told of it.
    const reads = { call: (...request: Parameters<Exchange['call']>) => this.#whenItFits(...request) };
    const open = ((await openOrders(reads, caller)) ?? []).map(({ order_id }) => order_id);
    const isLeft = (orderId: string): boolean => !known.includes(orderId) && this.#desk.find(orderId) !== null;
    await this.#cancelAtOnce(caller, open.filter(isLeft));
    this.#port.store.putState('connected', this.#cancelOnDisconnect ? true : null);
    await this.#reconciliation.run();
  }

  async #cancelAtOnce(caller: CallerHeaders, ids: readonly string[]): Promise<void> {
    for (let at = 0; at < ids.length; at += BATCH_MAX) {
      const order_ids = ids.slice(at, at + BATCH_MAX);
      const answer = await this.#whenItFits('DELETE', '/v1/orders/batch', caller, { order_ids });
      if (limitedFor_s(answer) !== null) return;
    }
  }

  #whenItFits(...request: Parameters<Exchange['call']>): Promise<ExchangeAnswer> {
    return repeatWhenItFits(
      () => this.#exchange.call(...request),
      () => this.#queue.length > 0 || this.#closed,
    );
  }
}

/** Fills are told here as the exchange lists them: that an own one was adjusted only says when to look. */
function isAdjustment({ type, ...message }: ServerMessage): boolean {
  const isTold = type === 'trade_bust' || type === 'trade_correction';
  return isTold && 'channel' in message && message.channel === 'orders';
}

function notAuthorized(message: FixMessage): Outgoing {
  return businessReject(message, BUSINESS_REJ.NOT_AUTHORIZED, 'a drop copy session is read only');
}
