import { createHmac } from 'node:crypto';

const PREFIX = 'whsec_';

/**
 * The value of `webhook-signature` for one secret, by the Standard Webhooks specification (symmetric signatures): version 1, HMAC-SHA256 over id, time and body. The
 * library of the specification verifies it in our tests; it computes SHA-256 in JavaScript, which took longer than all else of a delivery but its request.
 * @param secret `whsec_` and base64
 * @param timestamp Unix seconds
 * @throws RangeError for a secret of another form
 */
export function signMessage(secret: string, id: string, timestamp: number, body: string): string {
  if (!secret.startsWith(PREFIX)) throw new RangeError('a secret of a webhook begins with whsec_');
  const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
  return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
}
