import { type PriceBand, withinBand } from '../../../domain/markets/price-band.ts';
import { mayTrade } from '../../../domain/orders/eligibility.ts';
import type { Side } from '../../../domain/orders/order.ts';
import { assertBookRules } from './book-rules.ts';
import type {
  AmendOrder,
  Engine,
  EngineCommand,
  EngineEvent,
  EngineSnapshot,
  Level,
  LiveOrder,
  MassCancel,
  PlaceOrder,
  RefuseReason,
  RejectReason,
  TakerTerms,
} from './engine.ts';
import { EventLog } from './event-log.ts';
import {
  assertAmendable,
  assertPlaceable,
  crosses,
  FILL_OR_KILL_LOOKS_MAX,
  isFillOrKill,
  isImmediate,
  isPostOnly,
  isStop,
  triggersUpwards,
} from './rules.ts';
import { StateHash } from './state-hash.ts';

/** The rules of `Engine` written down as plainly as they can be: arrays, filters and sorts. The measure of the fast engine. */
export function createPlainEngine(
  snapshot?: EngineSnapshot,
  fillOrKillLooksMax = FILL_OR_KILL_LOOKS_MAX,
  stopsRest = true,
): Engine {
  return new PlainEngine(snapshot, fillOrKillLooksMax, stopsRest);
}

type Order = { -readonly [field in keyof LiveOrder]: LiveOrder[field] };

class PlainEngine implements Engine {
  private live: Order[] = [];
  private reached: Order[] = [];
  private last: number | null;
  private arrivals: number;
  private band: PriceBand | null = null;
  private readonly log: EventLog;

  private readonly fillOrKillLooksMax: number;
  private readonly stopsRest: boolean;

  constructor(snapshot?: EngineSnapshot, fillOrKillLooksMax = FILL_OR_KILL_LOOKS_MAX, stopsRest = true) {
    this.fillOrKillLooksMax = fillOrKillLooksMax;
    this.stopsRest = stopsRest;
    this.log = new EventLog(snapshot?.sequence ?? 0, snapshot?.tradeSequence ?? 0);
    this.last = snapshot?.lastPrice ?? null;
    this.arrivals = snapshot?.arrivals ?? 0;
    this.live = (snapshot?.orders ?? []).map((order) => ({ ...order, family: order.family ?? null }));
  }

  get size(): number {
    return this.live.length;
  }

  get sequence(): number {
    return this.log.sequence;
  }

  get tradeSequence(): number {
    return this.log.tradeSequence;
  }

  readAhead(): void {}

  apply(command: EngineCommand, now: number): EngineEvent[] {
    const before = this.displayed();
    switch (command.type) {
      case 'place':
        this.place(command, now);
        break;
      case 'cancel':
        this.cancel(command.orderId);
        break;
      case 'amend':
        this.amend(command);
        break;
      case 'mass_cancel':
        this.massCancel(command);
        break;
    }
    this.runReached();
    this.reportLevels(before);
    return this.log.take();
  }

  goWithin(band: PriceBand | null): void {
    this.band = band;
  }

  expire(now: number, count: number): EngineEvent[] {
    const before = this.displayed();
    const due = this.live.filter((order) => order.timeInForce === 'GTD' && order.expiresAt <= now);
    due.sort((a, b) => a.expiresAt - b.expiresAt || a.arrival - b.arrival);
    for (const order of due.slice(0, count)) {
      this.remove(order);
      this.log.expired(order.orderId, order.remaining);
    }
    this.reportLevels(before);
    return this.log.take();
  }

  nextExpiry(): number | null {
    const expiries = this.live.filter((order) => order.timeInForce === 'GTD').map((order) => order.expiresAt);
    return expiries.length === 0 ? null : Math.min(...expiries);
  }

  order(orderId: string): LiveOrder | undefined {
    const order = this.find(orderId);
    return order && { ...order };
  }

  depth(levels: number, common = 0): { bids: Level[]; asks: Level[] } {
    const isForAll = ({ requires }: Order) => requires === 0 || (common !== 0 && (requires & common) === common);
    const bids = this.levels('buy', isForAll);
    const [best] = bids;
    const asks = this.levels('sell', isForAll).filter(([price]) => best === undefined || price > best[0]);
    return { bids: bids.slice(0, levels), asks: asks.slice(0, levels) };
  }

  depthFor(taker: TakerTerms, levels: number): Level[] {
    const shown = new Map<number, number>();
    let left = taker.quantity;
    for (const maker of this.ranked(taker.side === 'buy' ? 'sell' : 'buy')) {
      if (maker.displayed === 0 || !mayTrade(taker, maker)) continue;
      if (left <= 0 && !shown.has(maker.price)) break;
      shown.set(maker.price, (shown.get(maker.price) ?? 0) + maker.displayed);
      left -= maker.displayed;
    }
    return [...shown].slice(0, levels);
  }

