import type { Side } from '../orders/order.ts';

/** One price of a venue's displayed book, in integers of the caller's scales. */
export interface VenueLevel {
  readonly price: number;
  readonly quantity: number;
}

/** What a venue displays, best prices first, and what taking there costs. */
export interface VenueBook {
  readonly venue: string;
  /** Whether its best bid and offer are protected (17 CFR 242.600(b)): nobody may trade through them. */
  readonly isProtected: boolean;
  /** For a unit of quantity, in units of price; below zero where the venue pays for taking. */
  readonly takeFee: number;
  readonly bids: readonly VenueLevel[];
  readonly asks: readonly VenueLevel[];
}

/** What is to be routed. */
export interface OrderToRoute {
  readonly side: Side;
  readonly quantity: number;
  /** Binds the price that is executed at, before fees; null takes any price. */
  readonly limit: number | null;
}

/** An immediate-or-cancel order to one venue. */
interface RouteSlice {
  readonly venue: string;
  readonly quantity: number;
  /** The worst displayed price that the slice reaches for. */
  readonly limit: number;
  /** Marked as an intermarket sweep: it reaches beyond a protected quote elsewhere, which other slices of the plan take whole. */
  readonly isIntermarketSweep: boolean;
}

export interface RoutePlan {
  /** By venue name. All are sent at once. */
  readonly slices: readonly RouteSlice[];
  /** What no venue displays within the limit. */
  readonly residual: number;
}

/**
 * Splits an order over venues: as much as their displayed books have within the limit, for the least price after fees.
 *
 * Never a trade-through (17 CFR 242.611): where the plan executes at a price, every better-priced protected quote of another venue is taken
 * whole, even where its fee makes it the dearer one. Of two equal ways the one with the better displayed price is taken, then the venue that
 * comes first by name, so the plan does not depend on the order of `venues`.
 *
 * @example routeOrder({ side: 'buy', quantity: 300, limit: 1001 }, books) // { slices: [{ venue: 'A', quantity: 200, limit: 1000, … }, …], residual: 0 }
 */
export function routeOrder(order: OrderToRoute, venues: readonly VenueBook[]): RoutePlan {
  const books = reachableBooks(order, venues);
  const free = take(books, order.quantity, null);
  return planOf(order, books, skipsProtectedQuote(books, free) ? cheapestLawful(books, free) : free);
}

/**
 * A venue's side of the book that the order takes from. Prices are negated for a sell, so that less is better on both sides. The levels
 * within the limit are the first `length`.
 */
interface ReachableBook {
  readonly venue: string;
  readonly isProtected: boolean;
  readonly fee: number;
  readonly sign: 1 | -1;
  readonly levels: readonly VenueLevel[];
  readonly length: number;
}

/** What is taken of each book, in their order. */
interface Take {
  readonly quantities: number[];
  /** Of the last level that each is taken to; meaningless where nothing is taken. */
  readonly worst: number[];
  readonly quantity: number;
}

function reachableBooks({ side, limit }: OrderToRoute, venues: readonly VenueBook[]): ReachableBook[] {
  const sign = side === 'buy' ? 1 : -1;
  const bound = limit === null ? Number.POSITIVE_INFINITY : sign * limit;
  return venues
    .map(({ venue, isProtected, takeFee, bids, asks }) => {
      const levels = side === 'buy' ? asks : bids;
      let length = 0;
      while (length < levels.length && sign * priceAt(levels, length) <= bound) length++;
      return { venue, isProtected, fee: takeFee, sign, levels, length } as const;
    })
    .filter(({ length }) => length > 0)
    .sort((a, b) => (a.venue < b.venue ? -1 : 1));
}

/**
 * Takes the cheapest levels after fees until the quantity is reached. Within a venue prices only rise, so this is the cheapest way of all.
 *
 * @param ceiling worst price that may be reached. Protected quotes that are better are then taken first, whatever they cost. Null: no bound,
 * and no quote is taken for the rule's sake
 */
