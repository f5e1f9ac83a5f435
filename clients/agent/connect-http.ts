import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';

export interface HttpConnection {
  /** Address of the tool server, such as http://localhost:8787/agent/mcp. */
  readonly url: string;
  readonly accessToken: string;
  /** API key of one's own to act under; the oldest active one when left out. */
  readonly keyId?: string;
  /** The older HTTP+SSE transport instead of Streamable HTTP. */
  readonly sse?: boolean;
}

/** Connects to the agent tool server over HTTP with an access token of the identity provider. */
export async function connectHttp({ url, accessToken, keyId, sse = false }: HttpConnection): Promise<Client> {
  const client = new Client({ name: 'example-agent', version: '1.0.0' });
  const headers = {
    authorization: `Bearer ${accessToken}`,
    ...(keyId === undefined ? {} : { 'x-api-key': keyId }),
  };
  const options = { requestInit: { headers } };
  const transport = sse
    ? new SSEClientTransport(new URL(url), options)
    : new StreamableHTTPClientTransport(new URL(url), options);
  await client.connect(transport as Transport);
  return client;
}
