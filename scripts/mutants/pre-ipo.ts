import type { Mutant } from './mutant.ts';

const INSTRUMENT_FAILURE = 'domain/order-entry/instrument-failure.ts';
const INSTRUMENT_TESTS = ['domain/order-entry/instrument-failure.test.ts'];
const INDICATION_TESTS = ['test/runtime/workers/exchange/indications.test.ts'];

const BOOK_TESTS = ['durable-objects/order-book/engine/indications/indication-book.test.ts'];
const LISTING_TESTS = ['test/runtime/workers/exchange/operator/listing-event.test.ts'];

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
    rule: 'what is meant to be firm is never an indication',
    file: INSTRUMENT_FAILURE,
    from: "if (preIpo === false && side === 'buy') return { reason: 'pre_ipo' };",
    to: '',
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
  {
    rule: 'an indication is filled from an offer at its price alone, as far as it still wants',
    file: 'durable-objects/order-book/engine/indications/indication-book.ts',
    from: 'order.price >= price && order.quantity >= quantity',
    to: 'order.quantity >= quantity',
    tests: BOOK_TESTS,
  },
  {
    rule: 'an offer sells no more than it has',
    file: 'durable-objects/order-book/engine/indications/indication-book.ts',
    from: 'offer.price === price && offer.remaining >= quantity',
    to: 'offer.price === price',
    tests: BOOK_TESTS,
  },
  {
    rule: 'what turns firm holds all that it costs',
    file: 'durable-objects/order-book/admission/admission.ts',
    from: 'isNonBinding: false, limit: price',
    to: 'isNonBinding: true, limit: price',
    tests: LISTING_TESTS,
  },
  {
    rule: 'accreditation is checked again when an indication turns firm',
    file: 'application/listing/weigh-indications.ts',
    from: "const failure = accreditationFailure('buy', instrument.asset, trader.value);",
    to: 'const failure = null;',
    tests: LISTING_TESTS,
  },
  {
    rule: 'nobody buys a lot within the lockup of its issuer',
    file: 'domain/resale/resale-rule.ts',
    from: 'if (lockup !== null && input.now < lockup.until) {',
    to: 'if (lockup === null && input.now < 0) {',
    tests: ['domain/listing/listed-lot.test.ts'],
  },
  {
    rule: 'lots bought from the issuer are bound by the terms of the listing',
    file: 'durable-objects/order-book/settlement/lot-moves.ts',
    from: 'this.#receive(buyer, terms ?? lot,',
    to: 'this.#receive(buyer, lot,',
    tests: LISTING_TESTS,
  },
  {
    rule: 'interest in an asset is for the venue and the organization of its issuer',
    file: 'application/listing/read-interest.ts',
    from: 'return issuer?.owner === owner;',
    to: 'return true;',
    tests: LISTING_TESTS,
  },
  {
    rule: 'no more is dealt out than is offered',
    file: 'domain/listing/allocate-shares.ts',
    from: 'const dealt = Math.min(wanted, left);',
    to: 'const dealt = wanted;',
    tests: ['domain/listing/allocate-shares.test.ts'],
  },
  {
    rule: 'an event that is stopped takes its offer back',
    file: 'application/listing/end-listing.ts',
    from: `export async function carryOnStopping(env: Env, event: ListingEventRow): Promise<boolean> {
  if (!(await cancelOffer(env, event))) return false;`,
    to: 'export async function carryOnStopping(env: Env, event: ListingEventRow): Promise<boolean> {',
    tests: LISTING_TESTS,
  },
  {
    rule: 'nobody places the offer of a stopped event later',
    file: 'data/listing/listing-events.ts',
    from: "CASE state WHEN 'announced' THEN 'withdrawing' ELSE 'stopping' END",
    to: "'stopping'",
    tests: LISTING_TESTS,
  },
  {
    rule: 'a stopped event waits for a halted market',
    file: 'application/listing/offer-shares.ts',
    from: "placed.type === 'not_now' || (placed.type === 'refused' && placed.mayPass)",
    to: "placed.type === 'not_now'",
    tests: LISTING_TESTS,
  },
  {
    rule: 'an event that is over is not stopped',
    file: 'data/listing/listing-events.ts',
    from: "AND state IN ('announced', 'offered', 'allotted'))`",
    to: ')`',
    tests: LISTING_TESTS,
  },
];
