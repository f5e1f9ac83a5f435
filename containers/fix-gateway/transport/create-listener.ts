import { createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { ProxiedPeers } from '../../proxy-protocol/proxied-peers.ts';
import { serverBehindProxies } from '../../proxy-protocol/server-behind-proxies.ts';
import { log } from '../log.ts';
import type { Settings } from '../settings.ts';

/** Takes a connection that is ready for FIX, with the address of the client behind it. */
export type Accept = (socket: Socket, address: string) => void;

/** The server of the FIX port: plaintext or TLS, with or without proxies in front. */
export function createListener({ tls, proxies }: Pick<Settings, 'tls' | 'proxies'>, accept: Accept): Server {
  const peers = new ProxiedPeers();
  const acceptPeer = (socket: Socket) => {
    const { remoteAddress = '', remotePort } = socket;
    accept(socket, peers.clientOf(`${remoteAddress}:${remotePort}`) ?? remoteAddress);
  };
  const inner =
    tls === null ? createServer(acceptPeer) : createTlsServer({ cert: tls.certificate, key: tls.key }, acceptPeer);
  if (proxies.length === 0) return inner;
  return serverBehindProxies({
    proxies,
    peers,
    accept: (socket) => inner.emit('connection', socket),
    refused: (peer, reason) => log('info', 'refused', { address: peer, reason }),
  });
}
