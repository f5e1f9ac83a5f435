import type { Credentials, TokenSource } from './wire/credentials.ts';
import { failureOf } from './wire/failure.ts';
import { fetchJson, unread } from './wire/fetch-json.ts';
import { PLATFORM, type Seams } from './wire/seams.ts';

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

  const url = `${baseUrl.replace(/\/+$/, '')}/v1/auth/tenant-token`;
  const tenantTokenOf = async (accessToken: string): Promise<string> => {
    const body = await fetchJson(fetch, url, { headers: { authorization: `Bearer ${accessToken}` } });
    const { token } = (body ?? {}) as { readonly token?: unknown };
    if (typeof token !== 'string') throw unread(url, 'it has no token');
    return token;
  };

  const headersOf = async (signal: AbortSignal | undefined): Promise<Readonly<Record<string, string>>> => {
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
  };

  return {
    headersOf: ({ signal }) => headersOf(signal),
    // Either of the two may have ended; the tenant token is had for an access token that holds.
    renew: async () => {
      kept = null;
      try {
        await headersOf(undefined);
        return true;
      } catch (error) {
        if (failureOf(error)?.kind !== 'unauthorized') throw error;
        return await tokens.renew();
      }
    },
  };
}
