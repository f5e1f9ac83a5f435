import type { BreakKind, BrokerBreak, KnownTerms } from '../../../../domain/ledger/records.ts';
import type { Side } from '../../../../domain/orders/order.ts';
import type {
  AmendOrder,
  CancelReason,
  EngineCommand,
  EngineEvent,
  EngineSnapshot,
  Level,
  LiveOrder,
  PlaceOrder,
  RefuseReason,
  WantedEnd,
} from '../engine.ts';
import { EventLog } from '../event-log.ts';
import { assertAmendable, assertPlaceable, crosses, isImmediate } from '../rules.ts';
import { StateHash } from '../state-hash.ts';
import type {
  BrokerReport,
  DoneReport,
  ExecutionReport,
  ReplacedReport,
  ReplaceRejectedReport,
  UnfitExecutionReport,
} from './broker-report.ts';
import { EndedOrders } from './ended-orders.ts';
import { Expiries } from './expiries.ts';
import { Turns } from './turns.ts';
import type {
  Ending,
  FormerPrice,
  KnownExecution,
  Replacement,
  ReplacementOutcome,
  RoutedOrder,
  RoutingStage,
  VenueEngine,
  VenueSnapshot,
} from './venue-engine.ts';

/** With so many executions an order has its end asked for: each is remembered while it lives. */
const EXECUTIONS_MAX = 10_000;
/** What still comes until it ends is remembered up to here, and is a break beyond. */
const EXECUTIONS_KNOWN_MAX = 2 * EXECUTIONS_MAX;

/** Times that the broker is asked for other terms of one order: it may follow them one by one to find it. */
const REVISIONS_MAX = 40;

/** A live order. */
interface Routed {
  live: LiveOrder;
  stage: RoutingStage;
  cancelWanted: WantedEnd | null;
  readonly executions: Map<string, KnownExecution>;
  refused: number;
  isUncounted: boolean;
  revision: number;
  replacement: Replacement | null;
  former: FormerPrice | null;
  outcome: ReplacementOutcome | null;
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
  /** Those of them that never rest. */
  readonly #immediates = new Set<string>();
  readonly #handed = new Set<string>();
  readonly #endsWanted = new Turns();
  readonly #replacementsWanted = new Turns();
  /** Those that the broker has and has not ended. */
  readonly #watched = new Turns();
  readonly #expiries = new Expiries();
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

