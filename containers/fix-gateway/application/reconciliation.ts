import type { OrderMessage } from '../../../protocol/feeds/server-message.ts';
import { log } from '../log.ts';
import type { SessionPort } from '../transport/session-port.ts';
import {
  adjustedFillsSince,
  CLOCKS_APART_MS_MAX,
  countFills,
  createdAtOf,
  cursorAt,
  fillsSince,
  OrderListing,
  openOrders,
  readOrder,
} from './account-state.ts';
import type { CallerHeaders, Exchange } from './exchange.ts';
import type { FeedSocket } from './feed-socket.ts';
import { type MeetingTerms, meetOrder } from './meet-order.ts';
import type { OrderDesk } from './order-desk.ts';
import type { OrderNames } from './order-names.ts';
import type { OrderPlacing } from './order-placing.ts';
import { PacedReads } from './paced-reads.ts';
import { OVERLAP_MS, ReadPlaces } from './read-places.ts';
import type { TrackedOrder } from './tracked-order.ts';
import type { OrderStanding, WireFill, WireListedFill, WireOrder } from './wire.ts';

/** The feed tells of everything; this asks whether that is so, sooner while it is down or something is missing. */
const INTERVAL_MS = 60_000;
const SOON_MS = 1_000;

export interface ReconciliationTerms {
  readonly port: SessionPort;
  readonly exchange: Exchange;
  readonly desk: OrderDesk;
  readonly feed: FeedSocket;
  readonly placing: OrderPlacing;
  readonly names: Pick<OrderNames, 'of'>;
  /** Null while nobody has logged on since the process began. */
  caller(): CallerHeaders | null;
  /** Whether the session follows every order of the account. */
  isDropCopy(): boolean;
}

