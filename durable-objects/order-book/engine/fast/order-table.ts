import type { LiveOrder } from '../engine.ts';
import { NONE } from './level.ts';
import { Names } from './names.ts';
import { OrderExtras } from './order-extras.ts';
import { TextIndex } from './text-index.ts';
import { HIDDEN, orderTypeOf, PENDING_TRIGGER, preventionOf, sideOf, timeInForceOf, WITH_EXTRAS } from './traits.ts';

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

  setNext(slot: number, next: number): void {
    this.words[slot >>> 11]![(slot & 2047) * 20 + 10] = next;
  }

  previous(slot: number): number {
    return this.words[slot >>> 11]![(slot & 2047) * 20 + 11]!;
  }

  setPrevious(slot: number, previous: number): void {
    this.words[slot >>> 11]![(slot & 2047) * 20 + 11] = previous;
  }

  /** Index of the level that the order stands in. */
  level(slot: number): number {
    return this.words[slot >>> 11]![(slot & 2047) * 20 + 12]!;
  }

  setLevel(slot: number, level: number): void {
    this.words[slot >>> 11]![(slot & 2047) * 20 + 12] = level;
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
    const slot = this.takeFree();
    this.setPrice(slot, order.price);
    this.setQuantity(slot, order.quantity);
    this.setRemaining(slot, remaining);
    this.setFilled(slot, filled);
    this.setArrival(slot, arrival);
    let flags = 0;
    if (order.stopPrice !== 0 || order.displayQuantity !== 0 || order.expiresAt !== 0) {
      flags = WITH_EXTRAS;
      this.extrasOf.set(slot, new OrderExtras(slot, order.stopPrice, order.expiresAt, order.displayQuantity));
    }
    const words = this.words[slot >>> 11]!;
    const at = (slot & 2047) * 20;
    words[at + 16] = order.keyId === null ? NONE : this.keys.acquire(order.keyId, NONE);
    words[at + 17] = traits | flags;
    words[at + 18] = order.attributes;
    words[at + 19] = order.requires;
    this.joinAccount(slot, this.accounts.acquire(order.account, account));
    this.ids.set(slot, order.orderId);
    this.size++;
    return slot;
  }

  /** Forgets an order that stands in no queue. */
  remove(slot: number): void {
    this.ids.delete(slot);
    this.leaveAccount(slot);
    const words = this.words[slot >>> 11]!;
    const at = (slot & 2047) * 20;
    const key = words[at + 16]!;
    if (key !== NONE) this.keys.release(key);
    if ((words[at + 17]! & WITH_EXTRAS) !== 0) this.extrasOf.delete(slot);
    words[at + 10] = this.firstFree;
    this.firstFree = slot;
    this.size--;
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

  private takeFree(): number {
    if (this.firstFree === NONE) this.addPage();
    const slot = this.firstFree;
    this.firstFree = this.next(slot);
    return slot;
  }

  private addPage(): void {
    const first = this.words.length * 2048;
    const buffer = new ArrayBuffer(2048 * 80);
    this.doubles.push(new Float64Array(buffer));
    this.words.push(new Int32Array(buffer));
    for (let slot = first; slot < first + 2047; slot++) this.setNext(slot, slot + 1);
    this.setNext(first + 2047, NONE);
    this.firstFree = first;
  }

  private joinAccount(slot: number, account: number): void {
    const head = this.accountHeads[account] ?? NONE;
    this.setWord(slot, 15, account);
    this.setWord(slot, 13, head);
    this.setWord(slot, 14, NONE);
    if (head !== NONE) this.setWord(head, 14, slot);
    this.accountHeads[account] = slot;
  }

  private leaveAccount(slot: number): void {
    const account = this.account(slot);
    const next = this.word(slot, 13);
    const previous = this.word(slot, 14);
    if (previous === NONE) this.accountHeads[account] = next;
    else this.setWord(previous, 13, next);
    if (next !== NONE) this.setWord(next, 14, previous);
    this.accounts.release(account);
  }
}
