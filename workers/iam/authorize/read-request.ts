import type { ProvedRequest } from '../../../application/identity/authorization/allow-client.ts';
import {
  type AuthorizingClient,
  findAuthorizingClient,
  isEndedForAll,
} from '../../../application/identity/authorization/authorizing-client.ts';
import { clientOfDocument } from '../../../application/identity/authorization/client-document.ts';
import { sessionOfBrowser } from '../../../application/identity/authorization/sign-in-browser.ts';
import { targetOf } from '../../../application/identity/authorization/target.ts';
import type { BrowserSession } from '../../../data/identity/browser-sessions.ts';
import {
  type Asker,
  type AuthorizationRefusal,
  askerOf,
  mustSignInAgain,
  QUERY_LENGTH_MAX,
  termsOf,
} from '../../../domain/identity/authorization-request.ts';
import { isDocumentAddress, isDocumentId } from '../../../domain/identity/client-metadata.ts';
import { isRedirectUri, mayRedirectTo } from '../../../domain/identity/redirect-uri.ts';
import type { AppContext } from '../../middleware/app-env.ts';
import { cookieOf } from './cookies.ts';
import type { Texts } from './texts.ts';

/** An authorization request, as far as it holds. Nobody but the person is told of one whose client and place of answer are not proved. */
export type ReadRequest =
  | { readonly type: 'unproved'; readonly error: keyof Texts['errors'] }
  | { readonly type: 'refused'; readonly asker: Asker; readonly refusal: AuthorizationRefusal }
  | { readonly type: 'signed_out'; readonly asker: Asker; readonly clientName: string | null }
  | { readonly type: 'signed_in'; readonly session: BrowserSession; readonly request: ProvedRequest };

export function queryOf(c: AppContext): string {
  return new URL(c.req.url).search.slice(1);
}

/**
 * Reads the request that stands in the address, anew at each step: nothing of it is stored before the person has allowed it. The document of a
 * client is fetched once the person is signed in.
 */
export async function readRequest(c: AppContext): Promise<ReadRequest> {
  const query = queryOf(c);
  const asker = query.length > QUERY_LENGTH_MAX ? null : askerOf(new URLSearchParams(query));
  if (asker === null) return { type: 'unproved', error: 'request' };
  const isDocument = isDocumentId(asker.clientId);
  const known = isDocument ? null : await findAuthorizingClient(c.env, asker.clientId);
  if (
    isDocument
      ? !mayHaveDocument(c, asker) || (await isEndedForAll(c.env, asker.clientId))
      : !isAnsweredAt(known, asker)
  )
    return { type: 'unproved', error: 'client' };
  // One that nobody has approved is sent nobody before the person has said anything: it may be a lure (RFC 9700, 4.11.2).
  const isApproved = known?.kind === 'venue';
  const refused = (refusal: AuthorizationRefusal): ReadRequest =>
    isApproved ? { type: 'refused', asker, refusal } : { type: 'unproved', error: 'request' };
  const terms = termsOf(new URLSearchParams(query));
  if (!terms.ok) return refused(terms.error);
  const target = targetOf(c.env, known ?? { kind: 'document' }, terms.value.resource);
  if (target === null) return refused({ error: 'invalid_target', description: 'unknown resource' });
  const session = await sessionOfBrowser(c.env, cookieOf(c, 'session'));
  if (session === null || mustSignInAgain(terms.value, { ...session, authTime: session.createdAt }, Date.now())) {
    if (!terms.value.prompts.has('none')) return { type: 'signed_out', asker, clientName: known?.name ?? null };
    const refusal = { error: 'login_required', description: 'the person is not signed in' } as const;
    return isApproved ? { type: 'refused', asker, refusal } : { type: 'unproved', error: 'withoutPage' };
  }
  const client = known ?? (await clientOfDocument(c.env, asker.clientId));
  if (client === null || !isAnsweredAt(client, asker)) return { type: 'unproved', error: 'client' };
  return { type: 'signed_in', session, request: { client, asker, terms: terms.value, target } };
}

function isAnsweredAt(client: AuthorizingClient | null, { redirectUri }: Asker): boolean {
  return client !== null && mayRedirectTo(client.redirectUris, redirectUri);
}

function mayHaveDocument(c: AppContext, { clientId, redirectUri }: Asker): boolean {
  return isDocumentAddress(clientId, { isLocal: c.env.ENVIRONMENT === 'local' }) && isRedirectUri(redirectUri);
}