/** Compares what a session was told with what the exchange knows, and reports the difference. */
export class Reconciliation {
  readonly #terms: ReconciliationTerms;
  readonly #places: ReadPlaces;
  readonly #reads: PacedReads;
  /** The orders of a drop copy that it has not met, from the list that was begun then. */
  #listing: { readonly orders: OrderListing; readonly since_ms: number } | null = null;
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
    this.#places = new ReadPlaces(terms.port.store);
    this.#reads = new PacedReads(terms.exchange);
  }

  /** How long the limit of the key lets no read through. */
  get readsWait_s(): number {
    return Math.max(0, Math.ceil((this.#reads.pausedUntil_ms - Date.now()) / 1_000));
  }

  /** Told at every logon. */
  admitted(): void {
    this.#reads.resume();
    this.#places.begin(Date.now());
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
    const soon = this.#isDueSoon;
    const due_ms = Math.max(Date.now() + (soon ? SOON_MS : INTERVAL_MS), this.#reads.pausedUntil_ms);
    if (this.#closed || this.#isResting || (this.#timer !== null && this.#due_ms <= due_ms)) return;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#due_ms = due_ms;
    this.#timer = setTimeout(() => {
      this.#timer = null;
      // What was missing has come by itself.
      if (soon && !this.#isDueSoon) return this.watch();
      void this.run().finally(() => this.watch());
    }, due_ms - Date.now());
  }

  get #isDueSoon(): boolean {
    const { desk, feed } = this.#terms;
    return desk.isBehind || this.#missed || (desk.open.length > 0 && !feed.isLive);
  }

  /** Asks now; what is asked for while an earlier asking is under way is asked once more, a little after it. */
  run(): Promise<void> {
    if (this.#underWay !== null) {
      this.#missed = true;
      return this.#underWay;
    }
    // The limit of the session's key is reached: what is left to ask is asked once there is room for it.
    if (this.#reads.isPaused) {
      this.#missed = true;
      this.watch();
      return Promise.resolve();
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

  /** The feed tells of a fill. */
  filled(fill: WireFill): void {
    const { desk, placing } = this.#terms;
    if (desk.find(fill.order_id) === null) {
      if (placing.isUnderWay) placing.hold(fill);
      else if (this.#terms.isDropCopy()) void this.run();
      return;
    }
    desk.fill(fill);
    if (desk.isBehind) this.watch();
  }

  /** The feed tells of an order. */
  changed(order: OrderMessage): void {
    const { desk, placing } = this.#terms;
    const standing = { ...order, updated_at: order.timestamp };
    if (desk.find(order.order_id) === null) {
      if (placing.isUnderWay) placing.holdOrder(standing);
      else if (this.#terms.isDropCopy()) void this.run();
      return;
    }
    this.apply(standing, false);
    // The feed does not say what its trigger is now.
    if (order.status === 'pending_trigger' && !desk.isChanging(order.order_id)) void this.run();
  }

  /** How an order stands, as the exchange tells; what that lacks is asked for. */
  apply(order: OrderStanding, isRead = true): void {
    const { desk } = this.#terms;
    desk.update(order, isRead);
    if (desk.isBehind) this.watch();
  }

  /** Brings an order to what the exchange has, with its fills; false where the exchange cannot say, and the order is as it was known. */
  async refresh(caller: CallerHeaders, { orderId }: TrackedOrder): Promise<boolean> {
    const { desk } = this.#terms;
    const order = await readOrder(this.#reads, caller, orderId);
    if (order === null || order === 'none') return false;
    this.apply(order);
    if (order.filled_size > (desk.find(orderId)?.filled ?? 0)) await this.run();
    return true;
  }

  /**
   * Begins to track an order of the account that the session has not placed; null when the exchange cannot be asked about it.
   *
   * @param named by which ClOrdID the session asked for it; null where it has to be told of one
   */
  async adopt(caller: CallerHeaders, order: WireOrder, named: string | null): Promise<TrackedOrder | null> {
    const { fillsFrom } = this.#places;
    const clOrdId = named ?? this.#clOrdIdOf(order);
    return meetOrder(this.#meeting(caller, fillsFrom), order, { clOrdId, counts: () => true, isTriggerKnown: true });
  }

  /** False when the exchange could not be asked. */
  async #runOnce(): Promise<boolean> {
    const { desk, placing } = this.#terms;
    const caller = this.#terms.caller();
    if (caller === null || this.#closed) return true;
    const isDropCopy = this.#terms.isDropCopy();
    if (desk.isEmpty && !placing.isUnderWay && !isDropCopy) return true;
    if (!(await this.#readOrdersAndFills(caller))) return false;
    return this.#readAdjustments(caller);
  }

  async #readOrdersAndFills(caller: CallerHeaders): Promise<boolean> {
    const { desk, placing } = this.#terms;
    const startedAt_ms = Date.now();
    const { fillsFrom } = this.#places;
    const before = desk.open.map(({ orderId }) => orderId);
    const open = await openOrders(this.#reads, caller);
    if (open === null) return false;
    const stillOpen = new Set(open.map(({ order_id }) => order_id));
    const ended = await this.#read(
      caller,
      before.filter((orderId) => !stillOpen.has(orderId)),
    );
    // Before fills: what they leave of an order goes by its terms.
    for (const order of [...open, ...ended.orders]) desk.update(order, true);
    if (this.#terms.isDropCopy() && !(await this.#meetAll(caller, open, { fillsFrom, startedAt_ms }))) return false;
    if (!(await this.#readFills(caller, fillsFrom, startedAt_ms))) return false;
    if (!ended.isWhole || !(await this.#recount(caller, fillsFrom))) return false;
    if (!placing.isUnderWay && !desk.isHolding) this.#readTo(startedAt_ms);
    return !desk.isBehind;
  }

  /** A drop copy follows every order of the account, whichever door it came through and however it has ended. */
  async #meetAll(
    caller: CallerHeaders,
    open: readonly WireOrder[],
    { fillsFrom, startedAt_ms }: { fillsFrom: string; startedAt_ms: number },
  ): Promise<boolean> {
    this.#listing ??= { orders: new OrderListing('all', this.#places.ordersFrom), since_ms: startedAt_ms };
    const { orders: made, since_ms } = this.#listing;
    if (!(await made.read(this.#reads, caller))) return false;
    const earlier = open.filter(({ order_id }) => order_id <= made.after);
    for (const order of earlier.reverse()) if (!(await this.#meetListed(caller, order, fillsFrom))) return false;
    for (let order = made.orders.at(-1); order !== undefined; order = made.orders.at(-1)) {
      if (!(await this.#meetListed(caller, order, fillsFrom))) return false;
      made.orders.pop();
      // Whoever goes on after a kill begins here: what was met and has ended since may be forgotten.
      this.#places.ordersReadUpTo(Math.min(createdAtOf(order.order_id), since_ms));
    }
    this.#listing = null;
    this.#places.ordersReadTo(since_ms);
    // What was made while it was read, with breaks, is in a list of its own.
    if (since_ms < startedAt_ms) this.#missed = true;
    return true;
  }

  async #meetListed(caller: CallerHeaders, order: WireOrder, fillsFrom: string): Promise<boolean> {
    if (!this.#places.isOfSession(order)) return true;
    if (!(await this.#meet(caller, order, fillsFrom))) return false;
    this.#terms.desk.update(order, true);
    return true;
  }

  /**
   * Orders whose reported fills do not come to what the exchange has, though every fill was read: what the session knew of them was wrong. Their fills
   * say what is right.
   */
  async #recount(caller: CallerHeaders, fillsFrom: string): Promise<boolean> {
    const { desk } = this.#terms;
    const counts = (fill: WireListedFill): boolean => fill.trade_id <= fillsFrom || desk.hasSeen(fill);
    for (const { order, filled } of desk.short) {
      const terms = { counts, adjustedTo: this.#places.adjustedTo, fillsFrom };
      const counted = await countFills(this.#reads, caller, order.orderId, terms);
      if (counted === null) return false;
      if (counted.executed.filled >= filled) desk.recount(order, counted.executed);
    }
    return true;
  }

  /** Reports fills, page by page; false when the exchange could not be asked for all of them. */
  async #readFills(caller: CallerHeaders, fillsFrom: string, startedAt_ms: number): Promise<boolean> {
    const { desk, placing } = this.#terms;
    for await (const page of fillsSince(this.#reads, caller, fillsFrom)) {
      if (page === null) return false;
      const met = this.#terms.isDropCopy() ? await this.#meetOrdersOf(caller, page, fillsFrom) : [];
      if (met === null) return false;
      for (const order of met) desk.update(order, true);
      for (const fill of page) this.#listed(fill);
      const last = page.at(-1);
      // What was reported of a long absence is not read again, nor remembered.
      if (last !== undefined && !placing.isUnderWay && !desk.isHolding)
        this.#readTo(Math.min(last.timestamp, startedAt_ms));
    }
    return true;
  }

  #readTo(time_ms: number): void {
    this.#places.fillsReadTo(time_ms);
    this.#terms.desk.forgetFillsBefore(time_ms - 2 * OVERLAP_MS);
  }

  /**
   * Reports fills that were taken back or corrected since this was last asked, by the list of the exchange alone: the place in it moves in one
   * step with the reports, so each is told once. False when the exchange could not be asked for all of them.
   */
  async #readAdjustments(caller: CallerHeaders): Promise<boolean> {
    const { desk, placing } = this.#terms;
    for await (const page of adjustedFillsSince(this.#reads, caller, this.#places.adjustedTo)) {
      if (page === null) return false;
      for (const [sequence, fills] of Map.groupBy(page, (fill) => fill.adjustment_sequence ?? 0)) {
        const concerned = fills.filter((fill) => this.#places.concerns(fill));
        const met = await this.#meetAdjusted(caller, concerned);
        if (!met) return false;
        const isUnknown = ({ order_id }: WireFill) => desk.find(order_id) === null;
        if (concerned.some((fill) => isUnknown(fill) && placing.mayBePlacing(fill.order_id))) return false;
        for (const fill of concerned) {
          // One that was made since fills were read.
          if (fill.trade_id > this.#places.fillsFrom) desk.fill(fill, true);
          desk.adjust(fill);
        }
        this.#places.adjustmentsReadTo(sequence);
      }
    }
    return true;
  }

  /** A drop copy is told of every fill of the account, also of an order that ended before it began. */
  async #meetAdjusted(caller: CallerHeaders, fills: readonly WireListedFill[]): Promise<boolean> {
    const { desk } = this.#terms;
    if (!this.#terms.isDropCopy()) return true;
    for (const { order_id } of fills) {
      if (desk.find(order_id) !== null) continue;
      const order = await readOrder(this.#reads, caller, order_id);
      if (order === null) return false;
      if (order === 'none') continue;
      const meeting = this.#meeting(caller, this.#places.fillsFrom);
      const known = { clOrdId: this.#clOrdIdOf(order), counts: () => true, isTriggerKnown: true, isEndKnown: true };
      if ((await meetOrder(meeting, order, known)) === null) return false;
    }
    return true;
  }

  #listed(fill: WireFill): void {
    const { desk, placing } = this.#terms;
    if (desk.find(fill.order_id) !== null) desk.fill(fill, true);
    else if (placing.isUnderWay) placing.hold(fill, true);
  }

  /** Orders that are open no more; not whole when the exchange could not be asked for each. */
  async #read(caller: CallerHeaders, orderIds: readonly string[]): Promise<{ orders: WireOrder[]; isWhole: boolean }> {
    const orders: WireOrder[] = [];
    for (const orderId of orderIds) {
      const answer = await this.#reads.call('GET', `/v1/orders/${orderId}`, caller);
      if (answer.type !== 'ok') return { orders, isWhole: false };
      orders.push(answer.body as WireOrder);
    }
    return { orders, isWhole: true };
  }

  /** A drop copy follows every order of the account. Returns those of the page's fills that it has met now; null when one could not be asked for. */
  async #meetOrdersOf(
    caller: CallerHeaders,
    fills: readonly WireListedFill[],
    fillsFrom: string,
  ): Promise<WireOrder[] | null> {
    const { desk } = this.#terms;
    const orders: WireOrder[] = [];
    for (const fill of fills) {
      const { order_id: orderId, filled_size, size } = fill;
      if (desk.find(orderId) !== null) continue;
      const order = await readOrder(this.#reads, caller, orderId);
      if (order === null) return null;
      if (order === 'none') continue;
      if (!(await this.#meet(caller, order, fillsFrom, filled_size === size && !desk.hasSeen(fill)))) return null;
      orders.push(order);
    }
    return orders;
  }

  /** An order that a drop copy meets for the first time begins with the fills that it does not report. */
  async #meet(caller: CallerHeaders, order: WireOrder, fillsFrom: string, isFirstFill = false): Promise<boolean> {
    const { desk } = this.#terms;
    const { order_id: orderId, status } = order;
    if (desk.find(orderId) !== null) return true;
    const counts = (fill: WireListedFill): boolean => fill.trade_id <= fillsFrom || desk.hasSeen(fill);
    const isMadeSince = cursorAt(createdAtOf(orderId) - CLOCKS_APART_MS_MAX) >= fillsFrom;
    // One that was refused has one report, which says so.
    const known = { clOrdId: this.#clOrdIdOf(order), counts, isNew: status !== 'rejected' };
    const isUnexecuted = isFirstFill || isMadeSince;
    return (
      (await meetOrder(this.#meeting(caller, fillsFrom), order, {
        ...known,
        ...(isUnexecuted && { isUnexecuted }),
      })) !== null
    );
  }

  #meeting(caller: CallerHeaders, fillsFrom: string): MeetingTerms {
    const { desk, port } = this.#terms;
    return { desk, exchange: this.#reads, port, caller, fillsFrom, adjustedTo: this.#places.adjustedTo };
  }

  /** As the session of an order calls it now. */
  #clOrdIdOf({ client_order_id, order_id }: WireOrder): string {
    return this.#terms.names.of(order_id) ?? client_order_id ?? order_id;
  }
}
