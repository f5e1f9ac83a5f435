import { compactVerify, decodeProtectedHeader, importJWK } from 'jose';
import { database } from '../../../data/database.ts';
import { findAuthorizationOfGrant } from '../../../data/identity/authorizations.ts';
import { type BrowserSession, endBrowserSessionWithGrants } from '../../../data/identity/browser-sessions.ts';
import { isDocumentId } from '../../../domain/identity/client-metadata.ts';
import { mayLeadOutTo } from '../../../domain/identity/redirect-uri.ts';
import { type IdTokenHint, idTokenHintOf, type SignOutRequest } from '../../../domain/identity/sign-out-request.ts';
import { ACCESS_TOKEN_LIFETIME_S } from '../../../domain/identity/token-lifetime.ts';
import { err, ok, type Result } from '../../../domain/result.ts';
import type { Caller } from '../caller.ts';
import { invalidateUser } from '../invalidate-gates.ts';
import { entryOf } from '../sign-ins/record-sign-in.ts';
import { SIGNING_ALGORITHM } from '../signing-keys/create-signing-key.ts';
import { publishedKeys } from '../signing-keys/signing-key.ts';
import { type AuthorizingClient, findAuthorizingClient, isEndedForAll } from './authorizing-client.ts';
import { clientOfDocument } from './client-document.ts';

/** A request to sign out, as far as it is proved. */
export interface ProvedSignOut {
  /** Null for one that is not known, or that is not named. */
  readonly client: AuthorizingClient | null;
  /** Where the client may be answered, with its `state`; null for nowhere. */
  readonly redirectUri: string | null;
  readonly state: string | null;
  /** Whether the hint came of the very session that the browser has: then nobody need be asked. */
  readonly isOfSession: boolean;
}

/**
 * Proves who asks, and where they may be answered.
 *
 * @param session of the browser; null where nobody is signed in
 * @returns `request` for a hint that is none of ours, or of another client than the one that is named; `client` for a place that the client has not registered for this
 */
export async function proveSignOut(
  env: Env,
  session: BrowserSession | null,
  { hint: token, clientId: named, redirectUri, state }: SignOutRequest,
): Promise<Result<ProvedSignOut, 'request' | 'client'>> {
  const hint = token === null ? null : await readHint(env, token);
  if (hint === 'wrong') return err('request');
  if (hint !== null && named !== null && named !== hint.clientId) return err('request');
  const clientId = hint?.clientId ?? named;
  const client = clientId === null ? null : await clientNamed(env, clientId, session);
  if (client !== null && redirectUri !== null && !mayLeadOutTo(client.postLogoutRedirectUris, redirectUri))
    return err('client');
  const isOfSession = hint !== null && session !== null && (await isHintOf(env, hint, session));
  // A place is the client's word: of a client that is not proved nobody is sent anywhere.
  return ok({ client, redirectUri: client === null ? null : redirectUri, state, isOfSession });
}

/** A document is fetched for somebody who is signed in, and for nobody else. */
async function clientNamed(
  env: Env,
  clientId: string,
  session: BrowserSession | null,
): Promise<AuthorizingClient | null> {
  if (!isDocumentId(clientId)) return findAuthorizingClient(env, clientId);
  if (session === null || (await isEndedForAll(env, clientId))) return null;
  return clientOfDocument(env, clientId);
}

/** `wrong` for what no key of ours has signed as an ID token; null for one of a key that is published no more, which proves nothing either way. */
async function readHint(env: Env, token: string): Promise<IdTokenHint | 'wrong' | null> {
  try {
    const { kid, alg, typ } = decodeProtectedHeader(token);
    // An access token has another type: it is no hint.
    if (alg !== SIGNING_ALGORITHM || typ !== 'JWT' || kid === undefined) return 'wrong';
    const row = (await publishedKeys(env)).find((key) => key.kid === kid);
    if (row === undefined) return null;
    const key = await importJWK(JSON.parse(row.publicJwk), SIGNING_ALGORITHM);
    const { payload } = await compactVerify(token, key, { algorithms: [SIGNING_ALGORITHM] });
    const claims = JSON.parse(new TextDecoder().decode(payload));
    return idTokenHintOf(claims, { issuer: env.IAM_ISSUER, now: Date.now() }) ?? 'wrong';
  } catch {
    return 'wrong';
  }
}

/** Whether an ID token came of a grant that this very session gave, to the client that shows it. */
async function isHintOf(
  env: Env,
  { subject, clientId, grant }: IdTokenHint,
  { userId, createdAt }: BrowserSession,
): Promise<boolean> {
  if (grant === null || subject !== userId) return false;
  const given = await findAuthorizationOfGrant(database(env.DB), grant);
  return given?.userId === userId && given.clientId === clientId && given.authTime === createdAt;
}

/** Ends a browser's session, and what it gave to the client that asks. Other clients of the session go on until their own tokens end. */
export async function signOut(
  env: Env,
  session: BrowserSession,
  { client }: Pick<ProvedSignOut, 'client'>,
  caller: Caller,
): Promise<void> {
  const { userId } = session;
  const clientId = client?.id ?? null;
  const now = Date.now();
  const entry = await entryOf({ userId, type: 'session_ended', reason: 'signed_out', clientId, caller }, env);
  const tokensExpireAt = now + ACCESS_TOKEN_LIFETIME_S * 1_000;
  await endBrowserSessionWithGrants(database(env.DB), { session, clientId, now, tokensExpireAt }, entry);
  await invalidateUser(env, userId);
}
