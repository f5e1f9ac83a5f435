import type { AppContext } from './app-env.ts';

const ADDRESS = /^[0-9a-f.:]{2,45}$/i;

/**
 * Address of the caller: what Cloudflare's edge states, and for a call of our gRPC or FIX gateway, which proves itself by GATEWAY_SECRET,
 * the address that it forwards. `0.0.0.0` where nothing stands in front.
 */
export function clientAddressOf(c: AppContext): string {
  return forwardedAddress(c) ?? c.req.header('cf-connecting-ip') ?? '0.0.0.0';
}

/** Whether the caller is our gRPC or FIX gateway. An environment without the secret has none. */
export function isGateway(c: AppContext): boolean {
  const presented = c.req.header('x-gateway-secret');
  const expected: string | undefined = c.env.GATEWAY_SECRET;
  if (presented === undefined || expected === undefined || expected === '') return false;
  const [a, b] = [new TextEncoder().encode(presented), new TextEncoder().encode(expected)];
  return a.byteLength === b.byteLength && crypto.subtle.timingSafeEqual(a, b);
}

function forwardedAddress(c: AppContext): string | null {
  const address = c.req.header('x-gateway-client-address');
  return address !== undefined && ADDRESS.test(address) && isGateway(c) ? address : null;
}
