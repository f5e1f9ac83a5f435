import { type Dict, Exchange, errors, functions, type Market } from 'ccxt';
import { describe, expect, it } from 'vitest';
import { CLASS_OF_CODE } from '../../clients/ccxt/error-classes.ts';
import { uuidAt } from '../../clients/ccxt/uuid-at.ts';
import type { Socket } from '../../clients/sdk/feeds/feed-connection.ts';
import { signature } from '../../clients/sdk/wire/sign.ts';
import { bookChecksum, type WireLevel } from '../../protocol/feeds/checksum.ts';
import { driver, lastOf, MARKET, NOW, ORDER, refusal } from './played-ccxt.ts';

/** Types of ccxt's manual: what every structure has, whatever the exchange. */
function expectFields(of: unknown, fields: Readonly<Record<string, 'string' | 'number' | 'boolean' | 'object'>>) {
  for (const [name, type] of Object.entries(fields)) {
    expect(of, name).toHaveProperty(name);
    const value = (of as Dict)[name];
    if (value !== undefined) expect(typeof value, name).toBe(type);
  }
}

describe('what the driver says that it has', () => {
  it('it has: every method is its own, and every call of its table is of profile book', () => {
    const { exchange } = driver();
    const has = exchange.has as Record<string, unknown>;
    const promised = Object.keys(has).filter(
      (name) => has[name] === true && /^(fetch|watch|unWatch|create|cancel|edit)/.test(name),
    );
    expect(promised.length).toBeGreaterThan(30);
    // ccxt makes these of createOrder and fetchOrderBook.
    const isMade = (name: string) =>
      /^fetchL2OrderBook$|^create(Limit|Market|PostOnly|Stop|StopLimit|StopMarket|Trigger)Order$/.test(name);
    const base = Exchange.prototype as unknown as Dict;
    const unkept = promised.filter((name) => !isMade(name) && (exchange as unknown as Dict)[name] === base[name]);
    expect(unkept).toEqual([]);
    expect([exchange.id, exchange.precisionMode, exchange.requiredCredentials.secret]).toEqual([
      'edgeexchange',
      functions.TICK_SIZE,
      true,
    ]);
  });
});

describe('markets and currencies', () => {
  it('have tick sizes as precision, limits, fees as fractions, and the unified symbol', async () => {
    const { exchange } = driver();
    await exchange.loadMarkets();
    expect(exchange.market('ACME/USD')).toMatchObject({
      id: 'ACME-USD',
      symbol: 'ACME/USD',
      base: 'ACME',
      quote: 'USD',
      baseId: 'ACME',
      quoteId: 'USD',
      type: 'spot',
      spot: true,
      active: true,
      contract: false,
      maker: 0.0005,
      taker: 0.0012,
      precision: { amount: 1, price: 0.01 },
      limits: { amount: { min: 1, max: 1_000 }, price: { min: 0.01 }, cost: { min: 1 } },
      info: MARKET,
    });
    expect(exchange.currencies.USD).toMatchObject({ id: 'USD', code: 'USD', type: 'fiat', precision: 0.01 });
    expect(exchange.currencies.ACME).toMatchObject({ type: 'other', precision: 1, name: 'Acme Robotics' });
    expect([exchange.amountToPrecision('ACME/USD', 3.9), exchange.priceToPrecision('ACME/USD', 20.129)]).toEqual([
      '3',
      '20.13',
    ]);
  });

  it('are not active while halted', () => {
    expect(driver().exchange.parseMarket({ ...MARKET, status: 'halted' })?.active).toBe(false);
  });
});

