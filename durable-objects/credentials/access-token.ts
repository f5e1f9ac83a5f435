import { errors, type JWTPayload, jwtVerify } from 'jose';
import { clientRevocationId } from '../../data/identity/oauth-clients.ts';
import { tokenTerm } from '../../domain/identity/token-lifetime.ts';
import { err, ok, type Result } from '../../domain/result.ts';
import type { TokenClaims } from '../gate/api.ts';
import { KeysUnavailable, type SigningKeyName, verificationKey } from './verification-keys.ts';

/** Why a token is refused: `claims`, or the code of the library that checked it. */
export type AccessTokenResult = Result<VerifiedToken, string>;

export interface VerifiedToken extends TokenClaims {
  /** Unix seconds. */
  readonly expiresAt: number;
  readonly signedBy: SigningKeyName;
  readonly scope: string;
  /** The `tenant` claim; of a provider without one the owner, whose only tenant it then is. */
  readonly tenant: string;
  readonly clientId: string;
  /** The `sid` claim: the session that it came of; null for none. */
  readonly sessionId: string | null;
  /** The API key that it acts under at the agent server, of a token that was given for it; null for any other. */
  readonly keyId: string | null;
  /** The `auth_time` claim, Unix seconds; null for none. */
  readonly authTime: number | null;
  /** The `acr` claim; null for none. */
  readonly acr: string | null;
  /** Its `aud`. */
  readonly audiences: readonly string[];
}

/** Claim of an access token that names the API key that it acts under. */
export const KEY_CLAIM = 'exchange_key';

/** Whether something takes tokens of an audience beside the exchange's own (RFC 8707). */
export type TakesAudience = (audience: string) => boolean;

const NO_OTHER: TakesAudience = () => false;

/** Tokens verified in this isolate, so that a signature is checked once a minute. Revocation is the Gate's to say, on every request. */
const verified = new Map<string, { readonly claims: VerifiedToken; readonly checkedAt: number }>();
const ACCESS_TOKEN_TYPE = 'at+jwt';
const ID_TOKEN_CLAIMS = ['nonce', 'at_hash', 'c_hash'];
const TENANT_LENGTH_MAX = 256;
const ID_LENGTH_MAX = 256;
/** The provider's keys are out of reach: whether the token holds is not known, which is 503. */
export const KEYS_UNAVAILABLE = 'keys_unavailable';
const VERIFIED_MAX = 10_000;
/** Checked again after this, so that a withdrawn signing key ends its tokens. */
const VERIFIED_MS_MAX = 60_000;

/**
 * Checks an access token of the identity provider: signature by its JWKS, algorithm, issuer (IAM_ISSUER), audience (IAM_AUDIENCE, or one that is taken),
 * expiry, and that it names a subject and an owner. Its `typ` has to be that of an access token (RFC 9068 section 4), so that an ID token passes for none. Other providers
 * also issue access tokens of type `JWT` or of none, and longer ones: none is good for longer than ours, nor of the future. Of theirs, what has a claim of ID tokens alone (OpenID Connect Core, section 2) is refused.
 */
export async function verifyAccessToken(
  token: string,
  env: Env,
  takesAudience: TakesAudience = NO_OTHER,
): Promise<AccessTokenResult> {
  const result = await verifyAnywhere(token, env);
  if (!result.ok) return result;
  const isTaken = result.value.audiences.some((audience) => audience === env.IAM_AUDIENCE || takesAudience(audience));
  return isTaken ? result : err('audience');
}

/** The same for any audience. */
async function verifyAnywhere(token: string, env: Env): Promise<AccessTokenResult> {
  const known = verified.get(token);
  if (known !== undefined && isFresh(known)) return ok(known.claims);
  verified.delete(token);
  const result = await verifyOnce(token, env);
  if (result.ok) remember(token, result.value);
  return result;
}

