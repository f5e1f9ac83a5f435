import type {
  BrokerEvent,
  BrokerExecution,
  BrokerOrder,
  BrokerOrderTerms,
  BrokerRefusal,
  BrokerReplacement,
} from '../broker/broker-client.ts';
import { routeOrder } from '../broker/smart-order-router.ts';
import type { Side } from '../orders/order.ts';
import { err, ok, type Result } from '../result.ts';
import { ROUND_LOT } from './displayed-books.ts';
import type { SandboxFaults } from './faults.ts';
import { Liquidity } from './liquidity.ts';
import { type BestQuote, bestQuote } from './market-data.ts';
import { noise } from './noise.ts';
import type { PriceProcess } from './price-process.ts';
import { decimalOf, dueOf, orderOf, priceOf, quantityOf, type SandboxOrder, termsOf } from './sandbox-order.ts';
import { lastPrice } from './tape.ts';
import { SANDBOX_VENUES } from './venues.ts';

/** Times that an order is routed before it rests, or ends where it never rests. */
const ROUNDS_MAX = 16;
/** How often resting orders are looked at. */
const CHECK_MS = 1_000;
/** Looks at resting orders of one call; a longer absence is looked at in larger steps. */
const CHECKS_MAX = 3_600;
/** Until a cancel or a replacement has reached its order. */
const REQUEST_MS = 20;
/** One order in so many that rest at the best price is met by somebody when it is looked at. */
const MET_ONE_IN = 3;
const MET_LOTS_MAX = 3;

/** What a symbol's market is beside its open orders. */
export interface MarketState {
  /** How far time has been lived through. */
  readonly clock_ms: number;
  readonly orders: number;
  readonly events: number;
  readonly executions: number;
  /** Shares held for the client: below zero when short. */
  readonly position: number;
}

export const NEW_MARKET: MarketState = { clock_ms: 0, orders: 0, events: 0, executions: 0, position: 0 };

type Told<E> = E extends BrokerEvent ? Omit<E, 'id' | 'symbol' | 'clientOrderId' | 'at_ms'> : never;

/**
 * The sandbox broker's trade in one symbol: open orders, the router that hands them to sixteen venues, and what the venues make of them.
 *
 * No clock and no I/O: every call states the time, and everything that was due until then happens first, in the order of its time. The same
 * calls at the same times have the same outcome. What has changed waits in `takeChanges` until it is stored.
 */
export class SandboxMarket {
  readonly #symbol: string;
  readonly #process: PriceProcess;
  readonly #liquidity: Liquidity;
  readonly #faults: SandboxFaults | null;
  readonly #open = new Map<string, SandboxOrder>();
  /** Those of the open ones that neither rest nor wait for their stop. */
  readonly #moving = new Map<string, SandboxOrder>();
  readonly #changed = new Map<string, SandboxOrder>();
  #events: BrokerEvent[] = [];
  #state: MarketState;

  constructor(
    symbol: string,
    process: PriceProcess,
    state: MarketState,
    open: readonly SandboxOrder[],
    faults: SandboxFaults | null,
  ) {
    this.#symbol = symbol;
    this.#process = process;
    this.#liquidity = new Liquidity(process);
    this.#state = state;
    this.#faults = faults;
    for (const order of open) this.#keep(order);
  }

  get state(): MarketState {
    return this.#state;
  }

  get openOrders(): ReadonlyMap<string, SandboxOrder> {
    return this.#open;
  }

