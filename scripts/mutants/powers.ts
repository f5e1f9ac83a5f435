import type { Mutant } from './mutant.ts';

const KILL_SWITCH_TESTS = ['test/runtime/adversary/trader/kill-switch.test.ts'];
const ANOTHER_NAME_TESTS = ['test/runtime/adversary/operator/another-name.test.ts'];

const SECOND_OPERATOR_TESTS = ['test/runtime/adversary/operator/second-operator.test.ts'];

/** What ends with a user or an operator, and who may act for whom. */
export const POWER_MUTANTS: readonly Mutant[] = [
  {
    rule: 'kill switch: a client whose secret was known before waits for another one',
    file: 'application/identity/grants/client-credentials-grant.ts',
    from: 'if (current.waitingSince !== null)',
    to: 'if (current.waitingSince === 0)',
    tests: KILL_SWITCH_TESTS,
  },
  {
    rule: 'kill switch: codes that were sent are good for nobody',
    file: 'data/identity/revocations.ts',
    from: "SET code_hash = '', code_sealed = '', earlier_hash = ''",
    to: 'SET sends = sends',
    tests: KILL_SWITCH_TESTS,
  },
  {
    rule: 'kill switch: a token that is made meanwhile is given to nobody',
    file: 'data/identity/taken-back.ts',
    from: `tokens_valid_after = \${tokensValidAfter}`,
    to: `\${tokensValidAfter} IS NOT NULL`,
    tests: KILL_SWITCH_TESTS,
  },
  {
    rule: 'clients: somebody without the power does not see or end those of others',
    file: 'application/identity/clients/own-clients.ts',
    from: "if (!isOwn && !hasPowerOver(principal, 'manage_credentials', client.owner))",
    to: 'if (!isOwn && principal.userId === client.id)',
    tests: KILL_SWITCH_TESTS,
  },
  {
    rule: 'clients: the secret of one that speaks for a person is shown to no operator when it is made',
    file: 'application/operator/oauth-clients.ts',
    from: "kind === 'machine' && user?.service === true",
    to: "kind === 'machine' && user !== null",
    tests: ANOTHER_NAME_TESTS,
  },
  {
    rule: 'clients: no operator has the secret of one that speaks for a person replaced',
    file: 'application/operator/oauth-clients.ts',
    from: 'if (user !== null && !user.service)',
    to: 'if (user === undefined)',
    tests: ANOTHER_NAME_TESTS,
  },
  {
    rule: 'clients: a client does not agree for the person that it speaks for',
    file: 'application/identity/clients/own-clients.ts',
    from: "principal.kind !== 'user' || ",
    to: '',
    tests: ANOTHER_NAME_TESTS,
  },
  {
    rule: 'another operator: whoever was shown the secret of a client is behind what it does',
    file: 'application/identity/clients/people-behind.ts',
    from: 'new Set([action.actor, ...shownTo])',
    to: 'new Set([action.actor, ...shownTo.slice(0, 0)])',
    tests: ANOTHER_NAME_TESTS,
  },
  {
    rule: 'an operator who is dismissed: the secrets that they were shown open nothing',
    file: 'application/identity/clients/end-known-secrets.ts',
    from: 'const ended = await endEverything(env, userId);',
    to: 'const ended = ok(userId);',
    tests: ANOTHER_NAME_TESTS,
  },
  {
    rule: 'a second operator: whoever asked does not decide',
    file: 'domain/identity/approval.ts',
    from: 'asked.people.some((person) => deciders.has(person))',
    to: 'asked.people.length === 0',
    tests: ['domain/identity/approval.test.ts'],
  },
  {
    rule: 'a second operator: nobody decides on what is about them',
    file: 'domain/identity/approval.ts',
    from: 'if ([...namesOf(asked), ...behind].some((name) => deciders.has(name)))',
    to: 'if (deciders.size < 0)',
    tests: ['domain/identity/approval.test.ts'],
  },
  {
    rule: 'a second operator: an approval is good for the call that was asked for',
    file: 'data/identity/approvals.ts',
    from: 'eq(operatorApprovals.hash, hash),',
    to: '',
    tests: SECOND_OPERATOR_TESTS,
  },
  {
    rule: 'a second operator: an approval is good once',
    file: 'data/identity/approvals.ts',
    from: 'eq(operatorApprovals.usedBy, action.id)),\n        sql`coalesce(',
    to: 'eq(operatorApprovals.usedBy, action.id)),\n        sql`1 OR coalesce(',
    tests: SECOND_OPERATOR_TESTS,
  },
  {
    rule: 'a second operator: the client of whoever asked counts as them',
    file: 'application/operator/approvals/second-operator.ts',
    from: 'isDoneHere ? new Set<string>() : await namesOfWhoActs(db, action)',
    to: 'new Set([action.actor])',
    tests: SECOND_OPERATOR_TESTS,
  },
  {
    rule: 'the trail names the client beside the actor',
    file: 'data/audit/trail/operator-events.ts',
    from: 'event.action.credential ?? null',
    to: "event.action.credential === '' ? '' : null",
    tests: ANOTHER_NAME_TESTS,
  },
];
