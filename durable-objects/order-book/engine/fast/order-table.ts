import type { LiveOrder } from '../engine.ts';
import { type Level, NONE } from './level.ts';
import { Names } from './names.ts';
import { OrderExtras } from './order-extras.ts';
import { TextIndex } from './text-index.ts';
import {
  HIDDEN,
  orderTypeOf,
  PENDING_TRIGGER,
  preventionOf,
  queuesHidden,
  sideOf,
  timeInForceOf,
  WITH_EXTRAS,
} from './traits.ts';

/** What an order is entered with; the rest of a live order comes from its life in the book. */
export type OrderEntry = Omit<LiveOrder, 'arrival' | 'filled' | 'remaining' | 'displayed' | 'pendingTrigger'>;

/**
 * Live orders as records of 80 bytes in pages of 2,048: a million of them are some hundred objects to the garbage collector, and none
 * is ever moved. A record is named by its slot, an integer. Its ten doubles, or twenty words, are
 *
 *     doubles  0 price  1 quantity  2 remaining  3 filled  4 arrival
 *     words   10 next  11 previous  12 level  13 next of account  14 previous of account  15 account  16 key
 *             17 traits  18 attributes  19 requires
 *
 * `next` also links the free records. What only few orders have stands in `extras`.
 */
export class OrderTable {
  /** Orders in the table. */
  size = 0;
  private readonly doubles: Float64Array[] = [];
  private readonly words: Int32Array[] = [];
  private firstFree = NONE;
  private readonly ids = new TextIndex();
  private readonly accounts = new Names();
  private readonly keys = new Names();
  private readonly accountHeads: number[] = [];
  private readonly extrasOf = new Map<number, OrderExtras>();

  /** Limit price. */
  price(slot: number): number {
    return this.doubles[slot >>> 11]![(slot & 2047) * 10]!;
  }

  setPrice(slot: number, price: number): void {
    this.doubles[slot >>> 11]![(slot & 2047) * 10] = price;
  }

  /** Total quantity, filled or not. */
  quantity(slot: number): number {
    return this.doubles[slot >>> 11]![(slot & 2047) * 10 + 1]!;
  }

  setQuantity(slot: number, quantity: number): void {
    this.doubles[slot >>> 11]![(slot & 2047) * 10 + 1] = quantity;
  }

  remaining(slot: number): number {
    return this.doubles[slot >>> 11]![(slot & 2047) * 10 + 2]!;
  }

  setRemaining(slot: number, remaining: number): void {
    this.doubles[slot >>> 11]![(slot & 2047) * 10 + 2] = remaining;
  }

  filled(slot: number): number {
    return this.doubles[slot >>> 11]![(slot & 2047) * 10 + 3]!;
  }

  setFilled(slot: number, filled: number): void {
    this.doubles[slot >>> 11]![(slot & 2047) * 10 + 3] = filled;
  }

  arrival(slot: number): number {
    return this.doubles[slot >>> 11]![(slot & 2047) * 10 + 4]!;
  }

  setArrival(slot: number, arrival: number): void {
    this.doubles[slot >>> 11]![(slot & 2047) * 10 + 4] = arrival;
  }

  /** The slot behind in the queue that the order stands in, or NONE. */
  next(slot: number): number {
    return this.words[slot >>> 11]![(slot & 2047) * 20 + 10]!;
  }

  previous(slot: number): number {
    return this.words[slot >>> 11]![(slot & 2047) * 20 + 11]!;
  }

  /** Index of the level that the order stands in. */
  level(slot: number): number {
    return this.words[slot >>> 11]![(slot & 2047) * 20 + 12]!;
  }

  /** Number of the account, the same for all its live orders. */
  account(slot: number): number {
    return this.words[slot >>> 11]![(slot & 2047) * 20 + 15]!;
  }

  traits(slot: number): number {
    return this.words[slot >>> 11]![(slot & 2047) * 20 + 17]!;
  }

  setTraits(slot: number, traits: number): void {
    this.words[slot >>> 11]![(slot & 2047) * 20 + 17] = traits;
  }

