import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { MARKET_ROUTES } from '../../domain/markets/market.ts';
import { marketSymbol } from '../../domain/markets/market-symbol.ts';
import { CLIENT_ORDER_ID_WORDS } from '../order-entry/client-order-id.ts';
import { AGENT_TOOLS, agentToolNamed } from './agent-tools.ts';
import { callTool, type RestAnswer } from './call-tool.ts';
import { createToolServer } from './create-tool-server.ts';
import { loggableParameters } from './loggable-parameters.ts';
import type { RestCall } from './rest-call.ts';
import type { AgentTool } from './tool.ts';

const ORDER_ID = '01900000-0000-7000-8000-000000000000';

function tool(name: string): AgentTool {
  const found = agentToolNamed(name);
  if (found === null) throw new Error(`no tool ${name}`);
  return found;
}

/** The call that a tool makes, `METHOD path`, and its body. */
async function callOf(name: string, parameters: unknown): Promise<RestCall> {
  const calls: RestCall[] = [];
  await callTool(tool(name), parameters, async (call) => {
    calls.push(call);
    return { status: 404, body: {} };
  });
  expect(calls).toHaveLength(1);
  return calls[0] as RestCall;
}

describe('each tool wraps the REST call of its row in the specification', () => {
  it.each([
    ['get_quote', { symbol: 'ACME-USD' }, 'GET /v1/ticker/ACME-USD'],
    ['get_orderbook', { symbol: 'ACME-USD' }, 'GET /v1/orderbook/ACME-USD'],
    ['get_orderbook', { symbol: 'ACME-USD', depth: 5 }, 'GET /v1/orderbook/ACME-USD?depth=5'],
    ['cancel_order', { order_id: ORDER_ID, symbol: 'ACME-USD' }, `DELETE /v1/orders/${ORDER_ID}?symbol=ACME-USD`],
    ['get_portfolio', {}, 'GET /v1/account/balances'],
    [
      'cancel_order',
      { order_id: ORDER_ID, symbol: 'PRIME:A-USD' },
      `DELETE /v1/orders/${ORDER_ID}?symbol=PRIME%3AA-USD`,
    ],
    ['get_open_orders', {}, 'GET /v1/orders?status=open'],
    ['get_open_orders', { symbol: 'ACME-USD' }, 'GET /v1/orders?status=open&symbol=ACME-USD'],
    ['get_trades', { symbol: 'ACME-USD', limit: 3 }, 'GET /v1/trades/ACME-USD?limit=3'],
    ['get_markets', {}, 'GET /v1/markets'],
    ['get_markets', { cursor: 'B-USD' }, 'GET /v1/markets?cursor=B-USD'],
    ['get_open_orders', { cursor: ORDER_ID }, `GET /v1/orders?status=open&cursor=${ORDER_ID}`],
  ])('%s %j is %s', async (name, parameters, expected) => {
    const { method, path, body } = await callOf(name, parameters);
    expect([`${method} ${path}`, body]).toEqual([expected, null]);
  });

  it('place_order is POST /v1/orders, and with client_order_id carries an Idempotency-Key of it', async () => {
    const order = { symbol: 'ACME-USD', side: 'buy', type: 'limit', quantity: '10', price: '25.50' };
    const body = { symbol: 'ACME-USD', side: 'buy', type: 'limit', size: 10, price: 25.5 };
    const expected = { method: 'POST', path: '/v1/orders', body, idempotencyKey: null };
    expect(await callOf('place_order', order)).toEqual(expected);
    expect(await callOf('place_order', { ...order, client_order_id: 'a-1' })).toEqual({
      ...expected,
      body: { ...body, client_order_id: 'a-1' },
      idempotencyKey: 'agent:a-1',
    });
  });
});

