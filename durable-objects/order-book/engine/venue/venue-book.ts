import type { BreakKind } from '../../../../domain/ledger/records.ts';
import type { Side } from '../../../../domain/orders/order.ts';
import type {
  CancelReason,
  EngineCommand,
  EngineEvent,
  EngineSnapshot,
  Level,
  LiveOrder,
  PlaceOrder,
} from '../engine.ts';
import { EventLog } from '../event-log.ts';
import { assertPlaceable, crosses, isImmediate } from '../rules.ts';
import { StateHash } from '../state-hash.ts';
import type { BrokerReport, DoneReport, ExecutionReport, UnfitExecutionReport } from './broker-report.ts';
import { EndedOrders } from './ended-orders.ts';
import { Turns } from './turns.ts';
import type { Ending, RoutedOrder, RoutingStage, VenueEngine, VenueSnapshot } from './venue-engine.ts';

/** With so many executions an order has its end asked for: each is remembered while it lives. */
const EXECUTIONS_MAX = 10_000;
/** What still comes until it ends is remembered up to here, and is a break beyond. */
const EXECUTIONS_KNOWN_MAX = 2 * EXECUTIONS_MAX;

/** A live order. */
interface Routed {
  live: LiveOrder;
  stage: RoutingStage;
  cancelWanted: CancelReason | null;
  readonly executions: Set<string>;
  refused: number;
  isUncounted: boolean;
  ending: Ending | null;
}

const NOTHING_KNOWN: VenueSnapshot = { cursor: null, orders: [], ended: [] };

/** The engine of a routed market, from its snapshot or from nothing. */
export function createVenueEngine(snapshot?: EngineSnapshot, routing?: VenueSnapshot): VenueEngine {
  return new VenueBook(snapshot, routing);
}

class VenueBook implements VenueEngine {
  readonly #log: EventLog;
  /** In arrival order. */
  readonly #orders = new Map<string, Routed>();
  readonly #waiting = new Turns();
  readonly #handed = new Set<string>();
  readonly #endsWanted = new Turns();
  /** Those that the broker has and has not ended. */
  readonly #watched = new Turns();
  readonly #ended: EndedOrders;
  #lastPrice: number | null;
  #arrivals: number;
  #cursor: string | null;

  constructor(snapshot: EngineSnapshot | undefined, { cursor, orders, ended }: VenueSnapshot = NOTHING_KNOWN) {
    this.#log = new EventLog(snapshot?.sequence ?? 0, snapshot?.tradeSequence ?? 0);
    this.#lastPrice = snapshot?.lastPrice ?? null;
    this.#arrivals = snapshot?.arrivals ?? 0;
    this.#cursor = cursor;
    this.#ended = new EndedOrders(ended);
    const known = new Map(orders.map((routed) => [routed.orderId, routed]));
    for (const live of snapshot?.orders ?? []) this.#restore(live, known.get(live.orderId));
  }

  readAhead(): void {}

  goWithin(): void {}

  apply(command: EngineCommand): EngineEvent[] {
    switch (command.type) {
      case 'place':
        this.#place(command);
        break;
      case 'cancel':
        this.#cancel(command.orderId, 'user');
        break;
      case 'mass_cancel':
        for (const orderId of command.orderIds) this.#cancel(orderId, command.reason);
        break;
      case 'amend':
        // Admission has refused it: what a broker has is not changed here.
        this.#log.refused(command.orderId, 'not_found');
        break;
    }
    return this.#log.take();
  }

  handOver(orderIds: readonly string[]): EngineEvent[] {
    for (const orderId of orderIds) {
      const routed = this.#orders.get(orderId);
      if (routed?.stage === 'waiting') this.#enter(routed, 'handed');
    }
    return this.#log.take();
  }

  report(reports: readonly BrokerReport[], cursor: string | null): EngineEvent[] {
    for (const report of reports) this.#report(report);
    this.#cursor = cursor ?? this.#cursor;
    return this.#log.take();
  }

  /** The broker holds what expires. */
  expire(): EngineEvent[] {
    return [];
  }

