import type { Mutant } from './mutant.ts';

const ENDED_TOKEN_TESTS = ['test/runtime/adversary/dismissed/token-that-ends-meanwhile.test.ts'];
const SECOND_PERSON_TESTS = ['test/runtime/adversary/event-admin/second-person.test.ts'];
const SECOND_OPERATOR_TESTS = ['test/runtime/adversary/operator/second-operator.test.ts'];

/** Tokens that end while they are used, second people, and what becomes of attendees meanwhile. */
export const SECOND_PERSON_MUTANTS: readonly Mutant[] = [
  {
    rule: 'kill switch: what a token changes is held against it in the statement that changes it',
    file: 'data/change-once.ts',
    from: `AND \${tokenStands(bearer)}\`,`,
    to: `AND \${bearer.userId} IS NOT NULL\`,`,
    tests: ENDED_TOKEN_TESTS,
  },
  {
    rule: 'kill switch: a deactivated user makes nothing by a token of before',
    file: 'data/identity/bearer.ts',
    from: ' OR deactivated_at IS NOT NULL',
    to: '',
    tests: ENDED_TOKEN_TESTS,
  },
  {
    rule: 'kill switch: no API key gets another secret by a token that has ended',
    file: 'data/identity/api-keys.ts',
    from: "eq(apiKeys.status, 'active'), tokenStands(bearer)",
    to: "eq(apiKeys.status, 'active')",
    tests: ENDED_TOKEN_TESTS,
  },
  {
    rule: 'kill switch: no limit of an API key is raised by a token that has ended',
    file: 'data/identity/api-keys.ts',
    from: 'and(eq(apiKeys.id, id), tokenStands(bearer))',
    to: 'eq(apiKeys.id, id)',
    tests: ENDED_TOKEN_TESTS,
  },
  {
    rule: 'kill switch: no webhook is made by a token that has ended',
    file: 'data/webhooks/endpoints.ts',
    from: `AND \${tokenStands(bearer)}`,
    to: '',
    tests: ENDED_TOKEN_TESTS,
  },
  {
    rule: 'kill switch: no webhook is sent elsewhere by a token that has ended',
    file: 'data/webhooks/endpoints.ts',
    from: 'eq(webhookEndpoints.organization, organization), tokenStands(bearer)',
    to: 'eq(webhookEndpoints.organization, organization)',
    tests: ENDED_TOKEN_TESTS,
  },
  {
    rule: 'kill switch: no secret of a webhook is shown to a token that has ended',
    file: 'data/webhooks/endpoints.ts',
    from: 'and(eq(webhookEndpoints.id, id), tokenStands(bearer))',
    to: 'eq(webhookEndpoints.id, id)',
    tests: ENDED_TOKEN_TESTS,
  },
  {
    rule: 'kill switch: shares are let be registered by no token that has ended',
    file: 'data/partner/register/consents.ts',
    from: `WHERE \${tokenStands(bearer)}`,
    to: 'WHERE true',
    tests: ENDED_TOKEN_TESTS,
  },
  {
    rule: 'kill switch: an approval is used by no token that has ended',
    file: 'data/identity/approvals.ts',
    from: '        tokenStands(bearer),\n',
    to: '',
    tests: ENDED_TOKEN_TESTS,
  },
  {
    rule: 'kill switch: a camera is bound by no token that has ended',
    file: 'workers/events/cameras/camera-credential-routes.ts',
    from: '        await takeBindingBack(db, credential);\n',
    to: '',
    tests: ENDED_TOKEN_TESTS,
  },
  {
    rule: 'kill switch: a binding that stood before is not taken back',
    file: 'data/events/sites/camera-credentials.ts',
    from: '        eq(cameraCredentials.boundBy, boundBy),\n        eq(cameraCredentials.createdAt, createdAt),\n',
    to: '',
    tests: ENDED_TOKEN_TESTS,
  },
  {
    rule: 'an operator who is dismissed: keys end that were made by a secret that was replaced since',
    file: 'data/identity/oauth-clients.ts',
    from: `OR k.created_at <= s.ended_at + CAST(\${tokenMs} AS INTEGER)`,
    to: 'OR false',
    tests: ENDED_TOKEN_TESTS,
  },
  {
    rule: 'an operator who is dismissed: keys that others have made since go on',
    file: 'data/identity/oauth-clients.ts',
    from: `OR k.created_at <= s.ended_at + CAST(\${tokenMs} AS INTEGER)`,
    to: 'OR true',
    tests: ENDED_TOKEN_TESTS,
  },
  {
    rule: 'a second operator: no machine approves',
    file: 'application/operator/approvals/second-operator.ts',
    from: "if (byMachine && state === 'approved')",
    to: 'if (byMachine && id === reason)',
    tests: SECOND_OPERATOR_TESTS,
  },
  {
    rule: 'a second person: no machine ends the wait of an erasure',
    file: 'data/events/attendees/erasures.ts',
    from: 'person === null ? undefined',
    to: "person === null ? ne(erasures.requestedBy, '')",
    tests: SECOND_PERSON_TESTS,
  },
  {
    rule: 'a second person: what a machine asked for takes two people',
    file: 'data/events/attendees/erasures.ts',
    from: ', eq(erasures.byMachine, false)',
    to: '',
    tests: SECOND_PERSON_TESTS,
  },
  {
    rule: 'a second person: no machine ends the retention of an event',
    file: 'data/events/retention/retention.ts',
    from: 'person === null\n      ? undefined',
    to: 'person === null\n      ? isNotNull(events.deletedBy)',
    tests: SECOND_PERSON_TESTS,
  },
  {
    rule: 'a second person: an event that a machine deleted takes two people',
    file: 'data/events/retention/retention.ts',
    from: ', eq(events.deletedByMachine, false)',
    to: '',
    tests: SECOND_PERSON_TESTS,
  },
  {
    rule: 'an erasure is asked for of attendees alone',
    file: 'data/events/attendees/erasures.ts',
    from: `WHERE EXISTS (SELECT 1 FROM attendees WHERE id = \${attendeeId} AND event_id = \${eventId})`,
    to: 'WHERE true',
    tests: SECOND_PERSON_TESTS,
  },
  {
    rule: 'nobody is merged who is to be erased',
    file: 'data/events/attendees/attendee-merge.ts',
    from: `AND NOT EXISTS (SELECT 1 FROM erasures WHERE attendee_id IN (\${from}, \${into}))`,
    to: '',
    tests: SECOND_PERSON_TESTS,
  },
];
