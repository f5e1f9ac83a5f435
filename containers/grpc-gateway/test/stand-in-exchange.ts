import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';

/** What an exchange would answer, for tests of what it cannot be brought to do: to stall, and to lose messages of a feed. */
export interface StandInExchange {
  readonly url: URL;
  /** Requests that came, newest last. */
  readonly requests: IncomingMessage[];
  /** Subscriptions that came, newest last, each with its socket. */
  readonly subscriptions: { readonly message: Record<string, unknown>; readonly socket: WebSocket }[];
  /** Refuses feeds from now on with this body, and keeps the connections open. */
  refuseFeeds(body: string): void;
  /** Connections of refused feeds. */
  readonly refused: Duplex[];
  close(): Promise<void>;
}

/** @param answer to requests other than /healthz */
export async function standInExchange(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<StandInExchange> {
  const requests: IncomingMessage[] = [];
  const subscriptions: StandInExchange['subscriptions'] = [];
  const server = createServer((request, response) => {
    if (request.url === '/book/healthz') {
      response.end('{}');
      return;
    }
    requests.push(request);
    answer(request, response);
  });
  const sockets = new WebSocketServer({ noServer: true });
  const refused: Duplex[] = [];
  let refusal: string | null = null;
  server.on('upgrade', (request, connection, head) => {
    requests.push(request);
    if (refusal === null) {
      sockets.handleUpgrade(request, connection, head, (socket) => sockets.emit('connection', socket));
      return;
    }
    refused.push(connection.on('error', () => undefined).resume());
    connection.write(`HTTP/1.1 429 Refused\r\ncontent-length: ${refusal.length}\r\n\r\n${refusal}`);
  });
  sockets.on('connection', (socket: WebSocket) => {
    socket.on('message', (data) => {
      const message = JSON.parse(String(data)) as Record<string, unknown>;
      if (message.type === 'subscribe') subscriptions.push({ message, socket });
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/book`),
    requests,
    subscriptions,
    refused,
    refuseFeeds(body) {
      refusal = body;
    },
    async close() {
      for (const socket of sockets.clients) socket.terminate();
      for (const connection of refused) connection.destroy();
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
