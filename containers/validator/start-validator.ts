import { timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { MemberHost } from '../../domain/consensus/member-host.ts';
import { MEMBER_CALL_BYTES_MAX, MEMBER_CALLS, type MemberCall } from '../../protocol/validator/member-calls.ts';
import { loadCheckpointCrypto } from './load-checkpoint-crypto.ts';
import { MemoryFile } from './memory-file.ts';
import type { Settings } from './settings.ts';

const REQUEST_MS_MAX = 10_000;
const CONNECTIONS_MAX = 64;

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

export interface RunningValidator {
  readonly port: number;
  stop(): Promise<void>;
}

/** A member of committees behind HTTP: one process, one memory. Two processes on one memory would vote twice. */
export async function startValidator({ host, port, token, memory }: Settings): Promise<RunningValidator> {
  const crypto = loadCheckpointCrypto();
  const member = new MemberHost(new MemoryFile(memory), () => crypto);
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
    const call = callOf(request.url ?? '');
    if (call === null || request.method !== 'POST') return { status: 404, body: { error: 'no such call' } };
    const text = await bodyOf(request);
    if (text === null) return { status: 413, body: { error: `more than ${MEMBER_CALL_BYTES_MAX} bytes` } };
    let json: unknown;
    try {
      json = JSON.parse(text);
    } catch {
      return { status: 400, body: { error: 'no JSON' } };
    }
    const asked = MEMBER_CALLS[call].asked.safeParse(json);
    if (!asked.success) return { status: 400, body: { error: asked.error.issues[0]?.message ?? 'malformed' } };
    try {
      const ask = member[call] as (...args: unknown[]) => Promise<unknown>;
      return { status: 200, body: await ask.apply(member, asked.data) };
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

function callOf(url: string): MemberCall | null {
  const name = /^\/v1\/(\w+)$/.exec(url)?.[1] ?? '';
  return Object.hasOwn(MEMBER_CALLS, name) ? (name as MemberCall) : null;
}

function isToken(header: string | undefined, token: string): boolean {
  const [given, own] = [Buffer.from(header ?? ''), Buffer.from(`Bearer ${token}`)];
  return given.length === own.length && timingSafeEqual(given, own);
}

/** Null where it is too long. */
async function bodyOf(request: IncomingMessage): Promise<string | null> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > MEMBER_CALL_BYTES_MAX) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}