  lastPrice(): number | null {
    return this.last;
  }

  reprice(price: number): void {
    if (this.last !== null) this.last = price;
  }

  ordersOf(account: string | null, keyId: string | null = null, side: Side | null = null): string[] {
    return this.live
      .filter(
        (order) =>
          (account === null || order.account === account) &&
          (keyId === null || order.keyId === keyId) &&
          (side === null || order.side === side),
      )
      .sort((a, b) => a.arrival - b.arrival)
      .map((order) => order.orderId);
  }

  snapshot(): EngineSnapshot {
    const stops = this.live.filter((order) => order.pendingTrigger).sort((a, b) => a.arrival - b.arrival);
    return {
      version: 1,
      sequence: this.sequence,
      tradeSequence: this.tradeSequence,
      lastPrice: this.last,
      orders: [...this.ranked('buy'), ...this.ranked('sell'), ...stops].map((order) => ({ ...order })),
      arrivals: this.arrivals,
    };
  }

  stateHash(): string {
    const hash = new StateHash();
    const snapshot = this.snapshot();
    hash.header(snapshot);
    for (const order of snapshot.orders) hash.order(order);
    return hash.digest();
  }

  assertInvariants(): void {
    assertBookRules(this.snapshot());
  }

  private place(command: PlaceOrder, now: number): void {
    assertPlaceable(command);
    const rejection = this.rejectionOf(command, now);
    if (rejection !== null) {
      this.log.rejected(command.orderId, rejection);
      return;
    }
    const order = { ...placed(command), arrival: ++this.arrivals };
    this.log.accepted(order.orderId);
    if (order.timeInForce === 'GTD' && order.expiresAt <= now) {
      this.log.expired(order.orderId, order.remaining);
    } else if (!isStop(order.orderType)) {
      this.take(order);
    } else {
      this.hold(order);
    }
  }

  /** A stop triggers at once, or is held off-book. */
  private hold(order: Order): void {
    if (this.last !== null && isReached(order, this.last)) {
      this.trigger(order);
    } else {
      this.live.push({ ...order, pendingTrigger: true });
      this.log.rested(order.orderId, order.remaining, true);
    }
  }

  private rejectionOf(command: PlaceOrder, now: number): RejectReason | null {
    const { orderType, timeInForce } = command;
    if (this.find(command.orderId)) return 'duplicate_order_id';
    if (isPostOnly(orderType, timeInForce) && this.matches(placed(command)).length > 0) return 'post_only_would_take';
    if (isFillOrKill(orderType, timeInForce) && !this.fillsWhole(command, now)) return 'fok_not_fillable';
    return null;
  }

  private cancel(orderId: string): void {
    const order = this.find(orderId);
    if (order) {
      this.remove(order);
      this.log.cancelled(orderId, order.remaining, 'user');
    } else {
      this.log.refused(orderId, 'not_found');
    }
  }

  private massCancel({ orderIds, reason }: MassCancel): void {
    for (const orderId of orderIds) {
      const order = this.find(orderId);
      if (order === undefined) continue;
      this.remove(order);
      this.log.cancelled(orderId, order.remaining, reason);
    }
  }

  private amend(command: AmendOrder): void {
    assertAmendable(command);
    const { orderId, quantity, price } = command;
    const order = this.find(orderId);
    const refusal = order ? this.refusalOf(command, order) : 'not_found';
    if (!order || refusal !== null) {
      this.log.refused(orderId, refusal ?? 'not_found');
      return;
    }
    const amended = amendedBy(command, order);
    this.remove(order);
    const isInPlace = keepsPriority(command, order);
    this.log.amended(orderId, quantity, price, amended.remaining, isInPlace);
    if (isInPlace) {
      this.live.push({ ...amended, displayed: Math.min(order.displayed, amended.remaining) });
    } else if (order.pendingTrigger) {
      this.hold({ ...amended, arrival: ++this.arrivals });
    } else {
      this.take({ ...amended, arrival: ++this.arrivals });
    }
  }

  private refusalOf(command: AmendOrder, order: Order): RefuseReason | null {
    if (order.pendingTrigger && command.stopPrice === undefined) return 'pending_trigger';
    if (!order.pendingTrigger && command.stopPrice !== undefined) return 'triggered';
    if (command.unfilledOnly && order.filled > 0) return 'partially_filled';
    const amended = amendedBy(command, order);
    if (amended.remaining <= 0) return 'quantity_not_above_filled';
    if (isPostOnly(order.orderType, order.timeInForce) && this.matches(amended).length > 0)
      return 'post_only_would_take';
    return null;
  }

