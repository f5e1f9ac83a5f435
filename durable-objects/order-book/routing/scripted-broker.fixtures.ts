import type {
  BrokerClient,
  BrokerEvent,
  BrokerOrder,
  BrokerOrderTerms,
  BrokerRefusal,
  BrokerReplacement,
  BrokerUnavailable,
  SubmitAnswer,
} from '../../../domain/broker/broker-client.ts';
import { decimalToScaled, scaledToDecimal } from '../../../domain/money/decimal-text.ts';
import { err, ok, type Result } from '../../../domain/result.ts';

const AWAY: BrokerUnavailable = { reason: 'unavailable', retryAfter_ms: null, detail: 'away' };
const SCALE = 6;

type Call = 'submit' | 'cancel' | 'replace' | 'events';

/** A broker that does what a test says, and nothing by itself: orders rest until `fill` or `end`. */
export class ScriptedBroker implements BrokerClient {
  readonly orders = new Map<string, BrokerOrder>();
  /** Every call with its order, in the order in which they came. */
  readonly calls: string[] = [];
  /** Calls that find nobody. */
  readonly away = new Set<Call>();
  /** Calls that nobody answers. */
  readonly hanging = new Set<Call>();
  /** Calls that are carried out, and whose answer is lost, so many times. */
  readonly lostAnswers = new Map<Call, number>();
  /** What it refuses of an order; null takes it. */
  refusal: (order: BrokerOrderTerms) => BrokerRefusal | null = () => null;
  /** Runs once an order is taken. */
  onOrder: (order: BrokerOrder) => void = () => undefined;
  /** Whether a cancel ends its order at once. */
  cancelsAtOnce = true;
  /** Whether a replacement is carried out at once, and whether it is refused. */
  replacesAtOnce = true;
  refusesReplacements = false;
  /** Full pages of events in other symbols that come before those of its orders. */
  pagesOfOthers = 0;
  /** How many calls had come each time that its events were read. */
  readonly readAfter: number[] = [];
  submitMany?: NonNullable<BrokerClient['submitMany']>;
  readonly #wanted = new Map<string, BrokerReplacement>();
  #events: BrokerEvent[] = [];
  #told = 0;

  async submit(terms: BrokerOrderTerms): Promise<SubmitAnswer> {
    this.calls.push(`submit ${terms.clientOrderId}`);
    if (this.hanging.has('submit')) return new Promise(() => undefined);
    const answer = this.#take(terms);
    return this.#isLost('submit') ? err(AWAY) : answer;
  }