  apply(command: EngineCommand, now: number): EngineEvent[] {
    switch (command.type) {
      case 'place':
        this.#place(command, now);
        break;
      case 'cancel':
        this.#endBy(command.orderId, 'user');
        break;
      case 'mass_cancel':
        for (const orderId of command.orderIds) this.#endBy(orderId, command.reason);
        break;
      case 'amend':
        this.#amend(command);
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

  /** What was never sent expires at once; of anything else the broker is asked for the end, and what executes before counts. */
  expire(now: number, count: number): EngineEvent[] {
    for (const orderId of this.#expiries.due(now, count)) this.#endBy(orderId, 'expired');
    return this.#log.take();
  }

  nextExpiry(): number | null {
    return this.#expiries.next;
  }

  get cursor(): string | null {
    return this.#cursor;
  }

  waiting(count: number): string[] {
    return this.#waiting.next(count);
  }

  waitingImmediates(count: number): string[] {
    const ids: string[] = [];
    for (const id of this.#immediates) {
      if (ids.length >= count) break;
      ids.push(id);
    }
    return ids;
  }

  get isAnySent(): boolean {
    return this.#orders.size > this.#waiting.size;
  }

  handedOver(): string[] {
    return [...this.#handed];
  }

  get hasToSend(): boolean {
    return this.#waiting.size + this.#handed.size + this.#endsWanted.size > 0;
  }

  isEndWanted(orderId: string): boolean {
    return this.#endsWanted.has(orderId);
  }

  endsWanted(count: number, isDue: (orderId: string) => boolean): string[] {
    return this.#endsWanted.next(count, isDue);
  }

  replacementsWanted(count: number, isDue: (orderId: string) => boolean): string[] {
    return this.#replacementsWanted.next(count, isDue);
  }

  replacement(orderId: string): Replacement | null {
    return this.#orders.get(orderId)?.replacement ?? null;
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

  reprice(price: number): void {
    if (this.#lastPrice !== null) this.#lastPrice = price;
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
    for (const [orderId, { live, stage, cancelWanted, refused, ending, replacement }] of this.#orders) {
      const whole = Math.max(live.quantity, replacement?.quantity ?? 0);
      assertRule(live.remaining > 0 && live.filled + live.remaining === whole, `order ${orderId} is whole`);
      assertRule(live.filled <= live.quantity, `order ${orderId} has filled no more than its quantity`);
      const isAsked = stage === 'taken' && replacement !== null;
      assertRule(this.#replacementsWanted.has(orderId) === isAsked, `other terms of ${orderId} are asked for`);
      assertRule(live.arrival > arrival && live.arrival <= this.#arrivals, `order ${orderId} stands in arrival order`);
      arrival = live.arrival;
      assertRule(this.#waiting.has(orderId) === (stage === 'waiting'), `order ${orderId} waits as its stage says`);
      const isImmediateHere = stage === 'waiting' && isImmediate(live.orderType, live.timeInForce);
      assertRule(
        this.#immediates.has(orderId) === isImmediateHere,
        `order ${orderId} is known to wait and never to rest`,
      );
      assertRule(this.#handed.has(orderId) === (stage === 'handed'), `order ${orderId} is handed over once`);
      assertRule(this.#endsWanted.has(orderId) === (cancelWanted !== null), `the end of ${orderId} is asked for`);
      const isGoodTill = live.timeInForce === 'GTD' && cancelWanted === null && ending === null;
      assertRule(this.#expiries.has(orderId) === isGoodTill, `order ${orderId} expires at its time`);
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
    const routed: Routed = { ...kept, live: { ...live }, executions: executionsOf(known) };
    this.#orders.set(live.orderId, routed);
    this.#file(routed);
    if (known.cancelWanted !== null) this.#endsWanted.add(live.orderId);
    else if (known.ending === null) this.#fileExpiry(live);
  }

  #place(order: PlaceOrder, now: number): void {
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
      executions: new Map(),
      refused: 0,
      isUncounted: false,
      revision: 0,
      replacement: null,
      former: null,
      outcome: null,
      ending: null,
    };
    this.#log.accepted(orderId);
    if (order.timeInForce === 'GTD' && order.expiresAt <= now) {
      this.#log.expired(orderId, quantity);
      return;
    }
    this.#orders.set(orderId, routed);
    this.#file(routed);
    this.#fileExpiry(live);
    this.#log.rested(orderId, quantity, false);
  }

  /** What was never sent changes at once; of anything else the broker is asked, and until its answer either terms may execute. */
  #amend(amendment: AmendOrder): void {
    assertAmendable(amendment);
    const { orderId, quantity, price } = amendment;
    const routed = this.#orders.get(orderId);
    const refusal = routed === undefined ? 'not_found' : refusalOfAmendment(routed, amendment);
    if (routed === undefined || refusal !== null) {
      this.#log.refused(orderId, refusal ?? 'not_found');
      return;
    }
    const { live } = routed;
    const isSame = quantity === live.quantity && price === live.price;
    if (routed.stage === 'waiting' || isSame) {
      routed.live = { ...live, quantity, price, remaining: quantity - live.filled, ...priceMostIn(amendment) };
      this.#log.amended(orderId, quantity, price, quantity - live.filled, true);
      return;
    }
    routed.revision += 1;
    routed.replacement = { revision: routed.revision, quantity, price, filledBefore: live.filled, either: [] };
    routed.outcome = null;
    const remaining = Math.max(live.quantity, quantity) - live.filled;
    routed.live = { ...live, remaining, ...priceMostIn(amendment) };
    if (routed.stage === 'taken') this.#replacementsWanted.add(orderId);
    this.#log.replaceWanted(orderId, routed.revision, quantity, price);
  }

  /** What was never sent ends at once; of anything else the broker is asked. The first reason stands. */
  #endBy(orderId: string, reason: WantedEnd): void {
    const routed = this.#orders.get(orderId);
    if (routed === undefined || routed.cancelWanted !== null) return;
    if (routed.stage === 'waiting') {
      this.#leave(routed);
      this.#tellEnd(routed, reason);
      return;
    }
    routed.cancelWanted = reason;
    this.#expiries.delete(orderId);
    this.#endsWanted.add(orderId);
    this.#log.cancelWanted(orderId, reason);
  }

  #tellEnd({ live: { orderId, remaining } }: Routed, reason: WantedEnd): void {
    if (reason === 'expired') this.#log.expired(orderId, remaining);
    else this.#log.cancelled(orderId, remaining, reason);
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
      case 'replaced':
      case 'replace_rejected':
        this.#replace(report);
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
      const executions = this.#ended.executionsOf(orderId);
      const known = executions?.find(([id]) => id === executionId);
      if (known !== undefined) this.#compare(report, known);
      else this.#break(report, executions === undefined ? 'unknown_order' : 'order_ended');
      return;
    }
    const known = routed.executions.get(executionId);
    if (known !== undefined) {
      this.#compare(report, known);
      return;
    }
    this.#enter(routed, 'taken');
    const { live } = routed;
    const isKnown = this.#remember(routed, report);
    const refusal = isKnown ? refusalOf(report, routed) : 'too_many_executions';
    if (refusal !== null) {
      routed.refused += report.quantity ?? 0;
      // What is not remembered may be counted twice.
      routed.isUncounted ||= report.quantity === null || !isKnown;
      this.#break(report, refusal);
    } else if (report.type === 'execution') {
      const { price, quantity } = report;
      const [filled, remaining] = [live.filled + quantity, live.remaining - quantity];
      // More than its quantity: the broker has raised it, whatever else it has changed.
      const whole = Math.max(live.quantity, filled > live.quantity ? filled + remaining : 0);
      routed.live = { ...live, quantity: whole, filled, remaining };
      if (whole > live.quantity) this.#log.raised(orderId, whole);
      this.#lastPrice = price;
      this.#log.executed(orderId, executionId, price, quantity, remaining);
      this.#countFormer(routed, report);
    }
    if (report.fillsOrder) this.#hearEnding(routed, { outcome: 'cancelled', filled: null });
    if (routed.live.remaining === 0) this.#leave(routed);
    else this.#endOnceAllIsHere(routed);
  }

  /** The same said again is nothing; said otherwise it moves nothing either, and is kept beside what was said first. */
  #compare(report: ExecutionReport | UnfitExecutionReport, [, side, price, quantity]: KnownExecution): void {
    const [, saysSide, saysPrice, saysQuantity] = knownAs(report, side);
    if (saysSide === side && saysPrice === price && saysQuantity === quantity) return;
    // The broker may say both under one id.
    const id = `${report.id} ${saysSide} ${saysQuantity} ${saysPrice}`;
    this.#break({ ...report, id }, 'execution_differs', { side, price, quantity });
  }

  /** What the broker has made of other terms that it was asked for. */
  #replace(report: ReplacedReport | ReplaceRejectedReport): void {
    const { orderId, revision } = report;
    const routed = this.#orders.get(orderId);
    if (routed === undefined) {
      if (this.#ended.executionsOf(orderId) === undefined) this.#break(report, 'unknown_order');
      return;
    }
    const { replacement, live } = routed;
    const isContradiction =
      revision > routed.revision ||
      (revision === routed.revision && routed.outcome !== null && routed.outcome !== report.type);
    if (isContradiction) this.#break(report, 'unknown_replacement');
    if (replacement?.revision !== revision) return;
    routed.outcome = report.type;
    this.#enter(routed, 'taken');
    this.#replacementsWanted.delete(orderId);
    routed.replacement = null;
    if (report.type === 'replace_rejected') {
      this.#retake(routed, live.quantity, live.price);
      this.#log.replaceRejected(orderId, routed.live.price, routed.live.remaining);
    } else {
      if (report.filled === null) this.#break(report, 'not_exact');
      // All that it fills counts for its new quantity, whenever it comes.
      this.#retake(routed, Math.max(replacement.quantity, live.filled), replacement.price);
      let quantity = (report.filled ?? routed.live.quantity) - replacement.filledBefore;
      for (const execution of replacement.either) if (execution.at < report.at) quantity -= execution.quantity;
      const isTighter = !crosses(live.side, replacement.price, live.price);
      if (isTighter && quantity > 0) routed.former = { price: live.price, quantity, until: report.at };
      this.#tellTerms(routed);
    }
    if (routed.live.remaining === 0) this.#leave(routed);
    else this.#endOnceAllIsHere(routed);
  }

  /** An execution that the terms to come, or those that came, do not allow is on the former ones, and so is one from before. */
  #countFormer(routed: Routed, { price, quantity, at }: ExecutionReport): void {
    const { live, replacement, former } = routed;
    if (replacement !== null) {
      const { filledBefore, either } = replacement;
      routed.replacement = crosses(live.side, replacement.price, price)
        ? { ...replacement, either: [...either, { at, quantity }] }
        : { ...replacement, filledBefore: filledBefore + quantity };
    }
    if (former === null || (crosses(live.side, live.price, price) && at >= former.until)) return;
    const left = former.quantity - quantity;
    routed.former = left > 0 ? { ...former, quantity: left } : null;
    if (left <= 0 && live.remaining > 0) this.#tellTerms(routed);
  }

  #tellTerms({ live: { orderId, quantity, price, remaining }, former }: Routed): void {
    this.#log.replaced(orderId, { quantity, price, limit: former?.price ?? price, remaining });
  }

  #retake(routed: Routed, quantity: number, price: number): void {
    routed.live = { ...routed.live, quantity, price, remaining: quantity - routed.live.filled };
  }

  /** False where the order has too many executions to know this one again. */
  #remember({ live: { orderId, side }, executions }: Routed, report: ExecutionReport | UnfitExecutionReport): boolean {
    if (executions.size >= EXECUTIONS_KNOWN_MAX) return false;
    executions.set(report.executionId, knownAs(report, side));
    if (executions.size === EXECUTIONS_MAX) this.#endBy(orderId, 'broker');
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
    this.#expiries.delete(routed.live.orderId);
  }

  /**
   * An order ends once every execution that it had at the broker is here, applied or refused. Where they cannot be counted, it ends as soon as
   * the broker says that it has.
   */
  #endOnceAllIsHere(routed: Routed): void {
    const { live, refused, isUncounted, ending, cancelWanted, replacement } = routed;
    const { orderId } = live;
    const whole = live.filled + live.remaining;
    // Which quantity the broker has filled whole is open while a replacement is.
    const isOpen = ending !== null && ending.filled === null && replacement !== null;
    const isAllHere = !isOpen && live.filled + refused >= (ending?.filled ?? whole);
    if (!isAllHere && !(isUncounted && ending !== null)) return;
    this.#leave(routed);
    if (ending?.outcome === 'rejected' && live.filled === 0) this.#log.rejected(orderId, 'broker_rejected');
    else if (ending?.outcome === 'expired') this.#tellEnd(routed, 'expired');
    else this.#tellEnd(routed, cancelWanted ?? unaskedReason(live));
  }

  #break(report: Told, kind: BreakKind, known?: KnownTerms): void {
    const { id, orderId, at } = report;
    const executionId = 'executionId' in report ? report.executionId : null;
    this.#log.broken({
      id,
      kind,
      orderId,
      executionId,
      detail: wordsOf(report),
      at,
      ...termsOf(report),
      ...(known && { known }),
    });
  }

  /** Stages follow each other: an order that the broker has is never handed over again. */
  #enter(routed: Routed, stage: RoutingStage): void {
    const { orderId } = routed.live;
    if (routed.stage === 'taken') return;
    this.#waiting.delete(orderId);
    this.#immediates.delete(orderId);
    this.#handed.delete(orderId);
    routed.stage = stage;
    this.#file(routed);
  }

  #file({ live: { orderId, orderType, timeInForce }, stage, ending, replacement }: Routed): void {
    if (stage === 'waiting') this.#waiting.add(orderId);
    if (stage === 'waiting' && isImmediate(orderType, timeInForce)) this.#immediates.add(orderId);
    if (stage === 'handed') this.#handed.add(orderId);
    if (stage === 'taken' && ending === null) this.#watched.add(orderId);
    if (stage === 'taken' && replacement !== null) this.#replacementsWanted.add(orderId);
  }

  #fileExpiry(live: LiveOrder): void {
    if (live.timeInForce === 'GTD') this.#expiries.add(live);
  }

  #leave({ live: { orderId }, executions }: Routed): void {
    this.#orders.delete(orderId);
    this.#waiting.delete(orderId);
    this.#immediates.delete(orderId);
    this.#handed.delete(orderId);
    this.#endsWanted.delete(orderId);
    this.#replacementsWanted.delete(orderId);
    this.#watched.delete(orderId);
    this.#expiries.delete(orderId);
    this.#ended.add(orderId, [...executions.values()]);
  }
}

