import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { type Server, ServerCredentials } from '@grpc/grpc-js';
import type { ProxiedPeers } from '../proxy-protocol/proxied-peers.ts';
import { serverBehindProxies } from '../proxy-protocol/server-behind-proxies.ts';
import { log } from './log.ts';
import type { Settings } from './settings.ts';

/** Where a server is reached. */
export interface Listener {
  readonly port: number;
  /** Takes no more connections; those of the server itself end with it. */
  close(): void;
}

type Terms = Pick<Settings, 'host' | 'port' | 'tls' | 'proxies'>;

/** Lets the server listen by itself, or behind proxies, whose clients `peers` then knows. */
export function listen(server: Server, terms: Terms, peers: ProxiedPeers): Promise<Listener> {
  return terms.proxies.length === 0 ? listenDirectly(server, terms) : listenBehindProxies(server, terms, peers);
}

function listenDirectly(server: Server, { host, port, tls }: Terms): Promise<Listener> {
  return new Promise((resolve, reject) =>
    server.bindAsync(`${host}:${port}`, credentialsOf(tls), (error, bound) =>
      error === null ? resolve({ port: bound, close: () => undefined }) : reject(error),
    ),
  );
}

async function listenBehindProxies(
  server: Server,
  { host, port, tls, proxies }: Terms,
  peers: ProxiedPeers,
): Promise<Listener> {
  const connections = server.createConnectionInjector(credentialsOf(tls));
  const front = serverBehindProxies({
    proxies,
    peers,
    accept: (socket) => connections.injectConnection(socket),
    refused: (peer, reason) => log('info', 'refused', { address: peer, reason }),
  });
  front.listen(port, host);
  await once(front, 'listening');
  return { port: (front.address() as AddressInfo).port, close: () => front.close() };
}

function credentialsOf(tls: Settings['tls']): ServerCredentials {
  if (tls === null) return ServerCredentials.createInsecure();
  return ServerCredentials.createSsl(null, [{ cert_chain: tls.certificate, private_key: tls.key }]);
}
