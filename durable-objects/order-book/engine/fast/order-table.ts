import type { Party } from '../../../../domain/orders/eligibility.ts';
import type { LiveOrder } from '../engine.ts';
import { type Level, NONE } from './level.ts';
import { Names } from './names.ts';
import { hashOf, OrderIds } from './order-ids.ts';
import type { OrderTerms } from './traits.ts';
import {
  HIDDEN,
  orderTypeOf,
  PENDING_TRIGGER,
  packTraits,
  preventionOf,
  queuesHidden,
  sideOf,
  timeInForceOf,
  WITH_EXTRAS,
  WITH_FAMILY,
} from './traits.ts';

/** What only some orders have: a trigger, an expiry, a slice. */
export interface OrderExtras {
  readonly slot: number;
  stopPrice: number;
  readonly expiresAt: number;
  readonly displayQuantity: number;
  /** What an iceberg shows now. */
  displayed: number;
  /** Position in the expiry heap, or -1. */
  heapIndex: number;
}

const SLOTS_AT_FIRST = 1_024;
const IDLE_NAMES_MAX = 4_096;

// The fields of a record: places among its ten doubles, then among its twenty words, of which the doubles take the first ten.
const PRICE = 0;
const QUANTITY = 1;
const REMAINING = 2;
const FILLED = 3;
const ARRIVAL = 4;
const NEXT = 10;
const PREVIOUS = 11;
const LEVEL = 12;
const TRAITS = 13;
const HASH = 14;
const ACCOUNT = 15;
const KEY = 16;
const ATTRIBUTES = 17;
const REQUIRES = 18;
const LIVE = 19;

/**
 * Orders as records of 80 bytes in one buffer. A million of them are one object to the garbage collector, an order is in a line or two
 * of memory, and a slot (an integer) names it. What only few orders have stands beside it, in `extras`.
 */
export class OrderTable {
  private doubles = new Float64Array(SLOTS_AT_FIRST * 10);
  private words = new Int32Array(this.doubles.buffer);
  /** Slots that have ever been used; free ones among them are linked by `next`. */
  private used = 0;
  private firstFree = NONE;
  readonly ids = new OrderIds();
  private readonly accounts = new Names();
  private readonly keys = new Names();
  /** How many names were left when those out of use were last forgotten. */
  private namesKept = 0;
  private readonly extrasOf = new Map<number, OrderExtras>();
  private readonly familyOf = new Map<number, readonly string[]>();

  /** Number of live orders. */
  get size(): number {
    return this.ids.size;
  }

  /** The slot of a live order, or NONE. */
  find(orderId: string): number {
    return this.ids.find(orderId, hashOf(orderId));
  }

  /** A slot for an order of these terms, which is not live yet; NONE when a live one has its id. */
  create(terms: OrderTerms): number {
    const hash = hashOf(terms.orderId);
    if (this.ids.find(terms.orderId, hash) !== NONE) return NONE;
    this.makeRoomForNames();
    const account = this.accounts.of(terms.account);
    const key = terms.keyId === null ? NONE : this.keys.of(terms.keyId);
    const traits = packTraits(terms);
    const slot = this.takeSlot();

    const { doubles, words } = this;
    const double = slot * 10;
    doubles[double + PRICE] = terms.price;
    doubles[double + QUANTITY] = terms.quantity;
    doubles[double + REMAINING] = terms.quantity;
    doubles[double + FILLED] = 0;
    const word = slot * 20;
    words[word + TRAITS] = traits;
    words[word + HASH] = hash;
    words[word + ACCOUNT] = account;
    words[word + KEY] = key;
    words[word + ATTRIBUTES] = terms.attributes;
    words[word + REQUIRES] = terms.requires;
    if ((traits & WITH_EXTRAS) !== 0) {
      const { stopPrice, expiresAt, displayQuantity } = terms;
      this.extrasOf.set(slot, { slot, stopPrice, expiresAt, displayQuantity, displayed: 0, heapIndex: -1 });
    }
    if ((traits & WITH_FAMILY) !== 0) this.familyOf.set(slot, terms.family!);
    return slot;
  }

  /** Takes back the slot of an order that is not live. */
  discard(slot: number): void {
    const { words } = this;
    const word = slot * 20;
    const traits = words[word + TRAITS]!;
    if ((traits & WITH_EXTRAS) !== 0) this.extrasOf.delete(slot);
    if ((traits & WITH_FAMILY) !== 0) this.familyOf.delete(slot);
    words[word + LIVE] = 0;
    words[word + NEXT] = this.firstFree;
    this.firstFree = slot;
  }

