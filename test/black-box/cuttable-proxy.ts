import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A TCP path to a port that can be cut: what stood on it is reset, what comes later passes. */
export interface CuttableProxy {
  readonly port: number;
  /** Resets every connection; returns how many there were. */
  cut(): number;
  close(): Promise<void>;
}

export async function cuttableProxy(target: number): Promise<CuttableProxy> {
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(target, 'localhost');
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        sockets.delete(socket);
        other.destroy();
      });
      socket.pipe(other);
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const cut = () => {
    const standing = sockets.size / 2;
    for (const socket of sockets) socket.resetAndDestroy();
    return standing;
  };
  return {
    port: (server.address() as AddressInfo).port,
    cut,
    async close() {
      cut();
      server.close();
      await once(server, 'close');
    },
  };
}
