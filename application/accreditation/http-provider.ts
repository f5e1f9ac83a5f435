import { readFinding, type ToldFinding } from '../../domain/accreditation/read-finding.ts';
import type { ProviderUnavailable, VerificationProvider } from '../../domain/accreditation/verification.ts';
import { err, ok, type Result } from '../../domain/result.ts';

/** Where a provider's API is, and the token that opens it. */
export interface HttpProviderSettings {
  readonly url: string;
  readonly token: string;
}

const ANSWER_MS_MAX = 10_000;
const BODY_CHARACTERS_MAX = 65_536;

/** A provider over HTTP (docs/design/compliance.md#verification-by-a-third-party). It was never run against a real one. */
export function httpProvider(settings: HttpProviderSettings): VerificationProvider {
  return {
    name: 'http',
    request: async ({ id, account, evidenceKind }) => {
      const body = JSON.stringify({ externalId: id, subject: account, evidenceKind });
      const headers = { 'content-type': 'application/json', 'idempotency-key': id };
      const told = await ask(settings, 'verifications', { method: 'POST', headers, body });
      return told.ok ? ok(told.value.reference) : told;
    },
    status: async (_order, reference) => {
      const told = await ask(settings, `verifications/${encodeURIComponent(reference)}`, {
        method: 'GET',
        headers: {},
      });
      return told.ok ? ok(told.value.finding) : told;
    },
  };
}

interface Asking {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

async function ask(
  { url, token }: HttpProviderSettings,
  path: string,
  { method, headers, body }: Asking,
): Promise<Result<ToldFinding, ProviderUnavailable>> {
  try {
    const answer = await fetch(`${url}/${path}`, {
      method,
      headers: { ...headers, authorization: `Bearer ${token}` },
      body: body ?? null,
      // An answer from elsewhere is none of the provider's, and must not be given its token.
      redirect: 'manual',
      signal: AbortSignal.timeout(ANSWER_MS_MAX),
    });
    const text = await answer.text();
    if (!answer.ok || text.length > BODY_CHARACTERS_MAX) return unavailable(`status ${answer.status}`);
    const told = readFinding(JSON.parse(text));
    return told === null ? unavailable('an answer that cannot be read') : ok(told);
  } catch (error) {
    return unavailable(error instanceof Error ? error.name : 'no answer');
  }
}

function unavailable(detail: string) {
  return err({ reason: 'unavailable', detail } satisfies ProviderUnavailable);
}
