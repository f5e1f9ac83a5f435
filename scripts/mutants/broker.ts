import type { Mutant } from './mutant.ts';

const ROUTER_TESTS = ['domain/broker/smart-order-router.test.ts'];
const MARKET_TESTS = ['domain/sandbox-broker/sandbox-market.test.ts'];
const OBJECT_TESTS = ['test/runtime/durable-objects/sandbox-broker/sandbox-broker.test.ts'];
const ALPACA_TESTS = ['test/node/alpaca-client.test.ts'];
const RECONCILIATION_TESTS = ['test/runtime/application/reconcile-with-broker.test.ts'];
const SETTLEMENT_TESTS = ['domain/ledger/unsettled.test.ts'];
const PRICE_TESTS = ['application/market-data/latest-known.test.ts'];

/** Rules of routing orders, of brokers and of their prices. */
export const BROKER_MUTANTS: readonly Mutant[] = [
  {
    rule: 'broker: the router trades through no protected quote',
    file: 'domain/broker/smart-order-router.ts',
    from: 'skipsProtectedQuote(books, free) ? cheapestLawful(books, free) : free',
    to: 'free',
    tests: ROUTER_TESTS,
  },
  {
    rule: 'broker: the router stays within the limit',
    file: 'domain/broker/smart-order-router.ts',
    from: 'while (length < levels.length && sign * priceAt(levels, length) <= bound) length++;',
    to: 'while (length < levels.length && bound !== 0) length++;',
    tests: ROUTER_TESTS,
  },
  {
    rule: 'broker: the router compares prices after fees',
    file: 'domain/broker/smart-order-router.ts',
    from: 'const cost = price + (books[at] as ReachableBook).fee;',
    to: 'const cost = price;',
    tests: ROUTER_TESTS,
  },
  {
    rule: 'broker: of two equal ways the router takes the better displayed price',
    file: 'domain/broker/smart-order-router.ts',
    from: 'cost === bestCost && price >= bestPrice',
    to: 'cost === bestCost',
    tests: ROUTER_TESTS,
  },
  {
    rule: 'broker: a replacement is to more than has filled',
    file: 'domain/sandbox-broker/sandbox-market.ts',
    from: 'if (quantity <= order.filled) {',
    to: 'if (quantity < 0) {',
    tests: MARKET_TESTS,
  },
  {
    rule: 'broker: an order that is submitted again is not placed again',
    file: 'durable-objects/sandbox-broker/sandbox-broker.ts',
    from: 'if (known !== null) {',
    to: 'if (known === undefined) {',
    tests: OBJECT_TESTS,
  },
  {
    rule: 'broker: faults only where they are allowed',
    file: 'durable-objects/sandbox-broker/sandbox-broker.ts',
    from: "return this.env.SANDBOX_FAULTS === 'allowed';",
    to: 'return true;',
    tests: OBJECT_TESTS,
  },
  {
    rule: 'broker: an id that another order has is a conflict',
    file: 'durable-objects/broker/alpaca/alpaca-orders.ts',
    from: "if (!isSameRequest(first.terms, order)) return refused('conflict', answer.value);",
    to: '',
    tests: ALPACA_TESTS,
  },
  {
    rule: 'broker: keys that are not taken refuse no order',
    file: 'durable-objects/broker/alpaca/alpaca-http.ts',
    from: "if (status === 403 && refusalOf(answer).code === null) return unavailable('the keys are not taken');",
    to: '',
    tests: ALPACA_TESTS,
  },
  {
    rule: 'broker: the keys go nowhere else',
    file: 'durable-objects/broker/alpaca/alpaca-http.ts',
    from: "redirect: 'manual',",
    to: '',
    tests: ALPACA_TESTS,
  },
  {
    rule: 'broker: activities that are entered late are read',
    file: 'durable-objects/broker/alpaca/alpaca-events.ts',
    from: 'const OVERLAP_MS = 60_000;',
    to: 'const OVERLAP_MS = 0;',
    tests: ALPACA_TESTS,
  },
  {
    rule: 'broker: prices of a source that is away are marked stale',
    file: 'application/market-data/latest-known.ts',
    from: 'isStale: !this.#isFresh(key, now_ms)',
    to: 'isStale: false',
    tests: PRICE_TESTS,
  },
  {
    rule: 'broker: an asset that its source does not answer for is marked stale',
    file: 'application/market-data/asset-prices.ts',
    from: 'isStale: hasSource(priced)',
    to: 'isStale: false',
    tests: ['test/runtime/workers/exchange/source-prices.test.ts'],
  },
  {
    rule: 'broker: a difference that is another begins anew',
    file: 'data/broker/broker-differences.ts',
    from: 'CASE detail WHEN excluded.detail THEN first_seen_at ELSE excluded.first_seen_at END',
    to: 'first_seen_at',
    tests: RECONCILIATION_TESTS,
  },
  {
    rule: 'broker: a unit too little is a difference',
    file: 'domain/broker/compare-with-broker.ts',
    from: 'else if (more < 0)',
    to: 'else if (more < -1)',
    tests: ['domain/broker/compare-with-broker.test.ts'],
  },
  {
    rule: 'broker: a difference that lasts is a violation',
    file: 'data/audit/broker.ts',
    from: 'WHERE last_seen_at > first_seen_at',
    to: 'WHERE last_seen_at < first_seen_at',
    tests: RECONCILIATION_TESTS,
  },
  {
    rule: 'an order whose first request may still arrive is not refused',
    file: 'durable-objects/broker/alpaca/alpaca-orders.ts',
    from: 'return since !== undefined && Date.now() - since < ARRIVAL_MS_MAX;',
    to: 'return since === null;',
    tests: ALPACA_TESTS,
  },
  {
    rule: 'a market that cannot be compared with the broker is written down',
    file: 'application/broker/reconcile-with-broker.ts',
    from: 'await recordFailedComparison(db, market.symbol, now);',
    to: '',
    tests: ['test/runtime/application/reconcile-with-broker.test.ts'],
  },
  {
    rule: 'a market whose book lands a batch meanwhile is compared in the same run',
    file: 'application/broker/reconcile-with-broker.ts',
    from: 'const READINGS_MAX = 3;',
    to: 'const READINGS_MAX = 1;',
    tests: ['test/runtime/application/reconcile-with-broker.test.ts'],
  },
  {
    rule: 'hours: an order that cannot wait is refused while its market is closed',
    file: 'domain/order-entry/instrument-failure.ts',
    from: 'return opens === null ? null :',
    to: 'return opens !== 0 ? null :',
    tests: ['test/runtime/workers/exchange/market-hours.test.ts'],
  },
  {
    rule: 'hours: nothing that can wait goes to the broker while the market is closed',
    file: 'durable-objects/order-book/routing/broker-link.ts',
    from: 'this.#isClosed ? [] : engine.waiting(',
    to: 'engine.waiting(',
    tests: ['durable-objects/order-book/routing/broker-link.test.ts'],
  },
  {
    rule: 'settlement: what a broker owes for a sale stays in broker clearing',
    file: 'domain/ledger/broker-clearing.ts',
    from: 'return settlesOn == null ? 0 : notional - sellerFee;',
    to: 'return 0;',
    tests: SETTLEMENT_TESTS,
  },
  {
    rule: 'settlement: only what is due settles',
    file: 'domain/ledger/unsettled.ts',
    from: 'filter((day) => day <= through)',
    to: 'filter((day) => day <= through || through > 0)',
    tests: SETTLEMENT_TESTS,
  },
  {
    rule: 'settlement: what has settled is due no more',
    file: 'domain/ledger/settle-due.ts',
    from: 'unsettled.remove(sum);',
    to: '',
    tests: SETTLEMENT_TESTS,
  },
  {
    rule: 'settlement: shares that have not settled may not leave',
    file: 'domain/ledger/transfers.ts',
    from: 'if (!isDeposit && settled < amount)',
    to: 'if (!isDeposit && settled < 0)',
    tests: SETTLEMENT_TESTS,
  },
  {
    rule: 'settlement: a sale that is taken back leaves nothing to settle',
    file: 'domain/ledger/trade-adjustments.ts',
    from: 'if (unsettled !== null) state.unsettled.add(unsettled, unsettled.amount);',
    to: '',
    tests: SETTLEMENT_TESTS,
  },
  {
    rule: 'settlement: no order is admitted where as much waits as may',
    file: 'domain/ledger/quotas.ts',
    from: 'state.unsettled.count >= unsettledMax',
    to: 'state.unsettled.count < 0',
    tests: SETTLEMENT_TESTS,
  },
  {
    rule: 'settlement: an operator settles no day that has not come',
    file: 'application/operator/settle-trades.ts',
    from: "if (through > today && env.SANDBOX_FAULTS !== 'allowed')",
    to: "if (through < 0 && env.SANDBOX_FAULTS !== 'allowed')",
    tests: ['test/runtime/workers/exchange/settlement.test.ts'],
  },
];
