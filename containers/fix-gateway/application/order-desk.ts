import { ownId } from '../../../domain/identity/own-id.ts';
import { isFinal } from '../../../domain/order-state/order-state.ts';
import { addDecimals } from '../codec/decimal.ts';
import type { SessionPort } from '../transport/session-port.ts';
import type { Outgoing } from './application.ts';
import { adjustmentReport, executionReport, fillReport } from './execution-report.ts';
import type { NameFollower, OrderNames } from './order-names.ts';
import {
  type Acquaintance,
  type Executed,
  endingOf,
  type OrderEnding,
  storedOrder,
  type TrackedOrder,
  takenOffOf,
  totalOf,
  trackOrder,
} from './tracked-order.ts';
import type { OrderStanding, WireFill, WireListedFill, WireOrder } from './wire.ts';

/** Ended orders that are remembered, to answer questions about them and to know their ClOrdIDs again. */
const ENDED_MAX = 10_000;

/** Reasons of cancellations that come to an order only once it trades: a stop that ends by them has triggered. */
const TRADED: ReadonlySet<string> = new Set(['unfilled', 'self_trade', 'price_band']);

/** ExecRestatementReason(378). */
const PARTIAL_DECLINE = '5';
const OTHER = '99';

type RestatedTerms = Pick<OrderStanding, 'size' | 'price' | 'stop_price'> & Pick<TrackedOrder, 'takenOff'>;

/** What a request has made of an order, with the ClOrdID that it then has. */
export type OrderChange = Partial<Pick<TrackedOrder, 'clOrdId' | 'size' | 'price' | 'stopPrice'>> & {
  /** As the exchange has answered. */
  readonly standing?: OrderStanding;
};

/**
 * The orders of one session as its peer knows them, kept after the exchange: what it says of an order (`update`) and the fills that lead there
 * are put into one sequence, whichever comes first. Whether an order is over, its terms and what it may yet fill is what the exchange says. Every
 * change is stored in one step with the report of it, and a fill is known by its trade, so however often the exchange is asked, each fill
 * and each ending is reported once.
 */
export class OrderDesk implements NameFollower {
  readonly #port: SessionPort;
  readonly #names: OrderNames;
  /** A drop copy names orders as their sessions do. */
  #isNamedByOthers = false;
  /** Orders that this session has made requests about which are not answered. */
  #unsettled: string[] = [];
  readonly #orders = new Map<string, TrackedOrder>();
  readonly #byClOrdId = new Map<string, string>();
  readonly #fills = new Set<string>();
  /** The longest ago first. */
  readonly #ended = new Set<string>();
  readonly #changing = new Set<string>();
  /** Orders whose end waits for fills. */
  readonly #owed = new Set<string>();
  /** How orders stand at the exchange, where that is not reported yet. */
  readonly #news = new Map<string, OrderStanding>();
  /** Fills that wait for what came before them: other fills, or the terms under which they were made. */
  readonly #held = new Map<string, WireFill[]>();
  /** Orders of which the feed says other than the exchange has answered within one millisecond: which was last, it has to be asked. */
  readonly #doubtful = new Set<string>();

  constructor(port: SessionPort, names: OrderNames) {
    this.#port = port;
    this.#names = names;
    for (const [, order] of port.store.state<TrackedOrder>('order:')) this.#remember(storedOrder(order));
    for (const [key, orderId] of port.store.state<string>('id:')) this.#byClOrdId.set(key.slice(3), orderId);
    for (const [key] of port.store.state<number>('fill:')) this.#fills.add(key.slice(5));
  }

