import type { Mutant } from './mutant.ts';

const TAKER_TEST = 'test/adversary/trader/what-a-taker-costs.test.ts';

/** Prices that orders and markets go by, and what a taker costs its book. */
export const MATCHING_MUTANTS: readonly Mutant[] = [
  {
    rule: 'an order without a limit is refused where there is no price to go by',
    file: 'domain/order-entry/collar.ts',
    from: 'if (reference === null) return null;',
    to: "if (reference === null) return side === 'sell' ? market.tickSize : null;",
    tests: ['domain/order-entry/collar.test.ts'],
  },
  {
    rule: 'a stop without a limit is refused where there is no price to go by',
    file: 'domain/order-entry/collar.ts',
    from: 'if (reference === null) return null;',
    to: 'if (reference === null && stopPrice === null) return null; if (reference === null) return stopPrice;',
    tests: ['domain/order-entry/collar.test.ts'],
  },
  {
    rule: 'a going price takes three accounts',
    file: 'domain/markets/going-price.ts',
    from: 'const ACCOUNTS_MIN = 3;',
    to: 'const ACCOUNTS_MIN = 2;',
    tests: ['domain/markets/going-price.test.ts'],
  },
  {
    rule: 'an account counts once towards the going price, however often it trades',
    file: 'domain/markets/going-price.ts',
    from: 'if (at >= 0) trades.splice(at, 1);\n    else if',
    to: 'if',
    tests: ['domain/markets/going-price.test.ts'],
  },
  {
    rule: 'no price is the first where its accounts traded far from each other',
    file: 'domain/markets/going-price.ts',
    from: 'return high - low <= Math.floor((low * APART_BPS_MAX) / BPS) ? low : null;',
    to: 'return low;',
    tests: ['domain/markets/going-price.test.ts'],
  },
  {
    rule: 'an indication counts for what its account can pay',
    file: 'domain/listing/payable-shares.ts',
    from: 'if (isPayable(quantity)) return quantity;',
    to: 'if (quantity > 0 || isPayable(quantity)) return quantity;',
    tests: ['domain/listing/payable-shares.test.ts'],
  },
  {
    rule: 'indications of one account share its cash',
    file: 'domain/listing/payable-shares.ts',
    from: 'left.set(account, available - costOf(market, price, payable));',
    to: 'left.set(account, available);',
    tests: ['domain/listing/payable-shares.test.ts'],
  },
  {
    rule: 'what came to nothing at a listing event is dealt out again',
    file: 'application/listing/allot-shares.ts',
    from: 'await changeAllotments(db, event.id, changed);',
    to: 'await changeAllotments(db, event.id, []);',
    tests: ['test/runtime/workers/exchange/operator/listing-event.test.ts'],
  },
  {
    rule: 'the public book leaves out what is for some alone',
    file: 'durable-objects/order-book/engine/fast/book.ts',
    from: 'return requires === 0 || (common !== 0 && (common & ~requires) === 0);',
    to: 'return requires === 0 || common >= 0;',
    tests: [TAKER_TEST],
  },
  {
    rule: 'the public book has what asks for no more than its market',
    file: 'durable-objects/order-book/engine/fast/book.ts',
    from: 'return requires === 0 || (common !== 0 && (common & ~requires) === 0);',
    to: 'return requires === 0 && common >= 0;',
    tests: [TAKER_TEST],
  },
  {
    rule: 'a taker passes by orders that it cannot meet in one step',
    file: 'durable-objects/order-book/engine/fast/matcher.ts',
    from: 'if (isForTaker || this.mayMeetFamily(taker, level)) {',
    to: 'if (isForTaker || level.price > 0) {',
    tests: [TAKER_TEST],
  },
  {
    rule: 'orders of several kinds at a price have their turns by rank',
    file: 'durable-objects/order-book/engine/fast/matcher.ts',
    from: 'if (orders.arrival(heads[other]!) < orders.arrival(heads[at]!)) at = other;',
    to: 'if (orders.arrival(heads[other]!) > orders.arrival(heads[at]!)) at = other;',
    tests: ['durable-objects/order-book/engine/properties.test.ts'],
  },
  {
    rule: 'a fill-or-kill order beside its own orders looks at so many at most',
    file: 'durable-objects/order-book/engine/fast/matcher.ts',
    from: 'if (left.looks-- <= 0) break;',
    to: '',
    tests: [TAKER_TEST],
  },
  {
    rule: 'a fill-or-kill order ends at one of its own',
    file: 'durable-objects/order-book/engine/fast/matcher.ts',
    from: 'left.needed = Number.POSITIVE_INFINITY;',
    to: 'left.looks += 0;',
    tests: ['durable-objects/order-book/engine/matching-decisions.test.ts'],
  },
  {
    rule: 'of two orders that expire together the earlier one expires first',
    file: 'durable-objects/order-book/engine/expiry-heap.ts',
    from: 'return a.expiresAt === b.expiresAt ? this.byArrival(a, b) < 0 : a.expiresAt < b.expiresAt;',
    to: 'return a.expiresAt < b.expiresAt;',
    tests: [TAKER_TEST],
  },
];
