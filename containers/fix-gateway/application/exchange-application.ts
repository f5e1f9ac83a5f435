import type { FillMessage, OrderMessage, ServerMessage } from '../../../protocol/feeds/server-message.ts';
import { type FixMessage, textOf, typeOf } from '../codec/fix-message.ts';
import { MSG_TYPE } from '../codec/msg-types.ts';
import { TAG } from '../codec/tags.ts';
import { readTimestamp } from '../codec/timestamp.ts';
import { log } from '../log.ts';
import type { SessionPort } from '../transport/session-port.ts';
import type { Application, Logon, Outgoing } from './application.ts';
import { amendOrder, cancelOrder, type DeskContext, massCancel, repeat, reportStatus } from './change-orders.ts';
import { type CallerHeaders, type Exchange, TIMEOUT_MS } from './exchange.ts';
import { executionReport, rejectedReport } from './execution-report.ts';
import { FeedSocket } from './feed-socket.ts';
import { MarketData } from './market-data.ts';
import { OrderDesk } from './order-desk.ts';
import {
  BATCH_MAX,
  clOrdIdOf,
  findOrder,
  findPlaced,
  type Placement,
  type PlacementOutcome,
  placeOrders,
} from './order-placement.ts';
import { fillsSince, openOrders } from './reconcile.ts';
import { listSecurities, readMarkets } from './security-list.ts';
import type { WireFill, WireOrder, WireStatus } from './wire.ts';

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

/** An order whose outcome is unknown is asked about for this long; then it is answered as the exchange knows it. */
const PLACE_MS_MAX = 10_000;
const RETRY_MS = 250;
/** A fill may settle, and so be listed, a little after fills of other pairs with a later id. */
const OVERLAP_MS = 60_000;
/** The feed tells of everything; this asks whether that is so, sooner while it is down or something is missing. */
const RECONCILE_MS = 60_000;
const RECONCILE_SOON_MS = 1_000;

interface Taken {
  readonly sequence: number;
  readonly message: FixMessage;
  /** Accepted by an earlier process. */
  readonly recovered: boolean;
  readonly since_ms: number;
}

/** What is worked off in turn: requests, and the cancellation of what they have placed when the connection ended. */
type Work = Taken | 'cancel_open_orders';

/** The exchange behind one FIX session: order entry with reports, market data and securities, or a drop copy of the account. */
export class ExchangeApplication implements Application {
  readonly #port: SessionPort;
  readonly #exchange: Exchange;
  readonly #desk: OrderDesk;
  readonly #feed: FeedSocket;
  readonly #marketData: MarketData;
  #caller: CallerHeaders | null = null;
  #queue: Work[] = [];
  #working: Promise<void> | null = null;
  /** Fills of orders whose placement is not answered yet. */
  #early: WireFill[] = [];
  #placing = false;
  #dropCopy = false;
  #cancelOnDisconnect = false;
  #reconciling: Promise<void> | null = null;
  /** Something was to be asked, and was not. */
  #missed = false;
  #due_ms = 0;
  #timer: NodeJS.Timeout | null = null;
  #closed = false;

