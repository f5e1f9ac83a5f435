import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CustodyWorkspace, type WorkspaceTerms } from './custody-workspace.ts';
import { tokenFault } from './request-token.ts';

const BODY_BYTES_MAX = 65_536;

/** What happens to a request on its way: it is lost, its answer is lost, it is carried out twice, or the server fails after it has carried it out. */
export type RequestFault = 'lost' | 'answer_lost' | 'twice' | 'failed';

/** A stand-in for a custody provider with the interface of Fireblocks, over HTTP, as far as the bridge uses it (docs/design/bridge/custody.md). */
export class CustodyServer {
  readonly #server = createServer((request, response) => void this.#take(request, response));
  readonly #workspaces = new Map<string, CustodyWorkspace>();
  /** Of the next requests that write, in turn. */
  readonly faults: (RequestFault | null)[] = [];

  static async start(port = 0): Promise<CustodyServer> {
    const server = new CustodyServer();
    await new Promise<void>((resolve) => server.#server.listen(port, '127.0.0.1', resolve));
    return server;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Keeps no process alive. */
  unref(): this {
    this.#server.unref();
    return this;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  open(terms: WorkspaceTerms): CustodyWorkspace {
    const workspace = new CustodyWorkspace(terms);
    this.#workspaces.set(terms.apiKey, workspace);
    return workspace;
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = 'GET', url: uri = '/', headers } = request;
    const fault = method === 'POST' ? (this.faults.shift() ?? null) : null;
    let body = '';
    try {
      body = await bodyOf(request);
    } catch {
      return void request.socket.destroy();
    }
    if (fault === 'lost') return void request.socket.destroy();
    const apiKey = String(headers['x-api-key'] ?? '');
    const workspace = this.#workspaces.get(apiKey);
    const now = workspace?.terms.now() ?? 0;
    const token = { uri, apiKey, authorization: headers.authorization ?? '', body };
    const wrong =
      workspace === undefined ? 'no such key' : tokenFault(token, workspace.terms.publicKey, workspace.nonces, now);
    if (workspace === undefined || wrong !== null) return reply(response, 401, { message: wrong, code: -1 });
    const url = new URL(uri, this.url);
    const [status, answer] = workspace.answer(method, url, body);
    const [again] = fault === 'twice' ? [workspace.answer(method, url, body)] : [];
    if (fault === 'answer_lost') return void request.socket.destroy();
    if (fault === 'failed') return reply(response, 500, { message: 'internal error', code: -1 });
    return again === undefined ? reply(response, status, answer) : reply(response, again[0], again[1]);
  }
}

function reply(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    length += part.length;
    if (length > BODY_BYTES_MAX) throw new Error('too long');
    parts.push(part);
  }
  return Buffer.concat(parts).toString();
}
