import { decodeJwt } from 'jose';
import { z } from 'zod';
import { database } from '../../data/database.ts';
import { findRefreshToken } from '../../data/identity/refresh-tokens.ts';
import { revokeAccessToken } from '../../data/identity/revocations.ts';
import { isFreshFactor, type SessionEnd } from '../../domain/console/session-term.ts';
import type { HeldTokens, Renewal, SignInFactor } from '../../durable-objects/browser-session/api.ts';
import { type VerifiedToken, verifyAccessToken } from '../../durable-objects/credentials/access-token.ts';
import type { Caller } from '../identity/caller.ts';
import { grantTokens } from '../identity/grants/grant-tokens.ts';
import { invalidateSubject } from '../identity/invalidate-gates.ts';
import { sha256Hex } from '../identity/sha256-hex.ts';
import { recordSignIn } from '../identity/sign-ins/record-sign-in.ts';
import { endGrant } from '../identity/tokens/end-grant.ts';
import { CONSOLE_CLIENT_ID, consoleCallback, consoleSecret, isEmbedded } from './console-client.ts';
import { endpointsOf, sendAsConsole } from './outside-provider.ts';

type From = Caller & { later(work: Promise<unknown>): void };

/** Tokens that a code has bought, and what they say. */
export interface BoughtTokens {
  readonly tokens: HeldTokens;
  readonly claims: VerifiedToken;
  readonly factor: SignInFactor;
}

export type Purchase =
  | ({ readonly type: 'bought' } & BoughtTokens)
  | { readonly type: 'refused' }
  | { readonly type: 'unavailable' };

interface Bought {
  readonly code: string;
  readonly verifier: string;
  readonly nonce: string;
  /** Start of this sign-in, Unix milliseconds. */
  readonly startedAt: number;
}

/**
 * Buys tokens with a code, by the verifier and nonce of this sign-in: a code or an ID token of another one buys nothing. Nor does a sign-in of before it
 * began, which a browser gets that leaves out that it was to be asked anew.
 */
export async function buyTokens(env: Env, { code, verifier, nonce, startedAt }: Bought, from: From): Promise<Purchase> {
  const answer = await ask(env, { grant: 'authorization_code', code, verifier }, from);
  if (answer.type !== 'tokens') return answer;
  const { tokens, idToken } = answer;
  const claims = await verifyAccessToken(tokens.accessToken, env);
  const factor = idToken === null ? null : factorOf(env, idToken, nonce);
  const isFresh = factor !== null && isFreshFactor(factor.at, startedAt);
  if (claims.ok && isFresh && !claims.value.machine) return { type: 'bought', tokens, claims: claims.value, factor };
  await endTokens(env, { tokens, userId: claims.ok ? claims.value.subject : '', reason: 'revoked' });
  return { type: 'refused' };
}

/** Other tokens for those that a session holds. */
export async function renewTokens(
  env: Env,
  { refreshToken }: HeldTokens,
  { isRefused, ...from }: From & { readonly isRefused: boolean },
): Promise<Renewal> {
  if (refreshToken === null) return { type: 'refused' };
  // What ends tokens here is unknown to another provider, which would give others: that would undo it.
  if (isRefused && !isEmbedded(env)) return { type: 'refused' };
  const answer = await ask(env, { grant: 'refresh_token', refreshToken }, from);
  if (answer.type !== 'tokens') return answer;
  // A provider that does not rotate refresh tokens gives none again (RFC 6749, 6).
  const { tokens } = answer;
  return { type: 'tokens', tokens: { ...tokens, refreshToken: tokens.refreshToken ?? refreshToken } };
}

/** Whether a refresh token may have been shown. Another provider cannot be asked. */
export async function isSpent(env: Env, { refreshToken }: HeldTokens): Promise<boolean> {
  if (refreshToken === null || !isEmbedded(env)) return true;
  const token = await findRefreshToken(database(env.DB), await sha256Hex(refreshToken));
  return token === null || token.usedAt !== null || token.revokedAt !== null;
}

/** Ends tokens: the grant at the provider, and here whatever they have opened. May be repeated. */
export async function endTokens(
  env: Env,
  {
    tokens: { accessToken, refreshToken },
    userId,
    reason,
  }: { readonly tokens: HeldTokens; readonly userId: string; readonly reason: SessionEnd },
): Promise<void> {
  const said = claimsOf(accessToken);
  const { sid, owner, exp, jti } = said;
  if (isEmbedded(env)) {
    if (sid === null) return;
    await endGrant({ family: sid, userId }, env);
    if (reason === 'revoked') return;
    const told = reason === 'signed_out' ? 'by_user' : reason;
    const entry = { userId, type: 'session_ended', reason: told, clientId: CONSOLE_CLIENT_ID, sessionId: sid } as const;
    await recordSignIn(env, entry);
    return;
  }
  const verified = await verifyAccessToken(accessToken, env);
  const revocationId = verified.ok ? verified.value.revocationIds[0] : jti;
  if (revocationId) await revokeAccessToken(database(env.DB), revocationId, exp * 1_000);
  if (owner !== null) await invalidateSubject(env, owner, userId);
  const revocation = (await endpointsOf(env))?.revocation ?? null;
  if (revocation === null || refreshToken === null) return;
  const answered = await sendAsConsole(revocation, env, { token: refreshToken, token_type_hint: 'refresh_token' });
  if (answered === null || answered.status >= 500)
    throw new Error('the provider was not told that a session has ended');
}

