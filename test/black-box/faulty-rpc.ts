import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What becomes of a request: it goes through; its connection is cut before, or behind, the node; or nobody answers. */
export type RpcFate = 'through' | 'cut' | 'answer_lost' | 'silent';

/** A way to a chain's RPC on which requests are lost. */
export interface FaultyRpc {
  readonly url: string;
  /** Of each request from now on. */
  fate: RpcFate;
  close(): Promise<void>;
}

export async function faultyRpc(target: string): Promise<FaultyRpc> {
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.socket?.destroy());
  });
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const fate = rpc.fate;
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    if (fate === 'silent') return;
    if (fate === 'cut') throw new Error('cut');
    const headers = { 'content-type': 'application/json' };
    const answered = await fetch(target, { method: 'POST', headers, body: Buffer.concat(chunks) });
    const body = await answered.text();
    if (fate === 'answer_lost') throw new Error('lost');
    response.writeHead(answered.status, headers).end(body);
  }
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const rpc: FaultyRpc = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    fate: 'through',
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return rpc;
}