  get open(): TrackedOrder[] {
    return [...this.#orders.values()].filter(({ ended }) => !ended);
  }

  /** Whether it knows no order, ended ones included. */
  get isEmpty(): boolean {
    return this.#orders.size === 0;
  }

  /** Whether a report is owed that waits for what the exchange has yet to say. */
  get isBehind(): boolean {
    return this.#news.size + this.#held.size + this.#owed.size + this.#doubtful.size > 0;
  }

  /** Whether a fill has come and is not reported. */
  get isHolding(): boolean {
    return this.#held.size > 0;
  }

  /** Orders whose fills, as they were reported, do not come to what the exchange says, with what they should come to. */
  get short(): { readonly order: TrackedOrder; readonly filled: number }[] {
    return [...new Set([...this.#news.keys(), ...this.#owed])].flatMap((orderId) => {
      const order = this.find(orderId);
      const filled = Math.max(order?.ending?.filled ?? 0, this.#news.get(orderId)?.filled_size ?? 0);
      return order !== null && filled > order.filled ? [{ order, filled }] : [];
    });
  }

  /** @param orderId as its peer writes it: ids are read in any case */
  find(orderId: string | null): TrackedOrder | null {
    return (orderId === null ? undefined : this.#orders.get(ownId(orderId))) ?? null;
  }

  findByClOrdId(clOrdId: string | null): TrackedOrder | null {
    return this.find(clOrdId === null ? null : (this.#byClOrdId.get(clOrdId) ?? null));
  }

  /** Takes an order in, and returns it. @param counted fills that are in what was executed of it, and may be told of again */
  track(order: WireOrder, known: Acquaintance, counted: readonly WireFill[] = []): TrackedOrder {
    const tracked = trackOrder(order, known);
    this.take(tracked);
    for (const fill of counted) this.#see(fill);
    return tracked;
  }

  take(tracked: TrackedOrder): void {
    this.#put(tracked);
    this.#name(tracked.clOrdId, tracked.orderId);
  }

  /** A stop has reached its price: reported once, before all that follows. */
  trigger(order: TrackedOrder): TrackedOrder {
    if (!order.awaitsTrigger || order.ended) return order;
    const changed = { ...order, awaitsTrigger: false };
    this.#put(changed);
    const execId = `${order.orderId}-L`;
    this.#port.send(executionReport(changed, { execType: 'triggered', execId, time_ms: Date.now() }));
    return changed;
  }

  /** Whether it names orders as their sessions do, as a drop copy does: it follows what they are called from now on. */
  nameAsSessionsDo(isWanted: boolean): void {
    this.#isNamedByOthers = isWanted;
    if (isWanted) this.#names.follow(this);
    else this.#names.unfollow(this);
    if (!isWanted) return;
    for (const { orderId, clOrdId } of [...this.#orders.values()])
      this.renamed(orderId, this.#names.of(orderId) ?? clOrdId);
  }

  /** A session has given an order another ClOrdID: reports carry it from now on. */
  renamed(orderId: string, clOrdId: string): void {
    const order = this.find(orderId);
    if (order === null || order.clOrdId === clOrdId) return;
    this.#put({ ...order, clOrdId });
    this.#name(clOrdId, orderId);
  }

  /** A session's request about an order is answered. */
  settled(): void {
    this.#settleWaiting();
  }

  /** The session is over: it follows no names. */
  close(): void {
    this.#names.unfollow(this);
  }

  /** An accepted request has changed what the peer calls the order, or its terms. Who calls reports it, and settles then. */
  change(order: TrackedOrder, { standing, ...terms }: OrderChange): TrackedOrder {
    const renamed = { ...order, ...terms };
    const changed = standing === undefined ? renamed : standingAt(renamed, standing);
    this.#put(changed);
    this.#name(changed.clOrdId, changed.orderId);
    if (changed.clOrdId !== order.clOrdId) this.#names.rename(changed.orderId, changed.clOrdId);
    return changed;
  }

  /**
   * The exchange says how an order stands: reported behind the fills before that. What is older than what it has said is passed over.
   * @param isRead whether it was asked, and not told by the feed, which may be behind
   */
  update(standing: OrderStanding, isRead = false): void {
    const { order_id: orderId } = standing;
    const order = this.find(orderId);
    if (order === null || isOlder(standing, order, this.#news.get(orderId))) return;
    this.#doubtful.delete(orderId);
    if (!isRead && isDoubtful(standing, order)) return void this.#doubtful.add(orderId);
    this.#news.set(orderId, standing);
    this.#settle(orderId);
  }

  /** Reports what waited for a request, here and in drop copies. */
  settle(): void {
    this.#settleWaiting();
    this.#names.settled(this.#unsettled.splice(0));
  }

  #settleWaiting(): void {
    for (const orderId of new Set([...this.#news.keys(), ...this.#held.keys()])) this.#settle(orderId);
  }

  hasSeen(fill: WireFill): boolean {
    return this.#fills.has(fillKey(fill));
  }

  /**
   * Reports a fill of a tracked order, once, behind what came before it.
   * @param isListed whether every fill of its order before it has been told of: the feed may have left some out
   */
  fill(fill: WireFill, isListed = false): void {
    const { order_id: orderId } = fill;
    if (!this.#orders.has(orderId) || this.hasSeen(fill)) return;
    const others = (this.#held.get(orderId) ?? []).filter((held) => fillKey(held) !== fillKey(fill));
    const held = [...others, fill].sort((a, b) => (a.filled_size ?? 0) - (b.filled_size ?? 0));
    this.#held.set(orderId, held);
    this.#settle(orderId, isListed ? (fill.filled_size ?? 0) : 0);
  }

  /** Reports that a fill of a tracked order was taken back or corrected. Who calls sees to it that this is told once. */
  adjust(fill: WireListedFill): void {
    const order = this.#orders.get(fill.order_id);
    if (order === undefined) return;
    const { size, price, corrected_price: corrected } = fill;
    const changed = {
      ...order,
      takenBack: corrected === null ? addDecimals(order.takenBack, size) : order.takenBack,
      notional: order.notional - price * size + (corrected ?? 0) * size,
    };
    this.#put(changed);
    this.#port.send(adjustmentReport(changed, fill));
  }

  /** A request has ended an order: that is answered behind the fills before it, whatever was told of the order. */
  end(order: TrackedOrder, standing: OrderStanding, clOrdId: string | null): void {
    const ending = endingOf(standing);
    if (ending === null) return;
    this.#put({ ...order, ended: false, ending: { ...ending, clOrdId } });
    if (clOrdId !== null) this.#names.rename(order.orderId, clOrdId);
    this.#news.set(order.orderId, standing);
    this.#settle(order.orderId);
  }

  /** What was executed of an order as its fills say, where what was reported of them does not come to what the exchange has. */
  recount({ orderId }: TrackedOrder, executed: Executed): void {
    const order = this.find(orderId);
    if (order === null) return;
    const counted = { ...order, ...executed };
    this.#put(counted);
    this.#end(counted);
    this.#settle(orderId, Number.POSITIVE_INFINITY);
  }

  /** Runs a request about an order: what is told of the order meanwhile is the request's doing, whose answer reports it. */
  async changing<Answer>(orderId: string, change: () => Promise<Answer>): Promise<Answer> {
    this.#changing.add(orderId);
    this.#names.changing(orderId);
    this.#unsettled.push(orderId);
    try {
      return await change();
    } finally {
      this.#changing.delete(orderId);
    }
  }

  isChanging(orderId: string): boolean {
    return this.#changing.has(orderId) || (this.#isNamedByOthers && this.#names.isChanging(orderId));
  }

  /** Forgets which fills were reported before a time, which nobody will send again. */
  forgetFillsBefore(time_ms: number): void {
    for (const [key, at_ms] of this.#port.store.state<number>('fill:')) {
      if (at_ms >= time_ms) continue;
      this.#port.store.putState(key, null);
      this.#fills.delete(key.slice(5));
    }
  }

  /** @param listedTo what the order had filled by the last of its fills that were listed without a gap */
  #settle(orderId: string, listedTo = 0): void {
    if (this.isChanging(orderId)) this.#settleChanging(orderId, listedTo);
    else this.#settleAll(orderId, listedTo);
  }

  #settleAll(orderId: string, listedTo: number): void {
    const known = this.find(orderId);
    const latest = this.#news.get(orderId);
    const standing = known === null || latest === undefined || isOlder(latest, known) ? null : latest;
    if (known === null || standing === null) this.#news.delete(orderId);
    if (known === null) return void this.#held.delete(orderId);
    if (standing !== null && isOnBook(standing)) this.trigger(known);
    const held = this.#held.get(orderId) ?? [];
    for (let [fill] = held; fill !== undefined; [fill] = held) {
      const order = this.#orders.get(orderId) as TrackedOrder;
      if (!canFollow(order, fill, standing, listedTo)) break;
      held.shift();
      this.#tell(order, fill, standing);
    }
    if (held.length === 0) this.#held.delete(orderId);
    if (standing !== null) this.#stand(this.#orders.get(orderId) as TrackedOrder, standing);
  }

  /** Fills under the terms that the peer knows wait for no request. Other terms, and what ends the order, are for its answer. */
  #settleChanging(orderId: string, listedTo: number): void {
    const held = this.#held.get(orderId) ?? [];
    const latest = this.#news.get(orderId) ?? null;
    for (let [fill] = held; fill !== undefined; [fill] = held) {
      const order = this.find(orderId);
      if (order === null || !isUnderKnownTerms(order, fill, latest) || !isInTurn(order, fill, listedTo)) break;
      held.shift();
      this.#tell(order, fill, null);
    }
    if (held.length === 0) this.#held.delete(orderId);
  }

  #tell(known: TrackedOrder, fill: WireFill, standing: OrderStanding | null): void {
    const terms = otherTermsAt(fill, known, standing);
    const order = this.trigger(terms === null ? known : this.#restate(known, terms));
    this.#see(fill);
    const filled = addDecimals(order.filled, fill.size);
    const isFilled = isFilledBy(fill, { ...order, filled }, standing);
    const isReopened = order.ending === null && (fill.remaining_size ?? 0) > 0 && isNews(fill, order);
    const changed = {
      ...order,
      filled,
      notional: order.notional + fill.price * fill.size,
      ended: (order.ended && !isReopened) || (isFilled && order.ending === null),
    };
    this.#put(changed);
    this.#port.send(fillReport(changed, fill));
    // What the exchange says of the order now comes first.
    if (!this.#news.has(order.orderId)) this.#end(changed);
  }

  /** Goes by how an order stands once every fill before that is reported. */
  #stand(order: TrackedOrder, standing: OrderStanding): void {
    const ending = endingOf(standing);
    const isCaughtUp = order.filled >= standing.filled_size;
    // It is kept over the end of the process.
    if (!isCaughtUp && ending !== null && order.ending === null && !order.ended) this.#put({ ...order, ending });
    if (!isCaughtUp) return;
    this.#news.delete(order.orderId);
    const isOver = ending !== null || standing.status === 'filled';
    const isSameEnd = isOver && order.ended && (order.ending?.status ?? 'filled') === standing.status;
    // What comes later and is older is known by this.
    if (isSameEnd) this.#put({ ...order, asOf_ms: standing.updated_at, filledAsOf: standing.filled_size });
    if (isSameEnd || (order.ended && !isOver && standing.updated_at === order.asOf_ms)) return;
    // What was told of its end was wrong.
    const open = order.ended ? { ...order, ended: false, ending: null } : order;
    const stands = standingAt(open, standing);
    const isTold = hasTerms(stands, open) && stands.ended === order.ended;
    if (isTold || (ending !== null && hasTerms(stands, open))) this.#put(stands);
    else this.#restate(open, { ...standing, takenOff: stands.takenOff }, stands);
    const reported = this.#orders.get(order.orderId) as TrackedOrder;
    if (ending !== null) this.#finish(reported, reported.ending ?? ending);
  }

  /** Reports that no request of the session has changed the terms of an order. */
  #restate(order: TrackedOrder, terms: RestatedTerms, stands: TrackedOrder = order): TrackedOrder {
    const { size, takenOff } = terms;
    const price = terms.price ?? order.price;
    const stopPrice = terms.stop_price ?? order.stopPrice;
    const restatements = order.restatements + 1;
    const changed = { ...stands, size, takenOff, price, stopPrice, restatements };
    this.#put(changed);
    const isTakenOff = takenOff > order.takenOff && hasTerms({ ...changed, takenOff: order.takenOff }, order);
    this.#port.send(
      executionReport(changed, {
        execType: 'restated',
        execId: `${order.orderId}-D-${restatements}`,
        restatement: isTakenOff ? PARTIAL_DECLINE : OTHER,
        text: isTakenOff ? 'self_trade' : null,
        time_ms: Date.now(),
      }),
    );
    return changed;
  }

  #see(fill: WireFill): void {
    const key = fillKey(fill);
    this.#fills.add(key);
    this.#port.store.putState(`fill:${key}`, fill.timestamp);
  }

  #finish(order: TrackedOrder, ending: OrderEnding): void {
    const traded = TRADED.has(ending.reason ?? '') ? this.trigger(order) : order;
    const changed = { ...traded, ending };
    this.#put(changed);
    this.#end(changed);
  }

  #end(order: TrackedOrder): void {
    const { ending } = order;
    if (ending === null || order.ended || order.filled < ending.filled) return;
    const endings = order.endings + 1;
    const ended = { ...order, clOrdId: ending.clOrdId ?? order.clOrdId, ended: true, endings };
    this.#put(ended);
    if (ending.clOrdId !== null) this.#name(ending.clOrdId, order.orderId);
    this.#port.send(endReport(ended, ending, order.clOrdId));
  }

  #put(order: TrackedOrder): void {
    this.#port.store.putState(`order:${order.orderId}`, order);
    this.#remember(order);
    const [first] = this.#ended;
    if (first !== undefined && this.#ended.size > ENDED_MAX) this.#forget(first);
  }

  #remember(order: TrackedOrder): void {
    const hadEnded = this.#orders.get(order.orderId)?.ended === true;
    if (order.ended && !hadEnded) this.#ended.add(order.orderId);
    if (!order.ended && hadEnded) this.#ended.delete(order.orderId);
    this.#orders.set(order.orderId, order);
    if (isOwed(order)) this.#owed.add(order.orderId);
    else this.#owed.delete(order.orderId);
    if (order.ended) this.#doubtful.delete(order.orderId);
  }

  #name(clOrdId: string, orderId: string): void {
    if (this.#byClOrdId.get(clOrdId) === orderId) return;
    this.#byClOrdId.set(clOrdId, orderId);
    this.#port.store.putState(`id:${clOrdId}`, orderId);
  }

  #forget(orderId: string): void {
    this.#ended.delete(orderId);
    this.#orders.delete(orderId);
    this.#port.store.putState(`order:${orderId}`, null);
    for (const [clOrdId, named] of this.#byClOrdId) {
      if (named !== orderId) continue;
      this.#byClOrdId.delete(clOrdId);
      this.#port.store.putState(`id:${clOrdId}`, null);
    }
  }
}

/** Whether an order has the terms that its peer knows. */
function hasTerms(
  order: TrackedOrder,
  terms: Pick<TrackedOrder, 'size' | 'price' | 'stopPrice' | 'takenOff'>,
): boolean {
  return (
    order.size === terms.size &&
    order.price === terms.price &&
    order.stopPrice === terms.stopPrice &&
    order.takenOff === terms.takenOff
  );
}

/** An order as it stands at the exchange. One that is filled has ended for its peer once its fills are reported. */
function standingAt(order: TrackedOrder, standing: OrderStanding): TrackedOrder {
  const { status, size, filled_size: filledAsOf, updated_at: asOf_ms } = standing;
  return {
    ...order,
    size,
    price: standing.price ?? order.price,
    stopPrice: standing.stop_price ?? order.stopPrice,
    takenOff: takenOffOf(standing) ?? order.takenOff,
    asOf_ms,
    filledAsOf,
    ended: status === 'filled' && order.filled >= filledAsOf,
    ending: endingOf(standing) === null ? null : order.ending,
  };
}

function isOlder(standing: OrderStanding, order: TrackedOrder, latest?: OrderStanding): boolean {
  const { updated_at, status } = standing;
  if (updated_at < order.asOf_ms || updated_at < (latest?.updated_at ?? 0)) return true;
  // What has filled, and what was taken off, only grows.
  if (updated_at === order.asOf_ms && standing.filled_size < order.filledAsOf) return true;
  if (updated_at === order.asOf_ms && (takenOffOf(standing) ?? order.takenOff) < order.takenOff) return true;
  // Within one millisecond an end comes last.
  return updated_at === latest?.updated_at && isFinal(latest.status) && !isFinal(status);
}

function isDoubtful(standing: OrderStanding, order: TrackedOrder): boolean {
  if (standing.updated_at !== order.asOf_ms || isFinal(standing.status)) return false;
  const hasMoved = standing.filled_size > order.filledAsOf || (takenOffOf(standing) ?? 0) > order.takenOff;
  return !hasMoved && !hasTerms(standingAt(order, standing), order);
}

function isOnBook({ status }: OrderStanding): boolean {
  return status === 'open' || status === 'partially_filled' || status === 'filled';
}

function isOwed({ ending, filled, ended }: TrackedOrder): boolean {
  return !ended && ending !== null && filled < ending.filled;
}

/** What its order filled in all, or would, as of a fill; null where its book did not say. */
function totalAt({ filled_size, remaining_size }: WireFill): number | null {
  return filled_size === null || remaining_size === null ? null : addDecimals(filled_size, remaining_size);
}

/** Whether a fill was made after the terms of its order that the peer knows. */
function isNews({ filled_size }: WireFill, { filledAsOf }: TrackedOrder): boolean {
  return filled_size !== null && filled_size > filledAsOf;
}

/** Whether what came before a fill is reported, and the exchange has said how the order stands since: under other terms, maybe. */
function canFollow(order: TrackedOrder, fill: WireFill, standing: OrderStanding | null, listedTo: number): boolean {
  const { filled_size: filled } = fill;
  if (filled === null) return true;
  return isInTurn(order, fill, listedTo) && (!isNews(fill, order) || filled <= (standing?.filled_size ?? 0));
}

/** Whether the fills before a fill are reported, or none of them is missing from a list. */
function isInTurn(order: TrackedOrder, { filled_size: filled, size }: WireFill, listedTo: number): boolean {
  return filled !== null && (filled <= listedTo || addDecimals(filled, -size) <= order.filled);
}

/** Whether a fill was made under the terms that the peer knows, and leaves its order open or is known to have filled it. */
function isUnderKnownTerms(order: TrackedOrder, fill: WireFill, latest: OrderStanding | null): boolean {
  const isFilled = latest?.status === 'filled' && latest.filled_size === fill.filled_size;
  return totalAt(fill) === totalOf(order) && allows(order, fill) && (fill.remaining_size !== 0 || isFilled);
}

/** Whether an order may have traded at the price of a fill. */
function allows({ side, price }: Pick<TrackedOrder, 'side' | 'price'>, fill: WireFill): boolean {
  return price === null || (side === 'buy' ? fill.price <= price : fill.price >= price);
}

/** The terms under which a fill was made, where its peer knows others; null where it knows them. */
function otherTermsAt(fill: WireFill, order: TrackedOrder, standing: OrderStanding | null): RestatedTerms | null {
  const total = totalAt(fill);
  if (standing === null || total === null || !isNews(fill, order)) return null;
  const stands = standingAt(order, standing);
  const { size, stopPrice } = stands;
  // Which of several fills is the first under another price nobody says, where the former price allows it: the last is, where its total is the last.
  const isUnderLastTerms = fill.filled_size === standing.filled_size && total === totalOf(stands);
  const hasLastTerms = hasTerms(order, { size, price: stands.price, stopPrice, takenOff: order.takenOff });
  const isOther = total !== totalOf(order) || !allows(order, fill) || (isUnderLastTerms && !hasLastTerms);
  if (!isOther) return null;
  // A price between the two that the fill needs was no worse than its own.
  const price = [stands, order].find((terms) => allows(terms, fill))?.price;
  return { ...sizeOfTotal(total, standing), price: price === undefined ? fill.price : price, stop_price: stopPrice };
}

/** Whether a fill, which the order includes, has filled it: as the exchange says, where it has said how the order stood with it. */
function isFilledBy(fill: WireFill, order: TrackedOrder, standing: OrderStanding | null): boolean {
  const { filled } = order;
  const isWhole = filled >= totalOf(order);
  if (fill.filled_size === null || fill.remaining_size === null) return isWhole;
  if (standing?.status === 'filled' && filled >= standing.filled_size && isWhole) return true;
  const isOpen = fill.filled_size === standing?.filled_size && standing.status !== 'filled';
  return fill.remaining_size === 0 && filled >= fill.filled_size && !isOpen;
}

/** OrderQty as the exchange counts it, and what was taken off it, where the order comes to a total: no more was taken than it says. */
function sizeOfTotal(total: number, standing: OrderStanding): Pick<TrackedOrder, 'size' | 'takenOff'> {
  const takenOffMax = takenOffOf(standing) ?? Number.POSITIVE_INFINITY;
  const takenOff = Math.max(0, Math.min(takenOffMax, addDecimals(standing.size, -total)));
  return { size: addDecimals(total, takenOff), takenOff };
}

/** A trade within one account fills two of its orders. */
function fillKey({ trade_id, order_id }: WireFill): string {
  return `${trade_id}:${order_id}`;
}

function endReport(order: TrackedOrder, ending: OrderEnding, before: string): Outgoing {
  return executionReport(order, {
    execType: ending.status,
    execId: `${order.orderId}-E${order.endings === 1 ? '' : order.endings}`,
    origClOrdId: ending.clOrdId === null ? null : before,
    text: ending.reason,
    time_ms: Date.now(),
  });
}
