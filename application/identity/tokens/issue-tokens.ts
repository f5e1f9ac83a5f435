import { SignJWT } from 'jose';
import { uuidv7 } from 'uuidv7';
import { database } from '../../../data/database.ts';
import { storeRefreshToken } from '../../../data/identity/refresh-tokens.ts';
import { endSession, hasBegun, keepSession } from '../../../data/identity/sessions.ts';
import { standsAsRead } from '../../../data/identity/taken-back.ts';
import type { UserRow } from '../../../data/identity/users.ts';
import { acrOf, amrOf, type SignInMethod } from '../../../domain/identity/factors.ts';
import type { OidcScope } from '../../../domain/identity/oidc-scope.ts';
import { sessionEnd, tokenSeconds } from '../../../domain/identity/session.ts';
import { ACCESS_TOKEN_LIFETIME_S } from '../../../domain/identity/token-lifetime.ts';
import { KEY_CLAIM } from '../../../durable-objects/credentials/access-token.ts';
import { newDeviceMail } from '../../mail/new-device-mail.ts';
import { type Caller, placeOf } from '../caller.ts';
import { randomSecret } from '../random-secret.ts';
import { sha256Hex } from '../sha256-hex.ts';
import { SIGNING_ALGORITHM } from '../signing-keys/create-signing-key.ts';
import { signingKeyOf } from '../signing-keys/signing-key.ts';
import { claimsOfUser } from './claims-of-user.ts';

/** For whom, through which client, in which grant tokens are made. */
export interface TokenRequest {
  readonly subject: string;
  /** The `owner` claim: the organization. */
  readonly owner: string;
  readonly clientId: string;
  /** Null for a machine client that speaks for no user. */
  readonly user: UserRow | null;
  readonly machine: boolean;
  readonly scope: readonly OidcScope[];
  /** Id of the grant, and of its session: revoking it ends every token that came of it. */
  readonly family: string;
  /** From where they are asked for; left out where nobody asks from anywhere. */
  readonly caller?: Caller;
  /** Of a grant by authorization code; null or left out for any other, whose tokens are good at every profile. */
  readonly binding?: TokenBinding | null;
}

/** What the tokens of a grant by authorization code are bound to. */
export interface TokenBinding {
  /** The `aud` of access tokens. */
  readonly audience: string;
  /** The API key that they act under, at the agent server; null for none. */
  readonly keyId: string | null;
  readonly nonce: string | null;
  /** When the person had signed in, Unix milliseconds, and by what. */
  readonly authTime: number;
  readonly method: SignInMethod;
}

export interface IssuedTokens {
  readonly accessToken: string;
  /** How long the access token is good, in seconds. */
  readonly expiresIn: number;
  readonly scope: string;
  /** With scope `openid`, else null. */
  readonly idToken: string | null;
  /** With scope `offline_access`, else null. */
  readonly refreshToken: string | null;
}

/**
 * The tokens of a request (X-AAU-02); null when the grant was revoked meanwhile, its session is over, the account of its user is being taken back,
 * or the user's kill switch pulled since the request's user was read: read it before what entitles to the tokens is.
 */
export async function issueTokens(request: TokenRequest, env: Env): Promise<IssuedTokens | null> {
  const { scope } = request;
  const now = Date.now();
  const session = await keptSession(request, now, env);
  const sessionEndsAt = session === null ? null : session.endsAt;
  const lifetime =
    sessionEndsAt === null ? ACCESS_TOKEN_LIFETIME_S : tokenSeconds(sessionEndsAt, now, ACCESS_TOKEN_LIFETIME_S);
  if (lifetime === 0) return null;
  const offline = scope.includes('offline_access') && sessionEndsAt !== null;
  const refreshToken = offline ? await makeRefreshToken(request, sessionEndsAt, env) : null;
  if (offline && refreshToken === null) return null;
  const accessToken = await signAccessToken(request, session, lifetime, env);
  // What ends a user's tokens from here on ends this one, too.
  if (request.user !== null && !(await standsAsRead(database(env.DB), request.user))) {
    await endSession(database(env.DB), request.family, Date.now());
    return null;
  }
  return {
    accessToken,
    expiresIn: lifetime,
    scope: scope.join(' '),
    idToken: scope.includes('openid') ? await signIdToken(request, session, lifetime, env) : null,
    refreshToken,
  };
}

/** What tokens of a session say of it. */
interface KeptSession {
  /** 0 where it is over. */
  readonly endsAt: number;
  /** When the person showed a factor, Unix milliseconds, which no refresh makes younger; 0 where that is not known. */
  readonly authTime: number;
  readonly method: SignInMethod;
}