describe('parameters', () => {
  it.each(MARKET_ROUTES)(
    'orders of a market of route %s are narrowed to and cancelled by the name they are listed with',
    async (route) => {
      const symbol = marketSymbol('BRK-B', 'USD', route);
      const named = `symbol=${encodeURIComponent(symbol)}`;
      expect((await callOf('cancel_order', { order_id: ORDER_ID, symbol })).path).toBe(
        `/v1/orders/${ORDER_ID}?${named}`,
      );
      expect((await callOf('get_open_orders', { symbol })).path).toBe(`/v1/orders?status=open&${named}`);
    },
  );

  it.each([
    ['get_quote', {}, 'symbol'],
    ['get_quote', { symbol: 'ACME-USD/../../orders' }, 'symbol'],
    ['get_quote', { symbol: 'ACME-USD', account: 'another' }, ''],
    ['get_orderbook', { symbol: 'ACME-USD', depth: 0 }, 'depth'],
    ['cancel_order', { order_id: 'x', symbol: 'ACME-USD' }, 'order_id'],
    ['place_order', { symbol: 'ACME-USD', side: 'BUY', type: 'limit', quantity: '1' }, 'side'],
    ['place_order', { symbol: 'ACME-USD', side: 'buy', type: 'stop_loss', quantity: '1' }, 'type'],
    ['place_order', null, ''],
  ])('that %s does not take are a typed error and make no call: %j', async (name, parameters, parameter) => {
    const outcome = await callTool(tool(name), parameters, () => {
      throw new Error('called');
    });
    expect(outcome).toMatchObject({
      ok: false,
      error: { code: 'VALIDATION_ERROR', details: { issues: [{ parameter }] } },
    });
  });

  it('are logged where declared and valid, and nothing else is', () => {
    const sent = {
      symbol: 'ACME-USD',
      side: 'secret',
      quantity: '1',
      api_secret: 'secret',
      __proto__: { type: 'limit' },
    };
    expect(loggableParameters(tool('place_order'), sent)).toEqual({ symbol: 'ACME-USD', quantity: '1' });
    expect(loggableParameters(tool('place_order'), 'secret')).toEqual({});
  });
});

describe('the client order id of place_order', () => {
  const order = { symbol: 'ACME-USD', side: 'buy', type: 'limit', quantity: '10', price: '25.50' };

  it.each(['a:b', '~!/?#', 'x'.repeat(64), '...'])('is any that other doors take: %s', async (id) => {
    const { body, idempotencyKey } = await callOf('place_order', { ...order, client_order_id: id });
    expect([body?.client_order_id, idempotencyKey]).toEqual([id, `agent:${id}`]);
  });

  it.each(['a b', 'é', '', '.', '..', 'x'.repeat(65)])('is told once what is wrong with it: %j', async (id) => {
    const outcome = await callTool(tool('place_order'), { ...order, client_order_id: id }, async () => null);
    const issue = { parameter: 'client_order_id', message: CLIENT_ORDER_ID_WORDS };
    expect(outcome).toMatchObject({ ok: false, error: { code: 'VALIDATION_ERROR' } });
    expect(outcome.ok ? null : outcome.error.details.issues).toEqual([issue]);
  });
});

describe('answers', () => {
  const answered = (answer: RestAnswer | null) => callTool(tool('get_quote'), { symbol: 'A-B' }, async () => answer);

  it('of the exchange that are errors keep code, message and details', async () => {
    const error = { code: 'INVALID_SYMBOL', message: 'trading pair unsupported', details: { symbol: 'A-B' } };
    expect(await answered({ status: 400, body: { error } })).toEqual({ ok: false, error });
  });

  it('of markets say what an order that may rest comes to at least', async () => {
    const numbers = { tick_size: 0.01, lot_size: 1, size_min: 1, size_max: 9, maker_fee_bps: 0, taker_fee_bps: 0 };
    const market = {
      symbol: 'A-B',
      base_asset: 'A',
      quote_asset: 'B',
      status: 'open',
      notional_min: 0.0001,
      ...numbers,
    };
    const outcome = await callTool(tool('get_markets'), {}, async () => ({ status: 200, body: { markets: [market] } }));
    expect(outcome).toMatchObject({ ok: true, output: { markets: [{ minNotional: '0.0001' }] } });
  });

  it.each([
    ['get_markets', { markets: [] }],
    ['get_open_orders', { orders: [] }],
  ])('of lists say where they go on: %s', async (name, body) => {
    const listed = (next?: string) =>
      callTool(tool(name), {}, async () => ({ status: 200, body, ...(next === undefined ? {} : { next }) }));
    expect(await listed('B-USD')).toMatchObject({ ok: true, output: { nextCursor: 'B-USD' } });
    expect(await listed()).toMatchObject({ ok: true, output: { nextCursor: null } });
    const { description, output } = tool(name);
    expect(`${description} ${String(output.shape.nextCursor?.description)}`).toContain(
      'call again with this as cursor',
    );
  });

  it('that are errors of order entry name the parameters that the tool has', async () => {
    const told = async (message: string, details: object) => {
      const outcome = await answered({ status: 400, body: { error: { code: 'VALIDATION_ERROR', message, details } } });
      return outcome.ok ? null : outcome.error;
    };
    expect(
      await told('size is not a number of this market', {
        field: 'size',
        reason: 'too_many_decimals',
        decimals_max: 0,
      }),
    ).toMatchObject({
      message: 'quantity is not a number of this market',
      details: { field: 'quantity', reason: 'too_many_decimals', decimalsMax: 0 },
    });
    expect((await told('no', { field: 'size', lot_size: 1, size_max: 9, size_min: 2 }))?.details).toEqual({
      field: 'quantity',
      lotSize: 1,
      maxQuantity: 9,
      minQuantity: 2,
    });
    expect((await told('no', { field: 'price', tick_size: 1 }))?.details).toEqual({ field: 'price', tickSize: 1 });
    expect((await told('no', { existing_order_id: 'o', limit: 'open_orders' }))?.details).toEqual({
      existingOrderId: 'o',
      limit: 'open_orders',
    });
  });

  it('to an unknown tool have the code once', async () => {
    const [ours, theirs] = InMemoryTransport.createLinkedPair();
    const server = createToolServer(async () => ({ ok: true, output: {} }));
    const client = new Client({ name: 'test', version: '1' });
    await Promise.all([server.connect(theirs), client.connect(ours)]);
    const failed = client.callTool({ name: 'nope', arguments: {} });
    await expect(failed).rejects.toMatchObject({ code: -32_602, message: 'MCP error -32602: there is no tool nope' });
    await client.close();
  });

  it('that are none of the exchange, or none at all, are errors too', async () => {
    expect(await answered({ status: 502, body: '<html>' })).toMatchObject({ error: { code: 'INTERNAL_ERROR' } });
    expect(await answered({ status: 200, body: { html: '' } })).toMatchObject({ error: { code: 'INTERNAL_ERROR' } });
    expect(await answered(null)).toMatchObject({ error: { code: 'SERVICE_UNAVAILABLE' } });
  });
});

