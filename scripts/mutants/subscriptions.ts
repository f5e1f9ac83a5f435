import type { Mutant } from './mutant.ts';

const CANCEL_TESTS = ['test/runtime/adversary/trader/cancels-beside-reads.test.ts'];
const BUCKET_TESTS = ['domain/limits/rate-bucket.test.ts'];

/** What callers may ask for over what is open, and that nothing of it holds up a cancel. */
export const SUBSCRIPTION_MUTANTS: readonly Mutant[] = [
  {
    rule: 'limits: subscriptions draw on no requests of their account',
    file: 'durable-objects/fan-out/draw-subscription.ts',
    from: "bucket: 'subscriptions'",
    to: "bucket: 'private'",
    tests: CANCEL_TESTS,
  },
  {
    rule: 'limits: who is told to wait for a subscription is idle from then on',
    file: 'durable-objects/fan-out/hub.ts',
    from: 'this.#letWait(connection, notDrawn.wait_ms);',
    to: '',
    tests: CANCEL_TESTS,
  },
  {
    rule: 'limits: who is told to wait before order entry knows them is not closed for it',
    file: 'durable-objects/order-entry/order-connection.ts',
    from: 'return Math.max(openedAt, waitsUntil) +',
    to: 'return Math.min(openedAt, waitsUntil + 1e15) +',
    tests: CANCEL_TESTS,
  },
  {
    rule: 'limits: reads hold up no cancel over a socket',
    file: 'workers/book/order-socket/run-requests.ts',
    from: "    case 'cancel':\n    case 'cancel_batch':",
    to: "    case 'cancel_batch':",
    tests: CANCEL_TESTS,
  },
  {
    rule: 'limits: reads hold up no cancel of an agent',
    file: 'workers/agent/post-message-route.ts',
    from: "(callsCancel(message) ? 'cancels' : null)",
    to: '(callsCancel(message) ? null : null)',
    tests: CANCEL_TESTS,
  },
  {
    rule: 'limits: reads hold up nobody who ends a key',
    file: 'workers/iam/keys/revoke-key-route.ts',
    from: "bucket: 'stops'",
    to: "bucket: 'private'",
    tests: CANCEL_TESTS,
  },
  {
    rule: 'limits: a cancel counts among private requests, too',
    file: 'domain/limits/rate-bucket.ts',
    from: "bucket === 'cancels' || bucket === 'stops'",
    to: "bucket === 'stops'",
    tests: ['test/runtime/workers/book/limits.test.ts'],
  },
  {
    rule: 'limits: more private requests make no subscriptions fewer',
    file: 'domain/limits/rate-bucket.ts',
    from: 'Math.max(given.private, byDefault)',
    to: 'given.private',
    tests: BUCKET_TESTS,
  },
  {
    rule: 'fix: cancels of a session that ends wait for room in their limit',
    file: 'containers/fix-gateway/application/repeat.ts',
    from: 'if (!isLimited || waits === WAITS_MAX) return answer;',
    to: 'return answer;',
    tests: ['containers/fix-gateway/application/repeat.test.ts'],
  },
];
