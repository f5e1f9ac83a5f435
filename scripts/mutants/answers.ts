import type { Mutant } from './mutant.ts';

const ISSUE_TESTS = ['protocol/errors/client-issues.test.ts'];
const PAID_TESTS = ['domain/money/paid-amount.test.ts'];
const MONEY_TESTS = ['test/runtime/workers/exchange/operator/money.test.ts'];
const HOUR_TESTS = ['domain/markets/trading-hours.test.ts'];
const MANAGE_TESTS = ['test/runtime/workers/book/manage-orders.test.ts'];
const CHANGE_TESTS = ['containers/fix-gateway/application/change-orders.test.ts'];
const VENUE_TESTS = ['domain/sandbox-broker/displayed-books.test.ts'];

/** What REST answers: words, amounts, whole orders. */
export const ANSWER_MUTANTS: readonly Mutant[] = [
  {
    rule: 'answers: a validation message has no pattern',
    file: 'protocol/errors/client-issues.ts',
    from: "new Set(['pattern', 'errors', 'issues', 'note'])",
    to: "new Set(['errors', 'issues', 'note'])",
    tests: ISSUE_TESTS,
  },
  {
    rule: 'answers: of several forms the one that was meant says what is wrong',
    file: 'protocol/errors/client-issues.ts',
    from: 'if (only === undefined || near.length > 1) return [issue];',
    to: 'if (only === undefined || near.length > 0) return [issue];',
    tests: ISSUE_TESTS,
  },
  {
    rule: 'answers: a field that is missing is told as missing',
    file: 'protocol/errors/client-issues.ts',
    from: 'if (issue.input === undefined &&',
    to: 'if (issue.input === null &&',
    tests: ISSUE_TESTS,
  },
  {
    rule: 'answers: money is paid in the decimals of its currency',
    file: 'domain/money/paid-amount.ts',
    from: 'toScaled(value, paidDecimals(asset))',
    to: 'toScaled(value, asset.scale)',
    tests: PAID_TESTS,
  },
  {
    rule: 'answers: what is no money is paid in all decimals that are counted',
    file: 'domain/money/paid-amount.ts',
    from: "category === 'currency' || category === 'forex' ?",
    to: "category !== 'crypto' ?",
    tests: PAID_TESTS,
  },
  {
    rule: 'answers: an operator deposits what can be paid',
    file: 'application/operator/make-deposit.ts',
    from: 'toPaid(order.amount, asset)',
    to: 'toScaled(order.amount, scale)',
    tests: MONEY_TESTS,
  },
  {
    rule: 'answers: an operator withdraws what can be paid',
    file: 'application/operator/make-withdrawal.ts',
    from: 'toPaid(order.amount, asset)',
    to: "toPaid(order.amount, { ...asset, category: 'crypto' })",
    tests: MONEY_TESTS,
  },
  {
    rule: 'answers: a user asks for what can be paid',
    file: 'application/accounts/transfer-requests.ts',
    from: 'toPaid(amount, asset)',
    to: 'toScaled(amount, asset.scale)',
    tests: MONEY_TESTS,
  },
  {
    rule: 'answers: a dividend is paid up to a bound that can be paid',
    file: 'workers/partner/corporate-actions/change-action-routes.ts',
    from: "toPaid(amount, { symbol, category: 'currency', scale })",
    to: 'toScaled(amount, scale)',
    tests: ['test/runtime/workers/partner/corporate-actions.test.ts'],
  },
  {
    rule: 'answers: an order that its broker has waits for no opening',
    file: 'domain/markets/trading-hours.ts',
    from: '  if (opensAt(hours, order.createdAt) !== opens) return null;\n',
    to: '',
    tests: HOUR_TESTS,
  },
  {
    rule: 'answers: an order whose time is over before waits for no opening',
    file: 'domain/markets/trading-hours.ts',
    from: 'order.expiresAt <= opens ? null',
    to: 'order.expiresAt < 0 ? null',
    tests: HOUR_TESTS,
  },
  {
    rule: 'answers: an order that is read says that it waits',
    file: 'workers/exchange/order-schema.ts',
    from: "    ...optionalTime('waitsUntil', opens),\n",
    to: '',
    tests: ['test/runtime/workers/exchange/market-hours.test.ts'],
  },
  {
    rule: 'answers: an amendment is answered with the trigger that it asked for',
    file: 'application/order-entry/amend-order.ts',
    from: 'stopPrice: stopPrice ?? order.stopPrice',
    to: 'stopPrice: order.stopPrice',
    tests: MANAGE_TESTS,
  },
  {
    rule: 'answers: the trigger of a cancelled order is the one that it had',
    file: 'application/order-entry/routes/known-orders.ts',
    from: 'const said = terms?.stopPrice === null ? terms :',
    to: 'const said = terms !== null ? terms :',
    tests: ['application/order-entry/routes/known-orders.test.ts'],
  },
  {
    rule: 'answers: a repetition means no order that was placed after it',
    file: 'application/order-entry/find-called-order.ts',
    from: 'if (open !== null && (placedBefore === null || open < placedBefore))',
    to: 'if (open !== null)',
    tests: MANAGE_TESTS,
  },
  {
    rule: 'answers: a cancel by FIX whose first answer was lost is answered by what it did',
    file: 'containers/fix-gateway/application/change-orders.ts',
    from: "if (answer.type !== 'refused' || attempts === 1) return answer;",
    to: "if (answer.type !== 'refused' || attempts > 0) return answer;",
    tests: CHANGE_TESTS,
  },
  {
    rule: 'answers: a cancel by FIX is no success where something else has ended the order',
    file: 'containers/fix-gateway/application/change-orders.ts',
    from: "status === 'cancelled' && reason === BY_ACCOUNT",
    to: "status === 'cancelled' && reason !== null",
    tests: CHANGE_TESTS,
  },
  {
    rule: 'answers: a market of a currency has a tick of its own',
    file: 'domain/markets/routed-market-error.ts',
    from: "terms.category === 'forex' ? CURRENCY_TICK : TICK",
    to: 'TICK',
    tests: ['domain/markets/routed-market-error.test.ts'],
  },
  {
    rule: 'answers: the sandbox deals in currencies in four decimals',
    file: 'domain/sandbox-broker/symbols.ts',
    from: 'isCurrency(symbol) ? { tick: CURRENCY_TICK } : {}',
    to: '{}',
    tests: VENUE_TESTS,
  },
  {
    rule: 'answers: a field that stands twice is refused',
    file: 'protocol/json/repeated-field.ts',
    from: 'if (fields?.has(field)) return field;',
    to: 'if (fields?.has(field) === null) return field;',
    tests: ['protocol/json/repeated-field.test.ts'],
  },
  {
    rule: 'answers: a field that stands twice in another spelling is refused',
    file: 'protocol/json/repeated-field.ts',
    from: "if (!literal.includes('\\\\')) return",
    to: 'if (literal.length > 0) return',
    tests: ['protocol/json/repeated-field.test.ts'],
  },
  {
    rule: 'answers: a body in which a field stands twice does nothing',
    file: 'workers/middleware/receive-body.ts',
    from: 'if (repeated !== null) return fieldTwice(repeated);',
    to: '',
    tests: ['test/runtime/workers/middleware/bodies.test.ts'],
  },
  {
    rule: 'answers: a whole number of a query has one form',
    file: 'workers/responses/whole-number.ts',
    from: "typeof text === 'string' && DIGITS.test(text) ?",
    to: "typeof text === 'string' ?",
    tests: ['workers/responses/whole-number.test.ts'],
  },
  {
    rule: 'answers: a holding is valued exactly',
    file: 'domain/portfolio/value-holding.ts',
    from: 'const marketValue = lastPrice === null ? paid : value;',
    to: 'const marketValue = lastPrice === null ? paid : rounded(value);',
    tests: ['domain/portfolio/portfolio.test.ts'],
  },
  {
    rule: 'answers: the profit of a holding is exact',
    file: 'domain/portfolio/value-holding.ts',
    from: 'const unrealizedPnl = lastPrice === null ? 0 : profit;',
    to: 'const unrealizedPnl = lastPrice === null ? 0 : rounded(marketValue - paid);',
    tests: ['domain/portfolio/portfolio.test.ts'],
  },
  {
    rule: 'answers: a range that ends before it begins is refused',
    file: 'workers/responses/time-range.ts',
    from: 'from <= to) return null;',
    to: 'from <= to + 1e15) return null;',
    tests: ['workers/responses/time-range.test.ts'],
  },
];
