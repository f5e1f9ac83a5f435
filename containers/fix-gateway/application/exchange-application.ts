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
import { BATCH_MAX, findOrder, isUnanswered, readOrder, type Unanswered } from './order-placement.ts';
import { OrderPlacing, type Taken } from './order-placing.ts';
import { Reconciliation } from './reconciliation.ts';
import { limitedFor_s, repeatWhenItFits } from './repeat.ts';
import { reportStatus } from './report-status.ts';
import { listSecurities, readMarkets } from './security-list.ts';
import type { TrackedOrder } from './tracked-order.ts';
import type { WireError, WireOrder } from './wire.ts';

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

/** Orders that are cancelled at once. A key is sure of 60 cancels a minute, whatever the account's others use up: more than that might never fit. */
const CANCELLED_MAX = 50;

/** Of a request whose connection has ended before this process knew of it. */
const NO_CONNECTION = -1;

/** A request, and the connection that it came on. */
type Request = Taken & { readonly connection: number };

/** The cancellation of what a session has open when its connection has ended: of these orders alone, or of all that it knows by then. */
interface Cancellation {
  readonly orderIds: readonly string[] | 'all';
}

/** What is worked off in turn. */
type Work = Request | Cancellation;

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
  /** Counts connections. */
  #connection = 0;
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
    // As a drop copy it soon knows orders that are none of its own.
    if (this.#port.store.state('connected').length > 0)
      this.#cancelOpen(dropCopy ? this.#desk.open.map(({ orderId }) => orderId) : 'all');
    this.#cancelOnDisconnect = cancelOnDisconnect && !dropCopy;
    this.#dropCopy = dropCopy;
    this.#desk.nameAsSessionsDo(dropCopy);
    if (this.#cancelOnDisconnect) this.#port.store.putState('connected', true);
    this.#queue.unshift(...this.#unanswered.splice(0).map((taken) => ({ ...taken, connection: NO_CONNECTION })));
    this.#work();
    this.#feed.wake();
    for (const { symbol } of this.#desk.open) this.#feed.follow({ channel: 'orders', symbol });
    if (dropCopy) void this.#followEverything();
    this.#caughtUp = this.#reconciliation.begin();
  }

  take(sequence: number, message: FixMessage): void {
    const recovered = this.#caller === null;
    const connection = recovered ? NO_CONNECTION : this.#connection;
    const sent_ms = readTimestamp(textOf(message, TAG.SendingTime) ?? '') ?? 0;
    this.#queue.push({ sequence, message, recovered, since_ms: recovered ? sent_ms : Date.now(), connection });
    this.#work();
  }

  disconnected(): void {
    this.#connection += 1;
    this.#marketData.stop();
    if (this.#cancelOnDisconnect) this.#cancelOpen('all');
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
      if (isCancellation(work))
        await this.#cancelOpenOrders(work).catch((error: unknown) =>
          log('error', 'cancel_failed', { error: String(error) }),
        );
      else await this.#answer(work).catch((error: unknown) => this.#failed(work, error));
    }
  }

  /** The orders at the head of the queue, as many as one batch takes. */
  #takeOrders(): Request[] {
    const orders: Request[] = [];
    for (const work of this.#queue.slice(0, BATCH_MAX)) {
      if (isCancellation(work) || typeOf(work.message) !== MSG_TYPE.NewOrderSingle) break;
      orders.push(work);
    }
    this.#queue.splice(0, orders.length);
    return orders;
  }

  async #answer({ sequence, message, connection }: Request): Promise<void> {
    const caller = this.#caller as CallerHeaders;
    const context: DeskContext = {
      desk: this.#desk,
      exchange: this.#exchange,
      caller,
      find: async (clOrdId) => this.#adopt(await findOrder(this.#exchange, caller, clOrdId), clOrdId),
      findById: async (orderId) => this.#adopt(await readOrder(this.#exchange, caller, orderId), null),
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
        return answered(await listSecurities(this.#exchange, caller, message));
      case MSG_TYPE.MarketDataRequest:
        return answered(await this.#marketData.request(caller, message, () => connection === this.#connection));
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

  /** Tracks an order of the account that the session did not place. @param clOrdId by which it was found; null where by its OrderID */
  async #adopt(
    found: WireOrder | null | Unanswered,
    clOrdId: string | null,
  ): Promise<TrackedOrder | null | Unanswered> {
    if (found === null || isUnanswered(found)) return found;
    this.#feed.follow({ channel: 'orders', symbol: found.symbol });
    const tracked =
      this.#desk.find(found.order_id) ??
      (await this.#reconciliation.adopt(this.#caller as CallerHeaders, found, clOrdId));
    // The order is there, and its fills cannot be counted.
    if (tracked === null) {
      const wait_s = this.#reconciliation.readsWait_s;
      const when = wait_s === 0 ? '' : ` in ${wait_s} s`;
      return { unanswered: `the exchange could not be asked about the order: ask again${when}` };
    }
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
  #cancelOpen(orderIds: Cancellation['orderIds']): void {
    this.#queue.push({ orderIds });
    this.#work();
  }

  async #cancelOpenOrders({ orderIds }: Cancellation): Promise<void> {
    const caller = this.#caller as CallerHeaders;
    const known = orderIds === 'all' ? this.#desk.open.map(({ orderId }) => orderId) : orderIds;
    const unsure = await this.#cancelAtOnce(caller, known);
    // What the exchange has open of the session's, too, whatever the session has been told of it.
    const reads = { call: (...request: Parameters<Exchange['call']>) => this.#whenItFits(...request) };
    const open = await openOrders(reads, caller);
    const isLeft = (orderId: string): boolean => !known.includes(orderId) && this.#desk.find(orderId) !== null;
    const others = orderIds === 'all' ? (open ?? []).map(({ order_id }) => order_id).filter(isLeft) : [];
    const isWhole = (await this.#cancelAtOnce(caller, [...unsure, ...others])).length === 0 && open !== null;
    // Whoever is there again asks by themselves. Else it is done at the next logon.
    const isOwed = !isWhole && this.#queue.length === 0;
    this.#port.store.putState('connected', this.#cancelOnDisconnect || isOwed ? true : null);
    await this.#reconciliation.run();
  }

  /** Cancels a batch at a time. Returns those of which nobody has said what became of them. */
  async #cancelAtOnce(caller: CallerHeaders, ids: readonly string[]): Promise<string[]> {
    const unsure: string[] = [];
    for (let at = 0; at < ids.length; at += CANCELLED_MAX) {
      const order_ids = ids.slice(at, at + CANCELLED_MAX);
      const answer = await this.#whenItFits('DELETE', '/v1/orders/batch', caller, { order_ids });
      if (answer.type === 'unknown' || limitedFor_s(answer) !== null) return [...unsure, ...ids.slice(at)];
      if (answer.type !== 'ok') continue;
      const { results } = answer.body as { results: { error?: WireError }[] };
      unsure.push(...order_ids.filter((_, index) => results[index]?.error?.code === 'SERVICE_UNAVAILABLE'));
    }
    return unsure;
  }

  #whenItFits(...request: Parameters<Exchange['call']>): Promise<ExchangeAnswer> {
    return repeatWhenItFits(
      () => this.#exchange.call(...request),
      () => this.#queue.length > 0 || this.#closed,
    );
  }
}

function isCancellation(work: Work): work is Cancellation {
  return 'orderIds' in work;
}

/** Fills are told here as the exchange lists them: that an own one was adjusted only says when to look. */
function isAdjustment({ type, ...message }: ServerMessage): boolean {
  const isTold = type === 'trade_bust' || type === 'trade_correction';
  return isTold && 'channel' in message && message.channel === 'orders';
}

function notAuthorized(message: FixMessage): Outgoing {
  return businessReject(message, BUSINESS_REJ.NOT_AUTHORIZED, 'a drop copy session is read only');
}
