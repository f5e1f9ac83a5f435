import { type FixMessage, textOf } from '../codec/fix-message.ts';
import { TAG } from '../codec/tags.ts';
import { log } from '../log.ts';
import type { SessionPort } from '../transport/session-port.ts';
import { CLOCKS_APART_MS_MAX, createdAtOf } from './account-state.ts';
import type { Outgoing } from './application.ts';
import { type CallerHeaders, type Exchange, TIMEOUT_MS } from './exchange.ts';
import { executionReport, rejectedReport } from './execution-report.ts';
import type { OrderDesk } from './order-desk.ts';
import {
  clOrdIdOf,
  findOrder,
  findPlaced,
  isUnanswered,
  type Placement,
  type PlacementOutcome,
  placeOrders,
} from './order-placement.ts';
import { NOTHING_EXECUTED, statedTerms, trackOrder } from './tracked-order.ts';
import type { OrderStanding, WireFill, WireOrder } from './wire.ts';

/** An order whose outcome is unknown is asked about for this long; then it is answered as the exchange knows it. */
const PLACE_MS_MAX = 10_000;
const RETRY_MS = 250;

/** A message that the session layer has accepted. */
export interface Taken {
  readonly sequence: number;
  readonly message: FixMessage;
  /** Accepted by an earlier process. */
  readonly recovered: boolean;
  readonly since_ms: number;
}

export interface PlacingTerms {
  readonly port: SessionPort;
  readonly exchange: Exchange;
  readonly desk: OrderDesk;
  /** Told of each order that was placed, once that is reported. */
  placed(order: WireOrder): void;
  isClosed(): boolean;
}

type Known = Exclude<PlacementOutcome, { type: 'unknown' }>;

/** Places the orders of one session, a batch at a time, and answers each of them. */
export class OrderPlacing {
  readonly #terms: PlacingTerms;
  #underWay = false;
  /** When the earliest of them was taken. */
  #since_ms = 0;
  /** Orders of which something is known, and whose answer could not be given. */
  #unanswered: Taken[] = [];
  /** Fills of orders whose placement is not answered yet. */
  #early: { readonly fill: WireFill; readonly isListed: boolean }[] = [];
  /** How those orders stand, as the feed has told it. */
  #earlyOrders: OrderStanding[] = [];

  constructor(terms: PlacingTerms) {
    this.#terms = terms;
  }

  get isUnderWay(): boolean {
    return this.#underWay;
  }

  /** Whether an order that the exchange has may be one of those under way. */
  mayBePlacing(orderId: string): boolean {
    return this.#underWay && createdAtOf(orderId) >= this.#since_ms - CLOCKS_APART_MS_MAX;
  }

  /** Reports a fill after the orders that are being placed: one of them may be its order. */
  hold(fill: WireFill, isListed = false): void {
    this.#early.push({ fill, isListed });
  }

  /** The same of how an order stands. */
  holdOrder(order: OrderStanding): void {
    this.#earlyOrders.push(order);
  }