  /** Makes an order live. */
  insert(slot: number, orderId: string): void {
    const word = slot * 20;
    this.words[word + LIVE] = 1;
    this.ids.set(slot, orderId, this.words[word + HASH]!);
  }

  /** Forgets a live order. */
  remove(slot: number): void {
    this.ids.delete(slot, this.words[slot * 20 + HASH]!);
    this.discard(slot);
  }

  /** Puts an order at the back of its queue of a level. */
  link(slot: number, level: Level): void {
    const { words } = this;
    const word = slot * 20;
    let last: number;
    if (queuesHidden(words[word + TRAITS]!)) {
      last = level.hiddenTail;
      level.hiddenTail = slot;
      if (last === NONE) level.hiddenHead = slot;
    } else {
      last = level.tail;
      level.tail = slot;
      if (last === NONE) level.head = slot;
    }
    words[word + NEXT] = NONE;
    words[word + PREVIOUS] = last;
    words[word + LEVEL] = level.index;
    if (last !== NONE) words[last * 20 + NEXT] = slot;
  }

  /** Takes an order out of its queue of a level. */
  unlink(slot: number, level: Level): void {
    const { words } = this;
    const word = slot * 20;
    const next = words[word + NEXT]!;
    const previous = words[word + PREVIOUS]!;
    if (next !== NONE) words[next * 20 + PREVIOUS] = previous;
    if (previous !== NONE) words[previous * 20 + NEXT] = next;
    if (queuesHidden(words[word + TRAITS]!)) {
      if (next === NONE) level.hiddenTail = previous;
      if (previous === NONE) level.hiddenHead = next;
    } else {
      if (next === NONE) level.tail = previous;
      if (previous === NONE) level.head = next;
    }
  }

  /** Limit price. */
  price(slot: number): number {
    return whole(this.doubles[slot * 10 + PRICE]!);
  }

  setPrice(slot: number, price: number): void {
    this.doubles[slot * 10 + PRICE] = price;
  }

  /** Total quantity, filled or not. */
  quantity(slot: number): number {
    return whole(this.doubles[slot * 10 + QUANTITY]!);
  }

  setQuantity(slot: number, quantity: number): void {
    this.doubles[slot * 10 + QUANTITY] = quantity;
  }

  remaining(slot: number): number {
    return whole(this.doubles[slot * 10 + REMAINING]!);
  }

  setRemaining(slot: number, remaining: number): void {
    this.doubles[slot * 10 + REMAINING] = remaining;
  }

  filled(slot: number): number {
    return whole(this.doubles[slot * 10 + FILLED]!);
  }

  setFilled(slot: number, filled: number): void {
    this.doubles[slot * 10 + FILLED] = filled;
  }

  arrival(slot: number): number {
    return whole(this.doubles[slot * 10 + ARRIVAL]!);
  }

  setArrival(slot: number, arrival: number): void {
    this.doubles[slot * 10 + ARRIVAL] = arrival;
  }

  /** The slot behind in the queue that the order stands in, or NONE. */
  next(slot: number): number {
    return this.words[slot * 20 + NEXT]!;
  }

  previous(slot: number): number {
    return this.words[slot * 20 + PREVIOUS]!;
  }

  /** Index of the level that the order stands in. */
  level(slot: number): number {
    return this.words[slot * 20 + LEVEL]!;
  }

  traits(slot: number): number {
    return this.words[slot * 20 + TRAITS]!;
  }

  setTraits(slot: number, traits: number): void {
    this.words[slot * 20 + TRAITS] = traits;
  }

  /** Number of the account, the same for all its orders. */
  account(slot: number): number {
    return this.words[slot * 20 + ACCOUNT]!;
  }

  /** The account of a number. */
  accountNamed(account: number): string {
    return this.accounts.at(account);
  }

  /** The number of an account, or NONE. */
  accountOf(account: string): number {
    return this.accounts.find(account);
  }

  /** The order as a side of a match. */
  party(slot: number): Party {
    return {
      account: this.accounts.at(this.account(slot)),
      attributes: this.attributes(slot),
      requires: this.requires(slot),
      family: this.family(slot),
    };
  }