/**
 * Begins the session of a person who signs in, or uses it. It ends by the roles of now, so that whoever has been given a power signs in again. Null for a
 * machine client, whose secret is good for the next token.
 */
async function keptSession(
  { user, machine, family, clientId, scope, caller, binding }: TokenRequest,
  now: number,
  env: Env,
): Promise<KeptSession | null> {
  if (user === null || machine) return null;
  const { id: userId } = user;
  const device = caller?.device ?? null;
  const place = caller === undefined ? null : await placeOf(userId, caller.clientAddress, env);
  // Counted from when the person has signed in, which a browser may have remembered.
  const longest = sessionEnd(binding?.authTime ?? now, user);
  const endsAt = scope.includes('offline_access') ? longest : Math.min(longest, now + ACCESS_TOKEN_LIFETIME_S * 1_000);
  const from = { userId, clientId, device, place };
  const entry = { ...from, id: family, type: 'signed_in', sessionId: family, at: now } as const;
  // Whoever comes by a code has signed in by a browser, which was told of.
  const isTold = caller !== undefined && (binding ?? null) === null;
  const told = isTold
    ? [await newDeviceMail(env, { userId, signInId: family, caller, now }, hasBegun(family, now))]
    : [];
  // Of a session that stands already they stay as they are: refreshing shows no factor.
  const { authTime = now, method = 'code' } = binding ?? {};
  const begun = { ...from, id: family, begunAt: now, endsAt, authTime, method };
  const session = await keepSession(database(env.DB), begun, entry, told);
  if (session === null) return { endsAt: 0, authTime: 0, method };
  return { ...session, endsAt: Math.min(session.endsAt, sessionEnd(session.begunAt, user)) };
}

/** OpenID Connect Core, 2, and RFC 9068, 2.2.1: when and how the person has signed in. */
function signInClaims(session: KeptSession | null): Record<string, unknown> {
  if (session === null || session.authTime === 0) return {};
  const { authTime, method } = session;
  return { auth_time: Math.floor(authTime / 1_000), acr: acrOf(method), amr: amrOf(method) };
}

/** Claims as RFC 9068 names them; `owner` scopes all data to the organization, `sid` names the grant. */
async function signAccessToken(
  request: TokenRequest,
  session: KeptSession | null,
  lifetime: number,
  env: Env,
): Promise<string> {
  const { owner, clientId, scope, family, machine, binding } = request;
  const claims = {
    owner,
    scope: scope.join(' '),
    client_id: clientId,
    sid: family,
    ...signInClaims(session),
    ...(machine ? { gty: 'client_credentials' } : {}),
    ...(binding?.keyId ? { [KEY_CLAIM]: binding.keyId } : {}),
  };
  const audience = binding?.audience ?? env.IAM_AUDIENCE;
  return sign(claims, { typ: 'at+jwt', subject: request.subject, audience, lifetime }, env);
}

/** It names the grant, by which signing out finds the browser that it came of. */
async function signIdToken(
  { owner, clientId, scope, subject, user, family, binding }: TokenRequest,
  session: KeptSession | null,
  lifetime: number,
  env: Env,
): Promise<string> {
  const claims = {
    owner,
    ...(await claimsOfUser(env, user, scope)),
    sid: family,
    ...signInClaims(session),
    ...(binding?.nonce ? { nonce: binding.nonce } : {}),
  };
  return sign(claims, { typ: 'JWT', subject, audience: clientId, lifetime }, env);
}

async function sign(
  claims: Record<string, unknown>,
  { typ, subject, audience, lifetime }: { typ: string; subject: string; audience: string; lifetime: number },
  env: Env,
): Promise<string> {
  const { kid, key } = await signingKeyOf(env);
  const issuedAt = Math.floor(Date.now() / 1_000);
  return new SignJWT(claims)
    .setProtectedHeader({ alg: SIGNING_ALGORITHM, kid, typ })
    .setIssuer(env.IAM_ISSUER)
    .setSubject(subject)
    .setAudience(audience)
    .setJti(uuidv7())
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + lifetime)
    .sign(key);
}

async function makeRefreshToken(
  { subject, clientId, scope, family }: TokenRequest,
  expiresAt: number,
  env: Env,
): Promise<string | null> {
  const token = randomSecret();
  const stored = await storeRefreshToken(database(env.DB), {
    hash: await sha256Hex(token),
    family,
    userId: subject,
    clientId,
    scope: scope.join(' '),
    expiresAt,
  });
  return stored ? token : null;
}
