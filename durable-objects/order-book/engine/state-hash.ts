import type { EngineSnapshot, LiveOrder } from './engine.ts';

const TWO_TO_32 = 4_294_967_296;

/**
 * Digest of a book's state in two 32-bit lanes, as 16 hex digits. It tells two states apart when they differ by accident; it is no
 * defence against a forger. Feed the header first, then the orders in the order of `EngineSnapshot.orders`.
 */
export class StateHash {
  private high = 0x9e3779b9;
  private low = 0x85ebca6b;

  header(state: Omit<EngineSnapshot, 'orders'>): void {
    this.number(state.version);
    this.number(state.sequence);
    this.number(state.tradeSequence);
    this.number(state.arrivals);
    this.nullableNumber(state.lastPrice);
  }

  order(order: LiveOrder): void {
    this.text(order.orderId);
    this.text(order.account);
    this.nullableText(order.keyId);
    this.text(order.side);
    this.text(order.orderType);
    this.text(order.timeInForce);
    this.text(order.selfTradePrevention);
    this.number(order.quantity);
    this.number(order.price);
    this.number(order.stopPrice);
    this.number(order.expiresAt);
    this.number(order.displayQuantity);
    this.number(order.attributes);
    this.number(order.requires);
    this.number(order.arrival);
    this.number(order.filled);
    this.number(order.remaining);
    this.number(order.displayed);
    this.word((order.hidden ? 1 : 0) | (order.pendingTrigger ? 2 : 0));
    // Orders without a family keep the hash that they had before there was one, and those without an end of their prices, too.
    if (order.family != null) {
      this.word(order.family.length);
      for (const account of order.family) this.text(account);
    }
    if (order.priceMost !== undefined) this.number(order.priceMost);
  }

  /** What a routed market's book has beside its orders, as one text. */
  routed(text: string): void {
    this.text(text);
  }

  digest(): string {
    const high = finish(this.high ^ (this.low >>> 13));
    const low = finish(this.low ^ (high >>> 7));
    return hex(high) + hex(low);
  }

  private word(value: number): void {
    this.high = Math.imul(this.high ^ value, 0x9e3779b1);
    this.high ^= this.high >>> 15;
    this.low = Math.imul(this.low ^ value ^ (this.high >>> 3), 0x5f356495);
    this.low ^= this.low >>> 13;
  }

  private number(value: number): void {
    this.word(value | 0);
    this.word(Math.floor(value / TWO_TO_32) | 0);
  }

  private nullableNumber(value: number | null): void {
    this.word(value === null ? 0 : 1);
    if (value !== null) this.number(value);
  }

  private text(value: string): void {
    this.word(value.length);
    for (let i = 0; i < value.length; i++) this.word(value.charCodeAt(i));
  }

  private nullableText(value: string | null): void {
    this.word(value === null ? 0 : 1);
    if (value !== null) this.text(value);
  }
}

function finish(lane: number): number {
  let mixed = Math.imul(lane ^ (lane >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}

function hex(lane: number): string {
  return lane.toString(16).padStart(8, '0');
}
