import type { PresentedCredential } from '../../application/identity/verify-credential.ts';
import { isKeyId } from '../../domain/identity/key-id.ts';
import { ownId } from '../../domain/identity/own-id.ts';
import type { SignatureFlaw } from './signature-failure.ts';

/** What the headers of a request present (docs/design/identity.md#credentials). */
export type Credential =
  | { readonly type: 'none' }
  | { readonly type: 'malformed'; readonly flaw?: SignatureFlaw }
  | PresentedCredential;

const JWT = /^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+$/;
const SECRET = /^[A-Za-z0-9_-]{16,128}$/;
const TIMESTAMP = /^\d{13}$/;
const SESSION = /^\d{13}\.[0-9a-f]{64}$/;
const SIGNATURE = /^[0-9a-f]{64}$/;
const TOKEN_LENGTH_MAX = 8_192;

/**
 * Reads the credential of a request. Two at once are malformed: nobody should have to know which of them counts. A key's id beside an
 * access token is no second one: without its secret it proves nothing, and only names the key whose scopes and limits apply.
 */
export function readCredential(headers: Headers): Credential {
  const authorization = headers.get('authorization');
  const keyId = keyIdOf(headers);
  if (authorization !== null) return readBearer(authorization, headers);
  if (keyId !== null) return isKeyId(keyId) ? readKey(keyId, headers) : MALFORMED;
  return ['tenant-authorization', ...KEY_PROOFS].some((name) => headers.has(name)) ? MALFORMED : NONE;
}

/** Whether the headers present an API key by itself. */
export function presentsKey(headers: Headers): boolean {
  return headers.has('x-api-key') && !headers.has('authorization');
}

const KEY_PROOFS = ['x-api-secret', 'x-api-session', 'x-api-signature'];

const NONE: Credential = { type: 'none' };
const MALFORMED = { type: 'malformed' } as const;

function readBearer(authorization: string, headers: Headers): Credential {
  const tenantToken = headers.get('tenant-authorization');
  const keyId = keyIdOf(headers);
  const accessToken = /^Bearer +(\S+)$/i.exec(authorization)?.[1];
  if (accessToken === undefined || !isJwt(accessToken)) return MALFORMED;
  if (tenantToken !== null && !isJwt(tenantToken)) return MALFORMED;
  if (keyId !== null && (!isKeyId(keyId) || KEY_PROOFS.some((name) => headers.has(name)))) return MALFORMED;
  return { type: 'bearer', accessToken, tenantToken, keyId };
}

function readKey(keyId: string, headers: Headers): Credential {
  const secret = headers.get('x-api-secret');
  const signature = headers.get('x-api-signature');
  const timestamp = headers.get('x-api-timestamp');
  const session = headers.get('x-api-session');
  if (session !== null) {
    const alone = secret === null && signature === null && timestamp === null;
    return alone && SESSION.test(session)
      ? { type: 'key', keyId, proof: { type: 'session', token: session } }
      : MALFORMED;
  }
  if (secret !== null && signature === null && timestamp === null)
    return SECRET.test(secret) ? { type: 'key', keyId, proof: { type: 'secret', secret } } : MALFORMED;
  if (secret !== null || signature === null) return MALFORMED;
  if (timestamp === null || !TIMESTAMP.test(timestamp)) return { ...MALFORMED, flaw: 'timestamp_malformed' };
  if (!SIGNATURE.test(signature)) return { ...MALFORMED, flaw: 'signature_malformed' };
  return { type: 'key', keyId, proof: { type: 'signature', signature, timestamp } };
}

function keyIdOf(headers: Headers): string | null {
  const keyId = headers.get('x-api-key');
  return keyId === null ? null : ownId(keyId);
}

function isJwt(token: string): boolean {
  return token.length <= TOKEN_LENGTH_MAX && JWT.test(token);
}
