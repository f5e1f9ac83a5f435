import { createHash, createPublicKey, verify } from 'node:crypto';

/** A request as it came in. */
export interface SignedRequest {
  readonly uri: string;
  readonly apiKey: string;
  readonly authorization: string;
  readonly body: string;
}

const LIFETIME_S_MAX = 30;
/** How far the clocks of both may be apart. */
const SKEW_S = 5;

/**
 * What is wrong with the token of a request; null where nothing is. It is signed by RS256 with the key of the API user, and for this path, this body and once.
 *
 * @param publicKey PEM
 * @param nonces of tokens that were taken before; the token's is added
 */
export function tokenFault(request: SignedRequest, publicKey: string, nonces: Set<string>, now: number): string | null {
  const [scheme, token = ''] = request.authorization.split(' ');
  const [head = '', payload = '', signature = '', ...more] = token.split('.');
  if (scheme !== 'Bearer' || more.length > 0) return 'no token';
  const header = jsonOf(head);
  if (header.alg !== 'RS256') return 'another algorithm';
  const isSigned = verify(
    'RSA-SHA256',
    Buffer.from(`${head}.${payload}`),
    createPublicKey(publicKey),
    Buffer.from(signature, 'base64url'),
  );
  if (!isSigned) return 'the signature is wrong';
  const { uri, nonce, iat, exp, sub, bodyHash } = jsonOf(payload);
  if (sub !== request.apiKey) return 'another key';
  if (uri !== request.uri) return 'another path';
  if (bodyHash !== createHash('sha256').update(request.body).digest('hex')) return 'another body';
  if (typeof iat !== 'number' || typeof exp !== 'number' || exp - iat >= LIFETIME_S_MAX) return 'it lasts too long';
  const seconds = now / 1_000;
  if (iat > seconds + SKEW_S || exp <= seconds) return 'it is not of now';
  if (typeof nonce !== 'string' || nonce === '' || nonces.has(nonce)) return 'the nonce was used before';
  nonces.add(nonce);
  return null;
}

function jsonOf(part: string): Readonly<Record<string, unknown>> {
  try {
    return JSON.parse(Buffer.from(part, 'base64url').toString()) as Readonly<Record<string, unknown>>;
  } catch {
    return {};
  }
}
