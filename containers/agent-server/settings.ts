/** Where the exchange is, and the key that calls are signed with. The agent sees none of it. */
export interface Settings {
  /** Address of profile B without `/v1`, such as http://localhost:8787/book. */
  readonly apiUrl: string;
  readonly keyId: string;
  readonly secret: string;
}

export type SettingsResult =
  | { readonly ok: true; readonly value: Settings }
  | { readonly ok: false; readonly problem: string };

/** Reads EXCHANGE_API_URL, EXCHANGE_API_KEY and EXCHANGE_API_SECRET; there is no other way to hand them in. */
export function readSettings(environment: Readonly<Record<string, string | undefined>>): SettingsResult {
  const { EXCHANGE_API_URL: apiUrl = '', EXCHANGE_API_KEY: keyId = '', EXCHANGE_API_SECRET: secret = '' } = environment;
  const missing = Object.entries({ EXCHANGE_API_URL: apiUrl, EXCHANGE_API_KEY: keyId, EXCHANGE_API_SECRET: secret })
    .filter(([, value]) => value === '')
    .map(([name]) => name);
  if (missing.length > 0) return { ok: false, problem: `Set ${missing.join(', ')} in the environment.` };
  const url = URL.parse(apiUrl);
  if (url === null || !['http:', 'https:'].includes(url.protocol))
    return { ok: false, problem: 'EXCHANGE_API_URL is not the address of an exchange (https://…).' };
  return { ok: true, value: { apiUrl: apiUrl.replace(/\/+$/, ''), keyId, secret } };
}
