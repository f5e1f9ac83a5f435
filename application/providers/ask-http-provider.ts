import type { ProviderUnavailable } from '../../domain/providers/provider-unavailable.ts';
import { err, ok, type Result } from '../../domain/result.ts';

/** Where a provider's API is, and the token that opens it. */
export interface HttpProviderSettings {
  readonly url: string;
  readonly token: string;
}

export interface HttpProviderRequest {
  readonly method: 'GET' | 'POST';
  /** Below the address of the API. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array<ArrayBuffer>;
}

const ANSWER_MS_MAX = 10_000;
const BODY_CHARACTERS_MAX = 65_536;

/**
 * Asks a provider over HTTP, within bounds of time and length.
 *
 * @param read what the answer says; null where it cannot be read
 */
export async function askHttpProvider<Told>(
  { url, token }: HttpProviderSettings,
  { method, path, headers, body }: HttpProviderRequest,
  read: (answer: unknown) => Told | null,
): Promise<Result<Told, ProviderUnavailable>> {
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
    const told = read(JSON.parse(text));
    return told === null ? unavailable('an answer that cannot be read') : ok(told);
  } catch (error) {
    return unavailable(error instanceof Error ? error.name : 'no answer');
  }
}

function unavailable(detail: string) {
  return err({ reason: 'unavailable', detail } satisfies ProviderUnavailable);
}
