import { beforeAll, describe, expect, it, test } from 'vitest';
import type { Database } from '../../../../data/database.ts';
import { anyone, BookClient, createKey, createKeyHolder, type KeyHolder } from '../../fixtures/book-client.ts';
import { type BuyerAndSeller, createBuyerAndSeller } from '../../fixtures/buyer-and-seller.ts';
import { giveBalance } from '../../fixtures/give-balance.ts';
import { migrate } from '../../fixtures/migrate.ts';
import { passTimeAt } from '../../fixtures/pass-time.ts';

let db: Database;
let buyer: KeyHolder;
let seller: KeyHolder;
let freshPair: BuyerAndSeller['freshPair'];

beforeAll(async () => {
  db = await migrate();
  ({ buyer, seller, freshPair } = await createBuyerAndSeller(db, 'PB'));
});

const limit = (symbol: string, side: 'buy' | 'sell', size: number, price: number) => ({
  symbol,
  side,
  type: 'limit',
  size,
  price,
});

async function lastPrice(symbol: string, price: number): Promise<void> {
  await seller.client.post('/v1/orders', limit(symbol, 'sell', 1, price));
  const taken = await buyer.client.post('/v1/orders', limit(symbol, 'buy', 1, price));
  expect(taken.body).toMatchObject({ status: 'filled' });
}

async function statusOf(holder: KeyHolder, order: { readonly body: Record<string, unknown> }) {
  const found = await holder.client.get(`/v1/orders/${order.body.order_id}`);
  return found.body.status;
}

describe('POST /v1/orders', () => {
  it('answers with order_id, symbol, side, type, price, size, status open and created_at in milliseconds', async () => {
    const symbol = await freshPair();
    const before = Date.now();
    const answer = await buyer.client.post('/v1/orders', limit(symbol, 'buy', 10, 99.5));
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      order_id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/),
      client_order_id: null,
      symbol,
      side: 'buy',
      type: 'limit',
      time_in_force: 'GTC',
      price: 99.5,
      stop_price: null,
      size: 10,
      filled_size: 0,
      remaining_size: 10,
      average_price: null,
      status: 'open',
      reason: null,
      expires_at: null,
      is_indication: false,
      created_at: expect.any(Number),
      updated_at: expect.any(Number),
    });
    expect(answer.body.created_at).toBeGreaterThanOrEqual(before);
    expect(answer.body.created_at).toBeLessThanOrEqual(Date.now());
    expect((await buyer.client.get(`/v1/orders/${answer.body.order_id}`)).body).toEqual(answer.body);
  });

  it('answers the true state of an order that is filled at once, with filled_size and average_price', async () => {
    const symbol = await freshPair();
    await seller.client.post('/v1/orders', limit(symbol, 'sell', 4, 10));
    await seller.client.post('/v1/orders', limit(symbol, 'sell', 4, 10.5));
    const answer = await buyer.client.post('/v1/orders', limit(symbol, 'buy', 8, 11));
    expect(answer.body).toMatchObject({ status: 'filled', filled_size: 8, average_price: 10.25, price: 11 });
    expect((await buyer.client.get(`/v1/orders/${answer.body.order_id}`)).body).toEqual(answer.body);
  });

  it('leaves the unfilled rest of an order on the book as partially_filled', async () => {
    const symbol = await freshPair();
    await seller.client.post('/v1/orders', limit(symbol, 'sell', 4, 10));
    const answer = await buyer.client.post('/v1/orders', limit(symbol, 'buy', 10, 10));
    expect(answer.body).toMatchObject({ status: 'partially_filled', filled_size: 4 });
    const levels = await anyone().get(`/v1/orderbook/${symbol}`);
    expect(levels.body).toMatchObject({ bids: [{ price: 10, size: 6 }], asks: [] });
  });

  it('matches the best price first and, at a price, the earlier order', async () => {
    const symbol = await freshPair();
    const dear = await seller.client.post('/v1/orders', limit(symbol, 'sell', 1, 12));
    const first = await seller.client.post('/v1/orders', limit(symbol, 'sell', 1, 11));
    const second = await seller.client.post('/v1/orders', limit(symbol, 'sell', 1, 11));
    await buyer.client.post('/v1/orders', limit(symbol, 'buy', 1, 12));
    expect(await statusOf(seller, first)).toBe('filled');
    await buyer.client.post('/v1/orders', limit(symbol, 'buy', 1, 12));
    expect(await statusOf(seller, second)).toBe('filled');
    expect(await statusOf(seller, dear)).toBe('open');
  });
});