  nextExpiry(): null {
    return null;
  }

  get cursor(): string | null {
    return this.#cursor;
  }

  waiting(count: number): string[] {
    return this.#waiting.next(count);
  }

  handedOver(): string[] {
    return [...this.#handed];
  }

  isEndWanted(orderId: string): boolean {
    return this.#endsWanted.has(orderId);
  }

  endsWanted(count: number, isDue: (orderId: string) => boolean): string[] {
    return this.#endsWanted.next(count, isDue);
  }

  watched(count: number): string[] {
    return this.#watched.next(count);
  }

  order(orderId: string): LiveOrder | undefined {
    return this.#orders.get(orderId)?.live;
  }

  /** What waits at a broker is no book of ours. */
  depth(): { bids: Level[]; asks: Level[] } {
    return { bids: [], asks: [] };
  }

  depthFor(): Level[] {
    return [];
  }

  lastPrice(): number | null {
    return this.#lastPrice;
  }

  get size(): number {
    return this.#orders.size;
  }

  get sequence(): number {
    return this.#log.sequence;
  }

  get tradeSequence(): number {
    return this.#log.tradeSequence;
  }

  ordersOf(account: string | null, keyId: string | null = null, side: Side | null = null): string[] {
    const found: string[] = [];
    for (const [orderId, { live }] of this.#orders) {
      const isTheirs = account === null || live.account === account;
      if (isTheirs && (keyId === null || live.keyId === keyId) && (side === null || live.side === side))
        found.push(orderId);
    }
    return found;
  }

  snapshot(): EngineSnapshot {
    return {
      version: 1,
      sequence: this.sequence,
      tradeSequence: this.tradeSequence,
      lastPrice: this.#lastPrice,
      orders: Array.from(this.#orders.values(), ({ live }) => live),
      arrivals: this.#arrivals,
    };
  }

  routing(): VenueSnapshot {
    return {
      cursor: this.#cursor,
      orders: Array.from(this.#orders.values(), routedOrder),
      ended: this.#ended.toArray(),
    };
  }

  stateHash(): string {
    const { orders, ...head } = this.snapshot();
    const hash = new StateHash();
    hash.header(head);
    for (const order of orders) hash.order(order);
    hash.routed(JSON.stringify(this.routing()));
    return hash.digest();
  }

  assertInvariants(): void {
    let arrival = 0;
    for (const [orderId, { live, stage, cancelWanted, refused, ending }] of this.#orders) {
      assertRule(live.remaining > 0 && live.filled + live.remaining === live.quantity, `order ${orderId} is whole`);
      assertRule(live.arrival > arrival && live.arrival <= this.#arrivals, `order ${orderId} stands in arrival order`);
      arrival = live.arrival;
      assertRule(this.#waiting.has(orderId) === (stage === 'waiting'), `order ${orderId} waits as its stage says`);
      assertRule(this.#handed.has(orderId) === (stage === 'handed'), `order ${orderId} is handed over once`);
      assertRule(this.#endsWanted.has(orderId) === (cancelWanted !== null), `the end of ${orderId} is asked for`);
      const isWatched = stage === 'taken' && ending === null;
      assertRule(this.#watched.has(orderId) === isWatched, `order ${orderId} is watched until the broker has ended it`);
      assertRule(
        stage !== 'waiting' || (cancelWanted === null && live.filled + refused === 0),
        `${orderId} was not sent`,
      );
    }
    assertRule(this.tradeSequence <= this.sequence, 'every execution is an event');
  }

  #restore(live: LiveOrder, known: RoutedOrder | undefined): void {
    if (known === undefined)
      throw new Error(`the snapshot of a routed market lacks what was done with ${live.orderId}`);
    const { orderId: _, ...kept } = known;
    const routed: Routed = { ...kept, live: { ...live }, executions: new Set(known.executions) };
    this.#orders.set(live.orderId, routed);
    this.#file(routed);
    if (known.cancelWanted !== null) this.#endsWanted.add(live.orderId);
  }

  #place(order: PlaceOrder): void {
    assertPlaceable(order);
    const { type: _, ...terms } = order;
    const { orderId, quantity } = order;
    if (this.#orders.has(orderId)) {
      this.#log.rejected(orderId, 'duplicate_order_id');
      return;
    }
    const live: LiveOrder = {
      ...terms,
      arrival: ++this.#arrivals,
      filled: 0,
      remaining: quantity,
      displayed: 0,
      pendingTrigger: false,
    };
    const routed: Routed = {
      live,
      stage: 'waiting',
      cancelWanted: null,
      executions: new Set(),
      refused: 0,
      isUncounted: false,
      ending: null,
    };
    this.#orders.set(orderId, routed);
    this.#waiting.add(orderId);
    this.#log.accepted(orderId);
    this.#log.rested(orderId, quantity, false);
  }

  /** What was never sent ends at once; of anything else the broker is asked. The first reason stands. */
  #cancel(orderId: string, reason: CancelReason): void {
    const routed = this.#orders.get(orderId);
    if (routed === undefined || routed.cancelWanted !== null) return;
    if (routed.stage === 'waiting') {
      this.#leave(routed);
      this.#log.cancelled(orderId, routed.live.remaining, reason);
      return;
    }
    routed.cancelWanted = reason;
    this.#endsWanted.add(orderId);
    this.#log.cancelWanted(orderId, reason);
  }

  #report(report: BrokerReport): void {
    switch (report.type) {
      case 'taken': {
        const routed = this.#orders.get(report.orderId);
        if (routed !== undefined) this.#enter(routed, 'taken');
        return;
      }
      case 'execution':
      case 'unfit_execution':
        this.#execute(report);
        return;
      case 'done':
        this.#done(report);
        return;
      case 'break':
        this.#log.broken(report.break);
        return;
    }
  }

  /** Each execution counts once, for good. What the order does not allow is not applied. */
  #execute(report: ExecutionReport | UnfitExecutionReport): void {
    const { orderId, executionId } = report;
    const routed = this.#orders.get(orderId);
    if (routed === undefined) {
      const known = this.#ended.executionsOf(orderId);
      if (known?.includes(executionId)) return;
      this.#break(report, known === undefined ? 'unknown_order' : 'order_ended');
      return;
    }
    if (routed.executions.has(executionId)) return;
    this.#enter(routed, 'taken');
    const { live } = routed;
    const isKnown = this.#remember(routed, executionId);
    const refusal = isKnown ? refusalOf(report, live) : 'too_many_executions';
    if (refusal !== null) {
      routed.refused += report.quantity ?? 0;
      // What is not remembered may be counted twice.
      routed.isUncounted ||= report.quantity === null || !isKnown;
      this.#break(report, refusal);
    } else if (report.type === 'execution') {
      const { price, quantity } = report;
      const remaining = live.remaining - quantity;
      routed.live = { ...live, filled: live.filled + quantity, remaining };
      this.#lastPrice = price;
      this.#log.executed(orderId, executionId, price, quantity, remaining);
    }
    if (report.fillsOrder) this.#hearEnding(routed, { outcome: 'cancelled', filled: live.quantity });
    if (routed.live.remaining === 0) this.#leave(routed);
    else this.#endOnceAllIsHere(routed);
  }

  /** False where the order has too many executions to know this one again. */
  #remember({ live: { orderId }, executions }: Routed, executionId: string): boolean {
    if (executions.size >= EXECUTIONS_KNOWN_MAX) return false;
    executions.add(executionId);
    if (executions.size === EXECUTIONS_MAX) this.#cancel(orderId, 'broker');
    return true;
  }

  #done(report: DoneReport): void {
    const { orderId, outcome, filled } = report;
    const routed = this.#orders.get(orderId);
    if (routed === undefined) {
      if (this.#ended.executionsOf(orderId) === undefined) this.#break(report, 'unknown_order');
      return;
    }
    if (routed.ending !== null) return;
    this.#enter(routed, 'taken');
    const here = routed.live.filled + routed.refused;
    if (filled === null) this.#break(report, 'not_exact');
    else if (filled < here) this.#break(report, 'filled_differs');
    this.#hearEnding(routed, { outcome, filled: filled ?? here });
    this.#endOnceAllIsHere(routed);
  }

  /** The first word of the broker stands. */
  #hearEnding(routed: Routed, ending: Ending): void {
    routed.ending ??= ending;
    this.#watched.delete(routed.live.orderId);
  }

  /**
   * An order ends once every execution that it had at the broker is here, applied or refused. Where they cannot be counted, it ends as soon as
   * the broker says that it has.
   */
  #endOnceAllIsHere(routed: Routed): void {
    const { live, refused, isUncounted, ending, cancelWanted } = routed;
    const { orderId, remaining } = live;
    const isAllHere = live.filled + refused >= (ending?.filled ?? live.quantity);
    if (!isAllHere && !(isUncounted && ending !== null)) return;
    this.#leave(routed);
    if (ending?.outcome === 'rejected' && live.filled === 0) this.#log.rejected(orderId, 'broker_rejected');
    else if (ending?.outcome === 'expired') this.#log.expired(orderId, remaining);
    else this.#log.cancelled(orderId, remaining, cancelWanted ?? unaskedReason(live));
  }