  constructor(port: SessionPort, exchange: Exchange) {
    this.#port = port;
    this.#exchange = exchange;
    this.#desk = new OrderDesk(port);
    this.#feed = new FeedSocket(exchange.feedUrl, () => this.#caller ?? {}, {
      message: (message) => this.#heard(message),
      resumed: () => void this.#reconcile(),
      lost: () => this.#watch(),
    });
    this.#marketData = new MarketData(exchange, this.#feed, (outgoing) => port.send(outgoing));
  }

  /** Told at every logon, before the session layer takes messages. */
  admitted(caller: CallerHeaders): void {
    const first = this.#caller === null;
    this.#caller = caller;
    if (this.#port.store.state<number>('cursor').length === 0) this.#port.store.putState('cursor', Date.now());
    if (first) {
      for (const { symbol } of this.#desk.open) this.#feed.follow({ channel: 'orders', symbol });
      this.#watch();
    }
    this.#work();
  }

  loggedOn({ cancelOnDisconnect, dropCopy }: Logon): void {
    // A gateway that was killed could not cancel when the connection ended.
    if (this.#port.store.state('connected').length > 0) this.#cancelAll();
    this.#cancelOnDisconnect = cancelOnDisconnect;
    this.#dropCopy = dropCopy;
    if (cancelOnDisconnect) this.#port.store.putState('connected', true);
    if (dropCopy) void this.#followEverything();
    this.#reconcile();
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
    else if (this.#desk.open.length === 0) this.#feed.rest();
    this.#cancelOnDisconnect = false;
  }

  async close(): Promise<void> {
    await this.#working;
    this.#closed = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#feed.close();
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
        await this.#place(orders);
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
      reconcile: () => void this.#reconcile(),
    };
    const answered = (outgoing: readonly Outgoing[]) => this.#port.answer(sequence, outgoing);
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
    this.#port.answer(sequence, [businessReject(message, '4', 'the request could not be processed')]);
  }

  async #place(orders: readonly Taken[]): Promise<void> {
    const caller = this.#caller as CallerHeaders;
    this.#placing = true;
    const asked: Placement[] = [];
    for (const { sequence, message, recovered, since_ms } of orders) {
      const clOrdId = textOf(message, TAG.ClOrdID);
      const known = this.#desk.findByClOrdId(clOrdId);
      const twice = asked.some((other) => clOrdIdOf(other) === clOrdId);
      if (known !== null || twice) this.#port.answer(sequence, [this.#duplicate(sequence, message)]);
      else asked.push({ sequence, message, repeated: recovered, since_ms });
    }
    let attempt_ms = 0;
    for (let waiting: Placement[] = asked; waiting.length > 0 && !this.#closed; ) {
      const unknown: Placement[] = [];
      const [late, timely] = partition(waiting, (one) => one.repeated && Date.now() - one.since_ms > PLACE_MS_MAX);
      if (timely.length > 0) attempt_ms = Date.now();
      const outcomes = timely.length === 0 ? [] : await placeOrders(this.#exchange, caller, timely);
      for (const [index, placement] of timely.entries()) {
        const outcome = outcomes[index] ?? { type: 'unknown' };
        if (outcome.type === 'unknown') unknown.push({ ...placement, repeated: true });
        else this.#placed(placement, outcome);
      }
      for (const placement of late) {
        const outcome = await this.#lookUp(caller, placement, attempt_ms);
        if (outcome.type === 'unknown') unknown.push(placement);
        else this.#placed(placement, outcome);
      }
      waiting = unknown;
      if (waiting.length > 0) await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
    this.#placing = false;
    const early = this.#early;
    this.#early = [];
    for (const fill of early) this.#desk.fill(fill);
  }

  /** What became of an order that is too old to be placed now. Nothing, once the last attempt can no longer be on its way. */
  async #lookUp(caller: CallerHeaders, placement: Placement, attempt_ms: number): Promise<PlacementOutcome> {
    const asked_ms = Date.now();
    const clOrdId = clOrdIdOf(placement);
    const found = await findOrder(this.#exchange, caller, clOrdId);
    if (found === 'unknown' || (found === null && asked_ms - attempt_ms < TIMEOUT_MS)) return { type: 'unknown' };
    if (found !== null) return findPlaced(this.#exchange, caller, clOrdId);
    return { type: 'rejected', orderId: null, reason: '4', text: 'the exchange was out of reach: nothing was placed' };
  }

  #placed({ sequence, message }: Placement, outcome: Exclude<PlacementOutcome, { type: 'unknown' }>): void {
    if (outcome.type === 'rejected') {
      const execId = `${this.#port.store.createdAt_ms}-${sequence}`;
      this.#port.answer(sequence, [rejectedReport(message, { ...outcome, execId, time_ms: Date.now() })]);
      return;
    }
    const { order } = outcome;
    const tracked = this.#desk.track(order, textOf(message, TAG.ClOrdID) ?? '', 0);
    const time_ms = Date.now();
    const report = executionReport(tracked, { execType: 'new', execId: `${tracked.orderId}-0`, time_ms });
    this.#port.answer(sequence, [report]);
    this.#feed.follow({ channel: 'orders', symbol: order.symbol });
    this.#apply(order);
    if (!this.#feed.isLive) this.#watch();
  }

  #duplicate(sequence: number, message: FixMessage): Outgoing {
    const known = this.#desk.findByClOrdId(textOf(message, TAG.ClOrdID));
    const execId = `${this.#port.store.createdAt_ms}-${sequence}`;
    const time_ms = Date.now();
    if (known !== null && textOf(message, TAG.PossResend) === 'Y')
      return executionReport(known, { execType: 'status', execId, time_ms });
    const terms = { orderId: known?.orderId ?? null, execId, reason: '6', text: 'ClOrdID was used before', time_ms };
    return rejectedReport(message, terms);
  }

  /** An order of the account that the session did not place, found by its client_order_id. */
  async #adopt(clOrdId: string) {
    const found = await findOrder(this.#exchange, this.#caller as CallerHeaders, clOrdId);
    if (found === null || found === 'unknown') return null;
    this.#feed.follow({ channel: 'orders', symbol: found.symbol });
    const tracked = this.#desk.find(found.order_id) ?? this.#desk.track(found, clOrdId, found.filled_size);
    this.#apply(found);
    return tracked;
  }

  #heard(message: ServerMessage): void {
    if (message.type === 'fill') this.#filled(message);
    else if (message.type === 'order') this.#changed(message);
    else this.#marketData.heard(message);
  }

  #filled(fill: FillMessage | WireFill): void {
    if (this.#desk.find(fill.order_id) !== null) this.#desk.fill(fill);
    else if (this.#placing) this.#early.push(fill);
    else if (this.#dropCopy) void this.#reconcile();
  }

  #changed(order: OrderMessage): void {
    if (this.#desk.find(order.order_id) === null) {
      if (this.#dropCopy && order.status !== 'filled') void this.#reconcile();
      return;
    }
    this.#restate(order);
    this.#apply(order);
  }

  /** Another door has amended the order. */
  #restate({ order_id, size, price }: OrderMessage): void {
    const order = this.#desk.find(order_id);
    if (order === null || order.ended || this.#desk.isChanging(order_id)) return;
    if (size === order.size && (price === null || price === order.price)) return;
    const changed = this.#desk.change(order, { size, price: price ?? order.price });
    const time_ms = Date.now();
    this.#port.send(executionReport(changed, { execType: 'restated', execId: `${order_id}-D-${time_ms}`, time_ms }));
  }

  /** An ending that the exchange tells of; of fills it tells apart. */
  #apply(order: { order_id: string; status: WireStatus; filled_size: number; reason: string | null }): void {
    const tracked = this.#desk.find(order.order_id);
    const { status, filled_size: filled, reason } = order;
    if (tracked === null || this.#desk.isChanging(order.order_id)) return;
    if (status !== 'cancelled' && status !== 'expired') return;
    this.#desk.end(tracked, { status, filled, reason, clOrdId: null });
    if (this.#desk.isBehind) this.#watch();
  }

  /** Asks the exchange for what the feed may not have told, again and again. */
  #watch(): void {
    const soon = this.#desk.isBehind || this.#missed || (this.#desk.open.length > 0 && !this.#feed.isLive);
    const due_ms = Date.now() + (soon ? RECONCILE_SOON_MS : RECONCILE_MS);
    if (this.#closed || (this.#timer !== null && this.#due_ms <= due_ms)) return;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#due_ms = due_ms;
    this.#timer = setTimeout(() => {
      this.#timer = null;
      void this.#reconcile().finally(() => this.#watch());
    }, due_ms - Date.now());
  }

  /** Asks now; what is asked for while an earlier asking is under way is asked once more, a little after it. */
  #reconcile(): Promise<void> {
    if (this.#reconciling !== null) {
      this.#missed = true;
      return this.#reconciling;
    }
    this.#missed = false;
    this.#reconciling = this.#reconcileOnce()
      .then((done) => {
        if (!done) this.#missed = true;
      })
      .catch((error: unknown) => log('error', 'reconcile_failed', { error: String(error) }))
      .finally(() => {
        this.#reconciling = null;
        if (this.#missed) this.#watch();
      });
    return this.#reconciling;
  }

  /** False when the exchange could not be asked. */
  async #reconcileOnce(): Promise<boolean> {
    const caller = this.#caller;
    if (caller === null || this.#closed) return true;
    if (this.#desk.open.length === 0 && !this.#placing && !this.#dropCopy) return true;
    const startedAt_ms = Date.now();
    const [[, cursor] = ['', startedAt_ms]] = this.#port.store.state<number>('cursor');
    const before = new Map(this.#desk.open.map((order) => [order.orderId, order]));
    const fills = await fillsSince(this.#exchange, caller, cursor - OVERLAP_MS);
    const open = fills === null ? null : await openOrders(this.#exchange, caller);
    if (fills === null || open === null) return false;
    if (this.#dropCopy) await this.#trackAll(caller, open, fills);
    for (const fill of fills) this.#filledBefore(fill);
    for (const { order_id } of open) before.delete(order_id);
    for (const { orderId } of before.values()) {
      const answer = await this.#exchange.call('GET', `/v1/orders/${orderId}`, caller);
      if (answer.type !== 'ok') return false;
      const order = answer.body as WireOrder;
      this.#apply(order);
      // Filled while this was asked, and the feed has not told.
      if (order.filled_size > (this.#desk.find(orderId)?.filled ?? 0)) this.#missed = true;
    }
    if (this.#placing) return true;
    this.#port.store.putState('cursor', startedAt_ms);
    this.#desk.forgetFillsBefore(startedAt_ms - 2 * OVERLAP_MS);
    return true;
  }

  #filledBefore(fill: WireFill): void {
    if (this.#desk.find(fill.order_id) !== null) this.#desk.fill(fill);
    else if (this.#placing) this.#early.push(fill);
  }

  /** A drop copy follows every order of the account: those that it meets for the first time begin with what it has not seen. */
  async #trackAll(caller: CallerHeaders, open: readonly WireOrder[], fills: readonly WireFill[]): Promise<void> {
    const unseen = Map.groupBy(
      fills.filter((fill) => !this.#desk.hasSeen(fill)),
      ({ order_id }) => order_id,
    );
    const orders = new Map(open.map((order) => [order.order_id, order]));
    for (const orderId of unseen.keys()) {
      if (orders.has(orderId) || this.#desk.find(orderId) !== null) continue;
      const answer = await this.#exchange.call('GET', `/v1/orders/${orderId}`, caller);
      if (answer.type === 'ok') orders.set(orderId, answer.body as WireOrder);
    }
    for (const order of orders.values()) {
      if (this.#desk.find(order.order_id) !== null) continue;
      const missing = (unseen.get(order.order_id) ?? []).reduce((sum, { size }) => sum + size, 0);
      const tracked = this.#desk.track(
        order,
        order.client_order_id ?? order.order_id,
        Math.max(0, order.filled_size - missing),
      );
      const time_ms = Date.now();
      this.#port.send(executionReport(tracked, { execType: 'new', execId: `${tracked.orderId}-0`, time_ms }));
    }
  }

  async #followEverything(): Promise<void> {
    const markets = await readMarkets(this.#exchange, this.#caller as CallerHeaders);
    for (const { symbol } of markets ?? []) this.#feed.follow({ channel: 'orders', symbol });
    if (markets === null && !this.#closed) setTimeout(() => void this.#followEverything(), RECONCILE_SOON_MS);
  }

  /** Behind what is in the queue, before what a later connection will ask for. */
  #cancelAll(): void {
    this.#queue.push('cancel_open_orders');
    this.#work();
  }

  async #cancelOpenOrders(): Promise<void> {
    const caller = this.#caller as CallerHeaders;
    const ids = this.#desk.open.map(({ orderId }) => orderId);
    for (let at = 0; at < ids.length; at += BATCH_MAX) {
      const order_ids = ids.slice(at, at + BATCH_MAX);
      await repeat(() => this.#exchange.call('DELETE', '/v1/orders/batch', caller, { order_ids }));
    }
    this.#port.store.putState('connected', this.#cancelOnDisconnect ? true : null);
    await this.#reconcile();
  }
}

function partition<T>(all: readonly T[], is: (one: T) => boolean): [T[], T[]] {
  return [all.filter(is), all.filter((one) => !is(one))];
}

function notAuthorized(message: FixMessage): Outgoing {
  return businessReject(message, '6', 'a drop copy session is read only');
}

/** BusinessMessageReject(j). */
function businessReject(message: FixMessage, reason: string, text: string): Outgoing {
  return {
    type: MSG_TYPE.BusinessMessageReject,
    body: [
      [TAG.RefSeqNum, textOf(message, TAG.MsgSeqNum) ?? ''],
      [TAG.RefMsgType, typeOf(message)],
      [TAG.BusinessRejectReason, reason],
      [TAG.Text, text],
    ],
  };
}
