import { readFinding } from '../../domain/accreditation/read-finding.ts';
import type { VerificationProvider } from '../../domain/accreditation/verification.ts';
import { ok } from '../../domain/result.ts';
import { askHttpProvider, type HttpProviderSettings } from '../providers/ask-http-provider.ts';

/** A provider over HTTP (docs/design/compliance.md#verification-by-a-third-party). It was never run against a real one. */
export function httpProvider(settings: HttpProviderSettings): VerificationProvider {
  return {
    name: 'http',
    request: async ({ id, account, evidenceKind }) => {
      const body = JSON.stringify({ externalId: id, subject: account, evidenceKind });
      const headers = { 'content-type': 'application/json', 'idempotency-key': id };
      const asked = { method: 'POST', path: 'verifications', headers, body } as const;
      const told = await askHttpProvider(settings, asked, readFinding);
      return told.ok ? ok(told.value.reference) : told;
    },
    status: async (_order, reference) => {
      const asked = { method: 'GET', path: `verifications/${encodeURIComponent(reference)}`, headers: {} } as const;
      const told = await askHttpProvider(settings, asked, readFinding);
      return told.ok ? ok(told.value.finding) : told;
    },
  };
}
