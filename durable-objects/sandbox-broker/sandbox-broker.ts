import { DurableObject } from 'cloudflare:workers';
import {
  type BrokerEventPage,
  type BrokerExecution,
  type BrokerOrder,
  type BrokerOrderPage,
  type BrokerOrderTerms,
  type BrokerRefusal,
  type BrokerReplacement,
  type BrokerUnavailable,
  type Decimal,
  EVENTS_PAGE_MAX,
  OPEN_ORDERS_PAGE_MAX,
  SUBMITTED_MAX,
  type SubmitAnswer,
} from '../../domain/broker/broker-client.ts';
import type { SourceBar, SourceBarSpan, SourceBook, SourceQuote } from '../../domain/broker/market-data-source.ts';
import { err, ok, type Result } from '../../domain/result.ts';
import { isAnswerLost, type SandboxFaults, tellingsOf } from '../../domain/sandbox-broker/faults.ts';
import { bookAt, quoteAt } from '../../domain/sandbox-broker/market-data.ts';
import type { PriceProcess } from '../../domain/sandbox-broker/price-process.ts';
import { SandboxMarket } from '../../domain/sandbox-broker/sandbox-market.ts';
import {
  decimalOf,
  isSameRequest,
  orderOf,
  priceOf,
  quantityOf,
  type SandboxOrder,
  termsOf,
  type VenueReport,
} from '../../domain/sandbox-broker/sandbox-order.ts';
import { priceProcessOf } from '../../domain/sandbox-broker/symbols.ts';
import { barsOf, type EndedBars } from '../../domain/sandbox-broker/tape.ts';
import type { SandboxBrokerApi } from './api.ts';
import { SandboxBrokerRecords } from './sandbox-broker-records.ts';

/** Open orders of a symbol. */
const OPEN_ORDERS_MAX = 10_000;
/** Events that wait for their reader: beyond, no new order is taken. */
const UNREAD_EVENTS_MAX = 100_000;
/** Levels of a side of the book. */
const LEVELS_MAX = 1_000;

type Failure = BrokerRefusal | BrokerUnavailable;

/**
 * The sandbox broker's trade in a symbol (docs/design/broker.md#sandbox-broker). Time moves when somebody asks: a call first lives through what
 * was due since the last one. Everything that a call has changed is on disk in one transaction before its answer leaves.
 */