function executionsOf({ executions }: RoutedOrder): Map<string, KnownExecution> {
  return new Map(executions.map((known) => [known[0], known]));
}

/** @param side of its order, where the broker does not say it */
function knownAs(report: ExecutionReport | UnfitExecutionReport, side: Side): KnownExecution {
  const price = report.type === 'execution' ? report.price : null;
  return [report.executionId, report.side ?? side, price, report.quantity];
}

type Told = Exclude<BrokerReport, { type: 'taken' | 'break' }>;

/** Why an execution is none of this order's, or null. While a replacement is under way it may be on the former terms or on those. */
function refusalOf(
  report: ExecutionReport | UnfitExecutionReport,
  { live, replacement, former }: Pick<Routed, 'live' | 'replacement' | 'former'>,
): BreakKind | null {
  if ((report.side ?? live.side) !== live.side) return 'wrong_side';
  if (report.type === 'unfit_execution') return 'not_exact';
  const { price, quantity } = report;
  if (price > (live.priceMost ?? price)) return 'not_exact';
  if (quantity > live.remaining) return 'exceeds_order';
  if (former !== null && quantity <= former.quantity && crosses(live.side, former.price, price)) return null;
  const within = [live, ...(replacement === null ? [] : [replacement])].filter((terms) =>
    crosses(live.side, terms.price, price),
  );
  if (within.length === 0) return 'outside_limit';
  return within.some((terms) => live.filled + quantity <= terms.quantity) ? null : 'exceeds_order';
}

