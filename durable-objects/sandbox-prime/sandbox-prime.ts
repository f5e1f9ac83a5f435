import { DurableObject } from 'cloudflare:workers';
import {
  type BrokerEventPage,
  type BrokerOrder,
  type BrokerOrderPage,
  type BrokerOrderTerms,
  type BrokerRefusal,
  type BrokerUnavailable,
  type Decimal,
  EVENTS_PAGE_MAX,
  OPEN_ORDERS_PAGE_MAX,
} from '../../domain/broker/broker-client.ts';
import type { SourceBar, SourceBarSpan, SourceBook, SourceQuote } from '../../domain/broker/market-data-source.ts';
import { scaledToDecimal } from '../../domain/money/decimal-text.ts';
import { brokerEventOf } from '../../domain/prime/prime-event.ts';
import { err, ok, type Result } from '../../domain/result.ts';
import type { EndedBars } from '../../domain/sandbox-broker/tape.ts';
import { PRIME_QUANTITY_SCALE, type PrimeSymbol, primeSymbolOf } from '../../domain/sandbox-prime/prime-book.ts';
import { isPrimeAnswerLost, type PrimeFaults, sendingsOf } from '../../domain/sandbox-prime/prime-faults.ts';
import {
  carryOn,
  endOrder,
  isSameOrder,
  type PrimeChange,
  type PrimeOrder,
  primeOrderOf,
  shownOrder,
  takeOrder,
} from '../../domain/sandbox-prime/prime-market.ts';
import { primeBarsOf, primeBookAt, primeQuoteAt } from '../../domain/sandbox-prime/prime-quotes.ts';
import type { SandboxPrimeApi } from './api.ts';
import { PrimeRecords } from './prime-records.ts';
import { sendWebhook } from './send-webhook.ts';

/** Open orders of a coin. */
const OPEN_ORDERS_MAX = 10_000;
/** How often orders that rest are looked at, and how many in one look. */
const CHECK_MS = 1_000;
const CHECKED_MAX = 500;
/** Webhooks of one waking, and how many of them at once. */
const WEBHOOKS_MAX = 64;
const WEBHOOKS_AT_ONCE = 8;
/** A webhook that is not taken is sent again after a second, then after twice as long each time. */
const AGAIN_MS_MIN = 1_000;
const AGAIN_MS_MAX = 300_000;
const TRIES_MAX = 20;
/** Levels of a side of the book. */
const LEVELS_MAX = 1_000;

type Failure = BrokerRefusal | BrokerUnavailable;

/**
 * The sandbox prime broker's trade in a coin (docs/design/prime.md#sandbox-prime). An order fills at what the book gives when it comes; the
 * rest of one that rests is looked at every second. Everything that happened is on disk in one transaction, with the webhooks that tell of
 * it, before an answer leaves.
 */
