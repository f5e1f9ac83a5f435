import type { Mutant } from './mutant.ts';

const ACCESS = ['test/runtime/workers/partner/access.test.ts'];
const SECURITIES = ['test/runtime/workers/partner/securities.test.ts'];
const ORGANIZATIONS = ['test/runtime/workers/iam/organizations.test.ts'];
const LOCKUP = ['domain/assets/issuer-lockup.test.ts'];
const SECURITY_STATE = ['domain/partner/security-state.test.ts'];
const PARTNER_STATE = ['domain/partner/organization-state.test.ts'];

/** States of partners and of their securities, who is let in, and lock-ups. */
export const PARTNER_STATE_MUTANTS: readonly Mutant[] = [
  {
    rule: 'a lock-up refuses sells',
    file: 'domain/assets/issuer-lockup.ts',
    from: "if (side === 'buy' || !isLockedUp(asset, now)) return null;",
    to: 'return null;',
    tests: LOCKUP,
  },
  {
    rule: 'a lock-up lets purchases in',
    file: 'domain/assets/issuer-lockup.ts',
    from: "side === 'buy' || !isLockedUp",
    to: '!isLockedUp',
    tests: LOCKUP,
  },
  {
    rule: 'a lock-up ends with its moment',
    file: 'domain/assets/issuer-lockup.ts',
    from: 'lockupEndsAt > now',
    to: 'lockupEndsAt >= now',
    tests: LOCKUP,
  },
  {
    rule: 'a lock-up cancels the sells that stand',
    file: 'application/operator/follow-asset-change.ts',
    from: 'isLockedUp(asset, Date.now()) ? await cancelSells(env, markets.value) : ok(NONE_CANCELLED)',
    to: 'ok(NONE_CANCELLED)',
    tests: SECURITIES,
  },
  {
    rule: 'a lock-up leaves purchases that stand',
    file: 'application/operator/follow-asset-change.ts',
    from: "keyId: null, side: 'sell', reason: 'revoked'",
    to: "keyId: null, reason: 'revoked'",
    tests: SECURITIES,
  },
  {
    rule: 'a change of the lock-up in effect is followed',
    file: 'application/partner/securities/change-security.ts',
    from: 'before.market !== null && dateOf(before) !== dateOf(after)',
    to: 'false',
    tests: SECURITIES,
  },
  {
    rule: 'an active agent whose number is another’s by now is suspended',
    file: 'application/partner/registration/check-registrations.ts',
    from: "state: partner.state === 'active' ? 'suspended' : 'refused',",
    to: "state: 'refused',",
    tests: ORGANIZATIONS,
  },
  {
    rule: 'an organization of another role is not served',
    file: 'application/partner/authorize-partner.ts',
    from: '!served.includes(organization.role) || ',
    to: '',
    tests: ACCESS,
  },
  {
    rule: 'a user of a partner acts for it in its role alone',
    file: 'application/partner/authorize-partner.ts',
    from: ' || !roles.includes(organization.role)',
    to: '',
    tests: ACCESS,
  },
  {
    rule: 'a partner that is not active is not served',
    file: 'application/partner/authorize-partner.ts',
    from: 'if (!isServed) return',
    to: 'if (false) return',
    tests: ACCESS,
  },
  {
    rule: 'a suspension holds within five seconds',
    file: 'application/partner/authorize-partner.ts',
    from: 'const FRESH_MS = 5_000;',
    to: 'const FRESH_MS = 6_000;',
    tests: ACCESS,
  },
  {
    rule: 'what is not active is read every time',
    file: 'application/partner/authorize-partner.ts',
    from: "  if (organization?.state !== 'active') return organization;\n",
    to: '  if (organization === null) return null;\n',
    tests: ACCESS,
  },
  {
    rule: 'one number is one agent’s',
    file: 'application/partner/registration/check-registrations.ts',
    from: 'if (taken || !isVerified) return;',
    to: 'return;',
    tests: ORGANIZATIONS,
  },
  {
    rule: 'an agent is reinstated while its registration is in force alone',
    file: 'domain/partner/organization-state.ts',
    from: 'verificationExpiresAt !== null && verificationExpiresAt > now',
    to: 'verificationExpiresAt !== null',
    tests: PARTNER_STATE,
  },
  {
    rule: 'a registration that has ended suspends its agent',
    file: 'domain/partner/organization-state.ts',
    from: "registration_ended: { active: 'suspended' }",
    to: "registration_ended: { active: 'active' }",
    tests: PARTNER_STATE,
  },
  {
    rule: 'an operator alone lists a security',
    file: 'domain/partner/security-state.ts',
    from: "if (by !== 'operator' && OPERATORS_ALONE.has(action))",
    to: 'if (false)',
    tests: SECURITY_STATE,
  },
  {
    rule: 'an operator takes a lister’s halt over',
    file: 'domain/partner/security-state.ts',
    from: "state === 'halted' && haltedBy !== 'operator'",
    to: 'false',
    tests: SECURITY_STATE,
  },
  {
    rule: 'a halt is lifted by who has halted, or by an operator',
    file: 'domain/partner/security-state.ts',
    from: "if (action === 'lift' && by !== 'operator' && haltedBy !== by)",
    to: 'if (false)',
    tests: SECURITY_STATE,
  },
];