describe('unified structures', () => {
  const { exchange } = driver();
  const market = exchange.parseMarket(MARKET) as Market;
  exchange.setMarkets([market as never]);

  it('an order', () => {
    const order = exchange.parseOrder(ORDER, market);
    expectFields(order, {
      id: 'string',
      clientOrderId: 'string',
      timestamp: 'number',
      datetime: 'string',
      lastUpdateTimestamp: 'number',
      symbol: 'string',
      type: 'string',
      side: 'string',
      price: 'number',
      average: 'number',
      amount: 'number',
      filled: 'number',
      remaining: 'number',
      cost: 'number',
      status: 'string',
      timeInForce: 'string',
      postOnly: 'boolean',
      trades: 'object',
      info: 'object',
    });
    expect(order).toMatchObject({
      symbol: 'ACME/USD',
      status: 'open',
      cost: 80.2,
      filled: 4,
      remaining: 6,
      info: ORDER,
    });
    expect(order.datetime).toBe(new Date(NOW).toISOString());
    const statuses = ['open', 'pending_trigger', 'filled', 'cancelled', 'expired', 'rejected'];
    expect(statuses.map((status) => exchange.parseOrder({ ...ORDER, status }, market).status)).toEqual([
      'open',
      'open',
      'closed',
      'canceled',
      'expired',
      'rejected',
    ]);
    const stop = exchange.parseOrder({ ...ORDER, type: 'stop_loss_limit', stop_price: 19 }, market);
    expect(stop).toMatchObject({ type: 'limit', triggerPrice: 19, stopLossPrice: 19, takeProfitPrice: undefined });
    const ofFeed = { ...ORDER, type: 'order', order_type: 'market', time_in_force: 'IOC' };
    expect(exchange.parseOrder(ofFeed, market)).toMatchObject({ type: 'market', timeInForce: 'IOC' });
    expect(exchange.parseOrder({ ...ORDER, time_in_force: 'POST_ONLY' }, market)).toMatchObject({
      timeInForce: 'PO',
      postOnly: true,
    });
  });

  it('a trade, and a fill with its fee', () => {
    const fill = {
      trade_id: 't',
      order_id: 'o',
      symbol: 'ACME-USD',
      side: 'sell',
      price: 20,
      size: 3,
      fee: 0.07,
      liquidity: 'maker',
      timestamp: NOW,
    };
    expect(exchange.parseTrade(fill, market)).toMatchObject({
      id: 't',
      order: 'o',
      symbol: 'ACME/USD',
      side: 'sell',
      takerOrMaker: 'maker',
      price: 20,
      amount: 3,
      cost: 60,
      fee: { cost: 0.07, currency: 'USD' },
      timestamp: NOW,
    });
    const corrected = exchange.parseTrade({ ...fill, corrected_price: 19.5, corrected_fee: 0.05 }, market);
    expect([corrected.price, corrected.fee?.cost]).toEqual([19.5, 0.05]);
  });

  it('a ticker, a candle, balances and fees', () => {
    const ticker = exchange.parseTicker(
      {
        symbol: 'ACME-USD',
        bid: 19,
        ask: 21,
        last: 20,
        volume24h: 5,
        quote_volume24h: 100,
        change24h: 2,
        change_percent24h: 11.11,
        high24h: 22,
        low24h: 18,
        timestamp: NOW,
      },
      market,
    );
    expect(ticker).toMatchObject({
      symbol: 'ACME/USD',
      bid: 19,
      ask: 21,
      last: 20,
      close: 20,
      open: 18,
      high: 22,
      low: 18,
      baseVolume: 5,
      quoteVolume: 100,
      vwap: 20,
      timestamp: NOW,
    });
    const candle = { timestamp: NOW, open: 1, high: 4, low: 0.5, close: 2, volume: 7, quote_volume: 14, trades: 3 };
    expect(exchange.parseOHLCV(candle)).toEqual([NOW, 1, 4, 0.5, 2, 7]);
    const balances = exchange.parseBalance({ balances: [{ asset: 'USD', free: 10.5, locked: 2 }] });
    expect([balances.USD, balances.free, balances.total]).toEqual([
      { free: 10.5, used: 2, total: 12.5 },
      { USD: 10.5 },
      { USD: 12.5 },
    ]);
    const fee = { symbol: 'ACME-USD', maker_fee_bps: 5, taker_fee_bps: 12, currency: 'USD' };
    expect(exchange.parseTradingFee(fee)).toMatchObject({
      symbol: 'ACME/USD',
      maker: 0.0005,
      taker: 0.0012,
      percentage: true,
    });
  });

  it('a ledger entry and a transaction', () => {
    const entry = exchange.parseLedgerEntry({
      timestamp: NOW,
      kind: 'fee',
      reference: 't',
      asset: 'USD',
      amount: -0.2,
    });
    expect(entry).toMatchObject({
      direction: 'out',
      amount: 0.2,
      currency: 'USD',
      type: 'fee',
      referenceId: 't',
      status: 'ok',
    });
    const transfer = {
      transfer_id: 'x',
      type: 'deposit',
      asset: 'USD',
      amount: 100,
      status: 'completed',
      timestamp: NOW,
    };
    expect(exchange.parseTransaction(transfer)).toMatchObject({
      id: 'x',
      type: 'deposit',
      amount: 100,
      currency: 'USD',
      status: 'ok',
      timestamp: NOW,
    });
  });
});

