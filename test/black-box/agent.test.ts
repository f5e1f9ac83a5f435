import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { demoKeyOf } from '../../application/seed/demo-credentials.ts';
import { connectHttp } from '../../clients/agent/connect-http.ts';
import { connectStdio } from '../../clients/agent/connect-stdio.ts';
import { type LocalSystem, localSystem } from './local-system.ts';

const EXAMPLE = join(import.meta.dirname, '..', '..', 'clients', 'agent', 'example.ts');

let system: LocalSystem;
let stdio: Client;
let http: Client;
let sse: Client;
let accessToken: string;

beforeAll(async () => {
  system = await localSystem();
  await system.start();
  accessToken = await tokenOf('demo-service', 'demo-service-secret-local-only');
  const url = `${system.origin}/agent/mcp`;
  [stdio, http, sse] = await Promise.all([
    connectStdio(environment('alice')),
    connectHttp({ url, accessToken }),
    connectHttp({ url, accessToken, sse: true }),
  ]);
});

afterAll(async () => {
  await Promise.all([stdio, http, sse].map((client) => client?.close()));
  await system.stop('SIGTERM');
});

function environment(person: string) {
  const { id, secret } = demoKeyOf(person);
  return { EXCHANGE_API_URL: `${system.origin}/book`, EXCHANGE_API_KEY: id, EXCHANGE_API_SECRET: secret };
}

async function tokenOf(clientId: string, clientSecret: string): Promise<string> {
  const response = await fetch(`${system.origin}/iam/api/login/oauth/access_token`, {
    method: 'POST',
    body: new URLSearchParams({ grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret }),
  });
  return ((await response.json()) as { access_token: string }).access_token;
}

async function call(client: Client, name: string, parameters: Record<string, unknown> = {}) {
  // The SDK checks structuredContent against the tool's output schema.
  await client.listTools();
  const { structuredContent, isError, content } = await client.callTool({ name, arguments: parameters });
  const [first] = content as { text: string }[];
  return {
    output: structuredContent as Record<string, unknown>,
    error: isError === true ? JSON.parse(first?.text ?? '').error : null,
  };
}

