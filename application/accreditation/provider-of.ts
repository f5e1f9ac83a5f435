import { findAccount } from '../../data/accounts/accounts.ts';
import { findVerification } from '../../data/accounts/accreditation-verifications.ts';
import { database } from '../../data/database.ts';
import { simulatedFinding } from '../../domain/accreditation/simulated-finding.ts';
import type { VerificationProvider } from '../../domain/accreditation/verification.ts';
import { ok } from '../../domain/result.ts';
import { httpProvider } from './http-provider.ts';

/** Who verifies accredited investors: the var VERIFICATION_PROVIDER says. Null where nobody does; in production nothing simulated counts. */
export function providerOf(env: Env): VerificationProvider | null {
  switch (env.VERIFICATION_PROVIDER) {
    case 'simulated':
      return env.ENVIRONMENT === 'production' ? null : simulatedProvider(env);
    case 'http':
      return httpProvider({ url: env.VERIFICATION_URL, token: env.VERIFICATION_TOKEN ?? '' });
    default:
      return null;
  }
}

/** It keeps nothing of its own: what it finds follows from the request and the account. */
function simulatedProvider(env: Env): VerificationProvider {
  return {
    name: 'simulated',
    request: async ({ id }) => ok(`simulated-${id}`),
    status: async ({ id, account, evidenceKind }) => {
      const db = database(env.DB);
      const [facts, request] = await Promise.all([findAccount(db, account), findVerification(db, id)]);
      if (facts === null || request === null) return ok({ type: 'refused', reason: 'unknown_request' });
      return ok(simulatedFinding(evidenceKind, facts, request.createdAt));
    },
  };
}