  /** Never rejects. Returns what an error has left unanswered, which stands in the store and is to be taken up again. */
  async place(caller: CallerHeaders, orders: readonly Taken[]): Promise<Taken[]> {
    this.#underWay = true;
    this.#since_ms = Math.min(...orders.map(({ since_ms }) => since_ms));
    try {
      await this.#placeAll(caller, this.#withoutDuplicates(orders));
    } catch (error) {
      logFailure(error);
    } finally {
      this.#underWay = false;
      const { desk } = this.#terms;
      for (const { fill, isListed } of this.#early.splice(0)) desk.fill(fill, isListed);
      for (const order of this.#earlyOrders.splice(0)) desk.update(order);
    }
    return this.#unanswered.splice(0);
  }

  /** What is to be placed; a ClOrdID that was used before is refused here. */
  #withoutDuplicates(orders: readonly Taken[]): Placement[] {
    const asked: Placement[] = [];
    for (const order of orders) {
      const { sequence, message, recovered, since_ms } = order;
      const clOrdId = textOf(message, TAG.ClOrdID);
      const known = this.#terms.desk.findByClOrdId(clOrdId);
      const twice = asked.some((other) => clOrdIdOf(other) === clOrdId);
      if (known !== null || twice)
        this.#guarded(order, () => this.#terms.port.answer(sequence, [this.#duplicate(sequence, message)]));
      else asked.push({ sequence, message, repeated: recovered, since_ms });
    }
    return asked;
  }

  async #placeAll(caller: CallerHeaders, placements: readonly Placement[]): Promise<void> {
    let attempt_ms = 0;
    for (let waiting = placements; waiting.length > 0 && !this.#terms.isClosed(); ) {
      const isLate = ({ repeated, since_ms }: Placement) => repeated && Date.now() - since_ms > PLACE_MS_MAX;
      const { late = [], timely = [] } = Object.groupBy(waiting, (one) => (isLate(one) ? 'late' : 'timely'));
      if (timely.length > 0) attempt_ms = Date.now();
      const unplaced = await this.#attempt(caller, timely);
      waiting = [...unplaced, ...(await this.#lookUpAll(caller, late, attempt_ms))];
      if (waiting.length > 0) await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
  }

  /** What became of each; nothing where the answer cannot be read, which leaves open what became of all. */
  async #ask(caller: CallerHeaders, placements: readonly Placement[]): Promise<readonly PlacementOutcome[]> {
    try {
      return await placeOrders(this.#terms.exchange, caller, placements);
    } catch (error) {
      logFailure(error);
      return [];
    }
  }

  /** Places a batch once; returns those of which nobody knows what became. */
  async #attempt(caller: CallerHeaders, placements: readonly Placement[]): Promise<Placement[]> {
    if (placements.length === 0) return [];
    const outcomes = await this.#ask(caller, placements);
    return placements.flatMap((placement, index) => {
      const outcome = outcomes[index] ?? { type: 'unknown' };
      if (outcome.type === 'unknown') return [{ ...placement, repeated: true }];
      this.#answer(placement, outcome);
      return [];
    });
  }

  /** Orders that are too old to be placed now; returns those of which nobody knows what became. */
  async #lookUpAll(caller: CallerHeaders, placements: readonly Placement[], attempt_ms: number): Promise<Placement[]> {
    const unknown: Placement[] = [];
    for (const placement of placements) {
      const outcome = await this.#lookUp(caller, placement, attempt_ms);
      if (outcome.type === 'unknown') unknown.push(placement);
      else this.#answer(placement, outcome);
    }
    return unknown;
  }

  /** What became of an order. Nothing, once the last attempt can no longer be on its way. */
  async #lookUp(caller: CallerHeaders, placement: Placement, attempt_ms: number): Promise<PlacementOutcome> {
    const { exchange } = this.#terms;
    const asked_ms = Date.now();
    const clOrdId = clOrdIdOf(placement);
    const found = await findOrder(exchange, caller, clOrdId);
    if (isUnanswered(found) || (found === null && asked_ms - attempt_ms < TIMEOUT_MS)) return { type: 'unknown' };
    if (found !== null) return findPlaced(exchange, caller, clOrdId);
    return { type: 'rejected', orderId: null, reason: '4', text: 'the exchange was out of reach: nothing was placed' };
  }

  #answer(placement: Placement, outcome: Known): void {
    const { sequence, message, since_ms } = placement;
    this.#guarded({ sequence, message, since_ms, recovered: true }, () =>
      outcome.type === 'rejected' ? this.#rejected(placement, outcome) : this.#placed(placement, outcome.order),
    );
  }

  /** An order that cannot be answered holds up no other. */
  #guarded(order: Taken, answer: () => void): void {
    try {
      answer();
    } catch (error) {
      logFailure(error);
      this.#unanswered.push(order);
    }
  }

  #rejected({ sequence, message }: Placement, outcome: Extract<Known, { type: 'rejected' }>): void {
    const execId = this.#execIdOf(sequence);
    this.#terms.port.answer(sequence, [rejectedReport(message, { ...outcome, execId, time_ms: Date.now() })]);
  }

  #placed({ sequence, message }: Placement, order: WireOrder): void {
    const { desk, port } = this.#terms;
    const clOrdId = textOf(message, TAG.ClOrdID) ?? '';
    const tracked = trackOrder(order, {
      clOrdId,
      executed: NOTHING_EXECUTED,
      stated: statedTerms(message),
      isPlaced: true,
    });
    const terms = { execType: 'new', execId: `${tracked.orderId}-0`, time_ms: Date.now() } as const;
    // Before it is tracked: an order that is known and not answered would be taken for a duplicate when it comes again.
    port.answer(sequence, [executionReport(tracked, terms)]);
    desk.take(tracked);
    this.#terms.placed(order);
  }

  #duplicate(sequence: number, message: FixMessage): Outgoing {
    const known = this.#terms.desk.findByClOrdId(textOf(message, TAG.ClOrdID));
    const execId = this.#execIdOf(sequence);
    const time_ms = Date.now();
    if (known !== null && textOf(message, TAG.PossResend) === 'Y')
      return executionReport(known, { execType: 'status', execId, time_ms });
    const terms = { orderId: known?.orderId ?? null, execId, reason: '6', text: 'ClOrdID was used before', time_ms };
    return rejectedReport(message, terms);
  }

  /** ExecID of an answer that follows from no order. */
  #execIdOf(sequence: number): string {
    return `${this.#terms.port.store.createdAt_ms}-${sequence}`;
  }
}

function logFailure(error: unknown): void {
  log('error', 'placing_failed', { error: error instanceof Error ? error.message : String(error) });
}