  /** An arriving order trades with what is there; what is left of it rests or is cancelled. */
  private take(taker: Order): void {
    const filledBefore = taker.filled;
    while (taker.remaining > 0) {
      const maker = this.matches(this.cut(taker))[0];
      if (!maker) break;
      if (maker.account === taker.account) {
        if (this.preventSelfTrade(maker, taker)) break;
      } else {
        this.trade(maker, taker);
      }
    }
    if (taker.filled > filledBefore) this.noteReached(taker);
    if (taker.remaining === 0) return;
    const isImmediateHere = isImmediate(taker.orderType, taker.timeInForce);
    if (isImmediateHere && !(this.stopsRest && isStop(taker.orderType))) {
      this.log.cancelled(taker.orderId, taker.remaining, 'unfilled');
      return;
    }
    if (isImmediateHere) taker.price = this.cut(taker).price;
    if (this.matches(taker).length > 0) {
      this.log.cancelled(taker.orderId, taker.remaining, 'price_band');
      return;
    }
    taker.displayed = slice(taker);
    this.live.push(taker);
    this.log.rested(taker.orderId, taker.remaining, false);
  }

  private trade(maker: Order, taker: Order): void {
    const { orderId, price } = maker;
    const quantity = Math.min(taker.remaining, offered(maker));
    taker.remaining -= quantity;
    taker.filled += quantity;
    maker.filled += quantity;
    this.reduce(maker, quantity);
    this.log.filled(orderId, taker.orderId, taker.side, price, quantity, maker.remaining, taker.remaining);
    this.last = price;
    this.collectReached(price);
  }

  /** The taker as far as the price band lets it trade. */
  private cut(taker: Order): Order {
    return { ...taker, price: withinBand(this.band, taker.side, taker.price) };
  }

  private noteReached(taker: Order): void {
    if (this.band === null || this.last === null) return;
    const { low, high } = this.band;
    const end = taker.side === 'buy' ? high : low;
    const isLeftThere = taker.remaining > 0 && this.cut(taker).price === end;
    if (isLeftThere) this.log.bandReached(taker.orderId, end);
    else if (this.last >= high) this.log.bandReached(taker.orderId, high);
    else if (this.last <= low) this.log.bandReached(taker.orderId, low);
  }

  /** Whether the taker is gone. */
  private preventSelfTrade(maker: Order, taker: Order): boolean {
    const mode = taker.selfTradePrevention;
    if (mode === 'decrement') {
      const quantity = Math.min(taker.remaining, offered(maker));
      taker.remaining -= quantity;
      this.reduce(maker, quantity);
      this.log.decremented(maker.orderId, quantity, maker.remaining);
      this.log.decremented(taker.orderId, quantity, taker.remaining);
      for (const order of [maker, taker]) {
        if (order.remaining === 0) this.log.cancelled(order.orderId, 0, 'self_trade');
      }
      return taker.remaining === 0;
    }
    if (mode !== 'cancel_newest') {
      this.remove(maker);
      this.log.cancelled(maker.orderId, maker.remaining, 'self_trade');
    }
    if (mode === 'cancel_oldest') return false;
    this.log.cancelled(taker.orderId, taker.remaining, 'self_trade');
    taker.remaining = 0;
    return true;
  }

  /** Takes `quantity` off a resting order, whose slice is refilled from the reserve when it has gone. */
  private reduce(maker: Order, quantity: number): void {
    maker.remaining -= quantity;
    if (!maker.hidden) maker.displayed -= quantity;
    if (maker.remaining === 0) {
      this.remove(maker);
    } else if (!maker.hidden && maker.displayed === 0) {
      maker.displayed = slice(maker);
      maker.arrival = ++this.arrivals;
    }
  }

  /** Stops that a trade at `price` reaches, in the order in which they will run. */
  private collectReached(price: number): void {
    const reached = this.live.filter((order) => order.pendingTrigger && isReached(order, price));
    const upwards = reached.filter((order) => triggersUpwards(order.orderType, order.side));
    const downwards = reached.filter((order) => !triggersUpwards(order.orderType, order.side));
    upwards.sort((a, b) => a.stopPrice - b.stopPrice || a.arrival - b.arrival);
    downwards.sort((a, b) => b.stopPrice - a.stopPrice || a.arrival - b.arrival);
    for (const order of [...upwards, ...downwards]) {
      this.remove(order);
      this.reached.push(order);
    }
  }

  private runReached(): void {
    for (let order = this.reached.shift(); order; order = this.reached.shift()) this.trigger(order);
  }

  private trigger(order: Order): void {
    order.pendingTrigger = false;
    order.arrival = ++this.arrivals;
    this.log.triggered(order.orderId);
    this.take(order);
  }

