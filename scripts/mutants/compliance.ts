import type { Mutant } from './mutant.ts';

const RESALE = 'domain/resale/resale-rule.ts';
const RESALE_TESTS = ['domain/resale/resale-rule.test.ts'];
const RULES = 'domain/resale/restriction-rules.ts';
const VERIFICATION_TESTS = ['test/runtime/workers/exchange/accreditation-verification.test.ts'];
const REFUSAL_TESTS = ['test/runtime/workers/exchange/refusals.test.ts'];

/** Rules of who may trade what, and of what is kept of that. */
export const COMPLIANCE_MUTANTS: readonly Mutant[] = [
  {
    rule: 'at a broker no exemption holds',
    file: RESALE,
    from: 'input.isRouted ? NO_EXEMPTIONS : ',
    to: '',
    tests: RESALE_TESTS,
  },
  {
    rule: 'an order over several lots satisfies the exemption of each',
    file: RESALE,
    from: 'requires === 0 ? buyers : requires & buyers',
    to: 'requires | buyers',
    tests: RESALE_TESTS,
  },
  {
    rule: 'a sale relies on no exemption that its buyers cannot have',
    file: RESALE,
    from: 'reliedOn.filter((name) => (EXEMPTIONS[name].buyers & requires) !== 0)',
    to: 'reliedOn',
    tests: RESALE_TESTS,
  },
  {
    rule: 'a US person sells by no offshore resale',
    file: RULES,
    from: 'sellerUsPerson ? exemptions.filter((name) => EXEMPTIONS[name].usSeller) : exemptions',
    to: 'exemptions',
    tests: RESALE_TESTS,
  },
  {
    rule: "an issuer's lockup knows no exemption",
    file: RULES,
    from: "return 'issuer_lockup';",
    to: "return 'reg_cf_hold';",
    tests: RESALE_TESTS,
  },
  {
    rule: 'a refused order is recorded',
    file: 'application/order-entry/place-orders.ts',
    from: '  await recordRefusedOrders(env, refusedRequests(groups, asking, outcomes));\n',
    to: '',
    tests: REFUSAL_TESTS,
  },
  {
    rule: 'a refused amendment is recorded',
    file: 'application/order-entry/amend-order.ts',
    from: '  if (!outcome.ok) await recordRefusedAmendment(context, request, outcome.error);\n',
    to: '',
    tests: REFUSAL_TESTS,
  },
  {
    rule: 'all accounts together fill the record of refusals up to its bound',
    file: 'data/compliance/order-refusals.ts',
    from: '- (SELECT rowid FROM order_refusals',
    to: '* 0 * (SELECT rowid FROM order_refusals',
    tests: REFUSAL_TESTS,
  },
  {
    rule: "an organization's report has its own accounts alone",
    file: 'data/compliance/compliance-report.ts',
    from: '...(owner === null ? [] : [',
    to: '...(true ? [] : [',
    tests: ['test/runtime/workers/exchange/operator/compliance-report.test.ts'],
  },
  {
    rule: "another organization's user has no report",
    file: 'application/compliance/compliance-report.ts',
    from: 'if (account === null || (owner !== null && account.owner !== owner))',
    to: 'if (account === null)',
    tests: ['test/runtime/workers/exchange/operator/compliance-report.test.ts'],
  },
  {
    rule: 'each reading of the report is in the audit trail',
    file: 'application/compliance/compliance-report.ts',
    from: "type: 'operator.compliance_report_read',",
    to: "type: 'report_read',",
    tests: ['test/runtime/workers/exchange/operator/compliance-report.test.ts'],
  },
  {
    rule: 'what a provider tells is signed',
    file: 'application/accreditation/receive-finding.ts',
    from: 'return isRight ? ok(null)',
    to: 'return isRight || true ? ok(null)',
    tests: VERIFICATION_TESTS,
  },
  {
    rule: 'what a provider tells has the id of its event',
    file: 'application/accreditation/receive-finding.ts',
    from: 'if (told === null || told.id !== headers.id)',
    to: 'if (told === null)',
    tests: VERIFICATION_TESTS,
  },
  {
    rule: 'what was found of another request decides nothing',
    file: 'application/accreditation/receive-finding.ts',
    from: 'if (request === null || isOther) {',
    to: 'if (request === null) {',
    tests: VERIFICATION_TESTS,
  },
  {
    rule: 'the person alone asks to be verified',
    file: 'workers/exchange/verification-routes.ts',
    from: "if (kind !== 'user') return failure(c, apiError('FORBIDDEN', 'the person alone may ask for this'));",
    to: '',
    tests: VERIFICATION_TESTS,
  },
  {
    rule: 'a request that is decided stays so',
    file: 'application/accreditation/request-verification.ts',
    from: "finding.type === 'pending' || request.state !== 'REQUESTED'",
    to: "finding.type === 'pending'",
    tests: VERIFICATION_TESTS,
  },
  {
    rule: 'one event is not told in two ways',
    file: 'application/accreditation/receive-finding.ts',
    from: 'return before === hash ? ok(null) : otherBody(id);',
    to: 'return ok(null);',
    tests: VERIFICATION_TESTS,
  },
  {
    rule: 'nothing simulated verifies in production',
    file: 'application/accreditation/provider-of.ts',
    from: "env.ENVIRONMENT === 'production' ? null : ",
    to: '',
    tests: VERIFICATION_TESTS,
  },
  {
    rule: 'a verification ends with its evidence',
    file: 'domain/accreditation/verification.ts',
    from: 'Math.min(expiresAt, end)',
    to: 'expiresAt',
    tests: ['domain/accreditation/verification.test.ts'],
  },
  {
    rule: 'an account fills the record of refusals up to its bound',
    file: 'data/compliance/order-refusals.ts',
    from: '  compliance: 100,',
    to: '  compliance: 100_000,',
    tests: REFUSAL_TESTS,
  },
];
