import type { EntityStatement } from '../../domain/onboarding/entity-facts.ts';
import {
  type IdentityVerificationProvider,
  readIdentityFinding,
  type Stated,
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
    async request({ id, account, stated, documents }) {
      const place = placeOf(stated);
      for (const document of documents) {
        const body = await document.read();
        if (body === null) return err({ reason: 'unavailable', detail: 'a document is gone' });
        const headers = {
          'content-type': document.type,
          'idempotency-key': document.id,
          'x-document-kind': document.kind,
        };
        const path = `${place}/${id}/documents`;
        const asked = { method: 'POST', path, headers, body: body as Uint8Array<ArrayBuffer> } as const;
        const taken = await askHttpProvider(settings, asked, () => true);
        if (!taken.ok) return taken;
      }
      const body = JSON.stringify({
        externalId: id,
        subject: account,
        ...(stated.subject === 'person' ? stated.facts : entityOf(stated.entity)),
      });
      const headers = { 'content-type': 'application/json', 'idempotency-key': id };
      const asked = { method: 'POST', path: place, headers, body } as const;
      const told = await askHttpProvider(settings, asked, readIdentityFinding);
      return told.ok ? ok(told.value.reference) : told;
    },
    async status({ stated }, reference) {
      const asked = {
        method: 'GET',
        path: `${placeOf(stated)}/${encodeURIComponent(reference)}`,
        headers: {},
      } as const;
      const told = await askHttpProvider(settings, asked, readIdentityFinding);
      return told.ok ? ok(told.value.finding) : told;
    },
  };
}

const placeOf = ({ subject }: Stated): string => (subject === 'person' ? 'identities' : 'entities');

function entityOf({ facts, nobodyOwns, parties }: EntityStatement): object {
  return { ...facts, nobodyOwns, parties };
}
