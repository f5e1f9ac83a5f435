import type { Mutant } from './mutant.ts';

const TESTS = ['test/runtime/workers/exchange/operator/desks.test.ts'];
const VISIBLE_TESTS = ['domain/identity/visible-object.test.ts'];
const WEBHOOKS = 'application/operator/webhook-endpoints.ts';

/** What operators find by an id, and do to webhooks of others. */
export const DESK_MUTANTS: readonly Mutant[] = [
  {
    rule: 'Identities are found by whoever decides on them alone.',
    file: 'data/overview/found-by-id.ts',
    from: "  identity: 'see_identities',",
    to: "  identity: 'see_accounts',",
    tests: ['test/runtime/workers/exchange/operator/desks.test.ts'],
  },
  {
    rule: 'Roles that were given in place of others than the user has are not given.',
    file: 'application/operator/change-user.ts',
    from: 'asSet(rolesBefore) === asSet(user.roles);',
    to: 'asSet(rolesBefore) !== asSet([]);',
    tests: ['test/runtime/workers/exchange/operator/users.test.ts'],
  },
  {
    rule: 'desks: what is another organization’s is unknown',
    file: 'domain/identity/visible-object.ts',
    from: 'if (!(seesOne || seesOther)) return null;',
    to: '',
    tests: VISIBLE_TESTS,
  },
  {
    rule: 'desks: of a trade an organization sees its own side',
    file: 'domain/identity/visible-object.ts',
    from: 'otherAccount: seesOther ? found.otherAccount : null,',
    to: 'otherAccount: found.otherAccount,',
    tests: VISIBLE_TESTS,
  },
  {
    rule: 'desks: an id is looked for among what the operator may see',
    file: 'workers/exchange/operator/find-by-id-route.ts',
    from: 'const seen = visibleTo(one, reader);',
    to: 'const seen = visibleTo(one, null);',
    tests: TESTS,
  },
  {
    rule: 'desks: only what was given up is sent again',
    file: WEBHOOKS,
    from: "if (state !== 'dead')",
    to: "if (state === 'skipped')",
    tests: TESTS,
  },
  {
    rule: 'desks: what was given up is sent again once, whoever asks at the same moment',
    file: 'durable-objects/webhook-endpoint/delivery-queue.ts',
    from: "if (dead !== null && (dead.state !== 'dead' || dead.sentAgain !== null)) return 'not_dead';",
    to: '',
    tests: ['test/runtime/durable-objects/webhook-endpoint/webhook-endpoint.test.ts'],
  },
  {
    rule: 'desks: who has sent a message again is answered as the first time',
    file: WEBHOOKS,
    from: 'if (done?.replayOf === deliveryId) return ok(done);',
    to: '',
    tests: TESTS,
  },
  {
    rule: 'desks: a webhook that its owner has switched off is sent nothing',
    file: WEBHOOKS,
    from: 'if (disabledReason === null) return null;',
    to: 'if (disabledReason !== undefined) return null;',
    tests: TESTS,
  },
  {
    rule: 'desks: operators see the host of a webhook alone',
    file: 'workers/exchange/operator/webhook-endpoint-routes.ts',
    from: 'destination: new URL(url).origin,',
    to: 'destination: url,',
    tests: TESTS,
  },
];
