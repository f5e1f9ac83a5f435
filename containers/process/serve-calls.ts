import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { answerCall, type ServedCalls } from '../../protocol/calls/answer-call.ts';

const REQUEST_MS_MAX = 10_000;
const CONNECTIONS_MAX = 64;

export interface CallServerParameters extends ServedCalls {
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
}

export interface RunningServer {
  readonly port: number;
  stop(): Promise<void>;
}

/** Serves calls over HTTP (`answerCall`). */
export async function serveCalls({ host, port, ...calls }: CallServerParameters): Promise<RunningServer> {
  const server = createServer((request, response) => {
    answerCall(requestOf(request), calls).then(
      ({ status, body }) => {
        const headers = { 'content-type': 'application/json', ...(status === 413 ? { connection: 'close' } : {}) };
        response.writeHead(status, headers).end(JSON.stringify(body));
      },
      () => response.destroy(),
    );
  });
  server.requestTimeout = REQUEST_MS_MAX;
  server.maxConnections = CONNECTIONS_MAX;
  server.listen(port, host);
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    async stop() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

function requestOf(request: IncomingMessage) {
  const { method = '', url: path = '', headers } = request;
  return { method, path, authorization: headers.authorization ?? '', body: request as AsyncIterable<Buffer> };
}
