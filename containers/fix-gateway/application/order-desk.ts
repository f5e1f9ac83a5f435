import { addDecimals } from '../codec/decimal.ts';
import type { SessionPort } from '../transport/session-port.ts';
import type { Outgoing } from './application.ts';
import { adjustmentReport, executionReport, fillReport } from './execution-report.ts';
import { type Acquaintance, type OrderEnding, storedOrder, type TrackedOrder, trackOrder } from './tracked-order.ts';
import type { WireFill, WireListedFill, WireOrder } from './wire.ts';

/** Ended orders that are remembered, to answer questions about them and to know their ClOrdIDs again. */
const ENDED_MAX = 10_000;
/** What the exchange says of an order's terms; the feed leaves the trigger out. */
type StandingTerms = Pick<WireOrder, 'size' | 'price'> & Partial<Pick<WireOrder, 'stop_price'>>;

/** Reasons of cancellations that come to an order only once it trades: a stop that ends by them has triggered. */
const TRADED: ReadonlySet<string> = new Set(['unfilled', 'self_trade', 'price_band']);

/**
 * The orders of one session as its peer knows them. Every change is stored in one step with the report of it, and a fill is known by its
 * trade, so however often the exchange is asked, each fill and each ending is reported once.
 */
export class OrderDesk {
  readonly #port: SessionPort;
  readonly #orders = new Map<string, TrackedOrder>();
  readonly #byClOrdId = new Map<string, string>();
  readonly #fills = new Set<string>();
  readonly #ended: string[] = [];
  readonly #changing = new Set<string>();

  constructor(port: SessionPort) {
    this.#port = port;
    for (const [, order] of port.store.state<TrackedOrder>('order:')) this.#remember(storedOrder(order));
    for (const [key, orderId] of port.store.state<string>('id:')) this.#byClOrdId.set(key.slice(3), orderId);
    for (const [key] of port.store.state<number>('fill:')) this.#fills.add(key.slice(5));
  }

