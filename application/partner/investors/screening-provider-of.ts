import { createdAtOf } from '../../../domain/ids/created-at-of.ts';
import { readScreening } from '../../../domain/partner/read-screening.ts';
import type { ScreeningProvider } from '../../../domain/partner/screening.ts';
import { simulatedScreening } from '../../../domain/partner/simulated-screening.ts';
import { ok } from '../../../domain/result.ts';
import { askHttpProvider, type HttpProviderSettings } from '../../providers/ask-http-provider.ts';

/** Who checks investors: the var SCREENING_PROVIDER says. Null where nobody does; in production nothing simulated counts. */
export function screeningProviderOf(env: Env): ScreeningProvider | null {
  switch (env.SCREENING_PROVIDER) {
    case 'simulated':
      return env.ENVIRONMENT === 'production' ? null : SIMULATED;
    case 'http':
      return httpScreening({ url: env.SCREENING_URL, token: env.SCREENING_TOKEN ?? '' });
    default:
      return null;
  }
}

/** It keeps nothing of its own: what it finds follows from the request and the name. */
const SIMULATED: ScreeningProvider = {
  name: 'simulated',
  request: async ({ id }) => ok(`simulated-${id}`),
  status: async ({ id, kind, investor }) => ok(simulatedScreening(kind, investor.name, createdAtOf(id))),
};

/** A provider over HTTP (docs/design/partner.md#compliance). It was never run against a real one. */
function httpScreening(settings: HttpProviderSettings): ScreeningProvider {
  return {
    name: 'http',
    request: async ({ id, kind, investor }) => {
      const { id: subject, name, accountType, country } = investor;
      const body = JSON.stringify({ externalId: id, kind, subject: { id: subject, name, accountType, country } });
      const headers = { 'content-type': 'application/json', 'idempotency-key': id };
      const asked = { method: 'POST', path: 'screenings', headers, body } as const;
      const told = await askHttpProvider(settings, asked, readScreening);
      return told.ok ? ok(told.value.reference) : told;
    },
    status: async (_order, reference) => {
      const asked = { method: 'GET', path: `screenings/${encodeURIComponent(reference)}`, headers: {} } as const;
      const told = await askHttpProvider(settings, asked, readScreening);
      return told.ok ? ok(told.value.finding) : told;
    },
  };
}
