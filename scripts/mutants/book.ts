import type { Mutant } from './mutant.ts';

/** Rules of the order book: what it asks of the ledger, and how it recovers. */
export const BOOK_MUTANTS: readonly Mutant[] = [
  {
    rule: 'an amendment is above what has filled',
    file: 'durable-objects/order-book/admission.ts',
    from: 'if (quantity <= order.filled)',
    to: 'if (quantity < order.filled)',
    tests: ['durable-objects/order-book/admission.test.ts'],
  },
  {
    rule: 'an amendment keeps the quantity limit',
    file: 'durable-objects/order-book/admission.ts',
    from: 'if (quantity > market.quantityMax)',
    to: 'if (false)',
    tests: ['durable-objects/order-book/admission.test.ts'],
  },
  {
    rule: 'an amendment keeps the lot',
    file: 'durable-objects/order-book/admission.ts',
    from: 'if (quantity % market.lotSize !== 0)',
    to: 'if (false)',
    tests: ['durable-objects/order-book/admission.test.ts'],
  },
  {
    rule: 'an amendment keeps the tick',
    file: 'durable-objects/order-book/admission.ts',
    from: 'if (price % market.tickSize !== 0)',
    to: 'if (false)',
    tests: ['durable-objects/order-book/admission.test.ts'],
  },
  {
    rule: 'an amendment goes by the terms that its checks saw',
    file: 'durable-objects/order-book/admission.ts',
    from: `    return refuse({ reason: 'stale' });
  if (command.unfilledOnly`,
    to: `    void 0;
  if (command.unfilledOnly`,
    tests: ['durable-objects/order-book/admission.test.ts'],
  },
  {
    rule: 'an amendment holds its extra',
    file: 'durable-objects/order-book/admission.ts',
    from: 'const reserve = Math.max(0, next.reserve - order.reserve);',
    to: 'const reserve = 0;',
    tests: ['durable-objects/order-book/admission.test.ts'],
  },
  {
    rule: 'an amendment that no longer covers its order is refused',
    file: 'durable-objects/order-book/book-state.ts',
    from: 'needed.reserve <= order.reserve + extra.reserve &&',
    to: '',
    tests: ['durable-objects/order-book/book-state.test.ts'],
  },
  {
    rule: 'a market order has a collar',
    file: 'durable-objects/order-book/admission.ts',
    from: 'const COLLAR_BPS = 500;',
    to: 'const COLLAR_BPS = 5_000;',
    tests: ['durable-objects/order-book/admission.test.ts'],
  },
  {
    rule: 'the price band holds',
    file: 'durable-objects/order-book/admission.ts',
    from: 'if (terms.price !== null && band !== null && (terms.price < band.low || terms.price > band.high)) {',
    to: 'if (false) {',
    tests: ['durable-objects/order-book/admission.test.ts'],
  },
  {
    rule: 'open orders of an account are bounded',
    file: 'durable-objects/order-book/open-orders.ts',
    from: '>= OPEN_ORDERS_PER_ACCOUNT_MAX)',
    to: '>= Infinity)',
    tests: ['durable-objects/order-book/open-orders.test.ts'],
  },
  {
    rule: 'open orders of a book are bounded',
    file: 'durable-objects/order-book/open-orders.ts',
    from: '>= OPEN_ORDERS_PER_BOOK_MAX)',
    to: '>= Infinity)',
    tests: ['durable-objects/order-book/open-orders.test.ts'],
  },
  {
    rule: 'orders of one batch count before they are admitted',
    file: 'durable-objects/order-book/open-orders.ts',
    from: `    this.#batch.add(account);
`,
    to: '',
    tests: ['durable-objects/order-book/open-orders.test.ts'],
  },
  {
    rule: 'an amendment is judged by all lots of its order',
    file: 'durable-objects/order-book/admission-decisions.ts',
    from: 'this.#resale([...held, ...lots], attributes)',
    to: 'this.#resale(lots, attributes)',
    tests: ['test/workers/order-book/cycle-rules.test.ts'],
  },
];