  /** Orders that the taker would meet, the first to be met first. */
  private matches(taker: Order): Order[] {
    return this.ranked(taker.side === 'buy' ? 'sell' : 'buy').filter(
      (maker) => crosses(taker.side, taker.price, maker.price) && mayTrade(taker, maker),
    );
  }

  /** Tries the order on a copy of the book. */
  private fillsWhole(command: PlaceOrder, now: number): boolean {
    const snapshot = this.snapshot();
    const orders = this.judgedBy(command, snapshot.orders);
    const trial = new PlainEngine({ ...snapshot, orders }, this.fillOrKillLooksMax, this.stopsRest);
    trial.goWithin(this.band);
    let filled = 0;
    for (const event of trial.apply({ ...command, timeInForce: 'IOC' }, now)) {
      if (event.type === 'filled' && event.takerId === command.orderId) filled += event.quantity;
    }
    return filled === command.quantity;
  }

  /** Orders that a fill-or-kill order is judged by: all, or those of the other side that rank first where its own account is among them. */
  private judgedBy({ account, side }: PlaceOrder, orders: readonly LiveOrder[]): readonly LiveOrder[] {
    const others = orders.filter((order) => order.side !== side && !order.pendingTrigger);
    if (!others.some((order) => order.account === account)) return orders;
    const first = new Set(others.slice(0, this.fillOrKillLooksMax));
    return orders.filter((order) => order.side === side || order.pendingTrigger || first.has(order));
  }

  /** Resting orders of a side by priority. */
  private ranked(side: Side): Order[] {
    const better = side === 'buy' ? -1 : 1;
    return this.live
      .filter((order) => order.side === side && !order.pendingTrigger)
      .sort((a, b) => better * (a.price - b.price) || Number(a.hidden) - Number(b.hidden) || a.arrival - b.arrival);
  }

  private levels(side: Side, counts: (order: Order) => boolean = () => true): Level[] {
    const shown = new Map<number, number>();
    for (const order of this.ranked(side)) {
      const { price, displayed } = order;
      if (displayed > 0 && counts(order)) shown.set(price, (shown.get(price) ?? 0) + displayed);
    }
    return [...shown];
  }

  private reportLevels(before: { bids: Level[]; asks: Level[] }): void {
    const after = this.displayed();
    this.reportSide('buy', before.bids, after.bids);
    this.reportSide('sell', before.asks, after.asks);
  }

  /** What all orders display, whomever they are for. */
  private displayed(): { bids: Level[]; asks: Level[] } {
    return { bids: this.levels('buy'), asks: this.levels('sell') };
  }

  private reportSide(side: Side, before: Level[], after: Level[]): void {
    const was = new Map(before);
    const is = new Map(after);
    const prices = [...new Set([...was.keys(), ...is.keys()])].sort((a, b) => (side === 'buy' ? b - a : a - b));
    for (const price of prices) {
      const quantity = is.get(price) ?? 0;
      if (quantity !== (was.get(price) ?? 0)) this.log.level(side, price, quantity);
    }
  }

  private find(orderId: string): Order | undefined {
    return this.live.find((order) => order.orderId === orderId);
  }

  private remove(gone: Order): void {
    this.live = this.live.filter((order) => order !== gone);
  }
}

function placed({ type: _, ...command }: PlaceOrder): Order {
  const fresh = { arrival: 0, filled: 0, remaining: command.quantity, displayed: 0, pendingTrigger: false };
  return { ...command, family: command.family ?? null, ...fresh };
}

function keepsPriority({ quantity, price, stopPrice, requires }: AmendOrder, order: Order): boolean {
  return (
    price === order.price &&
    requires === order.requires &&
    quantity <= order.quantity &&
    (stopPrice ?? order.stopPrice) === order.stopPrice
  );
}

/** The order after an amendment; what has been filled or decremented of it stays so. */
function amendedBy(command: AmendOrder, order: Order): Order {
  const { quantity, price, stopPrice = 0, requires, family } = command;
  const ofStop = order.pendingTrigger ? { stopPrice } : {};
  const relatives = family === undefined || keepsPriority(command, order) ? {} : { family };
  const remaining = quantity - (order.quantity - order.remaining);
  return { ...order, ...ofStop, ...relatives, quantity, price, requires, remaining };
}

/** What a resting order shows after it has joined the back of its level. */
function slice({ hidden, displayQuantity, remaining }: Order): number {
  if (hidden) return 0;
  return displayQuantity === 0 ? remaining : Math.min(displayQuantity, remaining);
}

/** What a taker can get from a resting order in one fill. */
function offered(maker: Order): number {
  return maker.hidden ? maker.remaining : maker.displayed;
}

function isReached(stop: Order, price: number): boolean {
  return triggersUpwards(stop.orderType, stop.side) ? price >= stop.stopPrice : price <= stop.stopPrice;
}
