import { timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { z } from 'zod';

const REQUEST_MS_MAX = 10_000;
const CONNECTIONS_MAX = 64;

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

/** What may be asked: the list of its arguments, and who answers. */
export interface ServedCall {
  readonly asked: z.ZodType<readonly unknown[]>;
  readonly answer: (...args: never[]) => Promise<unknown>;
}

export interface CallServerParameters {
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  /** Who asks shows it as a bearer token. */
  readonly token: string;
  readonly bytesMax: number;
  /** By what stands after `/v1/`. */
  readonly callAt: (path: string) => ServedCall | null;
}

export interface RunningServer {
  readonly port: number;
  stop(): Promise<void>;
}

/** Answers `POST /v1/…` with a JSON list of arguments: 200 has the answer, 400 says what is wrong with the question, 409 why there is no answer. */
export async function serveCalls({
  host,
  port,
  token,
  bytesMax,
  callAt,
}: CallServerParameters): Promise<RunningServer> {
  const server = createServer((request, response) => {
    answer(request).then(
      ({ status, body }) => {
        const headers = { 'content-type': 'application/json', ...(status === 413 ? { connection: 'close' } : {}) };
        response.writeHead(status, headers).end(JSON.stringify(body));
      },
      () => response.destroy(),
    );
  });

  async function answer(request: IncomingMessage): Promise<Answer> {
    if (request.method === 'GET' && request.url === '/healthz') return { status: 200, body: { status: 'ok' } };
    if (!isToken(request.headers.authorization, token)) return { status: 401, body: { error: 'another token' } };
    const path = /^\/v1\/([\w./-]{1,200})$/.exec(request.url ?? '')?.[1] ?? '';
    const call = callAt(path);
    if (call === null || request.method !== 'POST') return { status: 404, body: { error: 'no such call' } };
    const text = await bodyOf(request, bytesMax);
    if (text === null) return { status: 413, body: { error: `more than ${bytesMax} bytes` } };
    let json: unknown;
    try {
      json = JSON.parse(text);
    } catch {
      return { status: 400, body: { error: 'no JSON' } };
    }
    const asked = call.asked.safeParse(json);
    if (!asked.success) return { status: 400, body: { error: asked.error.issues[0]?.message ?? 'malformed' } };
    try {
      return { status: 200, body: await call.answer(...(asked.data as never[])) };
    } catch (error) {
      return { status: 409, body: { error: error instanceof Error ? error.message : String(error) } };
    }
  }

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

function isToken(header: string | undefined, token: string): boolean {
  const [given, own] = [Buffer.from(header ?? ''), Buffer.from(`Bearer ${token}`)];
  return given.length === own.length && timingSafeEqual(given, own);
}

/** Null where it is too long. */
async function bodyOf(request: IncomingMessage, bytesMax: number): Promise<string | null> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > bytesMax) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}