describe('order types', () => {
  it('market executes immediately at the best available price and cancels what cannot be filled', async () => {
    const symbol = await freshPair({ market: { referencePrice: 10_00 } });
    await seller.client.post('/v1/orders', limit(symbol, 'sell', 3, 10));
    const answer = await buyer.client.post('/v1/orders', { symbol, side: 'buy', type: 'market', size: 5 });
    expect(answer.body).toMatchObject({
      type: 'market',
      time_in_force: 'IOC',
      price: null,
      status: 'cancelled',
      filled_size: 3,
      average_price: 10,
    });
  });

  it.each([
    ['buy', 'market', {}],
    ['sell', 'market', {}],
    ['buy', 'take_profit', { stop_price: 0.01, size: 100 }],
    ['sell', 'stop_loss', { stop_price: 0.01, size: 100 }],
    ['sell', 'take_profit', { stop_price: 10 }],
  ])(
    'T-05: a %s order %s is refused on a pair without any reference price, and nothing moves',
    async (side, type, terms) => {
      const symbol = await freshPair();
      await (side === 'sell' ? buyer : seller).client.post(
        '/v1/orders',
        limit(symbol, side === 'sell' ? 'buy' : 'sell', 100, 0.01),
      );
      const holder = side === 'sell' ? seller : buyer;
      const order = { symbol, side, type, size: 1, ...terms };
      const expected = {
        status: 400,
        body: { error: { code: 'VALIDATION_ERROR', details: { reason: 'no_reference_price' } } },
      };
      expect(await holder.client.post('/v1/orders/preview', order)).toMatchObject(expected);
      expect(await holder.client.post('/v1/orders', order)).toMatchObject(expected);
      expect((await anyone().get(`/v1/ticker/${symbol}`)).body).toMatchObject({ last: null });
    },
  );

  it("T-05: one share at a hundred times the price changes nothing about others' market orders", async () => {
    const symbol = await freshPair({ market: { referencePrice: 10_00 } });
    await buyer.client.post('/v1/orders', limit(symbol, 'buy', 2, 9.9));
    await lastPrice(symbol, 1_000);
    const sold = await seller.client.post('/v1/orders', { symbol, side: 'sell', type: 'market', size: 2 });
    expect(sold.body).toMatchObject({ status: 'filled', average_price: 9.9 });
    await seller.client.post('/v1/orders', limit(symbol, 'sell', 2, 10.1));
    const bought = await buyer.client.post('/v1/orders', { symbol, side: 'buy', type: 'market', size: 2 });
    expect(bought.body).toMatchObject({ status: 'filled', average_price: 10.1 });
  });

  it('limit executes at the price or better and rests on the book', async () => {
    const symbol = await freshPair();
    await seller.client.post('/v1/orders', limit(symbol, 'sell', 1, 9));
    const answer = await buyer.client.post('/v1/orders', limit(symbol, 'buy', 2, 10));
    expect(answer.body).toMatchObject({ status: 'partially_filled', average_price: 9, price: 10 });
  });

  it.each([
    ['stop_loss', 'sell', 9, null],
    ['stop_loss_limit', 'sell', 9, 8],
    ['take_profit', 'sell', 11, null],
    ['take_profit_limit', 'sell', 11, 10],
    ['stop_loss', 'buy', 11, null],
    ['take_profit', 'buy', 9, null],
  ] as const)(
    '%s (%s) is held off-book as pending_trigger until the last price reaches %d',
    async (type, side, stopPrice, price) => {
      const symbol = await freshPair({ market: { referencePrice: 10_00 } });
      await lastPrice(symbol, 10);
      const holder = side === 'buy' ? buyer : seller;
      const stop = await holder.client.post('/v1/orders', {
        symbol,
        side,
        type,
        size: 2,
        stop_price: stopPrice,
        ...(price === null ? {} : { price }),
      });
      expect(stop).toMatchObject({
        status: 200,
        body: { type, status: 'pending_trigger', stop_price: stopPrice, price },
      });
      expect((await anyone().get(`/v1/orderbook/${symbol}`)).body).toMatchObject({ bids: [], asks: [] });

      await lastPrice(symbol, stopPrice);
      // Nothing is left to trade with: X-19, one without a limit rests, too, at its collar.
      expect(await statusOf(holder, stop)).toBe('open');
      const { body } = await holder.client.get(`/v1/orders/${stop.body.order_id}`);
      expect(body).toMatchObject({ price, stop_price: stopPrice, remaining_size: 2 });
      const collar = Math.round(stopPrice * (side === 'buy' ? 105 : 95)) / 100;
      const level = { price: price ?? collar, size: 2 };
      expect((await anyone().get(`/v1/orderbook/${symbol}`)).body).toMatchObject(
        side === 'buy' ? { bids: [level], asks: [] } : { bids: [], asks: [level] },
      );
      await holder.client.delete(`/v1/orders/${stop.body.order_id}`);
    },
  );

  it('a triggered stop_loss sells at market within the same cycle', async () => {
    const symbol = await freshPair({ market: { referencePrice: 10_00 } });
    await lastPrice(symbol, 10);
    const stop = await seller.client.post('/v1/orders', {
      symbol,
      side: 'sell',
      type: 'stop_loss',
      size: 2,
      stop_price: 10,
    });
    // nobody buys, so that it stands at its collar.
    expect(stop.body).toMatchObject({ status: 'open' });
    expect((await anyone().get(`/v1/orderbook/${symbol}`)).body).toMatchObject({ asks: [{ price: 9.5, size: 2 }] });
    await seller.client.delete(`/v1/orders/${stop.body.order_id}`);
    const waiting = await seller.client.post('/v1/orders', {
      symbol,
      side: 'sell',
      type: 'stop_loss',
      size: 2,
      stop_price: 9.8,
    });
    await buyer.client.post('/v1/orders', limit(symbol, 'buy', 5, 9.8));
    await seller.client.post('/v1/orders', limit(symbol, 'sell', 1, 9.8));
    expect((await seller.client.get(`/v1/orders/${waiting.body.order_id}`)).body).toMatchObject({
      status: 'filled',
      filled_size: 2,
      average_price: 9.8,
    });
  });

  it.each([
    ['take_profit', {}],
    ['take_profit_limit', { price: 10.1 }],
  ] as const)(
    'a triggered %s sells once the last price has reached its target, and not before',
    async (type, terms) => {
      const symbol = await freshPair({ market: { referencePrice: 10_00 } });
      await lastPrice(symbol, 10);
      const order = { symbol, side: 'sell', type, size: 2, stop_price: 10.2, ...terms };
      const waiting = await seller.client.post('/v1/orders', order);
      await buyer.client.post('/v1/orders', limit(symbol, 'buy', 2, 10.15));
      expect(await statusOf(seller, waiting)).toBe('pending_trigger');
      await buyer.client.post('/v1/orders', limit(symbol, 'buy', 1, 10.2));
      await seller.client.post('/v1/orders', limit(symbol, 'sell', 1, 10.2));
      expect((await seller.client.get(`/v1/orders/${waiting.body.order_id}`)).body).toMatchObject({
        status: 'filled',
        filled_size: 2,
        average_price: 10.15,
      });
    },
  );

  it('limit_maker is rejected with POST_ONLY_WOULD_TAKE if it would match immediately', async () => {
    const symbol = await freshPair();
    await seller.client.post('/v1/orders', limit(symbol, 'sell', 1, 10));
    const taking = await buyer.client.post('/v1/orders', { ...limit(symbol, 'buy', 1, 10), type: 'limit_maker' });
    expect(taking).toMatchObject({ status: 400, body: { error: { code: 'POST_ONLY_WOULD_TAKE' } } });
    const resting = await buyer.client.post('/v1/orders', { ...limit(symbol, 'buy', 1, 9.99), type: 'limit_maker' });
    expect(resting).toMatchObject({ status: 200, body: { status: 'open', type: 'limit_maker' } });
  });
});

