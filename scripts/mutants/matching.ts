import type { Mutant } from './mutant.ts';

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
];
