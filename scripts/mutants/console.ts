import type { Mutant } from './mutant.ts';

const CONSOLE_TESTS = ['test/runtime/workers/console/console.test.ts'];
const RETURN_TESTS = ['domain/console/return-path.test.ts'];
const CALL_TESTS = ['domain/console/callable.test.ts'];
const WEB_TESTS = ['web/src/api/send-once.test.ts'];
const TERM_TESTS = ['domain/console/session-term.test.ts'];

/** The browser console: who may call it, what a page may call, and how a session begins and ends. */
export const CONSOLE_MUTANTS: readonly Mutant[] = [
  {
    rule: 'console: a return path does not name another host',
    file: 'domain/console/return-path.ts',
    from: " && !url.pathname.startsWith('//')",
    to: '',
    tests: RETURN_TESTS,
  },
  {
    rule: 'console: a return path has no backslash',
    file: 'domain/console/return-path.ts',
    from: String.raw`/^[\x21-\x5b\x5d-\x7e]+$/`,
    to: String.raw`/^[\x21-\x7e]+$/`,
    tests: RETURN_TESTS,
  },
  {
    rule: 'console: pages call no endpoint of tenant tokens and no webhook of a provider',
    file: 'domain/console/callable.ts',
    from: "closed: ['/v1/auth', '/v1/webhooks']",
    to: 'closed: []',
    tests: CALL_TESTS,
  },
  {
    rule: 'console: what is open begins with a whole segment',
    file: 'domain/console/callable.ts',
    from: 'path === start || path.startsWith(',
    to: 'path.startsWith(start) || path.startsWith(',
    tests: CALL_TESTS,
  },
  {
    rule: 'console: a session ends unused',
    file: 'domain/console/session-term.ts',
    from: "return now >= idleUntil ? 'idle' : null;",
    to: 'return null;',
    tests: TERM_TESTS,
  },
  {
    rule: 'console: a session ends however much it is used',
    file: 'domain/console/session-term.ts',
    from: "if (now >= endsAt) return 'too_old';",
    to: '',
    tests: TERM_TESTS,
  },
  {
    rule: 'console: another origin is refused',
    file: 'workers/middleware/admit-browser.ts',
    from: "if (origin !== undefined && origin !== ours) return foreign('origin');",
    to: '',
    tests: CONSOLE_TESTS,
  },
  {
    rule: 'console: what changes something says its origin',
    file: 'workers/middleware/admit-browser.ts',
    from: "if (origin === undefined) return foreign('origin');",
    to: '',
    tests: CONSOLE_TESTS,
  },
  {
    rule: 'console: what changes something has a header that no form sends',
    file: 'workers/middleware/admit-browser.ts',
    from: "return c.req.header('x-console') === '1' ? null : foreign('header');",
    to: 'return null;',
    tests: CONSOLE_TESTS,
  },
  {
    rule: 'console: what browsers tell of another site is believed',
    file: 'workers/middleware/admit-browser.ts',
    from: "if (!isOurs) return foreign('site');",
    to: '',
    tests: CONSOLE_TESTS,
  },
  {
    rule: 'console: it is at its own host',
    file: 'workers/middleware/admit-browser.ts',
    from: ' || new URL(c.req.url).host !== new URL(ours).host',
    to: '',
    tests: CONSOLE_TESTS,
  },
  {
    rule: 'console: an answer of another provider is none',
    file: 'workers/console/session-routes.ts',
    from: "if (iss !== c.env.IAM_ISSUER) return backToSignIn(c, 'issuer');",
    to: '',
    tests: CONSOLE_TESTS,
  },
  {
    rule: 'console: an answer belongs to the sign-in of this browser',
    file: 'application/console/sign-in.ts',
    from: ' && isEqual(signIn.state, state)',
    to: '',
    tests: CONSOLE_TESTS,
  },
  {
    rule: 'console: a path is judged as the profile reads it',
    file: 'workers/console/call-routes.ts',
    from: 'isCallable(segment, destination.path)',
    to: 'isCallable(segment, rest)',
    tests: CONSOLE_TESTS,
  },
  {
    rule: 'console: a socket says its origin',
    file: 'workers/console/open-feed-route.ts',
    from: "c.req.header('origin') !== c.env.CONSOLE_ORIGIN",
    to: 'false',
    tests: CONSOLE_TESTS,
  },
  {
    rule: 'console: tokens are renewed once for requests that come together',
    file: 'durable-objects/browser-session/browser-session.ts',
    from: 'this.#renewal ??= this.#renew',
    to: 'this.#renewal = this.#renew',
    tests: CONSOLE_TESTS,
  },
  {
    rule: 'console: what a page asks by itself is no use of a session',
    file: 'durable-objects/browser-session/browser-session.ts',
    from: 'if (byPerson) await',
    to: 'await',
    tests: CONSOLE_TESTS,
  },
  {
    rule: 'console: the end of a session ends its tokens',
    file: 'application/console/console-tokens.ts',
    from: 'await endGrant({ family: sid, userId }, env);',
    to: '',
    tests: CONSOLE_TESTS,
  },
  {
    rule: 'console: a file that a version lacks is no page that browsers keep',
    file: 'workers/static-file.ts',
    from: " && answer.headers.get('content-type')?.startsWith('text/html') !== true",
    to: '',
    tests: CONSOLE_TESTS,
  },
  {
    rule: 'console: preferences are written by the version that was read',
    file: 'durable-objects/console-user/console-user.ts',
    from: 'if (current !== version) return { written: false, version: current };',
    to: '',
    tests: CONSOLE_TESTS,
  },
  {
    rule: 'console: an answer after which a change may be done keeps its Idempotency-Key',
    file: 'web/src/api/api-problem.ts',
    from: "this.status >= 500 || (this.status === 409 && this.details.reason === 'in_flight')",
    to: "(this.status === 503 && this.details.reason === 'outcome_unknown')",
    tests: WEB_TESTS,
  },
  {
    rule: 'console: a change that was turned away after an open try keeps its Idempotency-Key',
    file: 'web/src/api/send-once.ts',
    from: ' || (mayBeDone && problem.isTurnedAway)',
    to: '',
    tests: WEB_TESTS,
  },
  {
    rule: 'console: signing out that failed is not shown as done',
    file: 'web/src/session/sign-out.ts',
    from: 'if (!(error instanceof ApiProblem && error.status === 401)) throw error;',
    to: 'if (!(error instanceof ApiProblem)) throw error;',
    tests: ['web/src/session/sign-out.test.ts'],
  },
  {
    rule: 'console: a device keeps no watchlist of whoever was signed in',
    file: 'web/src/session/preferences-wire.ts',
    from: 'return { language, theme };',
    to: 'return { language, theme, watchlist: ["acme"] };',
    tests: ['web/src/session/preferences-wire.test.ts'],
  },
];
