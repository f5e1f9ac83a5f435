import type { SignedWebhook } from '../../domain/prime/webhook-headers.ts';

/** Before the base64 of a secret, by the Standard Webhooks pattern. */
const SECRET_PREFIX = 'whsec_';
/** While a secret is rotated two are in use. */
const SECRETS_MAX = 4;

/** The signature of a webhook with a secret, in base64. */
export async function signWebhook(secret: string, prefix: string, body: Uint8Array): Promise<string> {
  const mac = await crypto.subtle.sign('HMAC', await keyOf(secret), signedBytes(prefix, body));
  return btoa(String.fromCharCode(...new Uint8Array(mac)));
}

/** Whether one of the signatures is that of one of the secrets. Compared in constant time. */
export async function isSignedWebhook(
  secrets: readonly string[],
  { prefix, signatures }: SignedWebhook,
  body: Uint8Array,
): Promise<boolean> {
  const signed = signedBytes(prefix, body);
  for (const secret of secrets) {
    const key = await keyOf(secret);
    for (const signature of signatures) {
      const bytes = bytesOf(signature);
      if (bytes !== null && (await crypto.subtle.verify('HMAC', key, bytes, signed))) return true;
    }
  }
  return false;
}

/** The secrets of a var or secret of the environment, the one to sign with first; separated by spaces. */
export function webhookSecretsOf(text: string | undefined): readonly string[] {
  return (text ?? '')
    .split(' ')
    .filter((secret) => secret !== '')
    .slice(0, SECRETS_MAX);
}

/** @throws for a text that is no secret */
function keyOf(secret: string): Promise<CryptoKey> {
  const bytes = secret.startsWith(SECRET_PREFIX) ? bytesOf(secret.slice(SECRET_PREFIX.length)) : null;
  if (bytes === null || bytes.byteLength < 24)
    throw new Error('a secret of webhooks is `whsec_` and base64 of 24 bytes or more');
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign', 'verify']);
}

function signedBytes(prefix: string, body: Uint8Array): Uint8Array {
  const head = new TextEncoder().encode(prefix);
  const bytes = new Uint8Array(head.byteLength + body.byteLength);
  bytes.set(head);
  bytes.set(body, head.byteLength);
  return bytes;
}

function bytesOf(base64: string): Uint8Array | null {
  try {
    return Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
  } catch {
    return null;
  }
}
