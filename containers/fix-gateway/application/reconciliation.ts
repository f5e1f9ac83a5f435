import { log } from '../log.ts';
import type { SessionPort } from '../transport/session-port.ts';
import { fillsSince, openOrders } from './account-state.ts';
import type { CallerHeaders, Exchange } from './exchange.ts';
import { executionReport } from './execution-report.ts';
import type { FeedSocket } from './feed-socket.ts';
import { hasTerms, type OrderDesk } from './order-desk.ts';
import type { OrderPlacing } from './order-placing.ts';
import type { TrackedOrder } from './tracked-order.ts';
import type { WireFill, WireOrder, WireStatus } from './wire.ts';

/** A fill may settle, and so be listed, a little after fills of other pairs with a later id. */
const OVERLAP_MS = 60_000;
/** The feed tells of everything; this asks whether that is so, sooner while it is down or something is missing. */
const INTERVAL_MS = 60_000;
const SOON_MS = 1_000;

export interface ReconciliationTerms {
  readonly port: SessionPort;
  readonly exchange: Exchange;
  readonly desk: OrderDesk;
  readonly feed: FeedSocket;
  readonly placing: OrderPlacing;
  /** Null while nobody has logged on since the process began. */
  caller(): CallerHeaders | null;
  /** Whether the session follows every order of the account. */
  isDropCopy(): boolean;
}

/** Compares what a session was told with what the exchange knows, and reports the difference. */
export class Reconciliation {
  readonly #terms: ReconciliationTerms;
  #underWay: Promise<void> | null = null;
  /** Something was to be asked, and was not. */
  #missed = false;
  #due_ms = 0;
  #timer: NodeJS.Timeout | null = null;
  #closed = false;
  /** Nobody is connected: the next logon asks for what happens until then. */
  #isResting = true;

  constructor(terms: ReconciliationTerms) {
    this.#terms = terms;
  }

  close(): void {
    this.#closed = true;
    this.rest();
  }

  /** A session is connected: asks now, and from then on again and again. */
  async begin(): Promise<void> {
    this.#isResting = false;
    await this.run();
    this.watch();
  }

  rest(): void {
    this.#isResting = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }

  /** Asks the exchange for what the feed may not have told, again and again while somebody is connected. */
  watch(): void {
    const { desk, feed } = this.#terms;
    const soon = desk.isBehind || this.#missed || (desk.open.length > 0 && !feed.isLive);
    const due_ms = Date.now() + (soon ? SOON_MS : INTERVAL_MS);
    if (this.#closed || this.#isResting || (this.#timer !== null && this.#due_ms <= due_ms)) return;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#due_ms = due_ms;
    this.#timer = setTimeout(() => {
      this.#timer = null;
      void this.run().finally(() => this.watch());
    }, due_ms - Date.now());
  }

