import { z } from 'zod';

const Provider = z.strictObject({
  url: z.url({ protocol: /^https?$/ }),
  apiKey: z.string().regex(/^[\x21-\x7e]{1,200}$/),
  /** PKCS #8 in PEM. */
  privateKey: z.string().regex(/^-----BEGIN PRIVATE KEY-----[\s\S]{1,8000}-----END PRIVATE KEY-----\s*$/),
});
/** Providers by the name that vaults give them. */
export const CustodyProviders = z.record(z.string().regex(/^[\w-]{1,64}$/), Provider);

/** Where a custody provider's interface is, and the key of it that this system has. */
export type CustodyProvider = z.infer<typeof Provider>;

/** BRIDGE_CUSTODY_PROVIDERS: a JSON object from name to `{url, apiKey, privateKey}`. @throws Error where it is something else; it says nothing of what stands there */
export function custodyProviders(json: string): Readonly<Record<string, CustodyProvider>> {
  let stated: unknown;
  try {
    stated = JSON.parse(json === '' ? '{}' : json);
  } catch {
    throw new Error('BRIDGE_CUSTODY_PROVIDERS is no JSON');
  }
  const read = CustodyProviders.safeParse(stated);
  if (read.success) return read.data;
  const wrong = read.error.issues.map(({ path }) => path.slice(1).join('.') || 'a name').join(', ');
  throw new Error(`BRIDGE_CUSTODY_PROVIDERS: ${wrong} has another form`);
}
