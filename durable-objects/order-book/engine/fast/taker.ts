import type { PlaceOrder } from '../engine.ts';
import type { OrderTable } from './order-table.ts';

/** The order that trades now. One object per engine: an order that never rests leaves nothing behind. */
export class Taker {
  orderId = '';
  traits = 0;
  price = 0;
  remaining = 0;
  filled = 0;
  /** Number of its account, or NONE when that has none: then it has no live order either. */
  account = 0;
  attributes = 0;
  requires = 0;

  /** An order that has just arrived. `traits` are its packed ones. */
  setArriving(order: PlaceOrder, traits: number, account: number): void {
    this.orderId = order.orderId;
    this.traits = traits;
    this.price = order.price;
    this.remaining = order.quantity;
    this.filled = 0;
    this.account = account;
    this.attributes = order.attributes;
    this.requires = order.requires;
  }

  /** A live order that arrives anew. */
  setLive(orders: OrderTable, slot: number): void {
    this.orderId = orders.id(slot);
    this.traits = orders.traits(slot);
    this.price = orders.price(slot);
    this.remaining = orders.remaining(slot);
    this.filled = orders.filled(slot);
    this.account = orders.account(slot);
    this.attributes = orders.attributes(slot);
    this.requires = orders.requires(slot);
  }
}