export class SandboxPrime extends DurableObject<Env> implements SandboxPrimeApi {
  readonly #records: PrimeRecords;
  readonly #symbol: string;
  #faults: PrimeFaults | null;
  #calls = 0;
  readonly #endedBars: EndedBars = new Map();
  /** The last order that was looked at; looks take turns. */
  #checked = -1;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    this.#records = new PrimeRecords(ctx.storage);
    this.#symbol = ctx.id.name ?? '';
    this.#faults = this.#records.faults;
  }

  async submit(terms: BrokerOrderTerms): Promise<Result<BrokerOrder, Failure>> {
    const deal = this.#deal;
    if (this.#isAway) return AWAY;
    if (deal === null) return UNKNOWN_SYMBOL;
    const asked = primeOrderOf(terms, deal);
    if (!asked.ok) return asked;
    const known = this.#records.findOrder(terms.clientOrderId);
    if (known !== null && !isSameOrder(known, asked.value))
      return refused('conflict', 'another order has this client order id');
    if (known === null && this.#records.openCount >= OPEN_ORDERS_MAX)
      return refused('account_limit', 'too many open orders');
    const order =
      known ?? (await this.#keep(takeOrder(this.#symbol, deal, this.#records.state, asked.value, this.#pricesOf)));
    return this.#answer(shownOrder(this.#symbol, order));
  }

  async cancel(clientOrderId: string): Promise<Result<null, Failure>> {
    if (this.#isAway) return AWAY;
    const order = this.#records.findOrder(clientOrderId);
    if (order === null) return refused('unknown_order', 'there is no order under this id');
    if (order.status !== 'open') return refused('order_ended', `the order is ${order.status}`);
    await this.#keep(endOrder(this.#symbol, this.#records.state, order, Date.now()));
    return this.#answer(null);
  }

  async order(clientOrderId: string): Promise<Result<BrokerOrder | null, BrokerUnavailable>> {
    if (this.#isAway) return AWAY;
    const order = this.#records.findOrder(clientOrderId);
    return ok(order === null ? null : shownOrder(this.#symbol, order));
  }

  async openOrders(page: string | null): Promise<Result<BrokerOrderPage, BrokerUnavailable>> {
    if (this.#isAway) return AWAY;
    const orders = this.#records.openOrders(page === null ? -1 : Number(page), OPEN_ORDERS_PAGE_MAX);
    const next = orders.length === OPEN_ORDERS_PAGE_MAX ? String(orders.at(-1)?.sequence) : null;
    return ok({ orders: orders.map((order) => shownOrder(this.#symbol, order)), next });
  }

  async events(after: string | null): Promise<Result<BrokerEventPage, Failure>> {
    if (this.#isAway) return AWAY;
    const position = Number(after ?? 0);
    const told = Number.isSafeInteger(position) ? this.#records.eventsAfter(position, EVENTS_PAGE_MAX + 1) : null;
    if (told === null) return refused('unknown_cursor', 'the cursor is none of this prime broker');
    const page = told.slice(0, EVENTS_PAGE_MAX);
    const last = page.at(-1)?.position;
    return ok({
      events: page.map(({ event }) => brokerEventOf(event)),
      cursor: last === undefined ? after : String(last),
      more: told.length > page.length,
    });
  }

  async position(): Promise<Result<Decimal, BrokerUnavailable>> {
    if (this.#isAway) return AWAY;
    return ok(scaledToDecimal(this.#records.state.position, PRIME_QUANTITY_SCALE));
  }

  async quote(): Promise<Result<SourceQuote, Failure>> {
    if (this.#isAway) return AWAY;
    const deal = this.#deal;
    return deal === null ? UNKNOWN_SYMBOL : ok(primeQuoteAt(deal, this.#pricesOf, Date.now()));
  }

  async book(levels: number): Promise<Result<SourceBook, Failure>> {
    if (this.#isAway) return AWAY;
    const deal = this.#deal;
    if (deal === null) return UNKNOWN_SYMBOL;
    return ok(primeBookAt(deal, this.#pricesOf, Date.now(), Math.min(levels, LEVELS_MAX)));
  }

  async bars(span: SourceBarSpan): Promise<Result<readonly SourceBar[], Failure>> {
    if (this.#isAway) return AWAY;
    const deal = this.#deal;
    return deal === null ? UNKNOWN_SYMBOL : ok(primeBarsOf(deal, span, Date.now(), this.#endedBars));
  }

  async setFaults(faults: PrimeFaults | null): Promise<boolean> {
    if (this.env.SANDBOX_FAULTS !== 'allowed') return false;
    this.#records.setFaults(faults);
    this.#faults = faults;
    return true;
  }

  override async alarm(): Promise<void> {
    this.#checkResting();
    const due = this.#records.due(Date.now(), WEBHOOKS_MAX);
    for (let at = 0; at < due.length; at += WEBHOOKS_AT_ONCE) {
      await Promise.all(
        due.slice(at, at + WEBHOOKS_AT_ONCE).map(async (webhook) => {
          const isTaken = await sendWebhook(this.env, this.ctx, webhook);
          if (isTaken || webhook.tries + 1 >= TRIES_MAX) this.#records.removeWebhook(webhook.id);
          else this.#records.sendAgain(webhook.id, Date.now() + pauseOf(webhook.tries));
        }),
      );
    }
    await this.#wake();
  }

  /** Orders that rest fill when the book comes to them, some at each look. */
  #checkResting(): void {
    const deal = this.#deal;
    if (deal === null || this.#isAway) return;
    const resting = this.#records.openOrders(this.#checked, CHECKED_MAX);
    this.#checked = resting.length === CHECKED_MAX ? (resting.at(-1)?.sequence ?? -1) : -1;
    for (const order of resting) {
      const change = carryOn(this.#symbol, deal, this.#records.state, order, this.#pricesOf);
      if (change.events.length > 0) this.#write(change);
    }
  }

  async #keep(change: PrimeChange): Promise<PrimeOrder> {
    this.#write(change);
    await this.#wake();
    return change.order;
  }

  #write({ state, order, events }: PrimeChange): void {
    const first = state.events - events.length;
    this.#records.keep(
      state,
      order,
      events.map((event, at) => ({ event, sendings: sendingsOf(this.#faults, first + at, Date.now()) })),
    );
  }

  /** The alarm rings for the next webhook, and to look at orders that rest. */
  async #wake(): Promise<void> {
    const next = this.#records.nextDue;
    const look = this.#records.openCount > 0 ? Date.now() + CHECK_MS : null;
    const at = next === null || look === null ? (next ?? look) : Math.min(next, look);
    if (at !== null) await this.ctx.storage.setAlarm(at);
  }

  #answer<T>(value: T): Result<T, Failure> {
    this.#calls++;
    return isPrimeAnswerLost(this.#faults, this.#calls) ? AWAY : ok(value);
  }

  get #isAway(): boolean {
    return this.#faults !== null && Date.now() < this.#faults.awayUntil_ms;
  }

  /** The moment whose prices are dealt at. */
  get #pricesOf(): number {
    return this.#faults?.prices?.at_ms ?? Date.now();
  }

  /** How the coin is dealt in; null for what is no symbol. */
  get #deal(): PrimeSymbol | null {
    return primeSymbolOf(this.#faults?.prices?.symbol ?? this.#symbol);
  }
}

const AWAY = err({ reason: 'unavailable', retryAfter_ms: null, detail: 'the sandbox prime broker is away' } as const);
const UNKNOWN_SYMBOL = refused('unknown_symbol', 'the coin is not dealt in here');

function refused(code: BrokerRefusal['code'], detail: string): { readonly ok: false; readonly error: BrokerRefusal } {
  return err({ reason: 'refused', code, detail });
}

function pauseOf(tries: number): number {
  return Math.min(AGAIN_MS_MAX, AGAIN_MS_MIN * 2 ** tries);
}