  /** Accounts of the owner's family, or null. */
  family(slot: number): readonly string[] | null {
    return (this.traits(slot) & WITH_FAMILY) === 0 ? null : this.familyOf.get(slot)!;
  }

  setFamily(slot: number, family: readonly string[] | null): void {
    const traits = this.traits(slot);
    this.setTraits(slot, family === null ? traits & ~WITH_FAMILY : traits | WITH_FAMILY);
    if (family === null) this.familyOf.delete(slot);
    else this.familyOf.set(slot, family);
  }

  attributes(slot: number): number {
    return this.words[slot * 20 + ATTRIBUTES]!;
  }

  requires(slot: number): number {
    return this.words[slot * 20 + REQUIRES]!;
  }

  setRequires(slot: number, requires: number): void {
    this.words[slot * 20 + REQUIRES] = requires;
  }

  /** Of an order with the trait WITH_EXTRAS. */
  extras(slot: number): OrderExtras {
    return this.extrasOf.get(slot)!;
  }

  /** Of a live order. */
  id(slot: number): string {
    return this.ids.at(slot);
  }

  /** What the book shows of a resting order: the slice of an iceberg, nothing of a hidden order or a stop. */
  displayed(slot: number): number {
    const traits = this.traits(slot);
    if ((traits & (WITH_EXTRAS | HIDDEN)) === 0) return this.remaining(slot);
    if ((traits & (HIDDEN | PENDING_TRIGGER)) !== 0) return 0;
    const { displayQuantity, displayed } = this.extras(slot);
    return displayQuantity === 0 ? this.remaining(slot) : displayed;
  }

  /** What a taker can get from a resting order in one fill. */
  offered(slot: number): number {
    return (this.traits(slot) & (WITH_EXTRAS | HIDDEN)) === WITH_EXTRAS ? this.displayed(slot) : this.remaining(slot);
  }

  /** Live orders, of an account if not null, of a key if not null, by arrival. Looks at every order. */
  select(accountId: string | null, keyId: string | null): number[] {
    const account = accountId === null ? NONE : this.accounts.find(accountId);
    const key = keyId === null ? NONE : this.keys.find(keyId);
    const slots: number[] = [];
    if ((accountId !== null && account === NONE) || (keyId !== null && key === NONE)) return slots;
    const { words, used } = this;
    for (let slot = 0, word = 0; slot < used; slot++, word += 20) {
      if (words[word + LIVE] === 0) continue;
      if (account !== NONE && words[word + ACCOUNT] !== account) continue;
      if (key === NONE || words[word + KEY] === key) slots.push(slot);
    }
    return slots.sort((a, b) => this.arrival(a) - this.arrival(b));
  }

  /** The order as the interface shows it. */
  view(slot: number): LiveOrder {
    const traits = this.traits(slot);
    const extras = (traits & WITH_EXTRAS) === 0 ? null : this.extras(slot);
    const key = this.words[slot * 20 + KEY]!;
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
      family: this.family(slot),
      arrival: this.arrival(slot),
      filled: this.filled(slot),
      remaining: this.remaining(slot),
      displayed: this.displayed(slot),
      pendingTrigger: (traits & PENDING_TRIGGER) !== 0,
    };
  }

  private takeSlot(): number {
    const slot = this.firstFree;
    if (slot !== NONE) {
      this.firstFree = this.next(slot);
      return slot;
    }
    if (this.used * 10 === this.doubles.length) {
      const doubles = new Float64Array(2 * this.doubles.length);
      doubles.set(this.doubles);
      this.doubles = doubles;
      this.words = new Int32Array(doubles.buffer);
    }
    return this.used++;
  }

  private makeRoomForNames(): void {
    if (this.accounts.size + this.keys.size > 2 * this.namesKept + IDLE_NAMES_MAX) this.forgetIdleNames();
  }

  private forgetIdleNames(): void {
    const accounts = new Set<number>();
    const keys = new Set<number>();
    for (const slot of this.select(null, null)) {
      accounts.add(this.account(slot));
      keys.add(this.words[slot * 20 + KEY]!);
    }
    this.accounts.keep(accounts);
    this.keys.keep(keys);
    this.namesKept = this.accounts.size + this.keys.size;
  }
}

/**
 * A number out of a Float64Array as the engine has it of a command: a small integer, not a boxed double. Otherwise all that it is
 * computed into or told in would be boxed too.
 */
function whole(value: number): number {
  const small = value | 0;
  return small === value ? small : value;
}
