import { createExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import { invalidateKey } from '../../../../application/identity/invalidate-gates.ts';
import { listToolCalls } from '../../../../data/audit/trail/tool-calls.ts';
import type { Database } from '../../../../data/database.ts';
import { createKey, createKeyHolder, type KeyHolder } from '../../fixtures/book-client.ts';
import { call } from '../../fixtures/call.ts';
import { callWorker } from '../../fixtures/call-worker.ts';
import { createPair } from '../../fixtures/create-pair.ts';
import { createTrader } from '../../fixtures/create-trader.ts';
import { freshAddress } from '../../fixtures/fresh-address.ts';
import { migrate } from '../../fixtures/migrate.ts';
import { endKey } from '../../fixtures/operate.ts';
import { profiles } from '../../fixtures/profiles.ts';
import { AgentClient, agentOf, bearerOf, MCP } from './agent-client.ts';

let db: Database;
let holder: KeyHolder;
let stranger: KeyHolder;

beforeAll(async () => {
  db = await migrate();
  await createPair(db, 'ACC');
  [holder, stranger] = await Promise.all([createKeyHolder(db), createKeyHolder(db)]);
});

const PING = { jsonrpc: '2.0', id: 1, method: 'ping' };
const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
};

describe('without a valid access token', () => {
  it('a request is answered 401, with the address of the metadata that leads to the identity provider', async () => {
    const response = await new AgentClient({}).post(PING);
    expect(response.status).toBe(401);
    const challenge = response.headers.get('www-authenticate') ?? '';
    const address = /^Bearer resource_metadata="([^"]+)"$/.exec(challenge)?.[1] ?? '';
    const metadata = { resource: MCP, authorization_servers: [env.IAM_ISSUER], bearer_methods_supported: ['header'] };
    expect((await call(`GET ${address}`)).body).toMatchObject(metadata);
    const inserted = 'GET /.well-known/oauth-protected-resource/agent/mcp';
    expect((await call(inserted)).body).toMatchObject(metadata);
  });

  it('an API key opens nothing here: keys are for standard input and output', async () => {
    const { status } = await new AgentClient({ 'x-api-key': holder.keyId, 'x-api-secret': 'secret-0123456789' }).post(
      PING,
    );
    expect(status).toBe(401);
  });
});

describe('the Origin of a request', () => {
  it.each([
    ['none', {}, 200],
    ['a loopback page, on a laptop', { origin: 'http://localhost:3000' }, 200],
    ['another site', { origin: 'https://evil.example.com' }, 403],
    [
      'the host that the request names, which DNS rebinding forges',
      { origin: 'http://evil.example.com', host: 'evil.example.com' },
      403,
    ],
    ['no origin at all', { origin: 'null' }, 403],
  ])('is checked: %s', async (_, headers, expected) => {
    const { status } = await (await agentOf(holder)).post(PING, headers);
    expect(status).toBe(expected);
  });
});

describe('on a host of its own, deployed', () => {
  const deployed = {
    ...env,
    ENVIRONMENT: 'production',
    PROFILE_HOSTS: '{"agent.example.com":"agent","app.example.com":"exchange"}',
  };
  const HOST = 'https://agent.example.com';
  const ask = async (path: string, init: RequestInit = {}) => {
    const request = new Request(`${HOST}${path}`, init);
    return profiles.agent.fetch(
      request as Request<unknown, IncomingRequestCfProperties>,
      deployed,
      createExecutionContext(),
    );
  };

  it('the resource is that host’s, and so is the address of its metadata', async () => {
    const { headers } = await ask('/mcp', { method: 'POST' });
    expect(headers.get('www-authenticate')).toBe(
      `Bearer resource_metadata="${HOST}/.well-known/oauth-protected-resource"`,
    );
    for (const path of ['/.well-known/oauth-protected-resource', '/.well-known/oauth-protected-resource/mcp'])
      expect(await (await ask(path)).json()).toMatchObject({ resource: `${HOST}/mcp` });
  });

  it.each([
    ['https://app.example.com', 200],
    ['http://app.example.com', 403],
    ['https://app.example.com:8443', 403],
    ['http://localhost:3000', 403],
  ])('pages of %s are answered %d', async (origin, expected) => {
    const headers = { ...(await bearerOf(holder)), origin, 'content-type': 'application/json' };
    expect((await ask('/mcp', { method: 'POST', headers, body: JSON.stringify(PING) })).status).toBe(expected);
  });
});