const TIMES_IN_FORCE = ['GTC', 'IOC', 'FOK', 'GTD', 'POST_ONLY'];
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  market: ['IOC'],
  limit: TIMES_IN_FORCE,
  stop_loss: ['GTC'],
  stop_loss_limit: ['GTC'],
  take_profit: ['GTC'],
  take_profit_limit: ['GTC'],
  limit_maker: ['GTC'],
};

describe('allowed time_in_force', () => {
  test.each(Object.entries(ALLOWED))('%s takes %j and nothing else', async (type, allowed) => {
    const symbol = await freshPair({ market: { referencePrice: 10_00 } });
    for (const timeInForce of TIMES_IN_FORCE) {
      const answer = await buyer.client.post('/v1/orders', {
        symbol,
        side: 'buy',
        type,
        size: 1,
        time_in_force: timeInForce,
        ...(/limit/.test(type) ? { price: 9 } : {}),
        ...(/stop|profit/.test(type) ? { stop_price: 9 } : {}),
        ...(timeInForce === 'GTD' ? { expires_at: Date.now() + 60_000 } : {}),
      });
      const code = (answer.body.error as { code: string } | undefined)?.code;
      if (!allowed.includes(timeInForce))
        expect([timeInForce, answer.status, code]).toEqual([timeInForce, 400, 'INVALID_ORDER_TYPE']);
      else if (timeInForce === 'FOK') expect([answer.status, code]).toEqual([400, 'FOK_NOT_FILLABLE']);
      else expect([timeInForce, answer.status]).toEqual([timeInForce, 200]);
    }
  });

  it.each([
    ['an order type', { type: 'trailing_stop' }],
    ['a time in force', { time_in_force: 'DAY' }],
  ])('refuses %s that is not tabled as INVALID_ORDER_TYPE', async (_, terms) => {
    const symbol = await freshPair();
    const answer = await buyer.client.post('/v1/orders', { ...limit(symbol, 'buy', 1, 1), ...terms });
    expect(answer).toMatchObject({ status: 400, body: { error: { code: 'INVALID_ORDER_TYPE' } } });
  });
});

