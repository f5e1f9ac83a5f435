import { database } from '../../../data/database.ts';
import { findEndedApplication } from '../../../data/identity/ended-applications.ts';
import { findOAuthClient, type OAuthClient } from '../../../data/identity/oauth-clients.ts';
import { findRegisteredClient } from '../../../data/identity/registered-clients.ts';
import { isDocumentId } from '../../../domain/identity/client-metadata.ts';
import { consoleSecret, ownConsole } from '../../console/console-client.ts';
import { sha256Hex } from '../sha256-hex.ts';

/** A client that signs people in by a browser. */
export interface AuthorizingClient {
  readonly id: string;
  readonly name: string;
  readonly redirectUris: readonly string[];
  /** Where somebody who has signed out may be sent. */
  readonly postLogoutRedirectUris: readonly string[];
  /** `venue`: an operator has made it. `registered`: it has made itself. `document`: its id is the address of what it says of itself. */
  readonly kind: 'venue' | 'registered' | 'document';
  /** Whether it has a server that keeps a secret: no page of its own asks for tokens. */
  readonly hasSecret: boolean;
  /** The venue's own console, which is no other party: nobody is asked whether they allow it. */
  readonly isOurs?: true;
}

/** One that the exchange knows, with no look at anything outside; null for none, and for one that may not sign people in so. */
export async function findAuthorizingClient(env: Env, clientId: string): Promise<AuthorizingClient | null> {
  if (isDocumentId(clientId)) return null;
  const own = ownConsole(env, clientId);
  if (own !== null) return own;
  const db = database(env.DB);
  const client = await findOAuthClient(db, clientId);
  if (client === null) {
    const registered = (await isEndedForAll(env, clientId))
      ? null
      : await findRegisteredClient(db, clientId, Date.now());
    return registered === null ? null : { ...registered, kind: 'registered', hasSecret: false };
  }
  if (client.revokedAt !== null || !client.grants.includes('authorization_code')) return null;
  const { id, name, redirectUris, postLogoutRedirectUris } = client;
  return { id, name, redirectUris, postLogoutRedirectUris, kind: 'venue', hasSecret: client.secretHash !== null };
}

/**
 * A client that no operator has made, at the token endpoint: it has no secret but for the console's own, and gets nothing but by a code that was given to it. Whoever
 * has a document is not asked for it again.
 */
export async function findClientOfCodes(env: Env, clientId: string): Promise<OAuthClient | null> {
  const own = ownConsole(env, clientId);
  if (own !== null) return { ...clientOfCodes(own), secretHash: await sha256Hex(await consoleSecret(env)) };
  if (await isEndedForAll(env, clientId)) return null;
  const known = isDocumentId(clientId) ? null : await findRegisteredClient(database(env.DB), clientId, Date.now());
  if (known === null && !isDocumentId(clientId)) return null;
  return clientOfCodes({ name: clientId, redirectUris: [], ...known, id: clientId });
}

/** Whether an operator has ended a client that no operator has made. */
export async function isEndedForAll(env: Env, clientId: string): Promise<boolean> {
  return (await findEndedApplication(database(env.DB), clientId)) !== null;
}

type KnownClient = Pick<OAuthClient, 'id' | 'name' | 'redirectUris'> & Partial<Pick<OAuthClient, 'createdAt'>>;

function clientOfCodes({ id, name, redirectUris, createdAt = 0 }: KnownClient): OAuthClient {
  return {
    id,
    owner: '',
    name,
    secretHash: null,
    grants: ['authorization_code', 'refresh_token'],
    redirectUris,
    postLogoutRedirectUris: [],
    userId: null,
    revokedAt: null,
    waitingSince: null,
    agreedAt: null,
    createdAt,
  };
}
