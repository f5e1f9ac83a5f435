import type { Mutant } from './mutant.ts';

const ENDED_TOKEN_TESTS = ['test/runtime/adversary/dismissed/token-that-ends-meanwhile.test.ts'];

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
];