describe('time in force', () => {
  it('GTC stays on the book until filled or cancelled', async () => {
    const symbol = await freshPair();
    const order = await buyer.client.post('/v1/orders', { ...limit(symbol, 'buy', 2, 10), time_in_force: 'GTC' });
    await seller.client.post('/v1/orders', limit(symbol, 'sell', 1, 10));
    expect(await statusOf(buyer, order)).toBe('partially_filled');
    await seller.client.post('/v1/orders', limit(symbol, 'sell', 1, 10));
    expect(await statusOf(buyer, order)).toBe('filled');
  });

  it('IOC fills what is available and cancels the rest', async () => {
    const symbol = await freshPair();
    await seller.client.post('/v1/orders', limit(symbol, 'sell', 3, 10));
    const order = await buyer.client.post('/v1/orders', { ...limit(symbol, 'buy', 5, 10), time_in_force: 'IOC' });
    expect(order.body).toMatchObject({ status: 'cancelled', filled_size: 3, size: 5 });
    expect((await anyone().get(`/v1/orderbook/${symbol}`)).body).toMatchObject({ bids: [], asks: [] });
  });

  it('FOK fills the entire order or rejects it completely', async () => {
    const symbol = await freshPair();
    await seller.client.post('/v1/orders', limit(symbol, 'sell', 3, 10));
    const refused = await buyer.client.post('/v1/orders', { ...limit(symbol, 'buy', 5, 10), time_in_force: 'FOK' });
    expect(refused).toMatchObject({
      status: 400,
      body: { error: { code: 'FOK_NOT_FILLABLE', details: { order_id: expect.any(String) } } },
    });
    const { details } = refused.body.error as { details: { order_id: string } };
    expect((await buyer.client.get(`/v1/orders/${details.order_id}`)).body).toMatchObject({
      status: 'rejected',
      reason: 'FOK_NOT_FILLABLE',
      filled_size: 0,
    });
    const filled = await buyer.client.post('/v1/orders', { ...limit(symbol, 'buy', 3, 10), time_in_force: 'FOK' });
    expect(filled.body).toMatchObject({ status: 'filled', filled_size: 3 });
  });

  it('GTD expires at the given timestamp', async () => {
    const symbol = await freshPair();
    const expiresAt = Date.now() + 60_000;
    const order = await buyer.client.post('/v1/orders', {
      ...limit(symbol, 'buy', 1, 10),
      time_in_force: 'GTD',
      expires_at: expiresAt,
    });
    expect(order.body).toMatchObject({ status: 'open', expires_at: expiresAt });
    await passTimeAt(symbol, 60_000);
    await expect.poll(() => statusOf(buyer, order)).toBe('expired');
    expect((await anyone().get(`/v1/orderbook/${symbol}`)).body).toMatchObject({ bids: [] });
  });

  it('GTD without a timestamp, or with one in the past, is refused', async () => {
    const symbol = await freshPair();
    for (const expiry of [{}, { expires_at: Date.now() - 1 }]) {
      const answer = await buyer.client.post('/v1/orders', {
        ...limit(symbol, 'buy', 1, 10),
        time_in_force: 'GTD',
        ...expiry,
      });
      expect(answer).toMatchObject({ status: 400, body: { error: { code: 'VALIDATION_ERROR' } } });
    }
  });

  it('POST_ONLY is rejected if it would take', async () => {
    const symbol = await freshPair();
    await seller.client.post('/v1/orders', limit(symbol, 'sell', 3, 10));
    const taking = await buyer.client.post('/v1/orders', {
      ...limit(symbol, 'buy', 1, 10),
      time_in_force: 'POST_ONLY',
    });
    expect(taking).toMatchObject({ status: 400, body: { error: { code: 'POST_ONLY_WOULD_TAKE' } } });
    const resting = await buyer.client.post('/v1/orders', {
      ...limit(symbol, 'buy', 1, 9),
      time_in_force: 'POST_ONLY',
    });
    expect(resting.body).toMatchObject({ status: 'open' });
  });
});

