import { type RegistrationVerifier, readRegistrationFinding } from '../../../domain/partner/registration-verifier.ts';
import { ok } from '../../../domain/result.ts';
import { askHttpProvider, type HttpProviderSettings } from '../../providers/ask-http-provider.ts';

/** A verifier over HTTP (docs/design/partner.md#registration-of-a-transfer-agent). It was never run against a real one. */
export function httpVerifier(settings: HttpProviderSettings): RegistrationVerifier {
  return {
    name: 'http',
    request: async ({ id, ...subject }) => {
      const body = JSON.stringify({ externalId: id, ...subject });
      const headers = { 'content-type': 'application/json', 'idempotency-key': id };
      const asked = { method: 'POST', path: 'registrations', headers, body } as const;
      const told = await askHttpProvider(settings, asked, readRegistrationFinding);
      return told.ok ? ok(told.value.reference) : told;
    },
    status: async (_order, reference) => {
      const asked = { method: 'GET', path: `registrations/${encodeURIComponent(reference)}`, headers: {} } as const;
      const told = await askHttpProvider(settings, asked, readRegistrationFinding);
      return told.ok ? ok(told.value.finding) : told;
    },
  };
}
