import { isIP } from 'node:net';
import type { Metadata } from '@grpc/grpc-js';
import { uuidv7 } from 'uuidv7';
import type { ProxiedPeers } from '../proxy-protocol/proxied-peers.ts';
import { forwardedHeaders, type Headers } from './forwarded-headers.ts';

/** What the exchange is asked with in the name of one call. */
export interface CallContext {
  readonly requestId: string;
  /** Credentials, request id, and the client's address under the gateway's secret. */
  readonly headers: Headers;
  /** Aborts when the deadline has passed, the client has cancelled, or the gateway drains. */
  readonly signal: AbortSignal;
  /** For the log: the id of the API key, which is no secret. */
  readonly key: string | null;
  readonly clientAddress: string | null;
}

const REQUEST_ID = /^[A-Za-z0-9._-]{8,64}$/;

/** The part of a grpc-js call that a context is made of. */
interface Call {
  readonly metadata: Metadata;
  getPeer(): string;
}

/** How the gateway speaks to the exchange of its clients. */
export interface Forwarding {
  /** Proves that the addresses are true; null forwards none. */
  readonly gatewaySecret: string | null;
  /** Clients of proxies, by the peer of their connection. */
  readonly peers: ProxiedPeers;
}

export function callContext(call: Call, signal: AbortSignal, { gatewaySecret, peers }: Forwarding): CallContext {
  const [sent] = call.metadata.get('x-request-id');
  const requestId = typeof sent === 'string' && REQUEST_ID.test(sent) ? sent : uuidv7();
  const peer = call.getPeer();
  const clientAddress = peers.clientOf(peer) ?? addressOf(peer);
  const [key] = call.metadata.get('x-api-key');
  return {
    requestId,
    headers: {
      ...forwardedHeaders(call.metadata),
      'x-request-id': requestId,
      ...(gatewaySecret === null || clientAddress === null
        ? {}
        : { 'x-gateway-secret': gatewaySecret, 'x-gateway-client-address': clientAddress }),
    },
    signal,
    key: typeof key === 'string' ? key.slice(0, 64) : null,
    clientAddress,
  };
}

/**
 * The address in a peer's name, without its port.
 *
 * @example addressOf('192.0.2.1:53122') // '192.0.2.1'
 * @example addressOf('::ffff:192.0.2.1:53122') // '192.0.2.1'
 */
function addressOf(peer: string): string | null {
  const address = peer
    .replace(/:\d+$/, '')
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/^::ffff:(?=\d+\.)/i, '');
  return isIP(address) === 0 ? null : address;
}