  /** Orders and events since the last call. */
  takeChanges(): { readonly orders: readonly SandboxOrder[]; readonly events: readonly BrokerEvent[] } {
    const changes = { orders: [...this.#changed.values()], events: this.#events };
    this.#changed.clear();
    this.#events = [];
    return changes;
  }

  /** Takes an order that no other has the id of. It is routed when the time next moves. */
  submit(request: BrokerOrderTerms): Result<BrokerOrder, BrokerRefusal> {
    const read = termsOf(request, this.#process);
    if (!read.ok) return read;
    const terms = read.value;
    const isTriggered = terms.stop === null;
    const order: SandboxOrder = {
      sequence: this.#state.orders,
      placed: terms,
      terms,
      status: 'open',
      revision: 0,
      revisionAsked: 0,
      filled: 0,
      isTriggered,
      routeAt_ms: isTriggered ? this.#state.clock_ms : null,
      slices: [],
      rounds: 0,
      cancelAt_ms: null,
      replacement: null,
      venues: {},
    };
    this.#state = { ...this.#state, orders: this.#state.orders + 1 };
    this.#put(order);
    return ok(orderOf(this.#symbol, order));
  }

  /** Asks for the end of an open order. A slice that is under way is not called back: it may fill before. */
  cancel(order: SandboxOrder): void {
    if (order.cancelAt_ms === null) this.#put({ ...order, cancelAt_ms: this.#arrivalOfRequest(order) });
  }

  /** Asks for other terms of an open order. */
  replace(order: SandboxOrder, change: BrokerReplacement): Result<null, BrokerRefusal> {
    if (change.revision <= order.revisionAsked) return ok(null);
    if (order.replacement !== null) return invalid('another replacement is under way');
    const quantity = quantityOf(change.quantity);
    const limit = change.limitPrice === null ? null : priceOf(change.limitPrice, this.#process);
    if (quantity === null || (change.limitPrice !== null) !== (order.terms.limit !== null) || limit === null) {
      return invalid('the terms cannot be taken');
    }
    const replacement = { revision: change.revision, quantity, limit, at_ms: this.#arrivalOfRequest(order) };
    this.#put({ ...order, revisionAsked: change.revision, replacement });
    return ok(null);
  }

  /** Says that an execution never was. */
  bust({ clientOrderId, executionId }: BrokerExecution, side: Side, quantity: number): void {
    this.#shift(side, -quantity);
    this.#tell(clientOrderId, this.#state.clock_ms, { type: 'bust', executionId });
  }

  /** Says that an execution was of another quantity or price. */
  correct(
    { clientOrderId, executionId }: BrokerExecution,
    side: Side,
    before: number,
    after: { readonly quantity: number; readonly price: number },
  ): void {
    this.#shift(side, after.quantity - before);
    const price = decimalOf(after.price);
    const quantity = decimalOf(after.quantity);
    this.#tell(clientOrderId, this.#state.clock_ms, { type: 'correct', executionId, price, quantity });
  }

  /** Lives through what is due until now. Time never goes back. */
  advance(now_ms: number): void {
    const absence_ms = now_ms - this.#state.clock_ms;
    const stride_ms = CHECK_MS * Math.max(1, Math.ceil(absence_ms / (CHECKS_MAX * CHECK_MS)));
    for (;;) {
      const check_ms = this.#nextCheck(stride_ms);
      const next_ms = Math.max(Math.min(check_ms, this.#nextDue()), this.#state.clock_ms);
      if (next_ms > now_ms) break;
      this.#tick(next_ms);
      if (next_ms === check_ms) this.#checkResting();
      for (const order of this.#due()) this.#carryOn(order);
    }
    this.#tick(now_ms);
  }

  /** When orders that rest are looked at next; never where none does. */
  #nextCheck(stride_ms: number): number {
    if (this.#open.size === this.#moving.size) return Number.POSITIVE_INFINITY;
    return (Math.floor(this.#state.clock_ms / stride_ms) + 1) * stride_ms;
  }

  #nextDue(): number {
    let next_ms = Number.POSITIVE_INFINITY;
    for (const order of this.#moving.values()) next_ms = Math.min(next_ms, dueOf(order) ?? next_ms);
    return next_ms;
  }

  /** Orders to which something happens now, the earliest order first. */
  #due(): SandboxOrder[] {
    const due = [...this.#moving.values()].filter((order) => (dueOf(order) ?? 0) <= this.#state.clock_ms);
    return due.sort((a, b) => a.sequence - b.sequence);
  }

  #carryOn(order: SandboxOrder): void {
    const now_ms = this.#state.clock_ms;
    if (order.slices.length > 0) this.#receiveSlices(order);
    else if (order.cancelAt_ms !== null && order.cancelAt_ms <= now_ms) this.#end(order, 'canceled', null);
    else if (order.replacement !== null && order.replacement.at_ms <= now_ms) this.#carryOutReplacement(order);
    else this.#route(order);
  }

  #route(order: SandboxOrder): void {
    const now_ms = this.#state.clock_ms;
    const { side, limit, timeInForce, quantity } = order.terms;
    if (this.#isRejected(order)) {
      this.#end(order, 'rejected', 'rejected by the venues');
      return;
    }
    const plan = routeOrder({ side, quantity: quantity - order.filled, limit }, this.#liquidity.books(now_ms));
    if (plan.slices.length === 0 || order.rounds >= ROUNDS_MAX || (timeInForce === 'fok' && plan.residual > 0)) {
      this.#rest(order);
      return;
    }
    const venues = { ...order.venues };
    for (const slice of plan.slices) {
      const { sent, filled } = venues[slice.venue] ?? { sent: 0, filled: 0 };
      venues[slice.venue] = { sent: sent + slice.quantity, filled };
    }
    const slices = plan.slices.map((slice) => ({
      venue: slice.venue,
      quantity: slice.quantity,
      limit: slice.limit,
      // All or nothing takes what is displayed now.
      arrivesAt_ms: timeInForce === 'fok' ? now_ms : now_ms + latencyOf(slice.venue),
    }));
    this.#put({ ...order, venues, slices, routeAt_ms: null, rounds: order.rounds + 1 });
  }

  /** Slices that have arrived execute against what their venues display now; what they miss is routed again. */
  #receiveSlices(order: SandboxOrder): void {
    const now_ms = this.#state.clock_ms;
    const left = order.slices.filter(({ arrivesAt_ms }) => arrivesAt_ms > now_ms);
    let carried: SandboxOrder = { ...order, slices: left };
    for (const slice of order.slices) {
      if (slice.arrivesAt_ms > now_ms) continue;
      const { venue, quantity, limit } = slice;
      for (const taken of this.#liquidity.take(venue, order.terms.side, quantity, limit, now_ms)) {
        carried = this.#execute(carried, venue, taken.price, taken.quantity);
      }
    }
    if (carried.filled === carried.terms.quantity) this.#close({ ...carried, status: 'filled' });
    else this.#put(left.length > 0 ? carried : { ...carried, routeAt_ms: now_ms });
  }

  #carryOutReplacement(order: SandboxOrder): void {
    const { replacement } = order;
    if (replacement === null) return;
    const { revision, quantity, limit } = replacement;
    const { clientOrderId } = order.terms;
    const now_ms = this.#state.clock_ms;
    if (quantity <= order.filled) {
      this.#put({ ...order, replacement: null });
      this.#tell(clientOrderId, now_ms, { type: 'replace_rejected', revision, detail: 'as much has filled already' });
      return;
    }
    const terms = { ...order.terms, quantity, limit };
    const routeAt_ms = order.isTriggered ? now_ms : null;
    this.#put({ ...order, terms, revision, replacement: null, routeAt_ms, rounds: 0 });
    const limitPrice = limit === null ? null : decimalOf(limit);
    const filled = decimalOf(order.filled);
    this.#tell(clientOrderId, now_ms, {
      type: 'replaced',
      revision,
      filled,
      quantity: decimalOf(quantity),
      limitPrice,
    });
  }

  #checkResting(): void {
    const now_ms = this.#state.clock_ms;
    const resting = [...this.#open.values()].filter((order) => dueOf(order) === null);
    if (resting.length === 0) return;
    const best = bestQuote(this.#liquidity.books(now_ms));
    const last = lastPrice(this.#process, now_ms);
    for (const order of resting) {
      if (!order.isTriggered) {
        if (isReached(order, last)) this.#put({ ...order, isTriggered: true, routeAt_ms: now_ms });
      } else if (isMarketable(order, best)) this.#put({ ...order, routeAt_ms: now_ms });
      else if (isAtBest(order, best)) this.#meet(order);
    }
  }

  /** Somebody may come and take from an order that rests at the best price. */
  #meet(order: SandboxOrder): void {
    const { quantity, limit } = order.terms;
    const drawn = noise(this.#process.seed, order.sequence, this.#state.clock_ms);
    if (limit === null || drawn % MET_ONE_IN !== 0) return;
    const wanted = (1 + ((drawn >>> 4) % MET_LOTS_MAX)) * ROUND_LOT;
    const { id } = SANDBOX_VENUES[(drawn >>> 8) % SANDBOX_VENUES.length] ?? { id: null };
    const part = Math.min(wanted, quantity - order.filled);
    const carried = this.#execute(order, id, limit, part);
    if (carried.filled === quantity) this.#close({ ...carried, status: 'filled' });
    else this.#put(carried);
  }

  #execute(order: SandboxOrder, venue: string | null, price: number, quantity: number): SandboxOrder {
    const { clientOrderId, side } = order.terms;
    const filled = order.filled + quantity;
    this.#shift(side, quantity);
    const executions = this.#state.executions + 1;
    this.#state = { ...this.#state, executions };
    this.#tell(clientOrderId, this.#state.clock_ms, {
      type: filled === order.terms.quantity ? 'fill' : 'partial_fill',
      executionId: `${this.#symbol}-X${executions}`,
      venue,
      price: decimalOf(price),
      quantity: decimalOf(quantity),
    });
    if (venue === null) return { ...order, filled };
    const report = order.venues[venue] ?? { sent: 0, filled: 0 };
    return { ...order, filled, venues: { ...order.venues, [venue]: { ...report, filled: report.filled + quantity } } };
  }

  #rest(order: SandboxOrder): void {
    const { timeInForce, limit } = order.terms;
    if (timeInForce === 'gtc' && limit !== null) this.#put({ ...order, routeAt_ms: null, rounds: 0 });
    else this.#end(order, 'canceled', 'unfilled');
  }

  #end(order: SandboxOrder, reason: 'canceled' | 'rejected', detail: string | null): void {
    this.#close({ ...order, status: reason });
    const filled = decimalOf(order.filled);
    this.#tell(order.terms.clientOrderId, this.#state.clock_ms, { type: 'done', reason, filled, detail });
  }

  #close(order: SandboxOrder): void {
    const { clientOrderId } = order.terms;
    this.#open.delete(clientOrderId);
    this.#moving.delete(clientOrderId);
    const ended = { ...order, routeAt_ms: null, slices: [], cancelAt_ms: null, replacement: null };
    this.#changed.set(clientOrderId, ended);
  }

  #put(order: SandboxOrder): void {
    this.#keep(order);
    this.#changed.set(order.terms.clientOrderId, order);
  }

  #keep(order: SandboxOrder): void {
    const { clientOrderId } = order.terms;
    this.#open.set(clientOrderId, order);
    if (dueOf(order) === null) this.#moving.delete(clientOrderId);
    else this.#moving.set(clientOrderId, order);
  }

  #tell(clientOrderId: string, at_ms: number, told: Told<BrokerEvent>): void {
    const events = this.#state.events + 1;
    this.#state = { ...this.#state, events };
    this.#events.push({ id: `${this.#symbol}-E${events}`, symbol: this.#symbol, clientOrderId, at_ms, ...told });
  }