  attributes(slot: number): number {
    return this.words[slot >>> 11]![(slot & 2047) * 20 + 18]!;
  }

  requires(slot: number): number {
    return this.words[slot >>> 11]![(slot & 2047) * 20 + 19]!;
  }

  setRequires(slot: number, requires: number): void {
    this.words[slot >>> 11]![(slot & 2047) * 20 + 19] = requires;
  }

  /** Of an order with the trait WITH_EXTRAS. */
  extras(slot: number): OrderExtras {
    return this.extrasOf.get(slot)!;
  }

  id(slot: number): string {
    return this.ids.at(slot);
  }

  /** The slot of a live order, or NONE. */
  find(orderId: string): number {
    return this.ids.find(orderId);
  }

  /** Number of an account that has live orders or had some lately, or NONE. */
  accountNumber(account: string): number {
    return this.accounts.find(account);
  }

  /** What the book shows of the order. */
  displayed(slot: number): number {
    const traits = this.traits(slot);
    if ((traits & (HIDDEN | PENDING_TRIGGER)) !== 0) return 0;
    if ((traits & WITH_EXTRAS) === 0) return this.remaining(slot);
    const extras = this.extras(slot);
    return extras.displayQuantity === 0 ? this.remaining(slot) : extras.displayed;
  }

  /** Shows what an order shows at the back of its queue: an iceberg a whole slice. */
  refillSlice(slot: number): void {
    if ((this.traits(slot) & WITH_EXTRAS) === 0) return;
    const extras = this.extras(slot);
    extras.displayed = Math.min(extras.displayQuantity, this.remaining(slot));
  }

  /**
   * Gives a slot to an order whose id is not in the table. `traits` are its packed ones, `account` is its account's number if known,
   * or NONE. It stands in no queue yet.
   */
  add(order: OrderEntry, traits: number, account: number, remaining: number, filled: number, arrival: number): number {
    if (this.firstFree === NONE) this.addPage();
    const slot = this.firstFree;
    const doubles = this.doubles[slot >>> 11]!;
    const double = (slot & 2047) * 10;
    doubles[double] = order.price;
    doubles[double + 1] = order.quantity;
    doubles[double + 2] = remaining;
    doubles[double + 3] = filled;
    doubles[double + 4] = arrival;

    const words = this.words[slot >>> 11]!;
    const at = (slot & 2047) * 20;
    this.firstFree = words[at + 10]!;
    const accountNumber = this.accounts.acquire(order.account, account);
    const accountHead = this.accountHeads[accountNumber] ?? NONE;
    this.accountHeads[accountNumber] = slot;
    words[at + 13] = accountHead;
    words[at + 14] = NONE;
    if (accountHead !== NONE) this.setWord(accountHead, 14, slot);
    words[at + 15] = accountNumber;
    words[at + 16] = order.keyId === null ? NONE : this.keys.acquire(order.keyId, NONE);
    words[at + 17] = traits;
    words[at + 18] = order.attributes;
    words[at + 19] = order.requires;

    this.ids.set(slot, order.orderId);
    if ((traits & WITH_EXTRAS) !== 0) {
      this.extrasOf.set(slot, new OrderExtras(slot, order.stopPrice, order.expiresAt, order.displayQuantity));
    }
    this.size++;
    return slot;
  }

  /** Forgets an order that stands in no queue. */
  remove(slot: number): void {
    const words = this.words[slot >>> 11]!;
    const at = (slot & 2047) * 20;
    const next = words[at + 13]!;
    const previous = words[at + 14]!;
    if (previous === NONE) this.accountHeads[words[at + 15]!] = next;
    else this.setWord(previous, 13, next);
    if (next !== NONE) this.setWord(next, 14, previous);
    this.accounts.release(words[at + 15]!);
    if (words[at + 16] !== NONE) this.keys.release(words[at + 16]!);
    if ((words[at + 17]! & WITH_EXTRAS) !== 0) this.extrasOf.delete(slot);
    this.ids.delete(slot);
    words[at + 10] = this.firstFree;
    this.firstFree = slot;
    this.size--;
  }

