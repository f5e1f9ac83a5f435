import type { Mutant } from './mutant.ts';

const VENUE_BOOK = 'durable-objects/order-book/engine/venue/venue-book.ts';
const VENUE_TESTS = ['durable-objects/order-book/engine/venue/venue-book.test.ts'];
const LINK = 'durable-objects/order-book/routing/broker-link.ts';
const LINK_TESTS = ['durable-objects/order-book/routing/broker-link.test.ts'];
const ROUTED_TERMS = 'domain/order-entry/routed-terms-failure.ts';
const ROUTED_TERMS_TESTS = ['domain/order-entry/routed-terms-failure.test.ts'];
const CLEARING = 'domain/ledger/broker-clearing.ts';
const CLEARING_TESTS = ['domain/ledger/broker-clearing.test.ts'];

/** Rules of orders that a broker executes: what counts, what does not, and what is sent. */
export const BROKER_ROUTE_MUTANTS: readonly Mutant[] = [
  {
    rule: 'an execution counts once while its order lives',
    file: VENUE_BOOK,
    from: 'if (routed.executions.has(executionId)) return;',
    to: '',
    tests: VENUE_TESTS,
  },
  {
    rule: 'an execution of an ended order that was known counts no more, and is no break',
    file: VENUE_BOOK,
    from: 'if (known?.includes(executionId)) return;',
    to: '',
    tests: VENUE_TESTS,
  },
  {
    rule: 'an execution is of no more than is left',
    file: VENUE_BOOK,
    from: "if (quantity > live.remaining) return 'exceeds_order';",
    to: '',
    tests: VENUE_TESTS,
  },
  {
    rule: 'an execution is within the limit of its order',
    file: VENUE_BOOK,
    from: "return crosses(live.side, live.price, price) ? null : 'outside_limit';",
    to: 'return null;',
    tests: VENUE_TESTS,
  },
  {
    rule: 'an order that was sent holds until the broker has ended it',
    file: VENUE_BOOK,
    from: "if (routed.stage === 'waiting') {",
    to: 'if (true) {',
    tests: VENUE_TESTS,
  },
  {
    rule: 'an end waits for the fills that belong to it',
    file: VENUE_BOOK,
    from: 'if (!isAllHere && !(isUncounted && ending !== null)) return;',
    to: '',
    tests: VENUE_TESTS,
  },
  {
    rule: 'how far the broker was read stays known while nothing says it anew',
    file: VENUE_BOOK,
    from: 'this.#cursor = cursor ?? this.#cursor;',
    to: 'this.#cursor = cursor;',
    tests: VENUE_TESTS,
  },
  {
    rule: 'a mass cancel of one key leaves what others placed',
    file: VENUE_BOOK,
    from: '(keyId === null || live.keyId === keyId)',
    to: 'true',
    tests: VENUE_TESTS,
  },
  {
    rule: 'orders that ended are not remembered without end',
    file: 'durable-objects/order-book/engine/venue/ended-orders.ts',
    from: 'this.#executions.size < ENDED_ORDERS_MAX && ',
    to: '',
    tests: ['durable-objects/order-book/engine/venue/ended-orders.test.ts'],
  },
  {
    rule: 'a broker is handed no order that hides its quantity',
    file: ROUTED_TERMS,
    from: 'if (hidden) return',
    to: 'if (false) return',
    tests: ROUTED_TERMS_TESTS,
  },
  {
    rule: 'a broker is handed no order with a time in force that it does not take',
    file: ROUTED_TERMS,
    from: "limit: ['GTC', 'IOC', 'FOK'],",
    to: "limit: ['GTC', 'IOC', 'FOK', 'GTD'],",
    tests: ROUTED_TERMS_TESTS,
  },
  {
    rule: 'refused executions count for the end of their order',
    file: VENUE_BOOK,
    from: 'routed.refused += report.quantity ?? 0;',
    to: '',
    tests: VENUE_TESTS,
  },
  {
    rule: 'what does not fit the units is no execution',
    file: 'durable-objects/order-book/routing/broker-reports.ts',
    from: 'const isExact =',
    to: 'const isExact = true ||',
    tests: LINK_TESTS,
  },
  {
    rule: 'full pages of other symbols are passed',
    file: LINK,
    from: 'const isPassed = more && cursor !== engine.cursor;',
    to: 'const isPassed = false;',
    tests: LINK_TESTS,
  },
  {
    rule: 'what a broker is away for is asked again',
    file: LINK,
    from: 'if (!this.#isThere(answer)) continue;',
    to: '',
    tests: LINK_TESTS,
  },
  {
    rule: 'a call to the broker that hangs holds nothing up for good',
    file: LINK,
    from: 'return await answeredWithin(this.#host.timer, ANSWER_WAIT_MS, call);',
    to: 'return await call;',
    tests: LINK_TESTS,
  },
  {
    rule: 'an order whose end is wanted is sent no more',
    file: LINK,
    from: '.filter((orderId) => !engine.isEndWanted(orderId))',
    to: '',
    tests: LINK_TESTS,
  },
  {
    rule: 'ends that are wanted keep no fill unread',
    file: LINK,
    from: 'const ENDS_PER_PASS_MAX = 64;',
    to: 'const ENDS_PER_PASS_MAX = 64_000;',
    tests: LINK_TESTS,
  },
  {
    rule: 'executions of a live order are not remembered without end',
    file: VENUE_BOOK,
    from: 'if (executions.size >= EXECUTIONS_KNOWN_MAX) return false;',
    to: '',
    tests: VENUE_TESTS,
  },
  {
    rule: 'an order that may be under way to the broker does not end here',
    file: LINK,
    from: 'if (found.value !== null || at < sent + REQUEST_LIFE_MS) return true;',
    to: 'if (found.value !== null) return true;',
    tests: LINK_TESTS,
  },
  {
    rule: 'orders wait while the broker is away',
    file: LINK,
    from: 'if (engine === null || this.#host.now() < this.#awayUntil) return;',
    to: 'if (engine === null) return;',
    tests: LINK_TESTS,
  },
  {
    rule: 'no lot within its hold is sold to whoever buys at a broker',
    file: 'domain/resale/resale-rule.ts',
    from: 'input.isRouted ? 0 : exemptBuyers(',
    to: 'exemptBuyers(',
    tests: ['domain/resale/resale-rule.test.ts'],
  },
  {
    rule: 'what not everyone may buy is not sold at a broker',
    file: 'durable-objects/order-book/admission/admission-decisions.ts',
    from: 'isAtBroker(this.#config.market) && prepared.command.requires !== 0',
    to: 'false',
    tests: LINK_TESTS,
  },
  {
    rule: 'shares at the clearing account are what executions say',
    file: CLEARING,
    from: 'if (shares !== 0 || cash !== 0)',
    to: 'if (cash !== 0)',
    tests: CLEARING_TESTS,
  },
  {
    rule: 'cash at the clearing account is what executions say',
    file: CLEARING,
    from: 'if (shares !== 0 || cash !== 0)',
    to: 'if (shares !== 0)',
    tests: CLEARING_TESTS,
  },
  {
    rule: 'a trade with the broker names an execution and bears no fee of the broker',
    file: CLEARING,
    from: 'if (buyer === seller || !order.startsWith(EXECUTION) || fee !== 0)',
    to: 'if (buyer === seller)',
    tests: CLEARING_TESTS,
  },
  {
    rule: 'an asset has one market that is routed to the broker',
    file: 'domain/markets/routed-market-error.ts',
    from: "if (routedElsewhere !== null) return { reason: 'asset_routed_elsewhere', symbol: routedElsewhere };",
    to: '',
    tests: ['test/runtime/workers/exchange/operator/listing.test.ts'],
  },
  {
    rule: 'a routed market has the decimals of the broker',
    file: 'domain/markets/routed-market-error.ts',
    from: 'if (terms.priceScale !== PRICE_SCALE)',
    to: 'if (false)',
    tests: ['test/runtime/workers/exchange/operator/listing.test.ts'],
  },
];
