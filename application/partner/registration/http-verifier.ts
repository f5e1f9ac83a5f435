import { type RegistrationVerifier, readRegistrationFinding } from '../../../domain/partner/registration-verifier.ts';
import { err, ok } from '../../../domain/result.ts';

/** Where a verifier's API is, and the token that opens it. */
export interface HttpVerifierSettings {
  readonly url: string;
  readonly token: string;
}

const ANSWER_MS_MAX = 10_000;
const BODY_CHARACTERS_MAX = 65_536;

/** A verifier over HTTP (docs/design/partner.md#registration-of-a-transfer-agent). It was never run against a real one. */
export function httpVerifier(settings: HttpVerifierSettings): RegistrationVerifier {
  return {
    name: 'http',
    request: async ({ id, ...subject }) => {
      const body = JSON.stringify({ externalId: id, ...subject });
      const told = await ask(settings, 'registrations', {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'idempotency-key': id },
        body,
      });
      return told.ok ? ok(told.value.reference) : told;
    },
    status: async (_order, reference) => {
      const told = await ask(settings, `registrations/${encodeURIComponent(reference)}`, {
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

async function ask({ url, token }: HttpVerifierSettings, path: string, { method, headers, body }: Asking) {
  try {
    const answer = await fetch(`${url}/${path}`, {
      method,
      headers: { ...headers, authorization: `Bearer ${token}` },
      body: body ?? null,
      // An answer from elsewhere is none of the verifier's, and must not be given its token.
      redirect: 'manual',
      signal: AbortSignal.timeout(ANSWER_MS_MAX),
    });
    const text = await answer.text();
    if (!answer.ok || text.length > BODY_CHARACTERS_MAX) return unavailable(`status ${answer.status}`);
    const told = readRegistrationFinding(JSON.parse(text));
    return told === null ? unavailable('an answer that cannot be read') : ok(told);
  } catch (error) {
    return unavailable(error instanceof Error ? error.name : 'no answer');
  }
}

function unavailable(detail: string) {
  return err({ reason: 'unavailable', detail } as const);
}
