import { createHash, createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';

/**
 * `X-API-Signature` of a request (docs/design/identity.md#signatures).
 *
 * @param timestamp Unix milliseconds, which `X-API-Timestamp` carries
 * @param path with its query, as it is sent: what is signed is how the URL standard writes it
 */
export function signature(secret: string, timestamp: number, method: string, path: string, body: string | Uint8Array) {
  const bodyHash = createHash('sha256').update(body).digest('hex');
  const { pathname, search } = new URL(`http://exchange.example${path}`);
  const signed = `${timestamp}\n${method}\n${pathname.replaceAll('^', '%5E')}${search}\n${bodyHash}`;
  return createHmac('sha256', secret).update(signed).digest('hex');
}

/** `printf '%s' "$body" | node sign.ts <secret> <timestamp> <METHOD> <path with query>` */
if (import.meta.main) {
  const [secret = '', timestamp = '', method = '', path = ''] = process.argv.slice(2);
  console.log(signature(secret, Number(timestamp), method, path, readFileSync(0)));
}