function priceMostIn({ priceMost }: AmendOrder): Pick<LiveOrder, 'priceMost'> {
  return priceMost === undefined ? {} : { priceMost };
}

/** Why an order is not amended, or null. */
function refusalOfAmendment(
  { live, stage, cancelWanted, ending, replacement, former, revision }: Routed,
  { quantity, unfilledOnly }: AmendOrder,
): RefuseReason | null {
  if (unfilledOnly && live.filled > 0) return 'partially_filled';
  if (quantity <= live.filled) return 'quantity_not_above_filled';
  if (stage === 'waiting') return null;
  if (isImmediate(live.orderType, live.timeInForce)) return 'handed_over';
  // One wish at a time: which terms the broker goes by would not be known.
  if (cancelWanted !== null || ending !== null) return 'end_under_way';
  if (replacement !== null || former !== null) return 'change_under_way';
  return revision >= REVISIONS_MAX ? 'changed_too_often' : null;
}

/** Amounts in the market's units stand beside these. */
function wordsOf(report: Told): string {
  switch (report.type) {
    case 'replaced':
      return `revision ${report.revision} is carried out${uncounted(report)}`;
    case 'replace_rejected':
      return `revision ${report.revision} is rejected`;
    case 'execution':
      return `an execution${report.venue === null ? '' : ` on ${report.venue}`}`;
    case 'unfit_execution':
      return report.detail;
    case 'done':
      return `${report.outcome}${uncounted(report)}`;
  }
}