describe('what tools say of themselves', () => {
  it('only place_order and cancel_order change anything', () => {
    const writing = AGENT_TOOLS.filter(({ effects }) => !effects.readOnlyHint || effects.destructiveHint);
    expect(writing.map(({ name }) => name)).toEqual(['place_order', 'cancel_order']);
  });

  it('X-14: every parameter of every tool has a type, in a schema that hosts without unions take', () => {
    const parameters = AGENT_TOOLS.flatMap(({ name, input }) => {
      const { properties = {} } = z.toJSONSchema(input, { io: 'input' });
      return Object.entries(properties).map(([parameter, schema]) => [`${name}.${parameter}`, schema] as const);
    });
    expect(parameters.length).toBeGreaterThan(10);
    for (const [parameter, schema] of parameters) {
      const { type, ...rest } = schema as Readonly<Record<string, unknown>>;
      expect([parameter, typeof type === 'string' || Array.isArray(type)]).toEqual([parameter, true]);
      expect(JSON.stringify(rest)).not.toMatch(/"(anyOf|oneOf|allOf|not)"/);
    }
  });

  it('the tools are these, and each makes this one call', async () => {
    const order = { symbol: 'ACME-USD', side: 'buy', type: 'limit', quantity: '1', price: '1' };
    const parametersOf: Readonly<Record<string, object>> = {
      get_markets: {},
      get_trades: { symbol: 'ACME-USD' },
      get_quote: { symbol: 'ACME-USD' },
      get_orderbook: { symbol: 'ACME-USD' },
      preview_order: order,
      place_order: order,
      cancel_order: { order_id: ORDER_ID, symbol: 'ACME-USD' },
      get_portfolio: {},
      get_open_orders: {},
    };
    expect(AGENT_TOOLS.map(({ name }) => name).sort()).toEqual(Object.keys(parametersOf).sort());
    const calls = await Promise.all(
      AGENT_TOOLS.map(async ({ name }) => {
        const { method, path } = await callOf(name, parametersOf[name]);
        return `${method} ${path.split('?')[0]}`;
      }),
    );
    expect(calls.sort()).toEqual([
      `DELETE /v1/orders/${ORDER_ID}`,
      'GET /v1/account/balances',
      'GET /v1/markets',
      'GET /v1/orderbook/ACME-USD',
      'GET /v1/orders',
      'GET /v1/ticker/ACME-USD',
      'GET /v1/trades/ACME-USD',
      'POST /v1/orders',
      'POST /v1/orders/preview',
    ]);
  });

  it('no tool withdraws or transfers assets, or changes account settings, KYC or API keys', () => {
    const reachable = AGENT_TOOLS.map(({ name }) => name).filter((name) =>
      /withdraw|transfer|deposit|account|key|kyc|setting/.test(name),
    );
    expect(reachable).toEqual([]);
  });

  it('every schema is JSON Schema that draft 7 and draft 2020-12 read alike', () => {
    for (const { input, output } of AGENT_TOOLS) {
      const text = JSON.stringify([z.toJSONSchema(input, { io: 'input' }), z.toJSONSchema(output)]);
      expect(text).not.toMatch(/"(prefixItems|\$dynamicRef|dependentSchemas|unevaluated\w+)"/);
    }
  });
});
