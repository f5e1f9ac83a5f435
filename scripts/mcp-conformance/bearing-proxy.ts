import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { IN_PLACE_OF } from './scenarios.ts';

export interface BearingProxy {
  readonly origin: string;
  close(): void;
}

/**
 * Passes requests on to a local server with an access token added, because the conformance client has no way to send one, and calls
 * this server's tools in place of a test server's. Host and Origin go through as they came: a scenario is about them.
 */
export async function bearingProxy(target: string, accessToken: string): Promise<BearingProxy> {
  const { hostname, port } = new URL(target);
  const server = createServer(async (incoming, outgoing) => {
    const { method, url: path } = incoming;
    const { 'content-length': _, 'transfer-encoding': __, ...sent } = incoming.headers;
    const body = Buffer.from(inPlace(await text(incoming)));
    const headers = { ...sent, authorization: `Bearer ${accessToken}`, 'content-length': body.byteLength };
    const onward = request({ hostname, port, method, path, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    onward.on('error', () => outgoing.destroy());
    outgoing.on('close', () => onward.destroy());
    onward.end(body);
  });
  server.listen(0, 'localhost');
  await once(server, 'listening');
  const { port: own } = server.address() as AddressInfo;
  return {
    origin: `http://localhost:${own}`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

function inPlace(body: string): string {
  if (!body.includes('"tools/call"')) return body;
  const message = JSON.parse(body) as { readonly params: { readonly name: string } };
  const call = IN_PLACE_OF[message.params.name];
  return call === undefined ? body : JSON.stringify({ ...message, params: { ...message.params, ...call } });
}