  /** Puts an order at the back of its queue of a level. */
  link(slot: number, level: Level): void {
    const words = this.words[slot >>> 11]!;
    const at = (slot & 2047) * 20;
    let last: number;
    if (queuesHidden(words[at + 17]!)) {
      last = level.hiddenTail;
      level.hiddenTail = slot;
      if (last === NONE) level.hiddenHead = slot;
    } else {
      last = level.tail;
      level.tail = slot;
      if (last === NONE) level.head = slot;
    }
    words[at + 10] = NONE;
    words[at + 11] = last;
    words[at + 12] = level.index;
    if (last !== NONE) this.setWord(last, 10, slot);
  }

  /** Takes an order out of its queue of a level. */
  unlink(slot: number, level: Level): void {
    const words = this.words[slot >>> 11]!;
    const at = (slot & 2047) * 20;
    const next = words[at + 10]!;
    const previous = words[at + 11]!;
    if (next !== NONE) this.setWord(next, 11, previous);
    if (previous !== NONE) this.setWord(previous, 10, next);
    if (queuesHidden(words[at + 17]!)) {
      if (next === NONE) level.hiddenTail = previous;
      if (previous === NONE) level.hiddenHead = next;
    } else {
      if (next === NONE) level.tail = previous;
      if (previous === NONE) level.head = next;
    }
  }

  /** Slots of an account's live orders (of a key), in no order. */
  slotsOf(account: string, keyId: string | null): number[] {
    const slots: number[] = [];
    const accountNumber = this.accounts.find(account);
    const key = keyId === null ? NONE : this.keys.find(keyId);
    if (accountNumber === NONE || (keyId !== null && key === NONE)) return slots;
    for (let slot = this.accountHeads[accountNumber]!; slot !== NONE; slot = this.word(slot, 13)) {
      if (keyId === null || this.word(slot, 16) === key) slots.push(slot);
    }
    return slots;
  }

  /** Whether the order was placed with this key. */
  isOfKey(slot: number, keyId: string): boolean {
    const key = this.word(slot, 16);
    return key !== NONE && this.keys.at(key) === keyId;
  }

  /** The order as the interface shows it. */
  view(slot: number): LiveOrder {
    const traits = this.traits(slot);
    const extras = (traits & WITH_EXTRAS) === 0 ? undefined : this.extras(slot);
    const key = this.word(slot, 16);
    return {
      orderId: this.id(slot),
      account: this.accounts.at(this.account(slot)),
      keyId: key === NONE ? null : this.keys.at(key),
      side: sideOf(traits),
      orderType: orderTypeOf(traits),
      timeInForce: timeInForceOf(traits),
      quantity: this.quantity(slot),
      price: this.price(slot),
      stopPrice: extras?.stopPrice ?? 0,
      expiresAt: extras?.expiresAt ?? 0,
      selfTradePrevention: preventionOf(traits),
      hidden: (traits & HIDDEN) !== 0,
      displayQuantity: extras?.displayQuantity ?? 0,
      attributes: this.attributes(slot),
      requires: this.requires(slot),
      arrival: this.arrival(slot),
      filled: this.filled(slot),
      remaining: this.remaining(slot),
      displayed: this.displayed(slot),
      pendingTrigger: (traits & PENDING_TRIGGER) !== 0,
    };
  }

  private word(slot: number, field: number): number {
    return this.words[slot >>> 11]![(slot & 2047) * 20 + field]!;
  }

  private setWord(slot: number, field: number, value: number): void {
    this.words[slot >>> 11]![(slot & 2047) * 20 + field] = value;
  }

  private addPage(): void {
    const first = this.words.length * 2048;
    const buffer = new ArrayBuffer(2048 * 80);
    this.doubles.push(new Float64Array(buffer));
    this.words.push(new Int32Array(buffer));
    for (let slot = first; slot < first + 2047; slot++) this.setWord(slot, 10, slot + 1);
    this.setWord(first + 2047, 10, NONE);
    this.firstFree = first;
  }
}
