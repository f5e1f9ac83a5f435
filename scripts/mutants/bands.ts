import type { Mutant } from './mutant.ts';

const BAND = 'durable-objects/order-book/cycle/trading-band.ts';
const BAND_TEST = 'durable-objects/order-book/cycle/trading-band.test.ts';
const BOOK = 'durable-objects/order-book/cycle/book-state.ts';
const BOOK_TEST = 'durable-objects/order-book/cycle/band-halt.test.ts';
const REFERENCE = 'domain/markets/band-reference.ts';
const REFERENCE_TEST = 'domain/markets/band-reference.test.ts';
const VERSION_TEST = 'durable-objects/order-book/journal/version-10.test.ts';
const VIEW = 'durable-objects/order-book/feed/market-view.ts';
const VIEW_TEST = 'durable-objects/order-book/feed/market-view.test.ts';

/** What operators state of prices, and what anybody is shown of bands. */
export const BAND_MUTANTS: readonly Mutant[] = [
  {
    rule: 'what has traded before draws no stated reference price back',
    file: BOOK,
    from: 'if (this.#version.statementsHold && this.band.isStated(command.rules)) this.#going.clear();',
    to: '',
    tests: [BOOK_TEST],
  },
  {
    rule: 'a band lies around a reference price as soon as it is stated',
    file: BAND,
    from: 'if (isHeld || isOther) this.#reference = null;',
    to: 'if (isOther) this.#reference = null;',
    tests: [BAND_TEST],
  },
  {
    rule: 'the same reference price stated again is another statement',
    file: BAND,
    from: 'if (statement !== null) return statement > (known ?? 0);',
    to: '',
    tests: [BAND_TEST],
  },
  {
    rule: 'a book hears of a statement of the same reference price',
    file: BAND,
    from: '(rules.referenceStatement ?? null) === (referenceStatement ?? null) &&',
    to: '',
    tests: [BAND_TEST],
  },
  {
    rule: 'what was stated outlives rules of before that a book reads again',
    file: BAND,
    from: 'return { ...rules, referencePrice: known.referencePrice, referenceStatement: known.referenceStatement };',
    to: 'return rules;',
    tests: [BAND_TEST],
  },
  {
    rule: 'each statement of a reference price has an id of its own',
    file: 'application/ledger/change-market.ts',
    from: '{ referenceStatement: rulesVersion + 1 }',
    to: '{}',
    tests: ['test/runtime/adversary/operator/stated-prices.test.ts'],
  },
  {
    rule: 'a stated reference price holds where the same rules end a halt',
    file: BAND,
    from: 'if (!isHeld) this.#reference =',
    to: 'this.#reference =',
    tests: [BAND_TEST],
  },
  {
    rule: 'a reference price that was stated holds through a split',
    file: BAND,
    from: '(before === null ? last : splitOf(before))',
    to: 'last',
    tests: [BAND_TEST],
  },
  {
    rule: 'nothing halts a market at the lowest price there is',
    file: BAND,
    from: 'return !lowestIsNoEnd || price >',
    to: 'return true || price >',
    tests: [BAND_TEST],
  },
  {
    rule: 'a lower end above the lowest price is an end',
    file: BAND,
    from: 'return !lowestIsNoEnd || price >',
    to: 'return !lowestIsNoEnd && price >',
    tests: [BAND_TEST],
  },
  {
    rule: 'rules that move the band end its limit state',
    file: BAND,
    from: 'if (prices.statementsHold && !isSameBand(before, this.band)) this.#limit = null;',
    to: '',
    tests: [BAND_TEST],
  },
  {
    rule: 'rules that leave the band where it is leave its limit state',
    file: BAND,
    from: 'return one?.low === other?.low && one?.high === other?.high;',
    to: 'return one === other;',
    tests: [BAND_TEST],
  },
  {
    rule: 'rows of before are replayed without what is new in bands',
    file: BOOK,
    from: 'if (!statementsHold) {',
    to: 'if (!bandFollowsGoing) {',
    tests: [VERSION_TEST],
  },
  {
    rule: 'a book whose band the ledger lacks tells it by itself',
    file: BOOK,
    from: 'if (this.#owesIncoming || (this.#version.statementsHold && this.band.isUntold)) return this.time;',
    to: 'if (this.#owesIncoming) return this.time;',
    tests: [BOOK_TEST],
  },
  {
    rule: 'the ledger is told where the band goes, and not only where it lies',
    file: BAND,
    from: 'told.target === stand.target &&',
    to: '',
    tests: [BAND_TEST],
  },
  {
    rule: 'the band that is shown moves as minutes turn',
    file: REFERENCE,
    from: 'minuteOf(now_ms) - minuteOf(stand.at)',
    to: '0',
    tests: [REFERENCE_TEST],
  },
  {
    rule: 'the band that is shown lies around its target after a halt',
    file: REFERENCE,
    from: 'haltedUntil !== null && stand.at < haltedUntil && haltedUntil <= now_ms',
    to: 'haltedUntil === now_ms + 1',
    tests: [REFERENCE_TEST],
  },
  {
    rule: 'the band that is shown goes by a price that was stated since the book told of it',
    file: REFERENCE,
    from: '(rules.referenceStatement ?? 0) > (stand.statement ?? 0)',
    to: 'false',
    tests: [REFERENCE_TEST],
  },
  {
    rule: 'an amended trigger is told with its order',
    file: BOOK,
    from: 'if (stopPrice !== undefined && triggersStandWithOrders) effects.changeStopPrice(order.orderId, stopPrice);',
    to: '',
    tests: [VERSION_TEST],
  },
  {
    rule: 'the public sequence never falls below what was told',
    file: VIEW,
    from: 'Math.max(this.bookSequence + levels, told)',
    to: 'this.bookSequence + levels',
    tests: [VIEW_TEST],
  },
  {
    rule: 'the public sequence counts in public from version 11 on',
    file: VIEW,
    from: 'if (!countsInPublic) told = event.sequence;',
    to: 'told = event.sequence;',
    tests: [VIEW_TEST],
  },
  {
    rule: 'a book from before public times says when it changed last',
    file: VIEW,
    from: 'snapshot.changedAt ?? time_ms',
    to: 'snapshot.changedAt ?? 0',
    tests: [VIEW_TEST],
  },
  {
    rule: 'no execution at a broker brings more than an account may have of anything',
    file: 'durable-objects/order-book/routing/broker-reports.ts',
    from: 'Math.max(quantity.value, notional(market, price.value, quantity.value)) <= AMOUNT_MAX',
    to: 'true',
    tests: ['durable-objects/order-book/routing/broker-reports.test.ts'],
  },
  {
    rule: 'an amended stop without a limit comes to enough by its trigger',
    file: 'domain/order-entry/amended-terms.ts',
    from: 'hasCollar ? stopPrice : price, quantity',
    to: 'price, quantity',
    tests: ['domain/order-entry/amended-terms.test.ts'],
  },
  {
    rule: 'bands: a statement that is withdrawn moves nothing',
    file: 'durable-objects/order-book/cycle/trading-band.ts',
    from: 'this.#reference ??= known;',
    to: 'this.#reference ??= null;',
    tests: ['durable-objects/order-book/cycle/trading-band.test.ts'],
  },
  {
    rule: 'bands: rules of before bring nothing back',
    file: 'durable-objects/order-book/cycle/trading-band.ts',
    from: 'taken.referencePrice !== null && taken.referencePrice !== known',
    to: 'rules.referencePrice !== null && rules.referencePrice !== known',
    tests: ['durable-objects/order-book/cycle/trading-band.test.ts'],
  },
  {
    rule: 'collars: lie around what a stated price has come to',
    file: 'domain/order-entry/collar.ts',
    from: '(prices.reference ?? market.referencePrice)',
    to: 'market.referencePrice',
    tests: ['domain/order-entry/collar.test.ts'],
  },
];
