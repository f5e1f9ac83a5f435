import type { OrderTable } from './order-table.ts';
import { type OrderTerms, WITH_FAMILY } from './traits.ts';

/** The order that trades now, at hand: each maker is compared with it. One object per engine. */
export class Taker {
  slot = 0;
  orderId = '';
  traits = 0;
  price = 0;
  /** Its price as far as the price band lets it trade. */
  reach = 0;
  remaining = 0;
  filled = 0;
  account = 0;
  attributes = 0;
  requires = 0;
  /** Accounts of the owner's family; of an earlier taker where this one carries none (WITH_FAMILY). */
  private relatives: readonly string[] = [];

  /** Becomes the order of these terms, which has just been given the slot. */
  setArriving(orders: OrderTable, slot: number, terms: OrderTerms): void {
    this.slot = slot;
    this.orderId = terms.orderId;
    this.traits = orders.traits(slot);
    this.price = terms.price;
    this.remaining = terms.quantity;
    this.filled = 0;
    this.account = orders.account(slot);
    this.attributes = terms.attributes;
    this.requires = terms.requires;
    if ((this.traits & WITH_FAMILY) !== 0) this.relatives = terms.family!;
  }

  /** Becomes a live order. */
  setLive(orders: OrderTable, slot: number): void {
    this.slot = slot;
    this.orderId = orders.id(slot);
    this.traits = orders.traits(slot);
    this.price = orders.price(slot);
    this.remaining = orders.remaining(slot);
    this.filled = orders.filled(slot);
    this.account = orders.account(slot);
    this.attributes = orders.attributes(slot);
    this.requires = orders.requires(slot);
    if ((this.traits & WITH_FAMILY) !== 0) this.relatives = orders.family(slot)!;
  }

  /** Accounts of the owner's family, or null. */
  get family(): readonly string[] | null {
    return (this.traits & WITH_FAMILY) === 0 ? null : this.relatives;
  }

  set family(family: readonly string[] | null) {
    this.traits = family === null ? this.traits & ~WITH_FAMILY : this.traits | WITH_FAMILY;
    if (family !== null) this.relatives = family;
  }
}
