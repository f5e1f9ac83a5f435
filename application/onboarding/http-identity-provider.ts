import {
  type IdentityVerificationProvider,
  readIdentityFinding,
} from '../../domain/onboarding/identity-verification.ts';
import { err, ok } from '../../domain/result.ts';
import { askHttpProvider, type HttpProviderSettings } from '../providers/ask-http-provider.ts';

/**
 * A provider over HTTP (docs/design/onboarding.md#the-provider-over-http): first the documents one by one, so that no two lie in memory, then the statements, upon which it begins. It was never run
 * against a real one.
 */
export function httpIdentityProvider(settings: HttpProviderSettings): IdentityVerificationProvider {
  return {
    name: 'http',
    async request({ id, account, facts, documents }) {
      for (const document of documents) {
        const body = await document.read();
        if (body === null) return err({ reason: 'unavailable', detail: 'a document is gone' });
        const headers = {
          'content-type': document.type,
          'idempotency-key': document.id,
          'x-document-kind': document.kind,
        };
        const path = `identities/${id}/documents`;
        const asked = { method: 'POST', path, headers, body: body as Uint8Array<ArrayBuffer> } as const;
        const taken = await askHttpProvider(settings, asked, () => true);
        if (!taken.ok) return taken;
      }
      const body = JSON.stringify({ externalId: id, subject: account, ...facts });
      const headers = { 'content-type': 'application/json', 'idempotency-key': id };
      const asked = { method: 'POST', path: 'identities', headers, body } as const;
      const told = await askHttpProvider(settings, asked, readIdentityFinding);
      return told.ok ? ok(told.value.reference) : told;
    },
    async status(_order, reference) {
      const asked = { method: 'GET', path: `identities/${encodeURIComponent(reference)}`, headers: {} } as const;
      const told = await askHttpProvider(settings, asked, readIdentityFinding);
      return told.ok ? ok(told.value.finding) : told;
    },
  };
}
