import type { Mutant } from './mutant.ts';

const FIX = 'containers/fix-gateway';
const DESK = `${FIX}/application/order-desk.ts`;
const DESK_TESTS = [`${FIX}/application/order-desk.test.ts`];
const RECONCILIATION_TESTS = [`${FIX}/application/reconciliation.test.ts`];
const CHANGE_TESTS = [`${FIX}/application/change-orders.test.ts`];
const TEXT_TESTS = ['test/adversary/trader/texts-of-other-doors.test.ts'];

/** Reports of orders follow from the exchange's record, and texts stay within their fields. */
export const ORDER_REPORT_MUTANTS: readonly Mutant[] = [
  {
    rule: 'FIX: a fill is reported behind the terms under which it was made',
    file: DESK,
    from: '(!isNews(fill, order) || filled <= (standing?.filled_size ?? 0))',
    to: 'filled >= 0',
    tests: DESK_TESTS,
  },
  {
    rule: 'FIX: a fill is reported behind the fills before it',
    file: DESK,
    from: 'return (isNext || isListed) &&',
    to: 'return (isNext || !isListed) &&',
    tests: DESK_TESTS,
  },
  {
    rule: 'FIX: whether an order is filled is what the exchange says',
    file: DESK,
    from: 'fill.remaining_size === null ? filled >= totalOf(order) : fill.remaining_size === 0',
    to: 'filled >= order.size',
    tests: DESK_TESTS,
  },
  {
    rule: 'FIX: an order that the exchange has open has not ended',
    file: DESK,
    from: 'const isSameEnd = isOver && order.ended &&',
    to: 'const isSameEnd = order.ended ||',
    tests: DESK_TESTS,
  },
  {
    rule: 'FIX: what is older than what the exchange has said is passed over',
    file: DESK,
    from: 'if (updated_at < order.asOf_ms || updated_at < (latest?.updated_at ?? 0)) return true;',
    to: '',
    tests: DESK_TESTS,
  },
  {
    rule: 'FIX: a price that another door has changed is reported before the fill at it',
    file: DESK,
    from: '|| (isUnderLastTerms && !hasLastTerms)',
    to: '',
    tests: DESK_TESTS,
  },
  {
    rule: 'FIX: what self-trade prevention has taken off is no part of OrderQty',
    file: `${FIX}/application/tracked-order.ts`,
    from: 'return addDecimals(size, -takenOff);',
    to: 'return addDecimals(size, -0 * takenOff);',
    tests: DESK_TESTS,
  },
  {
    rule: 'FIX: a decline of OrderQty says that it is one',
    file: DESK,
    from: 'restatement: isTakenOff ? PARTIAL_DECLINE : OTHER,',
    to: 'restatement: OTHER,',
    tests: DESK_TESTS,
  },
  {
    rule: 'FIX: what an amendment has made less was not taken off',
    file: DESK,
    from: 'const takenOff = Math.max(0, Math.min(takenOffMax, addDecimals(standing.size, -total)));',
    to: 'const takenOff = addDecimals(standing.size, -total) + 0 * takenOffMax;',
    tests: DESK_TESTS,
  },
  {
    rule: 'what a routed order holds for terms that its broker has not given is no part of what it may fill',
    file: 'domain/orders/remaining-of.ts',
    from: 'Math.max(0, Math.min(remaining, quantity - filled))',
    to: 'Math.max(0, remaining, 0 * (quantity - filled))',
    tests: ['durable-objects/order-book/routing/broker-link.test.ts'],
  },
  {
    rule: 'FIX: a replacement is of the total that its peer knows',
    file: `${FIX}/application/change-orders.ts`,
    from: 'addDecimals(size, order.takenOff)',
    to: 'size',
    tests: CHANGE_TESTS,
  },
  {
    rule: 'FIX: a cancel is answered where the session was told that its order had ended',
    file: DESK,
    from: 'this.#put({ ...order, ended: false, ending: { ...ending, clOrdId } });',
    to: 'this.#put({ ...order, ending: { ...ending, clOrdId } });',
    tests: CHANGE_TESTS,
  },
  {
    rule: 'FIX: a status goes by the exchange',
    file: `${FIX}/application/report-status.ts`,
    from: 'await context.refresh(order);',
    to: '',
    tests: CHANGE_TESTS,
  },
  {
    rule: 'FIX: what the feed tells of an order before its placement is answered is kept',
    file: `${FIX}/application/reconciliation.ts`,
    from: 'if (placing.isUnderWay) placing.holdOrder(standing);',
    to: 'if (placing.isUnderWay) return;',
    tests: RECONCILIATION_TESTS,
  },
  {
    rule: 'FIX: a drop copy has every order, however it has ended',
    file: `${FIX}/application/account-state.ts`,
    from: "listOrders(exchange, caller, 'all', id)",
    to: "listOrders(exchange, caller, 'open', id)",
    tests: RECONCILIATION_TESTS,
  },
  {
    rule: 'FIX: a drop copy is told of no order that had ended before it began',
    file: `${FIX}/application/reconciliation.ts`,
    from: 'if (!this.#places.isOfSession(order)) continue;',
    to: '',
    tests: RECONCILIATION_TESTS,
  },
  {
    rule: 'FIX: fills that the session has not counted do not hold an end back for good',
    file: `${FIX}/application/reconciliation.ts`,
    from: 'if (counted.executed.filled >= filled)',
    to: 'if (counted.executed.filled > filled)',
    tests: RECONCILIATION_TESTS,
  },
  {
    rule: 'FIX: a subscription begins with the entries that were asked for',
    file: `${FIX}/application/market-data.ts`,
    from: 'const trades = (lastTrades.get(symbol) ?? []).map(({ level }) => level);',
    to: "const trades = (lastTrades.get('') ?? []).map(({ level }) => level);",
    tests: [`${FIX}/application/market-data.test.ts`],
  },
  {
    rule: 'FIX: a Logon that resets the numbers is the first',
    file: `${FIX}/session/session.ts`,
    from: 'if (reset && sequence !== 1) {',
    to: 'if (reset && sequence === null) {',
    tests: [`${FIX}/session/session.test.ts`],
  },
  {
    rule: 'FIX: no value ends its field',
    file: `${FIX}/codec/write-message.ts`,
    from: 'return dataText(value).replace(CONTROL_CHARACTERS, REPLACEMENT);',
    to: 'return dataText(value);',
    tests: [`${FIX}/codec/write-message.test.ts`],
  },
  {
    rule: 'FIX: a character is a byte',
    file: `${FIX}/codec/write-message.ts`,
    from: 'return value.replace(BEYOND_LATIN1, REPLACEMENT);',
    to: 'return value;',
    tests: [`${FIX}/codec/write-message.test.ts`],
  },
  {
    rule: 'a table has no formula and no control character of another',
    file: 'workers/responses/csv.ts',
    from: "value.toWellFormed().replace(CONTROL_CHARACTERS, '\\ufffd')",
    to: 'value',
    tests: TEXT_TESTS,
  },
  {
    rule: 'a line of a log is one line for every reader',
    file: 'containers/process/log.ts',
    from: 'const UNESCAPED = /[\\x7f-\\x9f\\u2028\\u2029]/g;',
    to: 'const UNESCAPED = /[\\x7f]/g;',
    tests: TEXT_TESTS,
  },
  {
    rule: 'a client order id is what every protocol writes as it is',
    file: 'protocol/order-entry/client-order-id.ts',
    from: '[\\x21-\\x7e]{1,64}$/',
    to: '[^]{1,64}$/',
    tests: TEXT_TESTS,
  },
];
