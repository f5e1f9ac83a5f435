import type { Mutant } from './mutant.ts';

const CANCEL_TESTS = ['test/runtime/adversary/trader/cancels-beside-reads.test.ts'];
const AGENT_TESTS = ['test/runtime/adversary/agent-key/sessions-and-calls.test.ts'];
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
    rule: 'names: what is too long for one takes no room',
    file: 'application/order-entry/checks/instrument-cache.ts',
    from: 'if (name.length > NAME_LENGTH_MAX) return null;',
    to: '',
    tests: ['test/runtime/adversary/stranger/names-of-nobody.test.ts'],
  },
  {
    rule: 'codes: all lines of a subscriber have so many tries at a phone together',
    file: 'application/identity/one-time-code/redeem-one-time-code.ts',
    from: 'if (site !== null &&',
    to: 'if (site !== null && now < 0 &&',
    tests: ['test/runtime/adversary/stranger/codes-from-one-site.test.ts'],
  },
  {
    rule: 'agent: the agent that has most sessions loses one, and no other',
    file: 'durable-objects/agent-session/kept-sessions.ts',
    from: 'counts.get(agent) === most',
    to: 'agent !== String(most)',
    tests: ['durable-objects/agent-session/kept-sessions.test.ts'],
  },
  {
    rule: 'agent: a user has so many sessions',
    file: 'durable-objects/agent-session/kept-sessions.ts',
    from: 'while (this.#kept.length > SESSIONS_MAX) this.#endOneOfMost();\n',
    to: '',
    tests: ['durable-objects/agent-session/kept-sessions.test.ts'],
  },
  {
    rule: 'agent: a session in use outlives those that are begun beside it',
    file: 'durable-objects/agent-session/kept-sessions.ts',
    from: 'b.usedAt - a.usedAt',
    to: 'b.begunAt - a.begunAt',
    tests: ['durable-objects/agent-session/kept-sessions.test.ts'],
  },
  {
    rule: 'agent: a user calls so many tools in a day',
    file: 'data/audit/trail/tool-calls.ts',
    from: 'setWhere: lt(agentToolCallDays.calls, callsMax),',
    to: 'setWhere: lt(agentToolCallDays.calls, callsMax * 2),',
    tests: AGENT_TESTS,
  },
  {
    rule: 'agent: whoever has called too many tools may cancel',
    file: 'application/agent/count-tool-call.ts',
    from: 'tool === CANCEL_TOOL ? CANCELS_BEYOND_MAX : 0',
    to: 'tool === CANCEL_TOOL ? 0 : 0',
    tests: AGENT_TESTS,
  },
  {
    rule: 'agent: a call is counted before it is made',
    file: 'application/agent/call-as-key.ts',
    from: 'if (refusal !== null) return { ok: false, error: refusal };',
    to: '',
    tests: AGENT_TESTS,
  },
  {
    rule: 'agent: calls are kept for thirty days',
    file: 'application/agent/forget-tool-calls.ts',
    from: 'firstIdOf(now_ms - KEPT_MS)',
    to: 'firstIdOf(now_ms - 2 * KEPT_MS)',
    tests: AGENT_TESTS,
  },
  {
    rule: 'agent: what cannot be logged keeps no order open',
    file: 'containers/agent-server/tool-call-log.ts',
    from: 'tool.name === CANCEL_TOOL &&',
    to: 'tool.name !== CANCEL_TOOL &&',
    tests: ['containers/agent-server/tool-call-log.test.ts'],
  },
  {
    rule: 'fix: cancels of a session that ends wait for room in their limit',
    file: 'containers/fix-gateway/application/repeat.ts',
    from: 'if (wait_s === null || waits === WAITS_MAX) return answer;',
    to: 'if (wait_s !== 0) return answer;',
    tests: ['containers/fix-gateway/application/repeat.test.ts'],
  },
];