describe('self-trade prevention', () => {
  it.each([
    [undefined, 'cancelled', 'open'],
    ['cancel_newest', 'cancelled', 'open'],
    ['cancel_oldest', 'open', 'cancelled'],
    ['cancel_both', 'cancelled', 'cancelled'],
    ['decrement', 'cancelled', 'cancelled'],
  ])('%s leaves the taker %s and the resting order %s', async (mode, taker, maker) => {
    const symbol = await freshPair();
    const resting = await seller.client.post('/v1/orders', limit(symbol, 'sell', 5, 10));
    await giveBalance({ accountId: seller.accountId, asset: 'usd', amount: 1_000_00 });
    const order = await seller.client.post('/v1/orders', {
      ...limit(symbol, 'buy', 5, 10),
      ...(mode === undefined ? {} : { self_trade_prevention: mode }),
    });
    expect(order.body).toMatchObject({ status: taker, filled_size: 0 });
    expect(await statusOf(seller, resting)).toBe(maker);
  });
});

describe('what an order is refused for', () => {
  it('INVALID_SYMBOL, an unsupported trading pair', async () => {
    const answer = await buyer.client.post('/v1/orders', limit('NOPE-USD', 'buy', 1, 1));
    expect(answer).toMatchObject({
      status: 400,
      body: { error: { code: 'INVALID_SYMBOL', message: expect.any(String), details: { symbol: 'NOPE-USD' } } },
    });
  });

  it('INSUFFICIENT_BALANCE, with what is required and available of which asset, named as balances name it', async () => {
    const symbol = await freshPair();
    const poor = await createKeyHolder(db, { cash: 5_00 });
    const answer = await poor.client.post('/v1/orders', limit(symbol, 'buy', 1, 5.01));
    expect(answer).toMatchObject({
      status: 400,
      body: {
        error: {
          code: 'INSUFFICIENT_BALANCE',
          details: { asset: 'USD', required: 5.01, available: 5, order_id: expect.any(String) },
        },
      },
    });
    expect((await poor.client.post('/v1/orders', limit(symbol, 'buy', 1, 5))).status).toBe(200);
    const sale = await poor.client.post('/v1/orders', limit(symbol, 'sell', 1, 5));
    expect(sale).toMatchObject({
      body: {
        error: { code: 'INSUFFICIENT_BALANCE', details: { asset: symbol.split('-')[0], required: 1, available: 0 } },
      },
    });
  });

  it('UNAUTHORIZED, without a key or with a wrong secret', async () => {
    const symbol = await freshPair();
    const guess = new BookClient({ 'x-api-key': buyer.keyId, 'x-api-secret': 'not-the-secret-of-this-key' });
    for (const client of [anyone(), guess]) {
      expect(await client.post('/v1/orders', limit(symbol, 'buy', 1, 1))).toMatchObject({
        status: 401,
        body: { error: { code: 'UNAUTHORIZED' } },
      });
    }
  });

  it('FORBIDDEN, with a key that may only read', async () => {
    const symbol = await freshPair();
    const reader = await createKey(db, buyer, { scopes: ['read'] });
    expect(await reader.client.post('/v1/orders', limit(symbol, 'buy', 1, 1))).toMatchObject({
      status: 403,
      body: { error: { code: 'FORBIDDEN' } },
    });
    expect((await reader.client.get('/v1/orders')).status).toBe(200);
  });

  it('FORBIDDEN, while identity verification is not completed', async () => {
    const symbol = await freshPair();
    const unverified = await createKeyHolder(db, { cash: 100_00, kycStatus: 'pending' });
    expect(await unverified.client.post('/v1/orders', limit(symbol, 'buy', 1, 1))).toMatchObject({
      status: 403,
      body: { error: { code: 'FORBIDDEN' } },
    });
  });

  it('ACCREDITATION_REQUIRED, for an asset that the buyer is not accredited for', async () => {
    const symbol = await freshPair({ asset: { accreditationType: '506c', regulation: 'reg_d_506c' } });
    expect(await buyer.client.post('/v1/orders', limit(symbol, 'buy', 1, 1))).toMatchObject({
      status: 400,
      body: { error: { code: 'ACCREDITATION_REQUIRED' } },
    });
  });

  it('RISK_LIMIT_EXCEEDED, beyond the position limit of the key', async () => {
    const symbol = await freshPair();
    const asset = symbol.split('-')[0]!.toLowerCase();
    const narrow = await createKey(db, buyer, { positionLimits: { [asset]: 3 } });
    expect((await narrow.client.post('/v1/orders', limit(symbol, 'buy', 3, 1))).status).toBe(200);
    expect(await narrow.client.post('/v1/orders', limit(symbol, 'buy', 1, 1))).toMatchObject({
      status: 403,
      body: { error: { code: 'RISK_LIMIT_EXCEEDED' } },
    });
  });

  it.each([
    ['a price off the tick', { price: 10.03 }],
    ['a price with more decimals than the pair has', { price: 10.001 }],
    ['a size off the lot', { size: 15 }],
    ['a size below the minimum', { size: 10 }],
    ['a size above the maximum', { size: 1_010 }],
    ['a price below the band', { price: 8.95 }],
    ['a price above the band', { price: 11.05 }],
    ['a limit order without a price', { price: null }],
    ['a stop price on a limit order', { stop_price: 9 }],
    ['a field that is not tabled', { limitPrice: 9 }],
    ['a size that is no number', { size: '20' }],
    ['an unknown side', { side: 'short' }],
  ])('VALIDATION_ERROR, %s', async (_, terms) => {
    const symbol = await freshPair({
      market: { tickSize: 5, lotSize: 10, quantityMin: 20, quantityMax: 1_000, bandBps: 1_000, referencePrice: 10_00 },
    });
    expect((await buyer.client.post('/v1/orders', limit(symbol, 'buy', 20, 10.05))).status).toBe(200);
    const answer = await buyer.client.post('/v1/orders', { ...limit(symbol, 'buy', 20, 10.05), ...terms });
    expect(answer).toMatchObject({
      status: 400,
      body: { error: { code: 'VALIDATION_ERROR', details: expect.any(Object) } },
    });
  });

  it('tells ticks, lots and bounds in the units of the pair and the words of the profile', async () => {
    const symbol = await freshPair({ market: { tickSize: 5, lotSize: 10, quantityMin: 20, quantityMax: 1_000 } });
    const details = async (terms: object) => {
      const { body } = await buyer.client.post('/v1/orders', { ...limit(symbol, 'buy', 20, 10), ...terms });
      return (body.error as { details: object }).details;
    };
    expect(await details({ price: 10.03 })).toMatchObject({ field: 'price', tick_size: 0.05 });
    expect(await details({ size: 25 })).toMatchObject({ field: 'size', lot_size: 10 });
    expect(await details({ size: 10 })).toMatchObject({ size_min: 20 });
    expect(await details({ size: 1_010 })).toMatchObject({ size_max: 1_000 });
  });
});

