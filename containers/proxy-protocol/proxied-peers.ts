import type { Socket } from 'node:net';

/**
 * Clients of live connections behind proxies, by the peer of the connection, `address:port`: that is all that TLS and gRPC show of a
 * socket that was handed to them.
 */
export class ProxiedPeers {
  readonly #clients = new Map<string, string>();

  /** Notes a connection until it closes. False when a live one has the same peer, through another address of ours: they cannot be told apart. */
  add(socket: Socket, client: string): boolean {
    const peer = `${socket.remoteAddress}:${socket.remotePort}`;
    if (this.#clients.has(peer)) return false;
    this.#clients.set(peer, client);
    socket.once('close', () => this.#clients.delete(peer));
    return true;
  }

  /** Address of the client behind `peer`, or null when the peer is itself the client. */
  clientOf(peer: string): string | null {
    return this.#clients.get(peer) ?? null;
  }
}
