import { type RegistrationVerifier, simulatedRegistration } from '../../../domain/partner/registration-verifier.ts';
import { ok } from '../../../domain/result.ts';
import { httpVerifier } from './http-verifier.ts';

/** Who checks registrations of transfer agents: the var REGISTRATION_VERIFIER says. Null where nobody does; in production nothing simulated counts. */
export function verifierOf(env: Env): RegistrationVerifier | null {
  switch (env.REGISTRATION_VERIFIER) {
    case 'simulated':
      return env.ENVIRONMENT === 'production' ? null : simulatedVerifier(env.ENVIRONMENT === 'local');
    case 'http':
      return httpVerifier({ url: env.REGISTRATION_VERIFIER_URL, token: env.REGISTRATION_VERIFIER_TOKEN ?? '' });
    default:
      return null;
  }
}

/**
 * It keeps nothing of its own: when it was asked stands in its reference. Who applies speaks for the firm in a local environment alone: elsewhere an
 * operator decides, as in production.
 */
function simulatedVerifier(isLocal: boolean): RegistrationVerifier {
  return {
    name: 'simulated',
    request: async () => ok(`simulated-${Date.now()}`),
    status: async ({ secRegistrationNumber }, reference) => {
      const askedAt = Number(reference.slice('simulated-'.length));
      const finding = simulatedRegistration(secRegistrationNumber, Date.now() - askedAt);
      return ok(finding.type === 'verified' && !isLocal ? { type: 'number_verified' } : finding);
    },
  };
}
