import type { Mutant } from './mutant.ts';

const HEADERS = 'domain/prime/webhook-headers.ts';
const HEADERS_TESTS = ['domain/prime/webhook-headers.test.ts'];
const HMAC = 'durable-objects/broker/webhook-hmac.ts';
const RECEIVE = 'application/prime/receive-prime-event.ts';
const WEBHOOK_TESTS = ['test/runtime/workers/exchange/prime-webhook.test.ts'];
const LINK = 'durable-objects/order-book/routing/broker-link.ts';
const LINK_TESTS = ['durable-objects/order-book/routing/broker-link.test.ts'];
const CLEARING = 'domain/ledger/broker-clearing.ts';
const CLEARING_TESTS = ['domain/ledger/broker-clearing.test.ts'];
const COINBASE_ORDERS = 'durable-objects/broker/coinbase/prime-orders.ts';
const COINBASE_TESTS = ['test/node/prime-client.test.ts'];

/** Rules of the prime broker: who may tell that an order filled, and how often that counts. */
export const PRIME_MUTANTS: readonly Mutant[] = [
  {
    rule: 'a webhook lies within five minutes of our time',
    file: HEADERS,
    from: "if (Math.abs(now_ms - Number(timestamp) * 1_000) > TOLERANCE_MS) return err('out_of_time');",
    to: '',
    tests: HEADERS_TESTS,
  },
  {
    rule: 'few signatures of a webhook are looked at',
    file: HEADERS,
    from: '.slice(0, SIGNATURES_MAX)',
    to: '',
    tests: HEADERS_TESTS,
  },
  {
    rule: 'a webhook is signed with a secret of ours',
    file: RECEIVE,
    from: "return isRight ? ok(null) : err({ reason: 'not_signed', detail: 'wrong_signature' });",
    to: 'return isRight ? ok(null) : ok(null);',
    tests: WEBHOOK_TESTS,
  },
  {
    rule: 'the signature of a webhook is over its body',
    file: HMAC,
    from: 'bytes.set(body, head.byteLength);',
    to: '',
    tests: ['durable-objects/broker/webhook-hmac.test.ts'],
  },
  {
    rule: 'a webhook has the id of its event',
    file: RECEIVE,
    from: 'if (id === null || id !== headers.id) {',
    to: 'if (id === null) {',
    tests: WEBHOOK_TESTS,
  },
  {
    rule: 'an event that came with another body is refused',
    file: RECEIVE,
    from: 'if (recorded === digest) return ok(outcome);',
    to: 'return ok(outcome);',
    tests: WEBHOOK_TESTS,
  },
  {
    rule: 'an event is answered once its book has it',
    file: RECEIVE,
    from: "if (unclaimed === 'unavailable') return err({ reason: 'unavailable' });",
    to: "if (unclaimed === 'unavailable') return ok('taken');",
    tests: WEBHOOK_TESTS,
  },
  {
    rule: 'an execution is on the side of its order',
    file: 'durable-objects/order-book/engine/venue/venue-book.ts',
    from: "if ((report.side ?? live.side) !== live.side) return 'wrong_side';",
    to: '',
    tests: WEBHOOK_TESTS,
  },
  {
    rule: 'what a broker tells by itself is not asked for at each pass',
    file: LINK,
    from: 'return isSilent ? [this.#readEvents, ...sending] : sending;',
    to: 'return [this.#readEvents, ...sending];',
    tests: LINK_TESTS,
  },
  {
    rule: 'a broker that tells by itself and is silent is asked',
    file: LINK,
    from: 'return isSilent ? [this.#readEvents, ...sending] : sending;',
    to: 'return isSilent ? sending : sending;',
    tests: LINK_TESTS,
  },
  {
    rule: 'the place in the events of a broker that tells by itself moves on',
    file: LINK,
    from: 'this.#host.now() >= this.#pollAt || this.#heard >= HEARD_MAX;',
    to: 'this.#host.now() >= this.#pollAt;',
    tests: LINK_TESTS,
  },
  {
    rule: 'each clearing account is held to its own trades',
    file: CLEARING,
    from: '  prime: BOUNDARY_ACCOUNT.primeClearing,',
    to: '  prime: BOUNDARY_ACCOUNT.brokerClearing,',
    tests: CLEARING_TESTS,
  },
  {
    rule: 'Coinbase Prime: an order that it may have is looked for before it is sent',
    file: COINBASE_ORDERS,
    from: 'if (found.value !== null) return answered(found.value, terms);\n    if (this.#mayArrive',
    to: 'if (this.#mayArrive',
    tests: COINBASE_TESTS,
  },
  {
    rule: 'Coinbase Prime: an order whose first request may still arrive is not sent again',
    file: COINBASE_ORDERS,
    from: 'return sentAt_ms !== undefined && Date.now() < sentAt_ms + ARRIVAL_MS_MAX;',
    to: 'return false;',
    tests: COINBASE_TESTS,
  },
  {
    rule: 'Coinbase Prime: an order that is there and cannot be read is none to send again',
    file: COINBASE_ORDERS,
    from: "return order === null ? unavailable('an order that cannot be read') : ok(order);",
    to: 'return order === null ? null : ok(order);',
    tests: COINBASE_TESTS,
  },
  {
    rule: 'Coinbase Prime: an id that another order has is a conflict',
    file: COINBASE_ORDERS,
    from: 'if (isSameRequest(order, terms)) return ok(order);',
    to: 'if (order !== terms) return ok(order);',
    tests: COINBASE_TESTS,
  },
  {
    rule: 'Coinbase Prime: keys that are not taken refuse no order',
    file: 'durable-objects/broker/coinbase/prime-http.ts',
    from: "answer.ok && answer.value.status === 403 ? unavailable('the keys are not taken') : answer;",
    to: 'answer;',
    tests: COINBASE_TESTS,
  },
  {
    rule: 'Coinbase Prime: the body of a request is signed',
    file: 'durable-objects/broker/coinbase/prime-http.ts',
    from: `\${url.pathname}\${text}\`)`,
    to: `\${url.pathname}\`)`,
    tests: COINBASE_TESTS,
  },
  {
    rule: 'Coinbase Prime: an end is told after the fills that came before it',
    file: 'durable-objects/broker/coinbase/prime-events.ts',
    from: 'events: [...page.value.events, ...ended.value]',
    to: 'events: [...ended.value, ...page.value.events]',
    tests: COINBASE_TESTS,
  },
];
