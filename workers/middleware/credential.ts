import type { PresentedCredential } from '../../application/identity/verify-credential.ts';
import type { SignedRequest } from '../../domain/identity/signed-text.ts';

/** What the headers of a request present (docs/design/identity.md#credentials). */
export type Credential = { readonly type: 'none' } | { readonly type: 'malformed' } | PresentedCredential;

const KEY_ID = /^[A-Za-z0-9-]{1,64}$/;
const JWT = /^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+$/;
const SECRET = /^[A-Za-z0-9_-]{16,128}$/;
const TIMESTAMP = /^\d{13}$/;
const SESSION = /^\d{13}\.[0-9a-f]{64}$/;
const SIGNATURE = /^[0-9a-f]{64}$/;
const TOKEN_LENGTH_MAX = 8_192;

/**
 * Reads the credential of a request. Two at once are malformed: nobody should have to know which of them counts. A key's id beside an
 * access token is no second one: without its secret it proves nothing, and only names the key whose scopes and limits apply.
 *
 * @param signedRequest asked for only when the request is signed.
 */
export async function readCredential(headers: Headers, signedRequest: RequestReader): Promise<Credential> {
  const authorization = headers.get('authorization');
  const keyId = headers.get('x-api-key');
  if (authorization !== null) return readBearer(authorization, headers);
  if (keyId !== null) return KEY_ID.test(keyId) ? readKey(keyId, headers, signedRequest) : MALFORMED;
  return ['tenant-authorization', ...KEY_PROOFS].some((name) => headers.has(name)) ? MALFORMED : NONE;
}

/** Whether the headers present an API key by itself: `readCredential` reads the body of one that is signed. */
export function presentsKey(headers: Headers): boolean {
  return headers.has('x-api-key') && !headers.has('authorization');
}

/** Whether a signature is among the headers, so that the body must be read to check it. */
export function isSigned(headers: Headers): boolean {
  return headers.has('x-api-signature');
}

type RequestReader = () => Promise<Omit<SignedRequest, 'timestamp'>>;

const KEY_PROOFS = ['x-api-secret', 'x-api-session', 'x-api-signature'];

const NONE: Credential = { type: 'none' };
const MALFORMED: Credential = { type: 'malformed' };

function readBearer(authorization: string, headers: Headers): Credential {
  const tenantToken = headers.get('tenant-authorization');
  const keyId = headers.get('x-api-key');
  const accessToken = /^Bearer +(\S+)$/i.exec(authorization)?.[1];
  if (accessToken === undefined || !isJwt(accessToken)) return MALFORMED;
  if (tenantToken !== null && !isJwt(tenantToken)) return MALFORMED;
  if (keyId !== null && (!KEY_ID.test(keyId) || KEY_PROOFS.some((name) => headers.has(name)))) return MALFORMED;
  return { type: 'bearer', accessToken, tenantToken, keyId };
}

async function readKey(keyId: string, headers: Headers, signedRequest: RequestReader): Promise<Credential> {
  const secret = headers.get('x-api-secret');
  const signature = headers.get('x-api-signature');
  const timestamp = headers.get('x-api-timestamp');
  const session = headers.get('x-api-session');
  if (session !== null) {
    const alone = secret === null && signature === null && timestamp === null;
    return alone && SESSION.test(session)
      ? { type: 'key', attempt: { keyId, proof: { type: 'session', token: session } } }
      : MALFORMED;
  }
  if (secret !== null && signature === null && timestamp === null) {
    return SECRET.test(secret) ? { type: 'key', attempt: { keyId, proof: { type: 'secret', secret } } } : MALFORMED;
  }
  if (secret !== null || signature === null || timestamp === null) return MALFORMED;
  if (!SIGNATURE.test(signature) || !TIMESTAMP.test(timestamp)) return MALFORMED;
  return {
    type: 'key',
    attempt: { keyId, proof: { type: 'signature', signature, request: { timestamp, ...(await signedRequest()) } } },
  };
}

function isJwt(token: string): boolean {
  return token.length <= TOKEN_LENGTH_MAX && JWT.test(token);
}
