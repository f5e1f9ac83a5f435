import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../../../data/database.ts';
import { createTestKey, sign } from '../../fixtures/api-key.ts';
import { createKeyHolder, type KeyHolder } from '../../fixtures/book-client.ts';
import { call, codeOf } from '../../fixtures/call.ts';
import { createPair } from '../../fixtures/create-pair.ts';
import { createTrader, type Trader } from '../../fixtures/create-trader.ts';
import { migrate } from '../../fixtures/migrate.ts';
import { agentOf, bearerOf } from './agent-client.ts';

let db: Database;

beforeAll(async () => {
  db = await migrate();
  await createPair(db, 'LOG');
});

async function logOf(reader: Trader, keyId: string, query = '') {
  const answer = await call(`GET /iam/v1/keys/${keyId}/tool-calls${query}`, { headers: await bearerOf(reader) });
  return { ...answer, calls: ((answer.body as { data?: unknown }).data ?? []) as Record<string, unknown>[] };
}

const order = { symbol: 'LOG-USD', side: 'buy', type: 'limit', quantity: '1', price: '1' };

describe('every tool call is logged', () => {
  let holder: KeyHolder;
  beforeAll(async () => {
    holder = await createKeyHolder(db, { cash: 1_000_00 });
    const agent = await agentOf(holder);
    await agent.tool('get_orderbook', { symbol: 'LOG-USD', depth: 3 });
    await agent.tool('place_order', order);
    await agent.tool('place_order', { ...order, symbol: 'NOPE-USD' });
    await agent.tool('place_order', { ...order, side: 'my secret', api_secret: 'my secret' });
  });

  it('with key, time, tool, parameters and result code; its owner reads it, newest first', async () => {
    const { calls } = await logOf(holder, holder.keyId);
    expect(calls.map(({ tool, parameters, resultCode }) => [tool, parameters, resultCode])).toEqual([
      ['place_order', { symbol: 'LOG-USD', type: 'limit', quantity: '1', price: '1' }, 'VALIDATION_ERROR'],
      ['place_order', { ...order, symbol: 'NOPE-USD' }, 'INVALID_SYMBOL'],
      ['place_order', order, 'OK'],
      ['get_orderbook', { symbol: 'LOG-USD', depth: 3 }, 'OK'],
    ]);
    for (const { keyId, transport, calledAt } of calls) {
      expect([keyId, transport]).toEqual([holder.keyId, 'http']);
      expect(Math.abs(Date.parse(calledAt as string) - Date.now())).toBeLessThan(60_000);
    }
  });

  it('page by page', async () => {
    const first = await logOf(holder, holder.keyId, '?limit=3');
    expect(first.calls).toHaveLength(3);
    const next = /<http:\/\/localhost(\S+)>; rel="next"/.exec(first.headers.get('link') ?? '')?.[1] ?? '';
    const second = await call(`GET ${next}`, { headers: await bearerOf(holder) });
    expect(second.body).toMatchObject({ data: [{ tool: 'get_orderbook' }] });
    expect(second.headers.get('link')).toBeNull();
  });

  it('for its owner and operators alone', async () => {
    const [another, operator] = await Promise.all([createTrader(db), createTrader(db, { roles: ['operator'] })]);
    expect((await logOf(another, holder.keyId)).status).toBe(404);
    expect((await logOf(operator, holder.keyId)).calls).toHaveLength(4);
  });

  it('never with a secret', async () => {
    const { results } = await env.DB.prepare('SELECT * FROM agent_tool_calls').all();
    expect(JSON.stringify(results)).not.toContain('secret');
  });

  it('in a table that only grows', async () => {
    await expect(env.DB.prepare("UPDATE agent_tool_calls SET result_code = 'OK'").run()).rejects.toThrow('append-only');
    await expect(env.DB.prepare('DELETE FROM agent_tool_calls').run()).rejects.toThrow('append-only');
    expect((await logOf(holder, holder.keyId)).calls).toHaveLength(4);
  });
});

describe('the tool server over standard input and output', () => {
  const report = { tool: 'place_order', parameters: { ...order, api_secret: 'hidden' }, result_code: 'OK' };

  it('tells of its calls by a signed request; key and time are the exchange’s', async () => {
    const trader = await createTrader(db);
    const key = await createTestKey(trader);
    const path = '/book/v1/agent/tool-calls';
    const headers = await sign(key, { method: 'POST', path, body: JSON.stringify(report) });
    expect((await call(`POST ${path}`, { headers, json: report })).status).toBe(201);
    const { calls } = await logOf(trader, key.id);
    expect(calls).toMatchObject([
      { keyId: key.id, transport: 'stdio', tool: 'place_order', parameters: order, resultCode: 'OK' },
    ]);
  });

  it('cannot tell of calls of another key, of a tool that does not exist, or without a key', async () => {
    const trader = await createTrader(db);
    const { headers } = await createTestKey(trader);
    const tell = (body: object, under: Record<string, string> = headers) =>
      call('POST /book/v1/agent/tool-calls', { headers: under, json: body });
    expect(codeOf(await tell({ ...report, key_id: 'another' }))).toBe('VALIDATION_ERROR');
    expect(codeOf(await tell({ ...report, tool: 'withdraw' }))).toBe('VALIDATION_ERROR');
    expect(codeOf(await tell(report, await bearerOf(trader)))).toBe('FORBIDDEN');
  });
});
