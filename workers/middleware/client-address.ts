import type { AppContext } from './app-env.ts';

const ADDRESS = /^[0-9a-f.:]{2,45}$/i;

/** No gateway signs anybody in: who has its secret states no address there, and tries no more codes than others. */
const SIGN_IN_PROFILE = 'iam';

/** `wrangler dev` listens on this machine alone, and tells the Worker no peer. */
const LOOPBACK = '127.0.0.1';

/** Of requests that are made in this process, in the name of a caller from outside. */
const callersOfInner = new WeakMap<Request, string>();

/** A request made in this process: it counts as the caller's, whose address no header has to carry. */
export function inNameOf(clientAddress: string, request: Request): Request {
  callersOfInner.set(request, clientAddress);
  return request;
}

/**
 * Address of the caller: what the header CLIENT_ADDRESS_HEADER states, which whoever stands in front of the Worker sets and nobody else
 * can (Cloudflare's edge, or a proxy), and for a call of our gRPC or FIX gateway, which proves itself by GATEWAY_SECRET, the address that
 * it forwards. Where nobody stands in front, no header is believed.
 */
export function clientAddressOf(c: AppContext): string {
  return callersOfInner.get(c.req.raw) ?? forwardedAddress(c) ?? statedAddress(c);
}

function statedAddress(c: AppContext): string {
  const header = c.env.CLIENT_ADDRESS_HEADER;
  return header === '' ? LOOPBACK : (c.req.header(header) ?? '0.0.0.0');
}

/**
 * Whether the caller is our gRPC or FIX gateway. An environment without the secret has none. Two secrets, with a space in between, are both believed:
 * that of gateways which have not been given the new one yet.
 */
export function isGateway(c: AppContext): boolean {
  const presented = c.req.header('x-gateway-secret');
  const expected: string | undefined = c.env.GATEWAY_SECRET;
  if (presented === undefined || expected === undefined || expected === '') return false;
  const bytes = new TextEncoder().encode(presented);
  return expected.split(' ').some((secret) => {
    const good = new TextEncoder().encode(secret);
    return good.byteLength > 0 && good.byteLength === bytes.byteLength && crypto.subtle.timingSafeEqual(bytes, good);
  });
}

function forwardedAddress(c: AppContext): string | null {
  const address = c.req.header('x-gateway-client-address');
  if (c.get('profile') === SIGN_IN_PROFILE) return null;
  return address !== undefined && ADDRESS.test(address) && isGateway(c) ? address : null;
}