function take(books: readonly ReachableBook[], quantity: number, ceiling: number | null): Take {
  const quantities = new Array<number>(books.length).fill(0);
  const worst = new Array<number>(books.length).fill(0);
  const next = new Array<number>(books.length).fill(0);
  // Price of each book's next level; infinite where nothing of it may be taken.
  const prices = new Array<number>(books.length).fill(Number.POSITIVE_INFINITY);
  let left = quantity;
  for (const [at, book] of books.entries()) {
    if (ceiling !== null && book.isProtected && topOf(book) < ceiling) {
      quantities[at] = quantityAt(book.levels, 0);
      worst[at] = topOf(book);
      next[at] = 1;
      left -= quantityAt(book.levels, 0);
    }
    prices[at] = nextPrice(book, next[at] as number, ceiling);
  }
  while (left > 0) {
    let best = -1;
    let bestCost = Number.POSITIVE_INFINITY;
    let bestPrice = Number.POSITIVE_INFINITY;
    for (let at = 0; at < books.length; at++) {
      const price = prices[at] as number;
      const cost = price + (books[at] as ReachableBook).fee;
      if (cost > bestCost || (cost === bestCost && price >= bestPrice)) continue;
      best = at;
      bestCost = cost;
      bestPrice = price;
    }
    if (best < 0) break;
    const book = books[best] as ReachableBook;
    const level = next[best] as number;
    const part = Math.min(left, quantityAt(book.levels, level));
    quantities[best] = (quantities[best] as number) + part;
    worst[best] = bestPrice;
    next[best] = level + 1;
    prices[best] = nextPrice(book, level + 1, ceiling);
    left -= part;
  }
  return { quantities, worst, quantity: quantity - left };
}

function nextPrice({ sign, levels, length }: ReachableBook, level: number, ceiling: number | null): number {
  if (level >= length) return Number.POSITIVE_INFINITY;
  const price = sign * priceAt(levels, level);
  return ceiling !== null && price > ceiling ? Number.POSITIVE_INFINITY : price;
}

function skipsProtectedQuote(books: readonly ReachableBook[], taken: Take): boolean {
  const worst = worstOf(taken);
  return books.some(
    (book, at) =>
      book.isProtected && topOf(book) < worst && (taken.quantities[at] as number) < quantityAt(book.levels, 0),
  );
}

function worstOf({ quantities, worst }: Take): number {
  let reached = Number.NEGATIVE_INFINITY;
  for (let at = 0; at < worst.length; at++) {
    if ((quantities[at] as number) > 0) reached = Math.max(reached, worst[at] as number);
  }
  return reached;
}

/**
 * The cheapest way that fills as much and trades through nothing. For a given worst price, the protected quotes that are better must be taken
 * and the rest is free; so the least over all worst prices is the least of all. A price beyond what the free way reaches only adds quotes that
 * must be taken.
 */
function cheapestLawful(books: readonly ReachableBook[], free: Take): Take {
  const reached = worstOf(free);
  const ceilings = new Set<number>();
  for (const { sign, levels, length } of books) {
    for (let at = 0; at < length && sign * priceAt(levels, at) <= reached; at++)
      ceilings.add(sign * priceAt(levels, at));
  }
  let best: Take | null = null;
  let bestCost = 0n;
  for (const ceiling of [...ceilings].sort((a, b) => b - a)) {
    const taken = take(books, free.quantity, ceiling);
    if (taken.quantity > free.quantity) continue;
    if (taken.quantity < free.quantity) break;
    const cost = costOf(books, taken);
    if (best === null || cost <= bestCost) {
      best = taken;
      bestCost = cost;
    }
  }
  // The least price within which the books have the quantity asks for less than the quantity, so there is always one.
  if (best === null) throw new Error('no lawful way through these books');
  return best;
}

function costOf(books: readonly ReachableBook[], { quantities }: Take): bigint {
  let cost = 0n;
  for (const [at, { sign, fee, levels }] of books.entries()) {
    let left = quantities[at] as number;
    for (let level = 0; left > 0; level++) {
      const part = Math.min(left, quantityAt(levels, level));
      cost += BigInt(sign * priceAt(levels, level) + fee) * BigInt(part);
      left -= part;
    }
  }
  return cost;
}

function planOf({ quantity }: OrderToRoute, books: readonly ReachableBook[], taken: Take): RoutePlan {
  const slices: RouteSlice[] = [];
  for (const [at, book] of books.entries()) {
    const part = taken.quantities[at] as number;
    if (part === 0) continue;
    const worst = taken.worst[at] as number;
    const isIntermarketSweep = books.some((other) => other !== book && other.isProtected && topOf(other) < worst);
    slices.push({ venue: book.venue, quantity: part, limit: book.sign * worst, isIntermarketSweep });
  }
  return { slices, residual: quantity - taken.quantity };
}

function topOf({ sign, levels }: ReachableBook): number {
  return sign * priceAt(levels, 0);
}

function priceAt(levels: readonly VenueLevel[], at: number): number {
  return (levels[at] as VenueLevel).price;
}

function quantityAt(levels: readonly VenueLevel[], at: number): number {
  return (levels[at] as VenueLevel).quantity;
}
