const encoder = new TextEncoder();

/**
 * `X-API-Signature` of a request: HMAC-SHA256 under the key's secret over timestamp, method, path with query and the SHA-256 of the body.
 *
 * @param timestamp Unix milliseconds, which `X-API-Timestamp` carries
 * @param path with its query, as it is sent: what is signed is how the URL standard writes it
 */
export async function signature(
  secret: string,
  timestamp: number,
  method: string,
  path: string,
  body: string | Uint8Array,
): Promise<string> {
  const bytes = typeof body === 'string' ? encoder.encode(body) : new Uint8Array(body);
  const bodyHash = hex(await crypto.subtle.digest('SHA-256', bytes));
  const { pathname, search } = new URL(`http://exchange.example${path}`);
  const signed = `${timestamp}\n${method}\n${pathname.replaceAll('^', '%5E')}${search}\n${bodyHash}`;
  const hmac = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', encoder.encode(secret), hmac, false, ['sign']);
  return hex(await crypto.subtle.sign('HMAC', key, encoder.encode(signed)));
}

function hex(bytes: ArrayBuffer): string {
  return Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
