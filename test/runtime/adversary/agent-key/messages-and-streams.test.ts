import { env } from 'cloudflare:workers';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { listToolCalls } from '../../../../data/audit/trail/tool-calls.ts';
import type { Database } from '../../../../data/database.ts';
import { createKeyHolder, type KeyHolder } from '../../fixtures/book-client.ts';
import { callWorker } from '../../fixtures/call-worker.ts';
import { FeedSocket } from '../../fixtures/feed-socket.ts';
import { freshAddress } from '../../fixtures/fresh-address.ts';
import { migrate } from '../../fixtures/migrate.ts';
import { agentOf, bearerOf, MCP } from '../../workers/agent/agent-client.ts';

let db: Database;

beforeAll(async () => {
  db = await migrate();
});

afterEach(() => {
  vi.restoreAllMocks();
});

const order = { symbol: 'ACME-USD', side: 'sell', type: 'limit_maker', quantity: '1', price: '1' };
const calls = (count: number, parameters: object) =>
  Array.from({ length: count }, (_, id) => ({
    jsonrpc: '2.0',
    id,
    method: 'tools/call',
    params: { name: 'place_order', arguments: parameters },
  }));

/** A stream of the older transport; null where it was refused. */
async function streamOf(holder: KeyHolder) {
  const response = await callWorker(MCP, {
    headers: { ...(await bearerOf(holder)), accept: 'text/event-stream', 'cf-connecting-ip': freshAddress() },
  });
  if (response.status !== 200) {
    expect([response.status, response.headers.get('retry-after')]).toEqual([429, '60']);
    expect(await response.json()).toMatchObject({
      error: { code: 'RATE_LIMIT_EXCEEDED', details: { connections: 5 } },
    });
    return null;
  }
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  const first = new TextDecoder().decode((await reader.read()).value);
  const sessionId = /sessionId=(\S+)/.exec(first)?.[1] ?? '';
  return {
    /** As its client ends it. */
    async end() {
      const headers = { ...(await bearerOf(holder)), 'mcp-session-id': sessionId, 'cf-connecting-ip': freshAddress() };
      expect((await callWorker(MCP, { method: 'DELETE', headers })).status).toBe(204);
      await reader.cancel();
    },
  };
}

describe('T-04: several messages in one request of an agent', () => {
  it.each([
    ['a hundred right calls', calls(100, order)],
    ['a hundred calls with a field too many', calls(100, { ...order, more: 1 })],
    ['one call in a list', calls(1, order)],
    ['nothing', []],
  ])('are not taken: %s leave no row, and reach no tool', async (_, messages) => {
    const holder = await createKeyHolder(db);
    const agent = await agentOf(holder);
    await agent.post({ jsonrpc: '2.0', id: 1, method: 'ping' });
    const asked = vi.spyOn(Object.getPrototypeOf(env.DB), 'prepare');
    const response = await agent.post(messages);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ jsonrpc: '2.0', error: { code: -32600 }, id: null });
    expect(asked.mock.calls.filter(([query]) => /api_keys|tool_calls/.test(String(query)))).toEqual([]);
    expect(await listToolCalls(db, { keyId: holder.keyId, before: null, limit: 10 })).toEqual([]);
  });

  it('are not taken on the stream of the older transport either', async () => {
    const agent = await agentOf(await createKeyHolder(db));
    const response = await agent.post(calls(2, order), {}, `?sessionId=${crypto.randomUUID()}`);
    expect(response.status).toBe(400);
  });
});

describe('T-12: streams of an agent', () => {
  it('are among the five connections of its user, in every mixture; one that ends makes room', async () => {
    const holder = await createKeyHolder(db);
    const socket = () => FeedSocket.handshake('/v1/ws', holder.headers);
    const feeds = [await FeedSocket.open('/v1/ws', holder.headers), await FeedSocket.open('/v1/ws', holder.headers)];
    const streams = [await streamOf(holder), await streamOf(holder), await streamOf(holder)];
    expect(streams).not.toContain(null);
    expect(await streamOf(holder)).toBeNull();
    expect((await socket()).status).toBe(429);

    await streams[0]?.end();
    let again: Awaited<ReturnType<typeof streamOf>> = null;
    await expect
      .poll(async () => {
        again ??= await streamOf(holder);
        return again;
      })
      .not.toBeNull();
    expect((await socket()).status).toBe(429);
    for (const feed of feeds) feed.close();
    for (const stream of [...streams.slice(1), again]) await stream?.end();
  });

  it('leave room for five of another user', async () => {
    const other = await createKeyHolder(db);
    const streams = await Promise.all(Array.from({ length: 5 }, () => streamOf(other)));
    expect(streams).not.toContain(null);
    expect(await streamOf(other)).toBeNull();
    for (const stream of streams) await stream?.end();
  });
});
