import type { Mutant } from './mutant.ts';

const FIX = 'containers/fix-gateway';
const ADJUSTMENT_TESTS = [`${FIX}/application/reconciliation.test.ts`];
const CHANGE_TESTS = [`${FIX}/application/change-orders.test.ts`];

/** What a gateway must not do otherwise than its peer has said. */
export const GATEWAY_MUTANTS: readonly Mutant[] = [
  {
    rule: 'FIX: what was taken back is executed no more',
    file: `${FIX}/application/tracked-order.ts`,
    from: 'return addDecimals(filled, -takenBack)',
    to: 'return addDecimals(filled, 0 * takenBack)',
    tests: [`${FIX}/application/order-desk.test.ts`],
  },
  {
    rule: 'FIX: an adjustment is told once',
    file: `${FIX}/application/reconciliation.ts`,
    from: 'this.#places.adjustmentsReadTo(sequence)',
    to: 'this.#places.adjustmentsReadTo(sequence - 1)',
    tests: ADJUSTMENT_TESTS,
  },
  {
    rule: 'FIX: an adjustment waits for an order that is being placed',
    file: `${FIX}/application/order-placing.ts`,
    from: 'return this.#underWay && createdAtOf(orderId) >=',
    to: 'return !this.#underWay && createdAtOf(orderId) >=',
    tests: ADJUSTMENT_TESTS,
  },
  {
    rule: 'FIX: a field that is not offered refuses its request',
    file: `${FIX}/application/refused-field.ts`,
    from: 'if (!taken) return',
    to: 'if (taken && tag < 0) return',
    tests: [`${FIX}/application/refused-field.test.ts`],
  },
  {
    rule: 'FIX: an order with a field that is not offered is not placed',
    file: `${FIX}/application/order-request.ts`,
    from: 'if (ignored !== null)',
    to: 'if (ignored !== null && ignored.tag < 0)',
    tests: [`${FIX}/application/order-request.test.ts`],
  },
  {
    rule: 'FIX: a stop does not outlive the day that it states',
    file: `${FIX}/application/order-request.ts`,
    from: "if (type !== 'limit')\n    return refused",
    to: "if (type === '')\n    return refused",
    tests: [`${FIX}/application/order-request.test.ts`],
  },
  {
    rule: 'FIX: a request about an order names its side, symbol and id',
    file: `${FIX}/application/order-target.ts`,
    from: 'if (other !== null)',
    to: 'if (other === 0)',
    tests: CHANGE_TESTS,
  },
  {
    rule: 'FIX: a request about an order names its last ClOrdID',
    file: `${FIX}/application/order-target.ts`,
    from: 'order.ended || original === order.clOrdId',
    to: "original !== ''",
    tests: CHANGE_TESTS,
  },
  {
    rule: 'FIX: a replacement does not pass over terms that cannot be changed',
    file: `${FIX}/application/change-orders.ts`,
    from: 'if (fixed !== null)',
    to: 'if (fixed === 0)',
    tests: CHANGE_TESTS,
  },
  {
    rule: 'FIX: a mass cancel does not pass over what would narrow it down',
    file: `${FIX}/application/mass-cancel.ts`,
    from: '(type === ALL && !hasSymbol)',
    to: 'type === ALL',
    tests: CHANGE_TESTS,
  },
  {
    rule: 'FIX: a mass cancel of a side that is none of both is refused',
    file: `${FIX}/application/taken-fields.ts`,
    from: "[TAG.Side, ['1', '2']]",
    to: "[TAG.Side, 'done']",
    tests: CHANGE_TESTS,
  },
  {
    rule: 'FIX: a message that is too long is not asked for again',
    file: `${FIX}/session/session.ts`,
    from: 'if (message.isCut) {',
    to: 'if (message.isCut && now_ms < 0) {',
    tests: [`${FIX}/session/session.test.ts`],
  },
  {
    rule: 'FIX: nothing is sent that the store has not taken',
    file: `${FIX}/transport/session-host.ts`,
    from: 'if (!this.#isStored()) {',
    to: 'if (!this.#isStored() && this.name === "") {',
    tests: ['test/node/fix-session-store.test.ts'],
  },
  {
    rule: 'FIX: of a turn the store writes all or nothing',
    file: `${FIX}/store/session-file.ts`,
    from: 'ftruncateSync(file, size_bytes);',
    to: '',
    tests: ['test/node/fix-session-store.test.ts'],
  },
  {
    rule: 'gRPC: no order has a number that is none',
    file: 'protocol/rpc/order-number-failure.ts',
    from: '(number >= 0 && number !== Number.POSITIVE_INFINITY)',
    to: "field !== ''",
    tests: ['protocol/rpc/order-number-failure.test.ts'],
  },
  {
    rule: 'gRPC: an empty id is no path',
    file: 'containers/grpc-gateway/is-path-segment.ts',
    from: "!['', '.', '..'].includes(text)",
    to: "text !== '/'",
    tests: ['containers/grpc-gateway/test/gateway.test.ts'],
  },
];
