import { createHash, createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';

/**
 * `X-API-Signature` of a request (docs/design/identity.md#signatures).
 *
 * @param timestamp Unix milliseconds, which `X-API-Timestamp` carries
 * @param path with its query, as it is sent
 */
export function signature(secret: string, timestamp: number, method: string, path: string, body: string | Uint8Array) {
  const bodyHash = createHash('sha256').update(body).digest('hex');
  return createHmac('sha256', secret).update(`${timestamp}\n${method}\n${path}\n${bodyHash}`).digest('hex');
}

/** `printf '%s' "$body" | node sign.ts <secret> <timestamp> <METHOD> <path with query>` */
if (import.meta.main) {
  const [secret = '', timestamp = '', method = '', path = ''] = process.argv.slice(2);
  console.log(signature(secret, Number(timestamp), method, path, readFileSync(0)));
}