  #break(report: ExecutionReport | UnfitExecutionReport | DoneReport, kind: BreakKind): void {
    const { id, orderId, at } = report;
    const executionId = report.type === 'done' ? null : report.executionId;
    this.#log.broken({ id, kind, orderId, executionId, detail: wordsOf(report), at });
  }

  /** Stages follow each other: an order that the broker has is never handed over again. */
  #enter(routed: Routed, stage: RoutingStage): void {
    const { orderId } = routed.live;
    if (routed.stage === 'taken') return;
    this.#waiting.delete(orderId);
    this.#handed.delete(orderId);
    routed.stage = stage;
    this.#file(routed);
  }

  #file({ live: { orderId }, stage, ending }: Routed): void {
    if (stage === 'waiting') this.#waiting.add(orderId);
    if (stage === 'handed') this.#handed.add(orderId);
    if (stage === 'taken' && ending === null) this.#watched.add(orderId);
  }

  #leave({ live: { orderId }, executions }: Routed): void {
    this.#orders.delete(orderId);
    this.#waiting.delete(orderId);
    this.#handed.delete(orderId);
    this.#endsWanted.delete(orderId);
    this.#watched.delete(orderId);
    this.#ended.add(orderId, [...executions]);
  }
}

/** Why an execution is none of this order's, or null. */
function refusalOf(report: ExecutionReport | UnfitExecutionReport, live: LiveOrder): BreakKind | null {
  if ((report.side ?? live.side) !== live.side) return 'wrong_side';
  if (report.type === 'unfit_execution') return 'not_exact';
  const { price, quantity } = report;
  if (quantity > live.remaining) return 'exceeds_order';
  return crosses(live.side, live.price, price) ? null : 'outside_limit';
}

function wordsOf(report: ExecutionReport | UnfitExecutionReport | DoneReport): string {
  switch (report.type) {
    case 'execution':
      return `${report.quantity} at ${report.price}${report.venue === null ? '' : ` on ${report.venue}`}`;
    case 'unfit_execution':
      return report.detail;
    case 'done':
      return `${report.outcome} with ${report.filled ?? 'no countable quantity'} filled`;
  }
}

function unaskedReason({ orderType, timeInForce }: LiveOrder): CancelReason {
  return isImmediate(orderType, timeInForce) ? 'unfilled' : 'broker';
}

function routedOrder(routed: Routed): RoutedOrder {
  const { live, stage, cancelWanted, executions, refused, isUncounted, ending } = routed;
  return { orderId: live.orderId, stage, cancelWanted, executions: [...executions], refused, isUncounted, ending };
}

function assertRule(holds: boolean, rule: string): void {
  if (!holds) throw new Error(`broken: ${rule}`);
}