function uncounted({ filled }: DoneReport | ReplacedReport): string {
  return filled === null ? ' with no countable quantity filled' : '';
}

function termsOf(report: Told): Pick<BrokerBreak, 'side' | 'price' | 'quantity'> {
  switch (report.type) {
    case 'execution':
      return { ...sideOf(report), price: report.price, quantity: report.quantity };
    case 'unfit_execution':
      return { ...sideOf(report), ...(report.quantity !== null && { quantity: report.quantity }) };
    case 'done':
    case 'replaced':
      return report.filled === null ? {} : { quantity: report.filled };
    case 'replace_rejected':
      return {};
  }
}

function sideOf({ side }: ExecutionReport | UnfitExecutionReport): Pick<BrokerBreak, 'side'> {
  return side === undefined ? {} : { side };
}

function unaskedReason({ orderType, timeInForce }: LiveOrder): CancelReason {
  return isImmediate(orderType, timeInForce) ? 'unfilled' : 'broker';
}

function routedOrder(routed: Routed): RoutedOrder {
  const { live, executions, ...rest } = routed;
  return { ...rest, orderId: live.orderId, executions: [...executions.values()] };
}

function assertRule(holds: boolean, rule: string): void {
  if (!holds) throw new Error(`broken: ${rule}`);
}