async function verifyOnce(token: string, env: Env): Promise<AccessTokenResult> {
  try {
    const { payload, protectedHeader } = await jwtVerify(token, verificationKey(env), {
      issuer: env.IAM_ISSUER,
      algorithms: env.IAM_ALGORITHMS.split(','),
      requiredClaims: ['sub', 'owner', 'iat', 'exp'],
    });
    if (!isAccessToken(protectedHeader.typ, payload, env)) return err('typ');
    const { sub, owner, tenant, iat, exp, jti, sid, gty, scope, client_id, aud = [], [KEY_CLAIM]: keyId } = payload;
    const { auth_time: authTime, acr } = payload;
    if (typeof sub !== 'string' || typeof owner !== 'string' || sub === '' || owner === '') return err('claims');
    // The clock by which the library has checked `exp`.
    const clock = new Date();
    // Ours are issued by `Date.now()`: what that calls past is not of the future.
    const ahead_ms = Math.max(0, Date.now() - clock.getTime());
    const term = tokenTerm({ issuedAt: iat as number, expiresAt: exp as number }, clock.getTime(), ahead_ms);
    if (term === null) return err('term');
    const tenantName = tenantOf(tenant, owner);
    // Rows keep half of a character as another one, which two names may have in common.
    if (tenantName === null || !owner.isWellFormed() || !sub.isWellFormed()) return err('claims');
    return ok({
      subject: sub,
      owner,
      issuedAt: iat as number,
      expiresAt: term.expiresAt,
      signedBy: { alg: protectedHeader.alg, kid: protectedHeader.kid ?? null },
      revocationIds: [ownIdOf(jti) ?? (await hashOf(token)), sid, revocationIdOf(client_id)].filter(
        (id) => typeof id === 'string',
      ),
      machine: gty === 'client_credentials',
      tenant: tenantName,
      scope: typeof scope === 'string' ? scope : '',
      clientId: typeof client_id === 'string' ? client_id : '',
      sessionId: typeof sid === 'string' ? sid : null,
      keyId: typeof keyId === 'string' ? keyId : null,
      authTime: typeof authTime === 'number' ? authTime : null,
      acr: typeof acr === 'string' ? acr : null,
      audiences: typeof aud === 'string' ? [aud] : aud,
    });
  } catch (error) {
    if (error instanceof KeysUnavailable) return err(KEYS_UNAVAILABLE);
    if (error instanceof errors.JOSEError) return err(error.code);
    throw error;
  }
}

function isAccessToken(typ: string | undefined, payload: JWTPayload, env: Pick<Env, 'IAM_JWKS_URL'>): boolean {
  const type = typ?.toLowerCase().replace(/^application\//, '');
  if (type === ACCESS_TOKEN_TYPE) return true;
  const isOwnProvider = env.IAM_JWKS_URL === '';
  return !isOwnProvider && (type === undefined || type === 'jwt') && !ID_TOKEN_CLAIMS.some((claim) => claim in payload);
}

/** Null for a claim that names no tenant and is not left out: whoever bears it is not of the owner's own tenant for that. */
function tenantOf(claim: unknown, owner: string): string | null {
  if (claim === undefined || claim === null || claim === '') return owner;
  return typeof claim === 'string' && claim.length <= TENANT_LENGTH_MAX && claim.isWellFormed() ? claim : null;
}

/** Long or empty ones are no names. */
function ownIdOf(jti: unknown): string | null {
  return typeof jti === 'string' && jti !== '' && jti.length <= ID_LENGTH_MAX ? jti : null;
}

/** What a token without an id is revoked by: never by what others have in common with it. */
async function hashOf(token: string): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(token));
  return `token:${Array.from(new Uint8Array(hash), (byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}

function revocationIdOf(clientId: unknown): string | null {
  return typeof clientId === 'string' ? clientRevocationId(clientId) : null;
}

function isFresh({ claims, checkedAt }: { claims: VerifiedToken; checkedAt: number }): boolean {
  const now = Date.now();
  return now - checkedAt < VERIFIED_MS_MAX && claims.expiresAt > now / 1_000;
}

function remember(token: string, claims: VerifiedToken): void {
  if (verified.size >= VERIFIED_MAX) verified.delete(verified.keys().next().value as string);
  verified.set(token, { claims, checkedAt: Date.now() });
}
