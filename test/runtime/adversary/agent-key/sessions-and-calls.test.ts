import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import { forgetToolCalls } from '../../../../application/agent/forget-tool-calls.ts';
import { listToolCalls, recordToolCall } from '../../../../data/audit/trail/tool-calls.ts';
import type { Database } from '../../../../data/database.ts';
import { agentToolCallDays } from '../../../../data/schema/audit.ts';
import { DAY_MS } from '../../../../domain/calendar/durations.ts';
import { SESSIONS_MAX } from '../../../../durable-objects/agent-session/api.ts';
import { gateOf } from '../../../../durable-objects/gate/api.ts';
import { userGateName } from '../../../../protocol/object-names/gate-name.ts';
import { createKey, createKeyHolder, type KeyHolder } from '../../fixtures/book-client.ts';
import { call, codeOf } from '../../fixtures/call.ts';
import { migrate } from '../../fixtures/migrate.ts';
import { agentOf, bearerOf } from '../../workers/agent/agent-client.ts';

let db: Database;

beforeAll(async () => {
  db = await migrate();
});

const PING = { jsonrpc: '2.0', id: 1, method: 'ping' };
const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'many', version: '1' } },
};

async function begin(holder: KeyHolder, keyId = holder.keyId): Promise<string> {
  const response = await (await agentOf(holder)).post(INITIALIZE, { 'x-api-key': keyId });
  expect(response.status).toBe(200);
  return response.headers.get('mcp-session-id') ?? '';
}

const lives = async (holder: KeyHolder, id: string) =>
  (await (await agentOf(holder)).post(PING, { 'mcp-session-id': id })).status === 200;

describe('T-12: sessions of an agent', () => {
  it('are sixteen of a user, under whichever keys, in one object: the one that was used longest ago ends', async () => {
    const holder = await createKeyHolder(db);
    const { keyId } = await createKey(db, holder);
    const ids: string[] = [];
    for (let at = 0; at < 40; at++) ids.push(await begin(holder, at % 2 === 0 ? holder.keyId : keyId));
    const alive = await Promise.all(ids.map((id) => lives(holder, id)));
    expect(alive.filter(Boolean)).toHaveLength(SESSIONS_MAX);
    expect(alive.slice(-SESSIONS_MAX)).not.toContain(false);
    const stub = env.AGENT_SESSION.getByName(`user ${holder.userId}`);
    const stored = await runInDurableObject(stub, (_, state) => state.storage.list());
    expect([...stored.values()].flat()).toHaveLength(SESSIONS_MAX);
  });

  it('of another user are as many, and none ends theirs', async () => {
    const [holder, other] = [await createKeyHolder(db), await createKeyHolder(db)];
    const theirs = await begin(other);
    for (let at = 0; at < 20; at++) await begin(holder);
    expect(await lives(other, theirs)).toBe(true);
  });

  it('leave nothing stored when they have ended', async () => {
    const holder = await createKeyHolder(db);
    const id = await begin(holder);
    const headers = { ...(await bearerOf(holder)), 'mcp-session-id': id };
    expect((await call('DELETE /agent/mcp', { headers })).status).toBe(204);
    const stub = env.AGENT_SESSION.getByName(`user ${holder.userId}`);
    expect((await runInDurableObject(stub, (_, state) => state.storage.list())).size).toBe(0);
  });

  it('that nobody can have begun are not found', async () => {
    const holder = await createKeyHolder(db);
    expect(await lives(holder, 'user x')).toBe(false);
    expect(await lives(holder, 'x'.repeat(1_000))).toBe(false);
  });
});

const today = () => Math.floor(Date.now() / DAY_MS);

/** As if the user's agents had called so many tools today; tomorrow begins while this runs once in a lifetime. */
async function calledToday({ userId }: KeyHolder, calls: number): Promise<void> {
  const days = [today(), today() + 1].map((day) => ({ userId, day, calls }));
  await db.insert(agentToolCallDays).values(days);
}