  #shift(side: Side, quantity: number): void {
    const position = this.#state.position + (side === 'buy' ? quantity : -quantity);
    this.#state = { ...this.#state, position };
  }

  #tick(now_ms: number): void {
    if (now_ms > this.#state.clock_ms) this.#state = { ...this.#state, clock_ms: now_ms };
  }

  #arrivalOfRequest({ sequence, revisionAsked }: SandboxOrder): number {
    const { seed, lateRequest_ms_max } = this.#faults ?? { seed: 0, lateRequest_ms_max: 0 };
    const late_ms = noise(seed, sequence, revisionAsked, 1) % (lateRequest_ms_max + 1);
    return this.#state.clock_ms + REQUEST_MS + late_ms;
  }

  #isRejected({ sequence, filled }: SandboxOrder): boolean {
    if (this.#faults === null || filled > 0) return false;
    return noise(this.#faults.seed, sequence, 2) % 1_000 < this.#faults.reject_pm;
  }
}

function latencyOf(venue: string): number {
  return SANDBOX_VENUES.find(({ id }) => id === venue)?.latency_ms ?? 0;
}

function isReached({ terms: { side, stop } }: SandboxOrder, last: number): boolean {
  return stop === null || (side === 'buy' ? last >= stop : last <= stop);
}

function isMarketable({ terms: { side, limit } }: SandboxOrder, { bid, ask }: BestQuote): boolean {
  return limit === null || (side === 'buy' ? limit >= ask : limit <= bid);
}

function isAtBest({ terms: { side, limit } }: SandboxOrder, { bid, ask }: BestQuote): boolean {
  return limit !== null && (side === 'buy' ? limit >= bid : limit <= ask);
}

function invalid(detail: string) {
  return err({ reason: 'refused', code: 'invalid_order', detail } as const);
}