export class SandboxBroker extends DurableObject<Env> implements SandboxBrokerApi {
  readonly #records: SandboxBrokerRecords;
  readonly #symbol: string;
  readonly #process: PriceProcess | null;
  #faults: SandboxFaults | null;
  #market: SandboxMarket | null = null;
  #calls = 0;
  readonly #endedBars: EndedBars = new Map();

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    this.#records = new SandboxBrokerRecords(ctx.storage);
    this.#symbol = ctx.id.name ?? '';
    this.#process = priceProcessOf(this.#symbol);
    this.#faults = this.#records.faults;
  }

  async submit(order: BrokerOrderTerms): Promise<Result<BrokerOrder, Failure>> {
    return this.#change((market) => this.#take(market, order, this.#records.unread));
  }

  async submitMany(orders: readonly BrokerOrderTerms[]): Promise<Result<readonly SubmitAnswer[], Failure>> {
    if (orders.length > SUBMITTED_MAX) return refused('invalid_order', `more than ${SUBMITTED_MAX} orders in one call`);
    return this.#change((market) => {
      const { unread } = this.#records;
      return ok(orders.map((order) => this.#take(market, order, unread)));
    });
  }

  #take(market: SandboxMarket, order: BrokerOrderTerms, unread: number): Result<BrokerOrder, BrokerRefusal> {
    const read = termsOf(order, this.#process ?? {});
    if (!read.ok) return read;
    const known = this.#find(market, order.clientOrderId);
    if (known !== null) {
      if (isSameRequest(known.placed, read.value)) return ok(orderOf(this.#symbol, known));
      return refused('conflict', 'another order has this client order id');
    }
    if (market.openOrders.size >= OPEN_ORDERS_MAX) return refused('account_limit', 'too many open orders');
    if (unread >= UNREAD_EVENTS_MAX) return refused('account_limit', 'too many events wait to be read');
    return market.submit(order);
  }

  async cancel(clientOrderId: string): Promise<Result<null, Failure>> {
    return this.#change((market) => {
      const known = this.#find(market, clientOrderId);
      if (known?.status !== 'open') return endedOrUnknown(known);
      market.cancel(known);
      return ok(null);
    });
  }

  async replace(clientOrderId: string, change: BrokerReplacement): Promise<Result<null, Failure>> {
    return this.#change((market) => {
      const known = this.#find(market, clientOrderId);
      if (known?.status === 'open') return market.replace(known, change);
      return known !== null && change.revision <= known.revisionAsked ? ok(null) : endedOrUnknown(known);
    });
  }

  async order(clientOrderId: string): Promise<Result<BrokerOrder | null, BrokerUnavailable>> {
    return this.#read((market) => {
      const found = market === null ? null : this.#find(market, clientOrderId);
      return found === null ? null : orderOf(this.#symbol, found);
    });
  }

  async openOrders(page: string | null): Promise<Result<BrokerOrderPage, BrokerUnavailable>> {
    return this.#read((market) => {
      const after = page === null ? -1 : Number(page);
      const rest = [...(market?.openOrders.values() ?? [])].filter(({ sequence }) => sequence > after);
      const orders = rest.slice(0, OPEN_ORDERS_PAGE_MAX);
      const last = orders.at(-1)?.sequence;
      const next = rest.length > orders.length && last !== undefined ? String(last) : null;
      return { orders: orders.map((order) => orderOf(this.#symbol, order)), next };
    });
  }

  async events(after: string | null): Promise<Result<BrokerEventPage, Failure>> {
    const position = Number(after ?? 0);
    const read = this.#read(() => {
      const told = Number.isSafeInteger(position) ? this.#records.toldAfter(position, EVENTS_PAGE_MAX + 1) : null;
      if (told !== null) this.#records.acknowledge(position);
      return told;
    });
    if (!read.ok) return read;
    if (read.value === null) return refused('unknown_cursor', 'the cursor is none of this broker');
    const page = read.value.slice(0, EVENTS_PAGE_MAX);
    const last = page.at(-1)?.position;
    return ok({
      events: page.map(({ event }) => event),
      cursor: last === undefined ? after : String(last),
      more: read.value.length > page.length,
    });
  }

  async position(): Promise<Result<Decimal, BrokerUnavailable>> {
    return this.#read((market) => decimalOf(market?.state.position ?? 0));
  }

  async quote(): Promise<Result<SourceQuote, Failure>> {
    return this.#priced((process, now_ms) => quoteAt(process, now_ms));
  }

  async book(levels: number): Promise<Result<SourceBook, Failure>> {
    return this.#priced((process, now_ms) => bookAt(process, now_ms, Math.min(levels, LEVELS_MAX)));
  }

  async bars(span: SourceBarSpan): Promise<Result<readonly SourceBar[], Failure>> {
    return this.#priced((process, now_ms) => barsOf(process, span, now_ms, this.#endedBars));
  }

  async routing(clientOrderId: string): Promise<Readonly<Record<string, VenueReport>> | null> {
    return this.#records.findOrder(clientOrderId)?.venues ?? null;
  }

  async setFaults(faults: SandboxFaults | null): Promise<boolean> {
    if (!this.#allowsFaults) return false;
    this.#records.setFaults(faults);
    this.#faults = faults;
    this.#market = null;
    return true;
  }

  async bust(executionId: string): Promise<boolean> {
    return this.#adjust(executionId, (market, execution, order) => {
      market.bust(execution, order.terms.side, scaled(execution.quantity));
      return true;
    });
  }

  async correct(executionId: string, terms: { price: Decimal; quantity: Decimal }): Promise<boolean> {
    return this.#adjust(executionId, (market, execution, order) => {
      const price = priceOf(terms.price, this.#process ?? {});
      const quantity = quantityOf(terms.quantity);
      if (price === null || quantity === null) return false;
      market.correct(execution, order.terms.side, scaled(execution.quantity), { price, quantity });
      return true;
    });
  }

  /** A call that may change something: nothing happens while the broker is away, and afterwards the answer may be lost. */
  #change<T>(act: (market: SandboxMarket) => Result<T, BrokerRefusal>): Result<T, Failure> {
    if (this.#isAway) return AWAY;
    const market = this.#opened();
    if (market === null) return refused('unknown_symbol', 'the symbol is not traded here');
    const answer = act(market);
    this.#keep(market);
    this.#calls++;
    return isAnswerLost(this.#faults, this.#calls) ? AWAY : answer;
  }

  #find(market: SandboxMarket, clientOrderId: string): SandboxOrder | null {
    return market.openOrders.get(clientOrderId) ?? this.#records.findOrder(clientOrderId);
  }

  #read<T>(read: (market: SandboxMarket | null) => T): Result<T, BrokerUnavailable> {
    if (this.#isAway) return AWAY;
    return ok(read(this.#opened()));
  }

  #priced<T>(price: (process: PriceProcess, now_ms: number) => T): Result<T, Failure> {
    if (this.#isAway) return AWAY;
    if (this.#process === null) return refused('unknown_symbol', 'the symbol is not traded here');
    return ok(price(this.#process, Date.now()));
  }

  #adjust(
    executionId: string,
    act: (market: SandboxMarket, execution: BrokerExecution, order: SandboxOrder) => boolean,
  ): boolean {
    const market = this.#allowsFaults ? this.#opened() : null;
    const execution = this.#records.findExecution(executionId);
    const order = execution === null ? null : this.#records.findOrder(execution.clientOrderId);
    if (market === null || execution === null || order === null || !act(market, execution, order)) return false;
    this.#keep(market);
    return true;
  }

  /** The market as it stands now; null where the symbol is none. */
  #opened(): SandboxMarket | null {
    if (this.#process === null) return null;
    const { state } = this.#records;
    this.#market ??= new SandboxMarket(this.#symbol, this.#process, state, this.#records.openOrders(), this.#faults);
    this.#market.advance(Date.now());
    this.#keep(this.#market);
    return this.#market;
  }

  #keep(market: SandboxMarket): void {
    const { orders, events } = market.takeChanges();
    const tellings = events.flatMap((event) =>
      tellingsOf(this.#faults, numberOf(event.id), event.at_ms).map((at_ms) => ({ at_ms, event })),
    );
    try {
      this.#records.keep(market.state, orders, tellings);
    } catch (error) {
      // What is in memory and what is on disk have parted: the next call begins with what is on disk.
      this.#market = null;
      throw error;
    }
  }

  get #isAway(): boolean {
    return this.#faults !== null && Date.now() < this.#faults.awayUntil_ms;
  }

  get #allowsFaults(): boolean {
    return this.env.SANDBOX_FAULTS === 'allowed';
  }
}

const AWAY = err({ reason: 'unavailable', retryAfter_ms: null, detail: 'the sandbox broker is away' } as const);

function refused(code: BrokerRefusal['code'], detail: string): { readonly ok: false; readonly error: BrokerRefusal } {
  return err({ reason: 'refused', code, detail });
}

function endedOrUnknown(known: SandboxOrder | null) {
  return known === null
    ? refused('unknown_order', 'there is no order under this id')
    : refused('order_ended', `the order is ${known.status}`);
}

function scaled(quantity: Decimal): number {
  return quantityOf(quantity) ?? 0;
}

function numberOf(eventId: string): number {
  return Number(eventId.slice(eventId.lastIndexOf('E') + 1));
}