describe('client_order_id', () => {
  it('is unique per account: a duplicate is 409 CONFLICT with the existing order_id', async () => {
    const symbol = await freshPair();
    const order = { ...limit(symbol, 'buy', 1, 10), client_order_id: 'mine-1' };
    const first = await buyer.client.post('/v1/orders', order);
    expect(first.body).toMatchObject({ client_order_id: 'mine-1', status: 'open' });
    const second = await buyer.client.post('/v1/orders', order);
    expect(second).toMatchObject({
      status: 409,
      body: { error: { code: 'CONFLICT', details: { existing_order_id: first.body.order_id } } },
    });
    const other = await createKeyHolder(db, { cash: 100_00 });
    expect((await other.client.post('/v1/orders', order)).status).toBe(200);
  });
});

describe('Idempotency-Key', () => {
  it('gives the first answer again and places one order', async () => {
    const symbol = await freshPair();
    const order = limit(symbol, 'buy', 7, 10);
    const key = { 'idempotency-key': crypto.randomUUID() };
    const first = await buyer.client.post('/v1/orders', order, key);
    const again = await buyer.client.post('/v1/orders', order, key);
    expect(again).toMatchObject({ status: 200, body: first.body });
    expect((await anyone().get(`/v1/orderbook/${symbol}`)).body).toMatchObject({ bids: [{ price: 10, size: 7 }] });
  });

  it('with another body is 422 IDEMPOTENCY_CONFLICT', async () => {
    const symbol = await freshPair();
    const key = { 'idempotency-key': crypto.randomUUID() };
    await buyer.client.post('/v1/orders', limit(symbol, 'buy', 7, 10), key);
    expect(await buyer.client.post('/v1/orders', limit(symbol, 'buy', 8, 10), key)).toMatchObject({
      status: 422,
      body: { error: { code: 'IDEMPOTENCY_CONFLICT' } },
    });
  });
});
