import {
  type IdentityVerificationProvider,
  simulatedIdentityFinding,
} from '../../domain/onboarding/identity-verification.ts';
import { ok } from '../../domain/result.ts';
import { httpIdentityProvider } from './http-identity-provider.ts';

/** Who verifies identities: the var IDENTITY_PROVIDER says. Null where operators alone do; in production nothing simulated counts. */
export function identityProviderOf(env: Env): IdentityVerificationProvider | null {
  switch (env.IDENTITY_PROVIDER as string) {
    case 'simulated':
      return env.ENVIRONMENT === 'production' ? null : SIMULATED;
    case 'http':
      return httpIdentityProvider({ url: env.IDENTITY_PROVIDER_URL, token: env.IDENTITY_PROVIDER_TOKEN ?? '' });
    default:
      return null;
  }
}

/** It keeps nothing of its own: what it finds follows from what was stated. */
const SIMULATED: IdentityVerificationProvider = {
  name: 'simulated',
  request: async ({ id }) => ok(`simulated-${id}`),
  status: async ({ stated }) => ok(simulatedIdentityFinding(stated, Date.now())),
};
