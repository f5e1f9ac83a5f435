import { env } from 'cloudflare:workers';
import { generateKeyPair, SignJWT } from 'jose';
import { uuidv7 } from 'uuidv7';
import { signingKeyOf } from '../../../application/identity/signing-keys/signing-key.ts';

export interface TokenTerms {
  readonly subject?: string;
  readonly owner?: string | null;
  readonly issuer?: string;
  readonly audience?: string;
  /** Seconds from now. */
  readonly expiresIn?: number;
}

/** A token signed by the identity provider's own key, as valid as its terms. */
export async function tokenWith(terms: TokenTerms): Promise<string> {
  const { kid, key } = await signingKeyOf(env);
  return build(terms, { alg: 'ES256', kid }).sign(key);
}

/** The same token signed by a key of the forger's, under the provider's key id. */
export async function tokenSignedByAnother(terms: TokenTerms): Promise<string> {
  const { kid } = await signingKeyOf(env);
  const { privateKey } = await generateKeyPair('ES256');
  return build(terms, { alg: 'ES256', kid }).sign(privateKey);
}

/** The same token under HS256, keyed with what anyone can read: the algorithm confusion of RFC 8725, 2.1. */
export async function tokenUnderHs256(terms: TokenTerms): Promise<string> {
  const { kid } = await signingKeyOf(env);
  return build(terms, { alg: 'HS256', kid }).sign(new TextEncoder().encode(kid.padEnd(32, '0')));
}

function build(terms: TokenTerms, header: { alg: string; kid: string }): SignJWT {
  const {
    subject = 'nobody',
    owner = 'org-test',
    issuer = env.IAM_ISSUER,
    audience = env.IAM_AUDIENCE,
    expiresIn = 600,
  } = terms;
  const now = Math.floor(Date.now() / 1_000);
  return new SignJWT({ ...(owner === null ? {} : { owner }), scope: 'openid' })
    .setProtectedHeader(header)
    .setIssuer(issuer)
    .setAudience(audience)
    .setSubject(subject)
    .setJti(uuidv7())
    .setIssuedAt(Math.min(now, now + expiresIn))
    .setExpirationTime(now + expiresIn);
}
