import type { Mutant } from './mutant.ts';

const PURE = ['domain/partner/compliance.test.ts'];
const INVESTORS = ['test/runtime/workers/partner/investors.test.ts'];
const ORDERS = ['test/runtime/workers/partner/orders.test.ts'];

export const PARTNER_INVESTOR_MUTANTS: readonly Mutant[] = [
  {
    rule: 'a check ends by itself',
    file: 'domain/partner/compliance.ts',
    from: "status === 'passed' && (expiresAt === null || expiresAt <= now) ? 'expired' : status",
    to: 'status',
    tests: PURE,
  },
  {
    rule: 'a check that was never made stands in the way',
    file: 'domain/partner/compliance.ts',
    from: "check === undefined ? 'pending' : statusAt(check, now)",
    to: "check === undefined ? 'passed' : statusAt(check, now)",
    tests: PURE,
  },
  {
    rule: 'sanctions and suspicion freeze',
    file: 'domain/partner/compliance.ts',
    from: '...(isFrozen ? { frozen: true } : {})',
    to: '',
    tests: PURE,
  },
  {
    rule: 'a finding ends with its kind of check at the latest',
    file: 'domain/partner/screening.ts',
    from: 'Math.min(finding.expiresAt, latest)',
    to: 'finding.expiresAt',
    tests: ['domain/partner/screening.test.ts'],
  },
  {
    rule: 'a check is made anew by itself twice a day at most',
    file: 'data/partner/investor-checks.ts',
    from: 'lt(expiresAt, endsBefore), isHalfOver, wasAskedFor',
    to: 'lt(expiresAt, endsBefore), isHalfOver',
    tests: INVESTORS,
  },
  {
    rule: 'a request whose finding does not do is made anew',
    file: 'application/partner/investors/screen-investors.ts',
    from: 'if (!decided.ok && now >= createdAtOf(request) + RENEWED_AGAIN_MS)',
    to: 'if (!decided.ok && now >= createdAtOf(request) + ANSWER_WAIT_MS)',
    tests: INVESTORS,
  },
  {
    rule: 'who waits in one role keeps nobody of the other out',
    file: 'data/partner/organizations.ts',
    from: "state = 'applied' AND role = ",
    to: "state = 'applied' AND 'any' <> ",
    tests: ['test/runtime/workers/iam/organizations.test.ts'],
  },
  {
    rule: 'one verifier’s own id is not asked of another',
    file: 'application/partner/registration/check-registrations.ts',
    from: 'provider === known ? verificationReference : null',
    to: 'verificationReference',
    tests: ['test/runtime/workers/iam/organizations.test.ts'],
  },
  {
    rule: 'nothing simulated checks anybody in production',
    file: 'application/partner/investors/screening-provider-of.ts',
    from: "env.ENVIRONMENT === 'production' ? null : ",
    to: '',
    tests: INVESTORS,
  },
  {
    rule: 'facts follow from checks',
    file: 'application/partner/investors/apply-checks.ts',
    from: '...factsFollowing(investor.accountType, checks, now), ',
    to: '',
    tests: INVESTORS,
  },
  {
    rule: 'a failed check ends the accreditation that earlier ones have made',
    file: 'application/partner/investors/apply-checks.ts',
    from: 'return endScreenedAccreditation(db, account, ended);',
    to: 'return ended.endedReason === null ? endScreenedAccreditation(db, account, ended) : undefined;',
    tests: INVESTORS,
  },
  {
    rule: 'an agent reads investors that hold its securities, and no others',
    file: 'data/partner/investors.ts',
    from: 'and(eq(investors.id, id), holdsSecurityOf(organization))',
    to: 'eq(investors.id, id)',
    tests: INVESTORS,
  },
  {
    rule: 'checks gate every order',
    file: 'application/partner/orders/place-partner-order.ts',
    from: 'if (unmet !== null) {',
    to: "if (unmet !== null && unmet.check === 'accreditation') {",
    tests: ORDERS,
  },
  {
    rule: 'an account is the investor’s own',
    file: 'data/identity/gate-facts.ts',
    from: 'and(eq(accounts.id, accountId), eq(accounts.userId, userId))',
    to: 'eq(accounts.id, accountId)',
    tests: ORDERS,
  },
  {
    rule: 'an order is of the partner’s own investor',
    file: 'data/partner/investors.ts',
    from: '.where(and(eq(investors.id, id), eq(investors.organization, organization)));',
    to: '.where(eq(investors.id, id));',
    tests: ORDERS,
  },
  {
    rule: 'another partner’s order is not there',
    file: 'data/partner/partner-orders.ts',
    from: '.where(and(eq(partnerOrders.id, id), eq(partnerOrders.organization, organization)));',
    to: '.where(eq(partnerOrders.id, id));',
    tests: ORDERS,
  },
  {
    rule: 'a partner orders listed securities alone',
    file: 'application/partner/orders/place-partner-order.ts',
    from: 'if (!isListed) return refused(notFound);',
    to: '',
    tests: ORDERS,
  },
  {
    rule: 'a refused repetition leaves whose order it is',
    file: 'application/partner/orders/place-partner-order.ts',
    from: '  return outcome;',
    to: "  if (!outcome.ok) await env.DB.prepare('DELETE FROM partner_orders WHERE id = ?1').bind(orderId).run();\n  return outcome;",
    tests: ORDERS,
  },
];