  #take(terms: BrokerOrderTerms): SubmitAnswer {
    if (this.away.has('submit')) return err(AWAY);
    const refusal = this.orders.has(terms.clientOrderId) ? null : this.refusal(terms);
    if (refusal !== null) return err(refusal);
    const known = this.orders.get(terms.clientOrderId);
    const order = known ?? { ...terms, status: 'open', filled: '0', revision: 0 };
    this.orders.set(terms.clientOrderId, order);
    if (known === undefined) this.onOrder(order);
    return ok(this.orders.get(terms.clientOrderId) as BrokerOrder);
  }

  /** From now on it takes many orders in one call, which is one of `calls`. */
  takeMany(): void {
    this.submitMany = async (_symbol, orders) => {
      this.calls.push(`submit ${orders.length}`);
      const answers = orders.map((order) => this.#take(order));
      return this.#isLost('submit') ? err(AWAY) : ok(answers);
    };
  }

  async cancel(_symbol: string, clientOrderId: string): Promise<Result<null, BrokerRefusal | BrokerUnavailable>> {
    this.calls.push(`cancel ${clientOrderId}`);
    if (this.away.has('cancel')) return err(AWAY);
    const order = this.orders.get(clientOrderId);
    if (order === undefined) return err({ reason: 'refused', code: 'unknown_order', detail: '' });
    if (order.status !== 'open') return err({ reason: 'refused', code: 'order_ended', detail: '' });
    if (this.cancelsAtOnce) this.end(clientOrderId, 'canceled');
    return this.#isLost('cancel') ? err(AWAY) : ok(null);
  }

  /** Of one symbol: the book of an earlier test, which its alarm wakes, hears nothing of orders that it does not have. */
  async events(symbol: string, after: string | null) {
    this.readAfter.push(this.calls.length);
    if (this.away.has('events')) return err(AWAY);
    const from = after === null ? 0 : Number(after);
    if (from < this.pagesOfOthers) return ok({ events: [], cursor: String(from + 1), more: true });
    const events = this.#events.slice(from - this.pagesOfOthers).filter((event) => event.symbol === symbol);
    const page = { events, cursor: String(this.pagesOfOthers + this.#events.length), more: false };
    return this.#isLost('events') ? err(AWAY) : ok(page);
  }

  async replace(_symbol: string, clientOrderId: string, change: BrokerReplacement) {
    this.calls.push(`replace ${clientOrderId} ${change.revision}`);
    if (this.away.has('replace')) return err(AWAY);
    const order = this.orders.get(clientOrderId);
    if (order === undefined || order.status !== 'open' || this.refusesReplacements)
      return err({ reason: 'refused', code: 'order_ended', detail: '' } as const);
    this.#wanted.set(clientOrderId, change);
    if (this.replacesAtOnce && order.revision < change.revision) this.carryOut(clientOrderId);
    return this.#isLost('replace') ? err(AWAY) : ok(null);
  }

  /** The terms that were asked for last; null where none were. */
  wanted(clientOrderId: string): BrokerReplacement | null {
    return this.#wanted.get(clientOrderId) ?? null;
  }

  /** Gives an order the terms that were asked for, and says so unless that is kept. */
  carryOut(clientOrderId: string, isTold = true): BrokerEvent {
    const [order, change] = [this.orders.get(clientOrderId), this.#wanted.get(clientOrderId)];
    if (order === undefined || change === undefined) throw new Error(`nothing was asked for ${clientOrderId}`);
    this.orders.set(clientOrderId, { ...order, ...change });
    const of = { id: `replaced-${clientOrderId}-${change.revision}`, symbol: order.symbol, clientOrderId, at_ms: 1 };
    const event = { ...of, ...change, type: 'replaced', filled: order.filled } as const;
    return isTold ? this.tell(event) : event;
  }

  /** Says that an order keeps its terms. */
  rejectReplacement(clientOrderId: string): BrokerEvent {
    const [order, change] = [this.orders.get(clientOrderId), this.#wanted.get(clientOrderId)];
    if (order === undefined || change === undefined) throw new Error(`nothing was asked for ${clientOrderId}`);
    const { revision } = change;
    const of = { id: `rejected-${clientOrderId}-${revision}`, symbol: order.symbol, clientOrderId, at_ms: 1 };
    return this.tell({ ...of, type: 'replace_rejected', revision, detail: null });
  }

  async order(_symbol: string, clientOrderId: string) {
    return ok(this.orders.get(clientOrderId) ?? null);
  }

  async openOrders() {
    return ok({ orders: [...this.orders.values()].filter(({ status }) => status === 'open'), next: null });
  }

  async position() {
    return ok('0');
  }

  /** Executes so much of an order and says so. */
  fill(clientOrderId: string, quantity: string, price: string, executionId = `x${++this.#told}`): BrokerEvent {
    const order = this.orders.get(clientOrderId);
    if (order === undefined) throw new Error(`the broker has no order ${clientOrderId}`);
    const filled = units(order.filled) + units(quantity);
    const isWhole = filled === units(order.quantity);
    const status = isWhole ? 'filled' : order.status;
    this.orders.set(clientOrderId, { ...order, filled: scaledToDecimal(filled, SCALE), status });
    const of = { id: `event-${executionId}`, symbol: order.symbol, clientOrderId, at_ms: 1 };
    return this.tell({ ...of, type: isWhole ? 'fill' : 'partial_fill', executionId, venue: 'V1', price, quantity });
  }

  end(clientOrderId: string, reason: 'canceled' | 'expired' | 'rejected'): BrokerEvent {
    const order = this.orders.get(clientOrderId);
    if (order === undefined) throw new Error(`the broker has no order ${clientOrderId}`);
    this.orders.set(clientOrderId, { ...order, status: reason });
    const of = { id: `done-${clientOrderId}`, symbol: order.symbol, clientOrderId, at_ms: 1 };
    return this.tell({ ...of, type: 'done', reason, filled: order.filled, detail: null });
  }

  /** An event, once more or of a test's own making. */
  tell(event: BrokerEvent): BrokerEvent {
    this.#events.push(event);
    return event;
  }

  /** Events from now on, as a test puts them; what was told before stays. */
  retell(arrange: (events: readonly BrokerEvent[]) => readonly BrokerEvent[], from: number): void {
    this.#events = [...this.#events.slice(0, from), ...arrange(this.#events.slice(from))];
  }

  get told(): number {
    return this.#events.length;
  }

  #isLost(call: Call): boolean {
    const left = this.lostAnswers.get(call) ?? 0;
    this.lostAnswers.set(call, Math.max(0, left - 1));
    return left > 0;
  }
}

function units(decimal: string): number {
  const scaled = decimalToScaled(decimal, SCALE);
  if (!scaled.ok) throw new Error(`${decimal} is no quantity`);
  return scaled.value;
}