describe('the agent tool server', () => {
  test('offers the same tools over standard input and output, Streamable HTTP and HTTP+SSE', async () => {
    const [one, two, three] = await Promise.all([stdio, http, sse].map((client) => client.listTools()));
    expect(one?.tools.map(({ name }) => name)).toEqual([
      'get_quote',
      'get_orderbook',
      'place_order',
      'cancel_order',
      'get_portfolio',
      'get_open_orders',
      'get_trades',
      'get_markets',
      'preview_order',
    ]);
    expect(two).toEqual(one);
    expect(three).toEqual(one);
  });

  test('trades between an agent over standard input and output and one over HTTP', async () => {
    const ask = { symbol: 'ACME-USD', side: 'sell', type: 'limit', quantity: '5', price: '25.00' };
    const asked = await call(stdio, 'place_order', ask);
    expect(asked.output).toMatchObject({ status: 'open', quantity: '5', price: '25', filledQuantity: '0' });
    const book = await call(http, 'get_orderbook', { symbol: 'ACME-USD' });
    expect(book.output).toEqual({ symbol: 'ACME-USD', bids: [], asks: [['25', '5']] });
    const bought = await call(http, 'place_order', { ...ask, side: 'buy', quantity: '2' });
    expect(bought.output).toMatchObject({ status: 'filled', filledQuantity: '2' });
    const trades = await call(sse, 'get_trades', { symbol: 'ACME-USD', limit: 1 });
    expect(trades.output).toMatchObject({ trades: [{ price: '25', quantity: '2', side: 'buy' }] });
    const open = await call(stdio, 'get_open_orders', { symbol: 'ACME-USD' });
    expect(open.output).toMatchObject({ orders: [{ status: 'partially_filled', filledQuantity: '2' }] });
    const { orderId } = asked.output;
    const cancelled = await call(stdio, 'cancel_order', { order_id: orderId, symbol: 'ACME-USD' });
    expect(cancelled.output).toMatchObject({ orderId, status: 'cancelled' });
    const portfolio = await call(sse, 'get_portfolio');
    expect(portfolio.output.balances).toContainEqual({ asset: 'USD', free: '9950', locked: '0' });
  });

  test.each(['stdio', 'http', 'sse'] as const)(
    'answers a failure as a typed error of the exchange, over %s',
    async (over) => {
      const client = { stdio, http, sse }[over];
      const order = { symbol: 'NOPE-USD', side: 'buy', type: 'limit', quantity: '1', price: '1' };
      expect((await call(client, 'place_order', order)).error).toMatchObject({ code: 'INVALID_SYMBOL' });
      expect((await call(client, 'place_order', { ...order, quantity: '-1' })).error).toMatchObject({
        code: 'VALIDATION_ERROR',
        details: { issues: [{ parameter: 'quantity' }] },
      });
      await expect(client.callTool({ name: 'withdraw', arguments: {} })).rejects.toThrow('there is no tool');
    },
  );

  test('signs the calls of standard input and output with a key whose secret never travels', async () => {
    const sent: string[] = [];
    const recorder = createServer((request, response) => {
      sent.push(JSON.stringify([request.url, request.headers]));
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"balances":[]}');
    }).listen(0, '127.0.0.1');
    await once(recorder, 'listening');
    const { port } = recorder.address() as AddressInfo;
    const recorded = await connectStdio({ ...environment('alice'), EXCHANGE_API_URL: `http://127.0.0.1:${port}` });
    await recorded.callTool({ name: 'get_portfolio', arguments: {} });
    await recorded.close();
    recorder.close();
    expect(sent[0]).toMatch(/"x-api-timestamp":"\d{13}","x-api-signature":"[0-9a-f]{64}"/);
    expect(sent.join()).not.toContain(demoKeyOf('alice').secret);
    const wrong = await connectStdio({ ...environment('alice'), EXCHANGE_API_SECRET: 'another-secret-altogether' });
    expect((await call(wrong, 'get_portfolio')).error).toMatchObject({ code: 'UNAUTHORIZED' });
    await wrong.close();
  });

  test.each(['stdio', 'http', 'sse'])(
    'has an example that quotes, previews, places and cancels, over %s',
    async (over) => {
      const { stdout } = await promisify(execFile)(process.execPath, [EXAMPLE, over], {
        env: { ...process.env, EXCHANGE_ORIGIN: system.origin },
      });
      expect(
        stdout
          .trim()
          .split('\n')
          .map((line) => line.split(' ')[0]),
      ).toEqual(['get_quote', 'preview_order', 'place_order', 'get_open_orders', 'cancel_order']);
    },
  );

  test('places nothing twice when it is killed in the middle of a call and the call is repeated with its client_order_id', async () => {
    const order = {
      symbol: 'ACME-USD',
      side: 'buy',
      type: 'limit',
      quantity: '3',
      price: '21',
      client_order_id: 'killed-1',
    };
    for (const delay_ms of [0, 5, 10, 20, 40]) {
      const doomed = await connectStdio(environment('carol'));
      const cut = doomed.callTool({ name: 'place_order', arguments: order }).catch(() => null);
      await new Promise((resolve) => setTimeout(resolve, delay_ms));
      process.kill((doomed.transport as StdioClientTransport).pid as number, 'SIGKILL');
      await cut;
    }
    const agent = await connectStdio(environment('carol'));
    const { output } = await call(agent, 'place_order', order);
    const open = await call(agent, 'get_open_orders', { symbol: 'ACME-USD' });
    expect(open.output).toEqual({
      orders: [{ ...output, remainingQuantity: '3', clientOrderId: 'killed-1' }],
      nextCursor: null,
    });
    await agent.close();
  });

  test('is started by npx, as a binary of this package', async () => {
    const client = new Client({ name: 'test', version: '1.0.0' });
    const cwd = join(import.meta.dirname, '..', '..');
    const env = { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '', ...environment('alice') };
    await client.connect(new StdioClientTransport({ command: 'npx', args: ['edge-exchange-agent'], cwd, env }));
    expect((await client.listTools()).tools).toHaveLength(9);
    await client.close();
  });

  test('does not start without key and secret in its environment', async () => {
    await expect(connectStdio({ ...environment('alice'), EXCHANGE_API_SECRET: '' })).rejects.toThrow();
  });

  test('calls nothing more while a call cannot be logged, and logs it once it can', async () => {
    const agent = await connectStdio(environment('bob'));
    await call(agent, 'get_markets');
    await system.stop('SIGTERM');
    expect((await agent.callTool({ name: 'get_markets', arguments: {} })).isError).toBe(true);
    const held = await agent.callTool({ name: 'get_portfolio', arguments: {} });
    expect(JSON.stringify(held.content)).toContain('could not be logged');
    await system.start();
    expect((await call(agent, 'get_portfolio')).error).toBeNull();
    await agent.close();
  });

  test('leaves a ledger whose audit holds', async () => {
    expect(await system.run('audit')).toMatchObject({ code: 0 });
  });
});
