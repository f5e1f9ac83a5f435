import { beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../../../data/database.ts';
import type { ApiKey } from '../../../../data/identity/api-keys.ts';
import { VENUE_OWNER } from '../../../../domain/identity/venue.ts';
import { createTestKey } from '../../fixtures/api-key.ts';
import { createKeyHolder, type KeyHolder } from '../../fixtures/book-client.ts';
import { createPair } from '../../fixtures/create-pair.ts';
import { createTrader } from '../../fixtures/create-trader.ts';
import { signedIn } from '../../fixtures/exchange-client.ts';
import { giveHolding } from '../../fixtures/give-balance.ts';
import { migrate } from '../../fixtures/migrate.ts';
import { stopClock } from '../../fixtures/stop-clock.ts';
import { agentOf } from './agent-client.ts';

let db: Database;
let buyer: KeyHolder;
let seller: KeyHolder;

beforeAll(async () => {
  db = await migrate();
  await createPair(db, 'AGT', { market: { takerFeeBps: 10 } });
  await createPair(db, 'PRV', { asset: { accreditationType: '506c', regulation: 'reg_d_506c' } });
  buyer = await createKeyHolder(db, { cash: 1_000_000_00 });
  seller = await createKeyHolder(db);
  await giveHolding({ accountId: seller.accountId, asset: 'agt', lots: [{ quantity: 1_000 }] });
});

const TOOLS = [
  'get_quote',
  'get_orderbook',
  'place_order',
  'cancel_order',
  'get_portfolio',
  'get_open_orders',
  'get_trades',
  'get_markets',
];

const limit = (side: 'buy' | 'sell', quantity: string | number, price: string | number) => ({
  symbol: 'AGT-USD',
  side,
  type: 'limit',
  quantity,
  price,
});

describe('the agent tool server lists its tools', () => {
  it('the eight tools of profile E and the preview, each with JSON Schema in and out', async () => {
    const { result } = await (await agentOf(buyer)).request('tools/list');
    const { tools } = result as { tools: Record<string, unknown>[] };
    expect(tools.map(({ name }) => name)).toEqual([...TOOLS, 'preview_order']);
    for (const tool of tools) {
      expect(tool).toMatchObject({
        inputSchema: { type: 'object', additionalProperties: false },
        outputSchema: { type: 'object' },
        annotations: { readOnlyHint: expect.any(Boolean), destructiveHint: expect.any(Boolean) },
      });
    }
  });
});

describe('tools', () => {
  it('trade, quote and read, with numbers as text', async () => {
    const [one, other] = await Promise.all([agentOf(buyer), agentOf(seller)]);
    const placed = await other.tool('place_order', limit('sell', '10', '25.50'));
    expect(placed.structured).toEqual({
      orderId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      symbol: 'AGT-USD',
      side: 'sell',
      orderType: 'limit',
      status: 'open',
      quantity: '10',
      price: '25.5',
      filledQuantity: '0',
      createdAt: expect.any(Number),
    });
    expect(JSON.parse(placed.texts[0] ?? '')).toEqual(placed.structured);
    expect((await one.tool('get_orderbook', { symbol: 'AGT-USD', depth: 1 })).structured).toEqual({
      symbol: 'AGT-USD',
      bids: [],
      asks: [['25.5', '10']],
    });
    expect((await one.tool('place_order', limit('buy', 4, 26))).structured).toMatchObject({
      status: 'filled',
      filledQuantity: '4',
      price: '26',
    });
    expect((await one.tool('get_quote', { symbol: 'AGT-USD' })).structured).toEqual({
      symbol: 'AGT-USD',
      bid: null,
      ask: '25.5',
      last: '25.5',
      volume24h: '4',
      change24h: '0',
      timestamp: expect.any(Number),
    });
  });

  it('get_portfolio, get_trades and get_markets give every number as text', async () => {
    const agent = await agentOf(buyer);
    expect((await agent.tool('get_portfolio')).structured).toEqual({
      balances: [
        { asset: 'AGT', free: '4', locked: '0' },
        { asset: 'USD', free: '999897.89', locked: '0' },
      ],
    });
    expect((await agent.tool('get_trades', { symbol: 'AGT-USD' })).structured).toEqual({
      symbol: 'AGT-USD',
      trades: [
        {
          tradeId: expect.any(String),
          price: '25.5',
          quantity: '4',
          side: 'buy',
          timestamp: expect.any(Number),
          status: 'executed',
          correctedPrice: null,
        },
      ],
    });
    const { markets } = (await agent.tool('get_markets')).structured as { markets: Record<string, unknown>[] };
    expect(markets.find(({ symbol }) => symbol === 'AGT-USD')).toEqual({
      symbol: 'AGT-USD',
      baseAsset: 'AGT',
      quoteAsset: 'USD',
      status: 'open',
      tickSize: '0.01',
      lotSize: '1',
      minQuantity: '1',
      minNotional: '1',
      maxQuantity: '1000000000',
      makerFeeBps: '0',
      takerFeeBps: '10',
    });
  });

  it('get_trades tells which trades were taken back or corrected', async () => {
    const { symbol } = await createPair(db, 'ADJ');
    await giveHolding({ accountId: seller.accountId, asset: 'adj', lots: [{ quantity: 10 }] });
    const agents = { sell: await agentOf(seller), buy: await agentOf(buyer) };
    for (const side of ['sell', 'sell', 'buy', 'buy'] as const)
      await agents[side].tool('place_order', { ...limit(side, '1', '7'), symbol });
    const trades = async () =>
      (await agents.buy.tool('get_trades', { symbol })).structured?.trades as { tradeId: string }[];
    const [second, first] = await trades();
    const operator = await signedIn(await createTrader(db, { owner: VENUE_OWNER, roles: ['operator'] }));
    const adjust = (trade: string | undefined, how: string, body: object) =>
      operator.post(`/v1/operator/trades/${trade}/${how}`, { reason: 'erroneous', ...body });
    await adjust(first?.tradeId, 'bust', {});
    await adjust(second?.tradeId, 'correction', { price: 6 });
    expect(await trades()).toMatchObject([
      { tradeId: second?.tradeId, price: '7', status: 'correction', correctedPrice: '6' },
      { tradeId: first?.tradeId, price: '7', status: 'bust', correctedPrice: null },
    ]);
  });

  it('do not pass accreditation', async () => {
    const order = { ...limit('buy', '1', '1'), symbol: 'PRV-USD' };
    expect((await (await agentOf(buyer)).tool('place_order', order)).error).toMatchObject({
      code: 'ACCREDITATION_REQUIRED',
    });
  });

  it('cancel an order of the account, if it stands on the symbol given', async () => {
    const agent = await agentOf(buyer);
    const { structured } = await agent.tool('place_order', limit('buy', '3', '1'));
    const orderId = structured?.orderId;
    const elsewhere = await agent.tool('cancel_order', { order_id: orderId, symbol: 'OTHER-USD' });
    expect(elsewhere.error).toMatchObject({ code: 'ORDER_NOT_FOUND' });
    const anothers = await (await agentOf(seller)).tool('cancel_order', { order_id: orderId, symbol: 'AGT-USD' });
    expect(anothers.error).toMatchObject({ code: 'ORDER_NOT_FOUND' });
    expect((await agent.tool('get_open_orders', { symbol: 'AGT-USD' })).structured).toMatchObject({
      orders: [{ orderId, status: 'open', quantity: '3', price: '1', remainingQuantity: '3', clientOrderId: null }],
    });
    expect((await agent.tool('cancel_order', { order_id: orderId, symbol: 'AGT-USD' })).structured).toEqual({
      orderId,
      symbol: 'AGT-USD',
      status: 'cancelled',
      quantity: '3',
      filledQuantity: '0',
      remainingQuantity: '0',
      cancelledAt: expect.any(Number),
    });
    const again = await agent.tool('cancel_order', { order_id: orderId, symbol: 'AGT-USD' });
    expect(again.error).toMatchObject({ code: 'ORDER_NOT_CANCELLABLE' });
  });

  it('place an order once, however often it is repeated with its client_order_id', async () => {
    const agent = await agentOf(buyer);
    const order = { ...limit('buy', '1', '2'), client_order_id: 'retry-1' };
    const answers = await Promise.all([1, 2, 3].map(() => agent.tool('place_order', order)));
    expect(new Set(answers.map(({ structured }) => structured?.orderId)).size).toBe(1);
    expect((await agent.tool('place_order', { ...order, quantity: '2' })).error).toMatchObject({
      code: 'IDEMPOTENCY_CONFLICT',
    });
  });

  it('preview an order: what it would fill and cost, and nothing is placed', async () => {
    const agent = await agentOf(buyer);
    const before = (await agent.tool('get_open_orders')).structured;
    const preview = await agent.tool('preview_order', limit('buy', '2', '30'));
    expect(preview.structured).toMatchObject({
      estimatedFilledQuantity: '2',
      estimatedAveragePrice: '25.5',
      estimatedFee: '0.06',
      estimatedTotal: '51.06',
      heldAsset: 'USD',
      held: '60.06',
    });
    expect((await agent.tool('get_open_orders')).structured).toEqual(before);
    expect((await agent.tool('preview_order', limit('buy', '2000000', '30'))).error).toMatchObject({
      code: 'INSUFFICIENT_BALANCE',
    });
  });

  it('mark market data as untrusted text, and only market data', async () => {
    const agent = await agentOf(buyer);
    for (const [name, parameters] of [
      ['get_quote', { symbol: 'AGT-USD' }],
      ['get_orderbook', { symbol: 'AGT-USD' }],
      ['get_trades', { symbol: 'AGT-USD' }],
      ['get_markets', {}],
    ] as const) {
      expect((await agent.tool(name, parameters)).texts[1], name).toContain('untrusted market data');
    }
    expect((await agent.tool('get_portfolio')).texts).toHaveLength(1);
  });
});

describe('the limits of the API key hold for its agent, enforced in the exchange', () => {
  const limited = async (key: Partial<ApiKey>) => {
    const holder = await createKeyHolder(db, { cash: 1_000_000_00 }, key);
    return agentOf(holder);
  };

  it.each<[string, Partial<ApiKey>, string]>([
    ['the largest order', { orderSizeLimits: { agt: 1 } }, 'order_size'],
    ['the position', { positionLimits: { agt: 1 } }, 'position'],
    ['the daily notional', { dailyNotionalMax: 3_00 }, 'daily_notional'],
    ['the symbols', { symbols: ['OTHER-USD'] }, 'symbols'],
  ])('%s', async (_, key, limitName) => {
    const agent = await limited(key);
    expect((await agent.tool('place_order', limit('buy', '2', '2'))).error).toMatchObject({
      code: 'RISK_LIMIT_EXCEEDED',
      details: { limit: limitName },
    });
  });

  it('the daily loss', async () => {
    const agent = await limited({ dailyLossMax: 1_00 });
    await agent.tool('place_order', limit('buy', '2', '30'));
    await agent.tool('get_portfolio');
    expect((await agent.tool('place_order', limit('sell', '2', '20'))).error).toMatchObject({
      code: 'RISK_LIMIT_EXCEEDED',
      details: { limit: 'daily_loss', available: 1 },
    });
  });

  it('the scopes', async () => {
    const agent = await limited({ scopes: ['read'] });
    expect((await agent.tool('place_order', limit('buy', '1', '1'))).error).toMatchObject({ code: 'FORBIDDEN' });
    expect((await agent.tool('get_portfolio')).error).toBeNull();
  });

  it('a key that may read alone reads market data, balances and open orders of its account', async () => {
    const holder = await createKeyHolder(db, { cash: 1_000_00 });
    const placing = await agentOf(holder);
    const placed = await placing.tool('place_order', limit('buy', '2', '1'));
    const { id } = await createTestKey(holder, { scopes: ['read'] });
    const reading = await agentOf(holder, { 'x-api-key': id });
    for (const name of ['get_quote', 'get_orderbook', 'get_trades'])
      expect((await reading.tool(name, { symbol: 'AGT-USD' })).structured).toMatchObject({ symbol: 'AGT-USD' });
    const { orders } = (await reading.tool('get_open_orders')).structured as { orders: unknown[] };
    expect(orders).toMatchObject([{ orderId: placed.structured?.orderId, quantity: '2', price: '1' }]);
    const portfolio = JSON.stringify((await reading.tool('get_portfolio')).structured);
    expect(portfolio).toContain('"USD"');
    expect(
      (await reading.tool('cancel_order', { order_id: placed.structured?.orderId, symbol: 'AGT-USD' })).error,
    ).toMatchObject({
      code: 'FORBIDDEN',
    });
  });

  it('the addresses', async () => {
    const agent = await limited({ ipAllowlist: ['192.0.2.0/24'] });
    const from = (address: string) => agent.tool('get_portfolio', {}, { 'cf-connecting-ip': address });
    expect((await from('198.51.100.7')).error).toMatchObject({ code: 'UNAUTHORIZED' });
    expect((await from('192.0.2.7')).error).toBeNull();
  });

  it('and 10 orders per second', async () => {
    const agent = await limited({ rateLimits: null });
    stopClock();
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => agent.tool('place_order', limit('buy', '1', '1'))),
    );
    expect(answers.filter(({ error }) => error?.code === 'RATE_LIMIT_EXCEEDED')).toHaveLength(2);
  });
});
