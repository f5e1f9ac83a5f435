import { issueTenantToken } from '../../application/identity/tenant-token.ts';
import { verifyAccessToken } from '../../durable-objects/credentials/access-token.ts';
import { browserOf } from '../middleware/admit-browser.ts';
import type { AppContext } from '../middleware/app-env.ts';
import { clientAddressOf, inNameOf } from '../middleware/client-address.ts';
import type { Profile } from '../middleware/profile.ts';

/** A host that no profile has to itself, so that the path names the profile. The request never leaves this Worker. */
export const IN_PROCESS = 'http://console.internal';

/** Headers of a page that a profile is shown. No cookie, no credential, and no word on an address is among them. */
const PASSED_IN = [
  'accept',
  'accept-language',
  'content-encoding',
  'content-length',
  'content-type',
  'idempotency-key',
  'if-match',
  'if-modified-since',
  'if-none-match',
  'range',
  'transfer-encoding',
  'user-agent',
  'x-operator-approval',
];

/** The profile whose calls take a tenant token beside the access token. */
const TENANT_SEGMENT = 'exchange';

interface InnerCall {
  readonly segment: string;
  /** Within the profile, with its query. */
  readonly path: string;
  readonly method: string;
  readonly body?: ReadableStream | null;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A request to another profile in this process, in the name of who is signed in: with every check and every limit of a call from outside. */
export async function callInProcess(
  c: AppContext,
  profile: Profile,
  { segment, path, method, body = null, headers: more = {} }: InnerCall,
): Promise<Response> {
  const { accessToken } = browserOf(c);
  const headers = new Headers(more);
  for (const name of PASSED_IN) {
    const value = c.req.header(name);
    // What describes a body goes with it.
    if (value !== undefined && (body !== null || !OF_BODIES.includes(name))) headers.set(name, value);
  }
  headers.set('authorization', `Bearer ${accessToken}`);
  headers.set('x-request-id', c.get('requestId'));
  const tenantToken = segment === TENANT_SEGMENT ? await tenantTokenOf(c, accessToken) : null;
  if (tenantToken !== null) headers.set('tenant-authorization', tenantToken);
  const request = new Request(`${IN_PROCESS}/${segment}${path}`, { method, headers, body });
  return profile.fetch(inNameOf(clientAddressOf(c), request), c.env, c.executionCtx as ExecutionContext);
}

const OF_BODIES = ['content-encoding', 'content-length', 'content-type', 'transfer-encoding'];

/** Tenant tokens that this isolate has made, by the access token that each belongs to. */
const made = new Map<string, string>();
const MADE_MAX = 1_000;

/** Null for a token that does not hold: the profile says so. */
async function tenantTokenOf(c: AppContext, accessToken: string): Promise<string | null> {
  const known = made.get(accessToken);
  if (known !== undefined) return known;
  const claims = await verifyAccessToken(accessToken, c.env);
  if (!claims.ok) return null;
  const token = await issueTenantToken(claims.value, c.env);
  if (made.size >= MADE_MAX) made.delete(made.keys().next().value as string);
  made.set(accessToken, token);
  return token;
}
