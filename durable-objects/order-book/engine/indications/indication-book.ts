import type { Side } from '../../../../domain/orders/order.ts';
import type {
  AmendOrder,
  CancelReason,
  Engine,
  EngineCommand,
  EngineEvent,
  EngineSnapshot,
  Level,
  LiveOrder,
  PlaceOrder,
} from '../engine.ts';
import { EventLog } from '../event-log.ts';
import { assertAmendable, assertPlaceable } from '../rules.ts';
import { StateHash } from '../state-hash.ts';

/** An indication turns firm at the issuer's terms, and is filled by the issuer's offer. Scaled integers. */
export interface Conversion {
  readonly orderId: string;
  /** The issuer's order, at the listing price. */
  readonly offerId: string;
  /** What it was allotted. */
  readonly quantity: number;
  readonly price: number;
}

export interface IndicationEngine extends Engine {
  /**
   * Fills an indication from the offer, at the offer's price. Refused (`not_found`) unless both stand, are of two accounts, and the
   * indication still wants as many shares at that price.
   */
  convert(conversion: Conversion): EngineEvent[];
}

/** The engine of a market of indications (docs/design/pre-ipo.md), from its snapshot or from nothing: no two orders meet by themselves. */
export function createIndicationEngine(snapshot?: EngineSnapshot): IndicationEngine {
  return new IndicationBook(snapshot);
}

class IndicationBook implements IndicationEngine {
  readonly #log: EventLog;
  /** In arrival order. */
  readonly #orders = new Map<string, LiveOrder>();
  #lastPrice: number | null;
  #arrivals: number;

  constructor(snapshot: EngineSnapshot | undefined) {
    this.#log = new EventLog(snapshot?.sequence ?? 0, snapshot?.tradeSequence ?? 0);
    this.#lastPrice = snapshot?.lastPrice ?? null;
    this.#arrivals = snapshot?.arrivals ?? 0;
    for (const order of snapshot?.orders ?? []) this.#orders.set(order.orderId, { ...order });
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
        this.#amend(command);
        break;
    }
    return this.#log.take();
  }

  convert(conversion: Conversion): EngineEvent[] {
    const { orderId, offerId, quantity, price } = conversion;
    const order = this.#orders.get(orderId);
    const offer = this.#orders.get(offerId);
    if (order === undefined || offer === undefined || !isFirmAt(order, offer, conversion)) {
      this.#log.refused(orderId, 'not_found');
      return this.#log.take();
    }
    const left = offer.remaining - quantity;
    this.#orders.delete(orderId);
    if (left === 0) this.#orders.delete(offerId);
    else this.#orders.set(offerId, { ...offer, filled: offer.filled + quantity, remaining: left });
    this.#lastPrice = price;
    this.#log.amended(orderId, quantity, price, quantity, false);
    this.#log.filled(offerId, orderId, 'buy', price, quantity, left, 0);
    return this.#log.take();
  }

  /** An indication stands until it is withdrawn, converted or lapses. */
  expire(): EngineEvent[] {
    return [];
  }

  nextExpiry(): null {
    return null;
  }

  order(orderId: string): LiveOrder | undefined {
    return this.#orders.get(orderId);
  }

  /** Interest is shown to the issuer alone. */
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
    for (const [orderId, order] of this.#orders) {
      const isTheirs = account === null || order.account === account;
      if (isTheirs && (keyId === null || order.keyId === keyId) && (side === null || order.side === side))
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
      orders: [...this.#orders.values()],
      arrivals: this.#arrivals,
    };
  }

  stateHash(): string {
    const { orders, ...head } = this.snapshot();
    const hash = new StateHash();
    hash.header(head);
    for (const order of orders) hash.order(order);
    return hash.digest();
  }

  assertInvariants(): void {
    let arrival = 0;
    for (const [orderId, order] of this.#orders) {
      assertRule(order.remaining > 0 && order.filled + order.remaining === order.quantity, `order ${orderId} is whole`);
      assertRule(
        order.arrival > arrival && order.arrival <= this.#arrivals,
        `order ${orderId} stands in arrival order`,
      );
      arrival = order.arrival;
    }
  }

  #place(order: PlaceOrder): void {
    assertPlaceable(order);
    const { type: _, ...terms } = order;
    const { orderId, quantity } = order;
    if (this.#orders.has(orderId)) {
      this.#log.rejected(orderId, 'duplicate_order_id');
      return;
    }
    this.#orders.set(orderId, {
      ...terms,
      arrival: ++this.#arrivals,
      filled: 0,
      remaining: quantity,
      displayed: 0,
      pendingTrigger: false,
    });
    this.#log.accepted(orderId);
    this.#log.rested(orderId, quantity, false);
  }

  #cancel(orderId: string, reason: CancelReason): void {
    const order = this.#orders.get(orderId);
    if (order === undefined) return;
    this.#orders.delete(orderId);
    this.#log.cancelled(orderId, order.remaining, reason);
  }

  /** Interest in less, or the same again, keeps its place in time; anything else counts as a new arrival. */
  #amend(amendment: AmendOrder): void {
    assertAmendable(amendment);
    const { orderId, quantity, price, requires } = amendment;
    const order = this.#orders.get(orderId);
    if (order === undefined) {
      this.#log.refused(orderId, 'not_found');
      return;
    }
    if (quantity <= order.filled) {
      this.#log.refused(orderId, 'quantity_not_above_filled');
      return;
    }
    const isKept = quantity <= order.quantity && price === order.price;
    const remaining = order.remaining + quantity - order.quantity;
    const amended = { ...order, quantity, price, requires, remaining };
    if (!isKept) this.#orders.delete(orderId);
    this.#orders.set(orderId, isKept ? amended : { ...amended, arrival: ++this.#arrivals });
    this.#log.amended(orderId, quantity, price, remaining, isKept);
  }
}

/** Whether both sides still are what the conversion says. */
function isFirmAt(order: LiveOrder, offer: LiveOrder, { quantity, price }: Conversion): boolean {
  const wants = order.side === 'buy' && order.filled === 0 && order.price >= price && order.quantity >= quantity;
  const offers = offer.side === 'sell' && offer.price === price && offer.remaining >= quantity;
  return wants && offers && quantity > 0 && order.account !== offer.account;
}

function assertRule(holds: boolean, rule: string): void {
  if (!holds) throw new Error(`rule broken: ${rule}`);
}
