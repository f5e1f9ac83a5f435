import type { Mutant } from './mutant.ts';

const NUMBER_TESTS = ['test/runtime/adversary/stranger/number-of-another-agent.test.ts'];
const STATE_TESTS = ['domain/partner/organization-state.test.ts'];
const PAYMENTS_TESTS = ['test/runtime/workers/partner/archived-payments.test.ts'];
const ROWS_TESTS = ['test/runtime/adversary/transfer-agent/rows-of-a-register.test.ts'];
const SLICES_TESTS = ['test/runtime/data/orders/archive/slices.test.ts'];

/** Who a partner is, and what ends in D1. */
export const END_MUTANTS: readonly Mutant[] = [
  {
    rule: 'agents: a verifier proves who applies only where it says so',
    file: 'domain/partner/registration-verifier.ts',
    from: "speaksFor === true ? status : 'number_verified'",
    to: 'status',
    tests: ['domain/partner/registration-verifier.test.ts'],
  },
  {
    rule: 'agents: a number that was found lets nobody in',
    file: 'domain/partner/organization-state.ts',
    from: "number_verified: { applied: 'applied',",
    to: "number_verified: { applied: 'active',",
    tests: STATE_TESTS,
  },
  {
    rule: 'agents: an operator approves by a finding that is in force',
    file: 'domain/partner/organization-state.ts',
    from: "return isInForce ? ok(next) : err({ reason: 'registration_not_in_force' });",
    to: 'return ok(next);',
    tests: STATE_TESTS,
  },
  {
    rule: 'agents: an operator waits for the check that is open',
    file: 'domain/partner/organization-state.ts',
    from: "if (checkId !== null) return err({ reason: 'registration_being_checked' });",
    to: '',
    tests: STATE_TESTS,
  },
  {
    rule: 'agents: an approval asks that nobody else has the number',
    file: 'application/partner/registration/decide-partner.ts',
    from: "isOneOfNumber: decision === 'approve',",
    to: '',
    tests: NUMBER_TESTS,
  },
  {
    rule: 'agents: the registration of who has lost its number counts no longer',
    file: 'application/partner/registration/decide-partner.ts',
    from: 'isReleased ? { verifiedAt: null, expiresAt: null } : null',
    to: 'null',
    tests: NUMBER_TESTS,
  },
  {
    rule: 'agents: a number is given to whoever was refused under it',
    file: 'application/partner/registration/release-number.ts',
    from: 'claims.secRegistrationNumber !== number',
    to: 'false',
    tests: NUMBER_TESTS,
  },
  {
    rule: 'agents: nothing is told to who was refused',
    file: 'data/webhooks/subscriptions.ts',
    from: "p.state = 'refused'",
    to: "p.state = 'gone'",
    tests: NUMBER_TESTS,
  },
  {
    rule: 'agents: a finding against an agent ends the one before',
    file: 'application/partner/registration/check-registrations.ts',
    from: `: happening === 'not_verified'
          ? endedVerification(partner)
          : null`,
    to: ': null',
    tests: ['test/runtime/workers/iam/organizations.test.ts'],
  },
  {
    rule: 'archive: a client order id is found by the marks of its slice',
    file: 'data/orders/archive/order-slice.ts',
    from: 'clientIds: sorted.flatMap(({ clientOrderId }) => clientIdMark(account, clientOrderId))',
    to: 'clientIds: sorted.slice(1).flatMap(({ clientOrderId }) => clientIdMark(account, clientOrderId))',
    tests: SLICES_TESTS,
  },
  {
    rule: 'archive: slices from before they had marks are found by rows',
    file: 'data/orders/archive/archived-orders.ts',
    from: 'CASE WHEN s.client_ids IS NOT NULL THEN',
    to: 'CASE WHEN TRUE THEN',
    tests: SLICES_TESTS,
  },
  {
    rule: 'payments: two runs count what they move once',
    file: 'data/partner/actions/archive/archive-payments.ts',
    from: 'const stands = sql`(SELECT count(*)',
    to: 'const stands = sql`TRUE OR (SELECT count(*)',
    tests: PAYMENTS_TESTS,
  },
  {
    rule: 'payments: they stay until nothing of them can change',
    file: 'application/partner/actions/archive-payments.ts',
    from: 'now - ARCHIVED_AFTER_DAYS * DAY_MS',
    to: 'now',
    tests: PAYMENTS_TESTS,
  },
  {
    rule: 'payments: a page ends where the objects that it has read end',
    file: 'data/partner/actions/payments.ts',
    from: '.filter(({ payee }) => reached === null || payee <= reached)',
    to: '',
    tests: PAYMENTS_TESTS,
  },
  {
    rule: 'payments: the form of a year counts those that are archived',
    file: 'data/partner/reports.ts',
    from: 'JOIN json_each(o.paid) m\n    WHERE ',
    to: 'JOIN json_each(o.paid) m\n    WHERE FALSE AND ',
    tests: PAYMENTS_TESTS,
  },
  {
    rule: 'payments: what was given back is told with its moment',
    file: 'data/partner/actions/archive/payment-object.ts',
    from: "const back = state === 'returned' ? returnedAt : null;",
    to: 'const back = null;',
    tests: PAYMENTS_TESTS,
  },
  {
    rule: 'payments: the audit counts those that are archived',
    file: 'data/audit/corporate-actions.ts',
    from: 'SELECT account, asset, amount, 0 FROM archived_payment_sums)',
    to: 'SELECT account, asset, 0, 0 FROM archived_payment_sums)',
    tests: PAYMENTS_TESTS,
  },
  {
    rule: 'stores: registers stop where the deployment says',
    file: 'data/jobs/database-size.ts',
    from: 'bytes >= coalesce(stop_bytes, ',
    to: 'bytes >= coalesce(NULL, ',
    tests: ROWS_TESTS,
  },
  {
    rule: 'stores: one that is silent keeps no other from being looked at',
    file: 'application/operator/watch-database.ts',
    from: 'failures.push(error);',
    to: 'throw error;',
    tests: ROWS_TESTS,
  },
  {
    rule: 'stores: sizes of long ago go',
    file: 'data/jobs/database-size.ts',
    from: 'DELETE FROM store_sizes WHERE store',
    to: 'DELETE FROM store_sizes WHERE FALSE AND store',
    tests: ROWS_TESTS,
  },
  {
    rule: 'stores: a deployment states sizes that fit each other',
    file: 'domain/limits/store-growth.ts',
    from: ' && stop <= max',
    to: '',
    tests: ['domain/limits/store-growth.test.ts'],
  },
  {
    rule: 'webhooks: an answer is shown where it proves whose it is',
    file: 'durable-objects/webhook-sending/send.ts',
    from: "answer.headers.get('webhook-id') === eventId",
    to: "answer.headers.get('webhook-id') !== ''",
    tests: ['test/runtime/durable-objects/webhook-endpoint/webhook-endpoint.test.ts'],
  },
  {
    rule: 'clients: none is named as the audience of access tokens',
    file: 'application/operator/oauth-clients.ts',
    from: 'if (id === env.IAM_AUDIENCE)',
    to: 'if (false)',
    tests: ['test/runtime/workers/exchange/operator/oauth-clients.test.ts'],
  },
];
