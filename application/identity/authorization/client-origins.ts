import { originOfDocument } from '../../../domain/identity/client-metadata.ts';
import { isOriginOf } from '../../../domain/identity/redirect-uri.ts';
import { findAuthorizingClient, isEndedForAll } from './authorizing-client.ts';

/**
 * Whether a page of an origin is of an application that people sign in through, which has no secret: one of its redirect URIs lies there. Of an application by its document it is the origin of
 * the document, which is asked for of nobody here. The venue's own console has a server, and no such pages.
 */
export async function isPageOf(env: Env, clientId: string, origin: string): Promise<boolean> {
  const own = originOfDocument(clientId);
  if (own !== null) return isOriginOf([clientId], origin) && !(await isEndedForAll(env, clientId));
  const client = await findAuthorizingClient(env, clientId);
  return client !== null && !client.hasSecret && isOriginOf(client.redirectUris, origin);
}
