import type { LiveOrder, PlaceOrder } from '../engine.ts';
import type { Account } from './accounts.ts';
import type { Level } from './level.ts';
import { HIDDEN, orderTypeOf, PENDING_TRIGGER, packTraits, preventionOf, sideOf, timeInForceOf } from './traits.ts';

/** What an order is entered with. */
export type OrderTerms = Omit<PlaceOrder, 'type'>;

/** What only some orders have: a trigger, an expiry, a slice. */
export interface OrderExtras {
  readonly order: Order;
  readonly stopPrice: number;
  readonly expiresAt: number;
  readonly displayQuantity: number;
  /** Position in the expiry heap, or -1. */
  heapIndex: number;
}

/** An order as it trades and rests. Reused when it is gone: it holds no object of its own but its extras. */
export class Order {
  // What a cancel or a fill touches comes first: it lies together in memory.
  readonly slot: number;
  hash = 0;
  id = '';
  traits = 0;
  remaining = 0;
  /** What the book shows of it: the slice of an iceberg, nothing of a hidden order or a stop. */
  displayed = 0;
  /** The level that it stands in, and its neighbours in the queue. */
  level: Level | null = null;
  previous: Order | null = null;
  next: Order | null = null;
  extras: OrderExtras | null = null;
  filled = 0;
  account: Account;
  attributes = 0;
  requires = 0;
  price = 0;
  quantity = 0;
  arrival = 0;
  keyId: string | null = null;

  constructor(slot: number, account: Account) {
    this.slot = slot;
    this.account = account;
  }

  /** Becomes the order of these terms, before anything has happened to it. */
  enter(terms: OrderTerms, hash: number, account: Account, keyId: string | null): void {
    this.id = terms.orderId;
    this.hash = hash;
    this.account = account;
    this.keyId = keyId;
    this.traits = packTraits(terms);
    this.price = terms.price;
    this.quantity = terms.quantity;
    this.filled = 0;
    this.remaining = terms.quantity;
    this.displayed = 0;
    this.attributes = terms.attributes;
    this.requires = terms.requires;
    const { stopPrice, expiresAt, displayQuantity } = terms;
    this.extras =
      stopPrice === 0 && expiresAt === 0 && displayQuantity === 0
        ? null
        : { order: this, stopPrice, expiresAt, displayQuantity, heapIndex: -1 };
  }

  /** What a taker can get from it in one fill, while it rests. */
  get offered(): number {
    return (this.traits & HIDDEN) === 0 ? this.displayed : this.remaining;
  }

  /** What it shows at the back of its queue. */
  get slice(): number {
    if ((this.traits & (HIDDEN | PENDING_TRIGGER)) !== 0) return 0;
    const { extras, remaining } = this;
    return extras === null || extras.displayQuantity === 0 ? remaining : Math.min(extras.displayQuantity, remaining);
  }

  /** The order as the interface shows it. */
  view(): LiveOrder {
    const { traits, extras } = this;
    return {
      orderId: this.id,
      account: this.account.id,
      keyId: this.keyId,
      side: sideOf(traits),
      orderType: orderTypeOf(traits),
      timeInForce: timeInForceOf(traits),
      quantity: this.quantity,
      price: this.price,
      stopPrice: extras?.stopPrice ?? 0,
      expiresAt: extras?.expiresAt ?? 0,
      selfTradePrevention: preventionOf(traits),
      hidden: (traits & HIDDEN) !== 0,
      displayQuantity: extras?.displayQuantity ?? 0,
      attributes: this.attributes,
      requires: this.requires,
      arrival: this.arrival,
      filled: this.filled,
      remaining: this.remaining,
      displayed: this.displayed,
      pendingTrigger: (traits & PENDING_TRIGGER) !== 0,
    };
  }
}
