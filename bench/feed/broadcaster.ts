import type { AddressInfo } from 'node:net';
import { WebSocketServer } from 'ws';

/** Runs as a process of its own: the bare peer of a feed, which sends given texts to everyone who is connected. */

/** Sends these in order, `every_ms` apart, each stamped with its time. */
export interface BroadcastRequest {
  readonly texts: readonly string[];
  readonly every_ms: number;
}

const server = new WebSocketServer({ port: 0, host: '127.0.0.1', perMessageDeflate: false });
server.on('listening', () => process.send?.((server.address() as AddressInfo).port));

process.on('message', async ({ texts, every_ms }: BroadcastRequest) => {
  for (const text of texts) {
    const stamped = text.replace(/"timestamp":\d+/, `"timestamp":${Date.now()}`);
    for (const client of server.clients) client.send(stamped);
    await new Promise((resolve) => (every_ms === 0 ? setImmediate(resolve) : setTimeout(resolve, every_ms)));
  }
});
