import { answeredBy } from './wire/answer.ts';
import type { Credentials, TokenSource } from './wire/credentials.ts';
import { ExchangeError } from './wire/failure.ts';
import { PLATFORM, type Seams } from './wire/seams.ts';

const TIMEOUT_MS = 30_000;

interface TenantOptions {
  /** Of profile exchange: `https://exchange.example/exchange`. */
  readonly baseUrl: string;
  readonly tokens: TokenSource;
  readonly seams?: Partial<Seams>;
}

/** The two headers of profile exchange: an access token, and the tenant token that is had for it. */
export function tenantCredentials({ baseUrl, tokens, seams }: TenantOptions): Credentials {
  const { fetch } = { ...PLATFORM, ...seams };
  let kept: { readonly accessToken: string; readonly tenantToken: Promise<string> } | null = null;

  const tenantTokenOf = async (accessToken: string): Promise<string> => {
    const response = await fetch(`${baseUrl.replace(/\/+$/, '')}/v1/auth/tenant-token`, {
      method: 'POST',
      headers: { authorization: `Bearer ${accessToken}` },
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    }).catch((error: unknown) => {
      throw new ExchangeError({ kind: 'no_answer', message: `no tenant token: ${String(error)}` });
    });
    const bytes = new Uint8Array(await response.arrayBuffer());
    if (response.ok) return (JSON.parse(new TextDecoder().decode(bytes)) as { readonly token: string }).token;
    const answered = answeredBy({ status: response.status, headers: response.headers, bytes });
    throw new ExchangeError({ kind: response.status >= 500 ? 'unavailable' : 'unauthorized', ...answered });
  };

  return {
    headersOf: async ({ signal }) => {
      const accessToken = await tokens.accessToken(signal);
      if (kept?.accessToken !== accessToken) kept = { accessToken, tenantToken: tenantTokenOf(accessToken) };
      const asked = kept;
      try {
        const tenantToken = await asked.tenantToken;
        return { authorization: `Bearer ${accessToken}`, 'tenant-authorization': tenantToken };
      } catch (error) {
        if (kept === asked) kept = null;
        throw error;
      }
    },
    renew: async () => {
      kept = null;
      return await tokens.renew();
    },
  };
}
