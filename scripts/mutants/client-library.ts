import type { Mutant } from './mutant.ts';

const AT_THE_ENGINE = ['test/node/sdk-algorithms.test.ts'];
const CALLS = ['clients/sdk/book.test.ts'];
const RUNNER = ['clients/sdk/algorithms/runner.test.ts'];
const ENDS = ['clients/sdk/algorithms/ends.test.ts'];
const TOKENS = ['clients/sdk/token-session.test.ts'];

/** Rules of money in the client library: an order is placed once, and an algorithm keeps to its quantity and limit. */
export const CLIENT_LIBRARY_MUTANTS: readonly Mutant[] = [
  {
    rule: 'A change is repeated under the same Idempotency-Key.',
    file: 'clients/sdk/wire/transport.ts',
    from: "headers.set('idempotency-key', key)",
    to: "headers.set('idempotency-key', crypto.randomUUID())",
    tests: CALLS,
  },
  {
    rule: 'A change without an answer has an unknown outcome.',
    file: 'clients/sdk/wire/transport.ts',
    from: '      progress.mayBeDone ||= !isRead;\n      if (isAborted(call))',
    to: '      if (isAborted(call))',
    tests: CALLS,
  },
  {
    rule: 'A refusal that comes before the key says nothing of an earlier try.',
    file: 'clients/sdk/wire/transport.ts',
    from: ' && !BEFORE_THE_KEY.includes(failure.status)',
    to: '',
    tests: CALLS,
  },
  {
    rule: 'No credential goes to another address than the profile’s.',
    file: 'clients/sdk/wire/transport.ts',
    from: 'url.origin !== this.#base.origin || ',
    to: '',
    tests: CALLS,
  },
  {
    rule: 'An order under the same id with other terms is not taken for the one that was asked for.',
    file: 'clients/sdk/book.ts',
    from: '|| !isSameOrder(existing, body)',
    to: '',
    tests: CALLS,
  },
  {
    rule: 'No signature is made twice at one millisecond.',
    file: 'clients/sdk/wire/clock.ts',
    from: 'this.#last + 1',
    to: '0',
    tests: CALLS,
  },
  {
    rule: 'A float is no amount.',
    file: 'clients/sdk/wire/numbers-of-body.ts',
    from: 'Number.isSafeInteger(value)',
    to: "typeof value === 'number'",
    tests: CALLS,
  },
  {
    rule: 'A state is stored before what follows from it is sent.',
    file: 'clients/sdk/algorithms/runner.ts',
    from: '    await this.#options.store(next);\n    this.#state = next;',
    to: '    this.#state = next;\n    this.#proceed();\n    await this.#options.store(next);',
    tests: RUNNER,
  },
  {
    rule: 'An order that may have been placed before is looked for before it is placed again.',
    file: 'clients/sdk/algorithms/runner.ts',
    from: 'sentAt === undefined ? null : await venue.read(clientOrderId, signal)',
    to: 'null as AlgorithmEvent | null',
    tests: RUNNER,
  },
  {
    rule: 'An algorithm that ends places nothing more.',
    file: 'clients/sdk/algorithms/algorithm.ts',
    from: 'if (isUnwanted) return',
    to: 'if (isUnwanted && symbol === side) return',
    tests: [...RUNNER, ...ENDS],
  },
  {
    rule: 'An order counts as never placed once nothing that was sent for it can arrive.',
    file: 'clients/sdk/algorithms/runner.ts',
    from: 'askedAt - sentAt > ARRIVES_WITHIN_MS',
    to: 'askedAt - sentAt > 0',
    tests: RUNNER,
  },
  {
    rule: 'The call that places an order ends when the algorithm does.',
    file: 'clients/sdk/algorithms/runner.ts',
    from: 'else if (asking.type !== type) asking.ended.abort();',
    to: '',
    tests: RUNNER,
  },
  {
    rule: 'An order that the exchange does not find when it is cancelled has not ended by that.',
    file: 'clients/sdk/algorithms/runner.ts',
    from: 'if (this.#commandOf(clientOrderId)?.type === command.type) await',
    to: 'if (command.type === "cancel") break; else await',
    tests: RUNNER,
  },
  {
    rule: 'An order that ends by self-trade prevention or a halt ends the algorithm.',
    file: 'clients/sdk/algorithms/child-orders.ts',
    from: " && reason === 'unfilled'",
    to: '',
    tests: ENDS,
  },
  {
    rule: 'What an order had filled before it was amended by hand counts.',
    file: 'clients/sdk/algorithms/venue.ts',
    from: 'return eventOf(clientOrderId, cancelled);',
    to: "return { type: 'refused', clientOrderId, code: failure.code };",
    tests: ENDS,
  },
  {
    rule: 'An order with another price is another order.',
    file: 'clients/sdk/book.ts',
    from: 'isSameAmount(order.price, price) &&',
    to: '',
    tests: CALLS,
  },
  {
    rule: 'An answer of success that cannot be read leaves the outcome of a change unknown.',
    file: 'clients/sdk/wire/transport.ts',
    from: 'body: bodyOf(answer) } };',
    to: 'body: (() => { try { return bodyOf(answer); } catch { return {}; } })() } };',
    tests: CALLS,
  },
  {
    rule: 'Fresh tokens are used once they are kept, and bought once.',
    file: 'clients/sdk/token-session.ts',
    from: 'if (this.#unkept !== null) return',
    to: 'if (this.#unkept !== null && this.#tokens === null) return',
    tests: TOKENS,
  },
  {
    rule: 'The jitter of a slice follows from the state.',
    file: 'clients/sdk/algorithms/random-below.ts',
    from: '% bound',
    to: '* Math.random() % bound | 0',
    tests: AT_THE_ENGINE,
  },
  {
    rule: 'A slice is never larger than what is left.',
    file: 'clients/sdk/algorithms/iceberg.ts',
    from: 'compare(subtract(left, size), sizeMin) < 0 ? left : size',
    to: 'wanted',
    tests: AT_THE_ENGINE,
  },
  {
    rule: 'What an order had filled at its end counts.',
    file: 'clients/sdk/algorithms/child-orders.ts',
    from: 'filled: add(state.filled, filled) }',
    to: 'filled: state.filled }',
    tests: AT_THE_ENGINE,
  },
  {
    rule: 'An order whose answer comes after the wish to end is cancelled.',
    file: 'clients/sdk/algorithms/child-orders.ts',
    from: "(order.isUnwanted ? 'cancelling' : 'open')",
    to: "'open'",
    tests: AT_THE_ENGINE,
  },
  {
    rule: 'A hidden order takes at its limit alone.',
    file: 'clients/sdk/algorithms/hidden.ts',
    from: "placing(asked, { size, price: limitPrice, timeInForce: 'IOC' })",
    to: "placing(asked, { size, price: '100', timeInForce: 'GTC' })",
    tests: AT_THE_ENGINE,
  },
];
