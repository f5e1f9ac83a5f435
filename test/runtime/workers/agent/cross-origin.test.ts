import { beforeAll, describe, expect, it } from 'vitest';
import { createKeyHolder, type KeyHolder } from '../../fixtures/book-client.ts';
import { call } from '../../fixtures/call.ts';
import { migrate } from '../../fixtures/migrate.ts';
import { bearerOf } from './agent-client.ts';

const PAGE = 'http://localhost:3000';
const STRANGER = 'https://evil.example.com';
const PING = { jsonrpc: '2.0', id: 1, method: 'ping' };

let holder: KeyHolder;

beforeAll(async () => {
  holder = await createKeyHolder(await migrate());
});

const preflight = (origin: string, method: string, headers = 'authorization, content-type') =>
  call('OPTIONS /agent/mcp', {
    headers: { origin, 'access-control-request-method': method, 'access-control-request-headers': headers },
  });

describe('a preflight of the agent server', () => {
  it('lets a page of an allowed origin send MCP messages with an access token, end its session and read a stream', async () => {
    const { status, headers } = await preflight(PAGE, 'POST');
    expect(status).toBe(204);
    expect(headers.get('access-control-allow-origin')).toBe(PAGE);
    expect(headers.get('access-control-allow-methods')?.split(', ').sort()).toEqual(['DELETE', 'GET', 'POST']);
    expect(headers.get('access-control-allow-headers')?.split(', ')).toEqual(
      expect.arrayContaining(['authorization', 'content-type', 'mcp-protocol-version', 'mcp-session-id', 'x-api-key']),
    );
    expect(headers.get('access-control-allow-credentials')).toBeNull();
    expect(headers.get('vary')).toContain('origin');
  });

  it.each([STRANGER, 'null', 'http://localhost.evil.example'])('tells a page of %s nothing', async (origin) => {
    const { status, headers } = await preflight(origin, 'POST');
    expect(status).toBe(403);
    expect([...headers.keys()].filter((name) => name.startsWith('access-control-'))).toEqual([]);
  });

  it('draws on the limit of its address', async () => {
    const { headers } = await preflight(PAGE, 'POST');
    expect(headers.get('x-ratelimit-remaining')).toBe('99');
  });
});

describe('an answer of the agent server', () => {
  const ping = async (origin: string, headers: Record<string, string>) =>
    call('POST /agent/mcp', { headers: { accept: 'application/json', origin, ...headers }, json: PING });

  it('may be read by a page of an allowed origin, with the session and the way to a token', async () => {
    const { status, headers } = await ping(PAGE, await bearerOf(holder));
    expect([status, headers.get('access-control-allow-origin')]).toEqual([200, PAGE]);
    const exposed = headers.get('access-control-expose-headers')?.split(', ');
    expect(exposed).toEqual(
      expect.arrayContaining(['mcp-session-id', 'www-authenticate', 'x-request-id', 'idempotent-replayed']),
    );
  });

  it('may be read by it when it refuses, too', async () => {
    const { status, headers } = await ping(PAGE, {});
    expect([status, headers.get('access-control-allow-origin')]).toEqual([401, PAGE]);
  });

  it('may be read by no page of another', async () => {
    const { status, headers } = await ping(STRANGER, await bearerOf(holder));
    expect([status, headers.get('access-control-allow-origin')]).toEqual([403, null]);
  });
});

describe('everything else that asks for a credential', () => {
  it('stays closed to pages of allowed origins', async () => {
    const headers = { ...(await bearerOf(holder)), origin: PAGE };
    const answer = await call('GET /book/v1/account/balances', { headers });
    expect(answer.headers.get('access-control-allow-origin')).toBeNull();
    const asked = { origin: PAGE, 'access-control-request-method': 'POST' };
    expect(
      (await call('OPTIONS /book/v1/orders', { headers: asked })).headers.get('access-control-allow-methods'),
    ).toBe('GET');
  });
});