describe('calls', () => {
  it('are signed as the exchange checks them, never twice at the same moment', async () => {
    const { exchange, sent } = driver({ 'GET /v1/orders': { orders: [ORDER] } });
    await exchange.loadMarkets();
    await Promise.all([exchange.fetchOrders('ACME/USD', undefined, 2), exchange.fetchOrders('ACME/USD', undefined, 2)]);
    const signed = sent.slice(-2);
    expect(new Set(signed.map(({ headers }) => headers['x-api-timestamp'])).size).toBe(2);
    for (const { method, path, headers } of signed) {
      const expected = await signature('s', Number(headers['x-api-timestamp']), method, `/book${path}`, '');
      expect(headers).toMatchObject({ 'x-api-key': 'k', 'x-api-signature': expected });
    }
    expect(lastOf(sent).path).toBe('/v1/orders?limit=2&status=all&symbol=ACME-USD');
    expect(
      sent
        .filter(({ path }) => path.startsWith('/v1/markets'))
        .every(({ headers }) => headers['x-api-key'] === undefined),
    ).toBe(true);
  });

  it.each([
    ['limit', 'buy', 3.9, 20.129, {}, '"type":"limit","size":3,"price":20.12,'],
    ['limit', 'sell', 3.9, 20.121, {}, '"type":"limit","size":3,"price":20.13,'],
    ['limit', 'sell', 3.9, 20.1, {}, '"type":"limit","size":3,"price":20.1,'],
    ['market', 'sell', 2, undefined, {}, '"type":"market","size":2,'],
    ['limit', 'buy', 1, 20, { postOnly: true }, '"time_in_force":"POST_ONLY"'],
    ['limit', 'buy', 1, 20, { timeInForce: 'FOK' }, '"time_in_force":"FOK"'],
    ['limit', 'sell', 1, 18, { stopLossPrice: 19 }, '"type":"stop_loss_limit","size":1,"price":18,"stop_price":19,'],
    ['market', 'sell', 1, undefined, { takeProfitPrice: 30 }, '"type":"take_profit","size":1,"stop_price":30,'],
  ])('place a %s order to %s with numbers digit by digit', async (type, side, amount, price, params, terms) => {
    const { exchange, sent } = driver({ 'POST /v1/orders': ORDER });
    const order = await exchange.createOrder('ACME/USD', type as never, side as never, amount, price, {
      clientOrderId: 'mine',
      ...params,
    });
    expect([order.id, order.clientOrderId]).toEqual(['o-1', 'c-1']);
    expect(lastOf(sent).body).toContain(terms);
    expect(lastOf(sent).body).toContain('"client_order_id":"mine"');
    expect(lastOf(sent).body).not.toContain('idempotency');
    expect(lastOf(sent).headers['idempotency-key']).toBe('mine');
    expect(lastOf(sent).headers['x-api-signature']).toBe(
      await signature(
        's',
        Number(lastOf(sent).headers['x-api-timestamp']),
        'POST',
        '/book/v1/orders',
        lastOf(sent).body,
      ),
    );
  });

  it('name the order by its client order id where that is given, as one part of the path', async () => {
    const { exchange, sent } = driver({ 'DELETE /v1/orders/client/': ORDER, 'GET /v1/orders/client/': ORDER });
    await exchange.fetchOrder('', 'ACME/USD', { clientOrderId: 'a/b' });
    await exchange.cancelOrder('', 'ACME/USD', { clientOrderId: 'a/b' });
    expect(sent.slice(-2).map(({ method, path }) => `${method} ${path}`)).toEqual([
      'GET /v1/orders/client/a%2Fb',
      'DELETE /v1/orders/client/a%2Fb',
    ]);
  });

  it.each([
    ['PRIME:BTC-USD', 'PRIME:BTC/USD'],
    ['AAPL-USD', 'AAPL/USD'],
    ['ACME.IOI-USD', 'ACME.IOI/USD'],
    ['BRK-B-USD', 'BRK-B-USD'],
  ])(
    'D-01: those of a market that is not listed, %s, are read and cancelled by the symbol that they have here',
    async (id, symbol) => {
      const order = { ...ORDER, symbol: id };
      const { exchange, sent } = driver({
        'GET /v1/orders?': { orders: [order] },
        'GET /v1/orders/': order,
        'GET /v1/fills': { fills: [] },
        'DELETE /v1/orders?': { order_ids: ['o-1'] },
        'DELETE /v1/orders/': { ...order, status: 'cancelled' },
      });
      const asked = async (call: Promise<unknown>) => {
        await call;
        return `${lastOf(sent).method} ${lastOf(sent).path}`;
      };
      const named = `symbol=${encodeURIComponent(id)}`;
      const [listed] = await exchange.fetchOpenOrders();
      expect(listed?.symbol).toBe(symbol);
      expect(await exchange.fetchOpenOrders(symbol)).toMatchObject([{ id: 'o-1', symbol }]);
      expect(lastOf(sent).path).toContain(named);
      expect(await exchange.cancelOrder('o-1', symbol)).toMatchObject({ symbol, status: 'canceled' });
      expect(await exchange.cancelAllOrders(symbol)).toMatchObject([{ id: 'o-1', symbol }]);
      expect(`${lastOf(sent).method} ${lastOf(sent).path}`).toBe(`DELETE /v1/orders?${named}`);
      expect(await asked(exchange.fetchOrder('o-1', symbol))).toBe('GET /v1/orders/o-1');
      expect(await asked(exchange.fetchMyTrades(symbol))).toContain(named);
      await expect(exchange.createOrder(symbol, 'limit', 'buy', 1, 20)).rejects.toThrow(errors.BadSymbol);
    },
  );

  it('refuse terms that are none before anything is sent', async () => {
    const { exchange, sent } = driver();
    await exchange.loadMarkets();
    const before = sent.length;
    const place =
      (type: string, price?: number, params: Dict = {}) =>
      () =>
        exchange.createOrder('ACME/USD', type as never, 'buy', 1, price, params);
    await expect(place('limit')).rejects.toThrow(errors.ArgumentsRequired);
    await expect(place('iceberg', 20)).rejects.toThrow(errors.InvalidOrder);
    await expect(place('market', undefined, { postOnly: true })).rejects.toThrow(errors.InvalidOrder);
    await expect(place('limit', 20, { stopLossPrice: 1, takeProfitPrice: 2 })).rejects.toThrow(errors.InvalidOrder);
    expect(sent.length).toBe(before);
  });

  it('never ask for a worse price by rounding, when an order is changed, too', async () => {
    const { exchange, sent } = driver({ 'PATCH /v1/orders/': ORDER });
    await exchange.editOrder('o-1', 'ACME/USD', 'limit', 'buy', undefined, 20.129);
    await exchange.editOrder('o-1', 'ACME/USD', 'limit', 'sell', undefined, 20.121);
    expect(sent.slice(-2).map(({ body }) => body)).toEqual(['{"price":20.12}', '{"price":20.13}']);
    const cheap = exchange.createOrder('ACME/USD', 'limit', 'buy', 1, 0.004);
    await expect(cheap).rejects.toThrow(errors.InvalidOrder);
  });

  it('name the order in the error where its outcome is unknown', async () => {
    const { exchange, sent } = driver({ 'POST /v1/orders': refusal(503, 'SERVICE_UNAVAILABLE') });
    const error: unknown = await exchange.createOrder('ACME/USD', 'limit', 'buy', 1, 20).catch((thrown) => thrown);
    const { clientOrderId } = error as { clientOrderId: string };
    expect(lastOf(sent).headers['idempotency-key']).toBe(clientOrderId);
    expect(String(error)).toContain(clientOrderId);
  });

  it('weigh what they draw: a batch by its orders, a public call by what an address may', () => {
    const { exchange } = driver();
    const orders = Array.from({ length: 20 }, () => ({}));
    expect(exchange.calculateRateLimiterCost('private', 'POST', 'v1/orders/batch', { orders }, { cost: 1 })).toBe(10);
    expect(exchange.calculateRateLimiterCost('private', 'POST', 'v1/orders', {}, { cost: 1 })).toBe(1);
    const publicCosts = Object.values((exchange.api as Dict).public.get as Record<string, number>);
    expect(publicCosts.every((cost) => cost === 3)).toBe(true);
  });
});