  get open(): TrackedOrder[] {
    return [...this.#orders.values()].filter(({ ended }) => !ended);
  }

  /** Whether it knows no order, ended ones included. */
  get isEmpty(): boolean {
    return this.#orders.size === 0;
  }

  /** Whether a report is owed whose fills have not come yet. */
  get isBehind(): boolean {
    return this.open.some(({ ending, filled }) => ending !== null && filled < ending.filled);
  }

  find(orderId: string | null): TrackedOrder | null {
    return (orderId === null ? undefined : this.#orders.get(orderId)) ?? null;
  }

  findByClOrdId(clOrdId: string | null): TrackedOrder | null {
    return this.find(clOrdId === null ? null : (this.#byClOrdId.get(clOrdId) ?? null));
  }

  /** Takes an order in, and returns it. @param counted fills that are in what was executed of it, and may be told of again */
  track(order: WireOrder, known: Acquaintance, counted: readonly WireFill[] = []): TrackedOrder {
    const tracked = trackOrder(order, known);
    this.take(tracked);
    for (const fill of counted) this.#see(fill);
    return tracked;
  }

  take(tracked: TrackedOrder): void {
    this.#put(tracked);
    this.#name(tracked.clOrdId, tracked.orderId);
  }

  /** A stop has reached its price: reported once, before all that follows. */
  trigger(order: TrackedOrder): TrackedOrder {
    if (!order.awaitsTrigger || order.ended) return order;
    const changed = { ...order, awaitsTrigger: false };
    this.#put(changed);
    const execId = `${order.orderId}-L`;
    this.#port.send(executionReport(changed, { execType: 'triggered', execId, time_ms: Date.now() }));
    return changed;
  }

  /** An accepted request has changed what the peer calls the order, or its terms. */
  change(
    order: TrackedOrder,
    terms: Partial<Pick<TrackedOrder, 'clOrdId' | 'size' | 'price' | 'stopPrice'>>,
  ): TrackedOrder {
    const renamed = { ...order, ...terms };
    const changed = { ...renamed, ended: renamed.ending === null ? renamed.filled >= renamed.size : renamed.ended };
    this.#put(changed);
    this.#name(changed.clOrdId, changed.orderId);
    return changed;
  }

  /** Another door has amended an order: reported where its terms differ from those that its peer knows. */
  restate(orderId: string, { size, price, stop_price: stopPrice = null }: StandingTerms): void {
    const order = this.find(orderId);
    if (order === null || order.ended || this.isChanging(orderId)) return;
    const terms = { size, price: price ?? order.price, stopPrice: stopPrice ?? order.stopPrice };
    if (hasTerms(order, terms)) return;
    const changed = this.change(order, terms);
    const time_ms = Date.now();
    this.#port.send(executionReport(changed, { execType: 'restated', execId: `${orderId}-D-${time_ms}`, time_ms }));
  }

  hasSeen(fill: WireFill): boolean {
    return this.#fills.has(fillKey(fill));
  }

  /** Reports a fill of a tracked order, once. */
  fill(fill: WireFill): void {
    const known = this.#orders.get(fill.order_id);
    if (known === undefined || this.hasSeen(fill)) return;
    const order = this.trigger(known);
    this.#see(fill);
    const filled = addDecimals(order.filled, fill.size);
    const notional = order.notional + fill.price * fill.size;
    const changed = {
      ...order,
      filled,
      notional,
      ended: order.ended || (filled >= order.size && order.ending === null),
    };
    this.#put(changed);
    this.#port.send(fillReport(changed, fill));
    this.#end(changed);
  }

  /** Reports that a fill of a tracked order was taken back or corrected. Who calls sees to it that this is told once. */
  adjust(fill: WireListedFill): void {
    const order = this.#orders.get(fill.order_id);
    if (order === undefined) return;
    const { size, price, corrected_price: corrected } = fill;
    const changed = {
      ...order,
      takenBack: corrected === null ? addDecimals(order.takenBack, size) : order.takenBack,
      notional: order.notional - price * size + (corrected ?? 0) * size,
    };
    this.#put(changed);
    this.#port.send(adjustmentReport(changed, fill));
  }

  /** An order is over: reported at once, or after the fills that came before. */
  end(order: TrackedOrder, ending: OrderEnding): void {
    if (order.ended || order.ending !== null) return;
    const traded = TRADED.has(ending.reason ?? '') ? this.trigger(order) : order;
    const changed = { ...traded, ending };
    this.#put(changed);
    this.#end(changed);
  }

  /** Runs a request about an order: what is told of the order meanwhile is the request's doing, whose answer reports it. */
  async changing<Answer>(orderId: string, change: () => Promise<Answer>): Promise<Answer> {
    this.#changing.add(orderId);
    try {
      return await change();
    } finally {
      this.#changing.delete(orderId);
    }
  }

  isChanging(orderId: string): boolean {
    return this.#changing.has(orderId);
  }

  /** Forgets which fills were reported before a time, which nobody will send again. */
  forgetFillsBefore(time_ms: number): void {
    for (const [key, at_ms] of this.#port.store.state<number>('fill:')) {
      if (at_ms >= time_ms) continue;
      this.#port.store.putState(key, null);
      this.#fills.delete(key.slice(5));
    }
  }

  #see(fill: WireFill): void {
    const key = fillKey(fill);
    this.#fills.add(key);
    this.#port.store.putState(`fill:${key}`, fill.timestamp);
  }

  #end(order: TrackedOrder): void {
    const { ending } = order;
    if (ending === null || order.ended || order.filled < ending.filled) return;
    const ended = { ...order, clOrdId: ending.clOrdId ?? order.clOrdId, ended: true };
    this.#put(ended);
    if (ending.clOrdId !== null) this.#name(ending.clOrdId, order.orderId);
    this.#port.send(endReport(ended, ending, order.clOrdId));
  }

  #put(order: TrackedOrder): void {
    this.#port.store.putState(`order:${order.orderId}`, order);
    this.#remember(order);
    while (this.#ended.length > ENDED_MAX) this.#forget(this.#ended.shift() ?? '');
  }

  #remember(order: TrackedOrder): void {
    if (order.ended && this.#orders.get(order.orderId)?.ended !== true) this.#ended.push(order.orderId);
    this.#orders.set(order.orderId, order);
  }

  #name(clOrdId: string, orderId: string): void {
    if (this.#byClOrdId.get(clOrdId) === orderId) return;
    this.#byClOrdId.set(clOrdId, orderId);
    this.#port.store.putState(`id:${clOrdId}`, orderId);
  }

  #forget(orderId: string): void {
    this.#orders.delete(orderId);
    this.#port.store.putState(`order:${orderId}`, null);
    for (const [clOrdId, named] of this.#byClOrdId) {
      if (named !== orderId) continue;
      this.#byClOrdId.delete(clOrdId);
      this.#port.store.putState(`id:${clOrdId}`, null);
    }
  }
}

/** Whether an order has the terms that an amendment may change. */
export function hasTerms(order: TrackedOrder, terms: Pick<TrackedOrder, 'size' | 'price' | 'stopPrice'>): boolean {
  return order.size === terms.size && order.price === terms.price && order.stopPrice === terms.stopPrice;
}

/** A trade within one account fills two of its orders. */
function fillKey({ trade_id, order_id }: WireFill): string {
  return `${trade_id}:${order_id}`;
}

function endReport(order: TrackedOrder, ending: OrderEnding, before: string): Outgoing {
  return executionReport(order, {
    execType: ending.status,
    execId: `${order.orderId}-E`,
    origClOrdId: ending.clOrdId === null ? null : before,
    text: ending.reason,
    time_ms: Date.now(),
  });
}