  /** Asks now; what is asked for while an earlier asking is under way is asked once more, a little after it. */
  run(): Promise<void> {
    if (this.#underWay !== null) {
      this.#missed = true;
      return this.#underWay;
    }
    this.#missed = false;
    this.#underWay = this.#runOnce()
      .then((done) => {
        if (!done) this.#missed = true;
      })
      .catch((error: unknown) => log('error', 'reconcile_failed', { error: String(error) }))
      .finally(() => {
        this.#underWay = null;
        if (this.#missed) this.watch();
      });
    return this.#underWay;
  }

  /** A trigger or an ending that the exchange tells of; of fills it tells apart. */
  apply(order: { order_id: string; status: WireStatus; filled_size: number; reason: string | null }): void {
    const { desk } = this.#terms;
    const tracked = desk.find(order.order_id);
    const { status, filled_size: filled, reason } = order;
    if (tracked === null || desk.isChanging(order.order_id)) return;
    if (status === 'open' || status === 'partially_filled' || status === 'filled') desk.trigger(tracked);
    if (status !== 'cancelled' && status !== 'expired') return;
    desk.end(tracked, { status, filled, reason, clOrdId: null });
    if (desk.isBehind) this.watch();
  }

  /** False when the exchange could not be asked. */
  async #runOnce(): Promise<boolean> {
    const { desk, exchange, placing, port } = this.#terms;
    const caller = this.#terms.caller();
    if (caller === null || this.#closed) return true;
    if (desk.open.length === 0 && !placing.isUnderWay && !this.#terms.isDropCopy()) return true;
    const startedAt_ms = Date.now();
    const [[, cursor] = ['', startedAt_ms]] = port.store.state<number>('cursor');
    const before = new Map(desk.open.map((order) => [order.orderId, order]));
    const open = await openOrders(exchange, caller);
    if (open === null) return false;
    const stillOpen = new Set(open.map(({ order_id }) => order_id));
    const ended = await this.#read(
      caller,
      [...before.keys()].filter((orderId) => !stillOpen.has(orderId)),
    );
    const orders = [...open, ...ended.orders];
    // Before fills: one that an amendment has made room for would else fill more than the peer knows.
    for (const order of orders) this.#restate(order, before.get(order.order_id));
    if (!(await this.#readFills(caller, cursor - OVERLAP_MS, open))) return false;
    for (const order of orders) this.apply(order);
    for (const { order_id, filled_size } of ended.orders) {
      // Filled while this was asked, and the feed has not told.
      if (filled_size > (desk.find(order_id)?.filled ?? 0)) this.#missed = true;
    }
    if (!ended.isWhole) return false;
    if (placing.isUnderWay) return true;
    port.store.putState('cursor', startedAt_ms);
    desk.forgetFillsBefore(startedAt_ms - 2 * OVERLAP_MS);
    return true;
  }

  /** Reports fills since a time, page by page; false when the exchange could not be asked for all of them. */
  async #readFills(caller: CallerHeaders, since_ms: number, open: readonly WireOrder[]): Promise<boolean> {
    // A drop copy meets orders by their fills, and must have all of an order's before it says how much of it was filled.
    const first: WireFill[] = [];
    for await (const page of fillsSince(this.#terms.exchange, caller, since_ms)) {
      if (page === null) return false;
      if (this.#terms.isDropCopy()) first.push(...page);
      else for (const fill of page) this.#filled(fill);
    }
    if (this.#terms.isDropCopy()) await this.#trackAll(caller, open, first);
    for (const fill of first) this.#filled(fill);
    return true;
  }

  /** Goes by an order as it was read only where nothing has changed it since the reading began. */
  #restate(order: WireOrder, before: TrackedOrder | undefined): void {
    const { desk } = this.#terms;
    const known = desk.find(order.order_id);
    if (known === null || before === undefined) return;
    if (known.clOrdId === before.clOrdId && hasTerms(known, before)) desk.restate(order.order_id, order);
  }

  #filled(fill: WireFill): void {
    const { desk, placing } = this.#terms;
    if (desk.find(fill.order_id) !== null) desk.fill(fill);
    else if (placing.isUnderWay) placing.hold(fill);
  }

  /** Orders that are open no more; not whole when the exchange could not be asked for each. */
  async #read(caller: CallerHeaders, orderIds: readonly string[]): Promise<{ orders: WireOrder[]; isWhole: boolean }> {
    const orders: WireOrder[] = [];
    for (const orderId of orderIds) {
      const answer = await this.#terms.exchange.call('GET', `/v1/orders/${orderId}`, caller);
      if (answer.type !== 'ok') return { orders, isWhole: false };
      orders.push(answer.body as WireOrder);
    }
    return { orders, isWhole: true };
  }

  /** A drop copy follows every order of the account: those that it meets for the first time begin with what it has not seen. */
  async #trackAll(caller: CallerHeaders, open: readonly WireOrder[], fills: readonly WireFill[]): Promise<void> {
    const { desk, exchange, port } = this.#terms;
    const unseen = Map.groupBy(
      fills.filter((fill) => !desk.hasSeen(fill)),
      ({ order_id }) => order_id,
    );
    const orders = new Map(open.map((order) => [order.order_id, order]));
    for (const orderId of unseen.keys()) {
      if (orders.has(orderId) || desk.find(orderId) !== null) continue;
      const answer = await exchange.call('GET', `/v1/orders/${orderId}`, caller);
      if (answer.type === 'ok') orders.set(orderId, answer.body as WireOrder);
    }
    for (const order of orders.values()) {
      if (desk.find(order.order_id) !== null) continue;
      const missing = (unseen.get(order.order_id) ?? []).reduce((sum, { size }) => sum + size, 0);
      const filled = Math.max(0, order.filled_size - missing);
      const tracked = desk.track(order, { clOrdId: order.client_order_id ?? order.order_id, filled });
      const terms = { execType: 'new', execId: `${tracked.orderId}-0`, time_ms: Date.now() } as const;
      port.send(executionReport(tracked, terms));
    }
  }
}
