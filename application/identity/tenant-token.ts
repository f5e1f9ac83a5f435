import { jwtVerify, SignJWT } from 'jose';
import type { VerifiedToken } from '../../durable-objects/credentials/access-token.ts';

/** Our own token (X-AAU-04), whoever issues the access tokens. */
const ISSUER = 'exchange';
const AUDIENCE = 'tenant';
const ALGORITHM = 'HS256';

/** A tenant token for the bearer of `claims`: bound to its subject and owner, valid as long as the access token at most. */
export async function issueTenantToken(claims: VerifiedToken, env: Env): Promise<string> {
  return new SignJWT({ owner: claims.owner })
    .setProtectedHeader({ alg: ALGORITHM, typ: 'JWT' })
    .setIssuer(ISSUER)
    .setAudience(AUDIENCE)
    .setSubject(claims.subject)
    .setIssuedAt()
    .setExpirationTime(claims.expiresAt)
    .sign(keysOf(env)[0]!);
}

interface Binding {
  readonly subject: string;
  readonly owner: string;
  /** Unix seconds. */
  readonly expiresAt: number;
}

const verified = new Map<string, Binding>();
const VERIFIED_MAX = 10_000;

/** Whether a tenant token is ours, in date, and belongs to the bearer of `claims`. */
export async function tenantTokenFits(token: string, claims: VerifiedToken, env: Env): Promise<boolean> {
  const binding = verified.get(token) ?? (await verifyOnce(token, env));
  if (binding === null || binding.expiresAt <= Date.now() / 1_000) return false;
  return binding.subject === claims.subject && binding.owner === claims.owner;
}

async function verifyOnce(token: string, env: Env): Promise<Binding | null> {
  for (const key of keysOf(env)) {
    const binding = await bindingUnder(key, token);
    if (binding === null) continue;
    if (verified.size >= VERIFIED_MAX) verified.delete(verified.keys().next().value as string);
    verified.set(token, binding);
    return binding;
  }
  return null;
}

async function bindingUnder(key: Uint8Array, token: string): Promise<Binding | null> {
  try {
    const { payload } = await jwtVerify(token, key, {
      issuer: ISSUER,
      audience: AUDIENCE,
      algorithms: [ALGORITHM],
      requiredClaims: ['sub', 'exp', 'owner'],
    });
    return {
      subject: payload.sub as string,
      owner: payload.owner as string,
      expiresAt: payload.exp as number,
    };
  } catch {
    return null;
  }
}

/** The first one signs; those after it, with spaces in between, verify until their last token has ended. */
function keysOf(env: Env): Uint8Array[] {
  return env.TENANT_TOKEN_KEY.trim()
    .split(/ +/)
    .map((key) => new TextEncoder().encode(key));
}