describe('an access token acts under a key of its bearer', () => {
  const keyOfLastCall = async () => {
    const mine = await Promise.all(
      [holder.keyId, stranger.keyId].map((keyId) => listToolCalls(db, { keyId, before: null, limit: 1 })),
    );
    return mine.flat().sort((a, b) => (a.id < b.id ? 1 : -1))[0]?.keyId;
  };

  it('the oldest active one, or the one that X-API-Key names', async () => {
    await (await agentOf(holder)).tool('get_portfolio');
    expect(await keyOfLastCall()).toBe(holder.keyId);
    const second = await createKey(db, holder, { scopes: ['trade'], createdAt: Date.now() + 1 });
    const named = await agentOf(holder, { 'x-api-key': second.keyId });
    expect((await named.tool('get_portfolio')).error).toMatchObject({ code: 'FORBIDDEN' });
    await endKey({ id: second.keyId, account: holder.accountId });
    await invalidateKey(env, second.keyId);
    expect((await named.tool('get_portfolio')).error).toMatchObject({ details: { reason: 'no_api_key' } });
  });

  it('and never under anyone else’s', async () => {
    const borrowed = await agentOf(holder, { 'x-api-key': stranger.keyId });
    expect((await borrowed.tool('get_portfolio')).error).toMatchObject({
      code: 'FORBIDDEN',
      details: { reason: 'no_api_key' },
    });
    expect(await listToolCalls(db, { keyId: stranger.keyId, before: null, limit: 10 })).toEqual([]);
    const direct = await call('GET /book/v1/account/balances', {
      headers: { ...(await bearerOf(holder)), 'x-api-key': stranger.keyId },
    });
    expect(direct.status).toBe(401);
  });

  it('without one, no tool is called', async () => {
    const keyless = await agentOf(await createTrader(db));
    expect((await keyless.post(PING)).status).toBe(200);
    expect((await keyless.tool('get_markets')).error).toMatchObject({
      code: 'FORBIDDEN',
      details: { reason: 'no_api_key' },
    });
  });
});

describe('a session of Streamable HTTP', () => {
  const begin = async () => {
    const response = await (await agentOf(holder)).post(INITIALIZE);
    return response.headers.get('mcp-session-id') ?? '';
  };
  const end = async (of: KeyHolder, id: string) =>
    (await call('DELETE /agent/mcp', { headers: { ...(await bearerOf(of)), 'mcp-session-id': id } })).status;

  it('is of use to its user alone, and ends when they say so', async () => {
    const id = await begin();
    const under = { 'mcp-session-id': id };
    expect((await (await agentOf(holder)).post(PING, under)).status).toBe(200);
    expect((await (await agentOf(stranger)).post(PING, under)).status).toBe(404);
    expect(await end(stranger, id)).toBe(404);
    expect(await end(holder, id)).toBe(204);
    expect((await (await agentOf(holder)).post(PING, under)).status).toBe(404);
  });

  it('that never began is not found, and a GET has no stream to offer', async () => {
    const agent = await agentOf(holder);
    expect((await agent.post(PING, { 'mcp-session-id': crypto.randomUUID() })).status).toBe(404);
    const headers = { ...(await bearerOf(holder)), accept: 'text/event-stream', 'mcp-protocol-version': '2025-06-18' };
    expect((await call('GET /agent/mcp', { headers })).status).toBe(405);
  });
});

describe('the older HTTP+SSE transport', () => {
  async function openStream(of: KeyHolder) {
    const response = await callWorker(MCP, {
      headers: { ...(await bearerOf(of)), accept: 'text/event-stream', 'cf-connecting-ip': freshAddress() },
    });
    const reader = (response.body as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream()).getReader();
    return {
      type: response.headers.get('content-type'),
      next: async () => (await reader.read()).value ?? '',
      close: () => reader.cancel(),
    };
  }

  it('names an address to post to, answers posts on the stream, and is its user’s alone', async () => {
    const stream = await openStream(holder);
    expect(stream.type).toBe('text/event-stream');
    const first = await stream.next();
    expect(first).toMatch(/^event: endpoint\ndata: \/agent\/mcp\?sessionId=[0-9a-f-]{36}\n\n$/);
    const query = /\?\S+/.exec(first)?.[0] ?? '';
    const [mine, theirs] = await Promise.all([agentOf(holder), agentOf(stranger)]);
    expect((await theirs.post(PING, {}, query)).status).toBe(404);
    expect((await mine.post({ ...PING, id: 7 }, { accept: '*/*' }, query)).status).toBe(202);
    expect(await stream.next()).toBe('event: message\ndata: {"result":{},"jsonrpc":"2.0","id":7}\n\n');
    await stream.close();
  });

  it('has no session that was never opened', async () => {
    expect((await (await agentOf(holder)).post(PING, {}, `?sessionId=${crypto.randomUUID()}`)).status).toBe(404);
  });
});