describe('errors', () => {
  it.each(Object.entries(CLASS_OF_CODE))('%s is thrown as its class', async (code, Class) => {
    const { exchange } = driver({ 'GET /v1/time': refusal(code === 'RATE_LIMIT_EXCEEDED' ? 429 : 400, code) });
    const error: unknown = await exchange.fetchTime().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(Class);
    expect((error as Error).constructor).toBe(Class);
    expect(String(error)).toContain(code);
  });

  it('say of a clock that is wrong that the time is, and not the key', async () => {
    const { exchange } = driver({ 'GET /v1/fills': refusal(401, 'UNAUTHORIZED', { reason: 'timestamp_stale' }) });
    await expect(exchange.fetchMyTrades()).rejects.toThrow(errors.InvalidNonce);
  });

  it('say that it may be repeated where the first try has not ended', async () => {
    const { exchange } = driver({ 'POST /v1/orders': refusal(409, 'CONFLICT', { reason: 'in_flight' }) });
    await expect(exchange.createOrder('ACME/USD', 'limit', 'buy', 1, 20)).rejects.toThrow(errors.NetworkError);
  });
});

describe('what is watched', () => {
  interface Played extends Socket {
    readonly said: Dict[];
  }
  function watching() {
    const sockets: Played[] = [];
    const openSocket = (): Socket => {
      const said: Dict[] = [];
      const socket: Played = {
        said,
        onopen: null,
        onclose: null,
        onerror: null,
        onmessage: null,
        send: (text) => {
          const message = JSON.parse(text) as Dict;
          said.push(message);
          if (message.type === 'auth') socket.onmessage?.({ data: '{"type":"authenticated"}' });
        },
        close: () => {},
      };
      sockets.push(socket);
      queueMicrotask(() => socket.onopen?.());
      return socket;
    };
    const { exchange } = driver({}, { openSocket });
    const tell = (...messages: object[]) => {
      for (const message of messages) sockets.at(-1)?.onmessage?.({ data: JSON.stringify(message) });
    };
    const isFollowed = (channel: string) =>
      expect.poll(() => sockets.at(-1)?.said.some((said) => said.channel === channel) ?? false).toBe(true);
    return { exchange, sockets, tell, isFollowed };
  }
  const bids: WireLevel[] = [[20, 5]];
  const snapshot = (levels: WireLevel[], sum = bookChecksum(levels, [])) => ({
    type: 'orderbook_snapshot',
    channel: 'orderbook',
    symbol: 'ACME-USD',
    sequence: 7,
    bids: levels,
    asks: [],
    checksum: sum,
    timestamp: NOW,
  });
  const account = (message: object) => ({ channel: 'account', symbol: '*', ...message });

  it('a book is given once its checksum is right', async () => {
    const { exchange, tell, isFollowed } = watching();
    const first = exchange.watchOrderBook('ACME/USD');
    await isFollowed('orderbook');
    tell(snapshot([[20, 6]], 1), snapshot(bids));
    expect(await first).toMatchObject({ symbol: 'ACME/USD', bids: [[20, 5]], asks: [], nonce: 7 });
    await exchange.close();
  });

  it('an unknown pair is BadSymbol', async () => {
    const { exchange, tell, isFollowed } = watching();
    const first = exchange.watchOrderBook('ACME/USD').catch((error: unknown) => error);
    await isFollowed('orderbook');
    tell({ type: 'error', channel: 'orderbook', symbol: 'ACME-USD', code: 'INVALID_SYMBOL', message: 'no' });
    expect(await first).toBeInstanceOf(errors.BadSymbol);
    await exchange.close();
  });

  it('no trade is lost between two calls', async () => {
    const { exchange, tell, isFollowed } = watching();
    const trade = (sequence: number) => ({
      type: 'trade',
      channel: 'trades',
      symbol: 'ACME-USD',
      sequence,
      prev_sequence: sequence - 1,
      trade_id: `t${sequence}`,
      price: 20,
      size: 1,
      side: 'buy',
      timestamp: NOW,
    });
    const first = exchange.watchTrades('ACME/USD');
    await isFollowed('trades');
    tell(trade(1), trade(2), trade(3));
    expect((await first).map(({ id }) => id)).toEqual(['t1']);
    expect((await exchange.watchTrades('ACME/USD')).map(({ id }) => id)).toEqual(['t2', 't3']);
    await exchange.close();
  });

  it('is watched no more once that is asked: whoever waits is told, and the exchange is', async () => {
    const { exchange, sockets, tell, isFollowed } = watching();
    const said = (type: string, channel: string) =>
      sockets[0]?.said.filter((message) => message.type === type && message.channel === channel).length;
    const ended = async (waiting: Promise<unknown>, end: () => Promise<unknown>) => {
      const error = waiting.catch((thrown: unknown) => thrown);
      await new Promise((resolve) => setImmediate(resolve));
      expect(await end()).toBe(true);
      expect(await error).toBeInstanceOf(errors.UnsubscribeError);
    };
    const first = exchange.watchOrderBook('ACME/USD');
    await isFollowed('orderbook');
    tell(snapshot(bids));
    await first;
    const deeper = exchange.watchOrderBook('ACME/USD', 100).catch((error: unknown) => error);
    await ended(exchange.watchOrderBook('ACME/USD'), () => exchange.unWatchOrderBook('ACME/USD'));
    expect(await deeper).toBeInstanceOf(errors.UnsubscribeError);
    await ended(exchange.watchTrades('ACME/USD'), () => exchange.unWatchTrades('ACME/USD'));
    await ended(exchange.watchTicker('ACME/USD'), () => exchange.unWatchTicker('ACME/USD'));
    for (const channel of ['orderbook', 'trades', 'ticker']) expect(said('unsubscribe', channel), channel).toBe(1);
    const again = exchange.watchOrderBook('ACME/USD');
    await expect.poll(() => said('subscribe', 'orderbook')).toBeGreaterThan(2);
    tell(snapshot(bids));
    expect(await again).toMatchObject({ bids: [[20, 5]] });
    await exchange.close();
    expect(await exchange.unWatchOrders()).toBe(true);
  });

  it('of the own account ends by itself, and the channel is left with the last of it', async () => {
    const { exchange, sockets, tell, isFollowed } = watching();
    const left = () => sockets[0]?.said.filter(({ type }) => type === 'unsubscribe').length;
    const order = (sequence: number) => {
      const { type: order_type, ...shown } = ORDER;
      return account({
        type: 'order',
        sequence,
        prev_sequence: sequence - 1,
        order_type,
        timestamp: NOW,
        ...shown,
        order_id: `o-${sequence}`,
      });
    };
    const orders = exchange.watchOrders().catch((error: unknown) => error);
    const balance = exchange.watchBalance();
    await isFollowed('account');
    expect(await exchange.unWatchOrders()).toBe(true);
    expect(await orders).toBeInstanceOf(errors.UnsubscribeError);
    tell(
      account({ type: 'orders_snapshot', sequence: 1, orders: [], more: false }),
      account({ type: 'balances_snapshot', sequence: 1, balances: [{ asset: 'USD', free: 10, locked: 2 }] }),
      order(2),
    );
    expect((await balance).USD).toEqual({ free: 10, used: 2, total: 12 });
    const next = exchange.watchOrders();
    await new Promise((resolve) => setImmediate(resolve));
    tell(order(3));
    expect((await next).map(({ id }) => id)).toEqual(['o-3']);
    await exchange.unWatchOrders();
    await exchange.unWatchMyTrades();
    expect(left()).toBe(0);
    await exchange.unWatchBalance();
    expect(left()).toBe(1);
    await exchange.close();
  });

  it('and nothing is withdrawn by a key', async () => {
    await expect(driver().exchange.withdraw()).rejects.toBeInstanceOf(errors.NotSupported);
  });

  it('own orders, own trades and balances come of one sequence, and a loss is told', async () => {
    const { exchange, sockets, tell, isFollowed } = watching();
    const orders = exchange.watchOrders();
    // The message is of a later time than the order, which its id has.
    const ID = uuidAt(NOW);
    await isFollowed('account');
    expect(sockets[0]?.said[0]).toEqual({ type: 'auth', api_key: 'k', api_secret: 's' });
    const { type: order_type, ...shown } = ORDER;
    tell(
      account({ type: 'orders_snapshot', sequence: 1, orders: [], more: false }),
      account({ type: 'balances_snapshot', sequence: 1, balances: [{ asset: 'USD', free: 10, locked: 2 }] }),
      account({
        type: 'order',
        sequence: 2,
        prev_sequence: 1,
        order_type,
        timestamp: NOW + 9,
        ...shown,
        created_at: undefined,
        order_id: ID,
      }),
      account({
        type: 'fill',
        sequence: 3,
        prev_sequence: 2,
        order_type,
        trade_id: 't',
        order_id: 'o-1',
        symbol: 'ACME-USD',
        side: 'buy',
        price: 20,
        size: 1,
        fee: 0,
        liquidity: 'taker',
        timestamp: NOW,
      }),
    );
    expect(await orders).toMatchObject([{ id: ID, symbol: 'ACME/USD', type: 'limit', status: 'open', timestamp: NOW }]);
    expect(await exchange.watchMyTrades('ACME/USD')).toMatchObject([{ id: 't', order: 'o-1', takerOrMaker: 'taker' }]);
    expect((await exchange.watchBalance()).USD).toEqual({ free: 10, used: 2, total: 12 });
    const next = exchange.watchOrders().catch((error: unknown) => error);
    await new Promise((resolve) => setImmediate(resolve));
    tell(account({ type: 'order', sequence: 9, prev_sequence: 8, ...shown }));
    expect(await next).toBeInstanceOf(errors.NetworkError);
    const closed = exchange.watchOrders().catch((error: unknown) => error);
    await new Promise((resolve) => setImmediate(resolve));
    await exchange.close();
    // The loss was told to own trades, too, and the end to whoever waited.
    expect(await closed).toBeInstanceOf(errors.ExchangeClosedByUser);
  });
});
