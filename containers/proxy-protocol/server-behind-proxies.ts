import { createServer, type Server, type Socket } from 'node:net';
import { isAddressAllowed } from '../../domain/limits/address.ts';
import type { ProxiedPeers } from './proxied-peers.ts';
import { readProxyHeader } from './read-proxy-header.ts';

/** How long a trusted proxy may take over its header. */
const HEADER_MS_MAX = 5_000;

export interface BehindProxies {
  /** Addresses and CIDR blocks whose connections begin with a PROXY header. */
  readonly proxies: readonly string[];
  /** Is told the clients behind them. */
  readonly peers: ProxiedPeers;
  /** Takes a connection, its header read and gone. */
  accept(socket: Socket): void;
  /** Told of a connection that was closed for its header. */
  refused(peer: string, reason: string): void;
  readonly headerWait_ms?: number;
}

/**
 * A TCP server that reads the PROXY header of connections from trusted proxies, and closes them when there is none. Anyone else is taken
 * for who they are: a header that they send is part of what they say, and believed by nobody.
 */
export function serverBehindProxies(terms: BehindProxies): Server {
  const { proxies, peers, accept, refused, headerWait_ms = HEADER_MS_MAX } = terms;
  return createServer((socket) => {
    socket.on('error', () => socket.destroy());
    const peer = socket.remoteAddress ?? '';
    if (!isAddressAllowed(peer, proxies)) return accept(socket);
    const refuse = (reason: string) => {
      socket.destroy();
      refused(peer, reason);
    };
    awaitHeader(socket, headerWait_ms).then((arrival) => {
      switch (arrival.type) {
        case 'arrived':
          if (arrival.client === null || peers.add(socket, arrival.client)) return accept(socket);
          return refuse('another connection has the same port');
        case 'refused':
          return refuse(arrival.reason);
        case 'gone':
          return socket.destroy();
      }
    });
  });
}

type Arrival =
  | { readonly type: 'arrived'; readonly client: string | null }
  | { readonly type: 'refused'; readonly reason: string }
  /** Closed without a byte, as health checks of a proxy do. */
  | { readonly type: 'gone' };

function awaitHeader(socket: Socket, wait_ms: number): Promise<Arrival> {
  let received = Buffer.alloc(0);
  return new Promise((resolve) => {
    const settle = (arrival: Arrival) => {
      clearTimeout(patience);
      socket.off('readable', read).off('end', leave).off('close', leave);
      resolve(arrival);
    };
    const leave = () => settle(received.length === 0 ? { type: 'gone' } : { type: 'refused', reason: 'cut off' });
    const read = () => {
      const chunk = socket.read() as Buffer | null;
      if (chunk === null) return;
      received = Buffer.concat([received, chunk]);
      const header = readProxyHeader(received);
      if (header.type === 'incomplete') return;
      if (header.type === 'invalid') return settle({ type: 'refused', reason: header.reason });
      // Whoever takes the socket finds what came with the header as if it came next.
      if (received.length > header.length) socket.unshift(received.subarray(header.length));
      settle({ type: 'arrived', client: header.client });
    };
    const patience = setTimeout(() => settle({ type: 'refused', reason: 'no PROXY header in time' }), wait_ms);
    socket.on('readable', read).once('end', leave).once('close', leave);
  });
}
