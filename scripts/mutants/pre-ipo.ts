import type { Mutant } from './mutant.ts';

const INSTRUMENT_FAILURE = 'domain/order-entry/instrument-failure.ts';
const INSTRUMENT_TESTS = ['domain/order-entry/instrument-failure.test.ts'];
const INDICATION_TESTS = ['test/runtime/workers/exchange/indications.test.ts'];

/** Rules of indications of interest: they bind nobody, and nobody takes a firm order for one. */
export const PRE_IPO_MUTANTS: readonly Mutant[] = [
  {
    rule: 'an indication holds nothing',
    file: 'domain/order-entry/holds.ts',
    from: 'if (order.isNonBinding === true) return NOTHING;',
    to: '',
    tests: INDICATION_TESTS,
  },
  {
    rule: 'what is meant as an indication is never firm',
    file: INSTRUMENT_FAILURE,
    from: "if (route !== 'indication') return preIpo ? { reason: 'not_pre_ipo' } : null;",
    to: "if (route !== 'indication') return null;",
    tests: INSTRUMENT_TESTS,
  },
  {
    rule: 'there is no interest to sell',
    file: INSTRUMENT_FAILURE,
    from: "return side === 'buy' ? null : { reason: 'asset_not_tradeable', detail: 'indications_only' };",
    to: 'return null;',
    tests: INSTRUMENT_TESTS,
  },
  {
    rule: 'an indication names its price and stands until it ends',
    file: 'application/order-entry/checks/check-order.ts',
    from: "return route === 'indication' ? indicationTermsFailure(terms) : null;",
    to: 'return null;',
    tests: INDICATION_TESTS,
  },
  {
    rule: 'an account indicates so often on one asset at most',
    file: 'durable-objects/order-book/admission/open-orders.ts',
    from: 'return takesIndications(market) ? INDICATIONS_MAX : OPEN_ORDERS_MAX;',
    to: 'return OPEN_ORDERS_MAX;',
    tests: INDICATION_TESTS,
  },
];