const logged = ({ keyId }: KeyHolder) => listToolCalls(db, { keyId, before: null, limit: 10 });
const CANCEL = { order_id: crypto.randomUUID(), symbol: 'NONE-USD' };

describe('T-12: calls of tools', () => {
  it('are 20,000 of a user in a day: more are refused and leave no row, cancels go on', async () => {
    const holder = await createKeyHolder(db);
    const agent = await agentOf(holder);
    await calledToday(holder, 19_999);
    expect((await agent.tool('get_markets')).error).toBeNull();
    const { error } = await agent.tool('get_markets');
    expect(error).toMatchObject({ code: 'RATE_LIMIT_EXCEEDED', details: { reason: 'tool_calls_of_a_day' } });
    // Over standard input the header says when the day is over, as the details do.
    const json = { tool: 'get_markets', parameters: {}, result_code: 'OK' };
    const refused = await call('POST /book/v1/agent/tool-calls', {
      headers: holder.headers,
      json,
    });
    const { retry_after } = (refused.body as { error: { details: { retry_after: number } } }).error.details;
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, String(retry_after)]);
    const under = { 'x-api-key': (await createKey(db, holder)).keyId };
    expect((await agent.tool('get_markets', {}, under)).error?.code).toBe('RATE_LIMIT_EXCEEDED');
    expect(await logged(holder)).toHaveLength(1);
    expect((await agent.tool('cancel_order', CANCEL)).error?.code).not.toBe('RATE_LIMIT_EXCEEDED');
    expect(await logged(holder)).toMatchObject([{ tool: 'cancel_order' }, { tool: 'get_markets' }]);
  });

  it('that cancel are 22,000 with all others', async () => {
    const holder = await createKeyHolder(db);
    await calledToday(holder, 22_000);
    expect((await (await agentOf(holder)).tool('cancel_order', CANCEL)).error?.code).toBe('RATE_LIMIT_EXCEEDED');
  });

  it('that are told of count likewise, and draw on no requests of the key', async () => {
    const holder = await createKeyHolder(db, {}, { rateLimits: null });
    const proof = { type: 'secret', secret: holder.headers['x-api-secret'] ?? '' } as const;
    const draw = { bucket: 'private', cost: 300, clientAddress: '10.83.0.1' } as const;
    await gateOf(env, userGateName(holder.owner, holder.userId)).admitKey({ keyId: holder.keyId, proof }, draw);
    const tell = (tool: string) =>
      call('POST /book/v1/agent/tool-calls', {
        headers: holder.headers,
        json: { tool, parameters: {}, result_code: 'OK' },
      });
    await calledToday(holder, 19_999);
    expect((await tell('get_markets')).status).toBe(201);
    expect(codeOf(await tell('get_markets'))).toBe('RATE_LIMIT_EXCEEDED');
    expect((await tell('cancel_order')).status).toBe(201);
    expect(await logged(holder)).toHaveLength(2);
  });

  it('are forgotten after 30 days, and their numbers with the day', async () => {
    const holder = await createKeyHolder(db);
    const now = Date.now();
    const id = (at: number, end: string) => {
      const hex = at.toString(16).padStart(12, '0');
      return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-00000000000${end}`;
    };
    for (const [end, age] of [29.5, 30.5, 31].entries()) {
      const calledAt = Math.floor(now - age * DAY_MS);
      await recordToolCall(db, {
        id: id(calledAt, String(end)),
        keyId: holder.keyId,
        transport: 'http',
        tool: 'get_markets',
        parameters: {},
        resultCode: 'OK',
        calledAt,
      });
    }
    await db
      .insert(agentToolCallDays)
      .values([-3, -1].map((ago) => ({ userId: holder.userId, day: today() + ago, calls: 1 })));
    await forgetToolCalls(env, now);
    expect((await logged(holder)).map(({ id: kept }) => kept.at(-1))).toEqual(['0']);
    const { results } = await env.DB.prepare('SELECT day FROM agent_tool_call_days WHERE user_id = ?')
      .bind(holder.userId)
      .all();
    expect(results).toEqual([{ day: today() - 1 }]);
  });
});