type Wanted =
  | { readonly grant: 'authorization_code'; readonly code: string; readonly verifier: string }
  | { readonly grant: 'refresh_token'; readonly refreshToken: string };

type Given =
  | { readonly type: 'tokens'; readonly tokens: HeldTokens; readonly idToken: string | null }
  | { readonly type: 'refused' }
  | { readonly type: 'unavailable' };

function ask(env: Env, wanted: Wanted, from: From): Promise<Given> {
  return isEmbedded(env) ? askOwn(env, wanted, from) : askOutside(env, wanted);
}

async function askOwn(env: Env, wanted: Wanted, from: From): Promise<Given> {
  const credentials = { id: CONSOLE_CLIENT_ID, secret: await consoleSecret(env) };
  const fields = {
    username: undefined,
    password: undefined,
    resource: undefined,
    scope: '',
    code: wanted.grant === 'authorization_code' ? wanted.code : undefined,
    codeVerifier: wanted.grant === 'authorization_code' ? wanted.verifier : undefined,
    redirectUri: wanted.grant === 'authorization_code' ? consoleCallback(env) : undefined,
    refreshToken: wanted.grant === 'refresh_token' ? wanted.refreshToken : undefined,
    ...from,
  };
  const now = Date.now();
  const given = await grantTokens(env, wanted.grant, credentials, fields);
  if (!given.ok) return { type: 'refused' };
  const { accessToken, refreshToken, expiresIn, idToken } = given.value;
  return { type: 'tokens', tokens: { accessToken, refreshToken, ...lifeOf(now, expiresIn) }, idToken };
}

const TokenAnswer = z.object({
  access_token: z.string(),
  refresh_token: z.string().optional(),
  id_token: z.string().optional(),
  expires_in: z.number().optional(),
});
const SECONDS_UNSAID = 300;

function lifeOf(now: number, seconds: number): Pick<HeldTokens, 'expiresAt' | 'lifeMs'> {
  return { expiresAt: now + seconds * 1_000, lifeMs: seconds * 1_000 };
}

async function askOutside(env: Env, wanted: Wanted): Promise<Given> {
  const endpoints = await endpointsOf(env);
  if (endpoints === null) return { type: 'unavailable' };
  const form: Readonly<Record<string, string>> =
    wanted.grant === 'authorization_code'
      ? {
          grant_type: wanted.grant,
          code: wanted.code,
          code_verifier: wanted.verifier,
          redirect_uri: consoleCallback(env),
        }
      : { grant_type: wanted.grant, refresh_token: wanted.refreshToken };
  const now = Date.now();
  const answer = await sendAsConsole(endpoints.token, env, form);
  if (answer === null || answer.status >= 500 || answer.status === 429) return { type: 'unavailable' };
  const read = answer.status === 200 ? TokenAnswer.safeParse(answer.body) : null;
  if (read?.success !== true) return { type: 'refused' };
  const { access_token, refresh_token, id_token, expires_in = SECONDS_UNSAID } = read.data;
  const tokens = {
    accessToken: access_token,
    refreshToken: refresh_token ?? null,
    ...lifeOf(now, expires_in),
  };
  return { type: 'tokens', tokens, idToken: id_token ?? null };
}

/**
 * How and when somebody signed in, by an ID token that came straight from the token endpoint, so that its signature need not be asked
 * (OpenID Connect Core, 3.1.3.7); null for one of another issuer, client or sign-in.
 */
function factorOf(env: Env, idToken: string, nonce: string): SignInFactor | null {
  try {
    const { iss, aud, exp, auth_time, amr, nonce: told } = decodeJwt(idToken);
    const clientId = isEmbedded(env) ? CONSOLE_CLIENT_ID : env.CONSOLE_CLIENT_ID;
    const isForUs = (Array.isArray(aud) ? aud : [aud]).includes(clientId);
    if (iss !== env.IAM_ISSUER || !isForUs || told !== nonce || (exp ?? 0) * 1_000 <= Date.now()) return null;
    if (typeof auth_time !== 'number') return null;
    const [method] = Array.isArray(amr) ? amr : [];
    return { method: typeof method === 'string' ? method : 'sms', at: auth_time * 1_000 };
  } catch {
    return null;
  }
}

/** What an access token says, whether it still holds or not. */
function claimsOf(accessToken: string) {
  try {
    const { sid, owner, exp, jti } = decodeJwt(accessToken);
    const text = (claim: unknown) => (typeof claim === 'string' ? claim : null);
    return { sid: text(sid), owner: text(owner), jti: text(jti), exp: exp ?? 0 };
  } catch {
    return { sid: null, owner: null, jti: null, exp: 0 };
  }
}
