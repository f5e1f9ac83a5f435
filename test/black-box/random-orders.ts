import fc from 'fast-check';

/** An order as its owner means to place it, and what is to follow once it is acknowledged. */
export interface PlannedOrder {
  readonly door: 'exchange' | 'book';
  /** What the body carries besides the client's order id. */
  readonly terms: Readonly<Record<string, unknown>>;
  /** By what a repetition after a lost answer is known. */
  readonly identifiedBy: 'idempotency_key' | 'client_order_id' | 'both';
  readonly next: 'nothing' | 'cancel' | 'amend';
}

/** Markets of the demo: prices are `price` cents plus any number of `tick` cents, sizes whole multiples of 1 / `lots`. */
const MARKETS = {
  acme: { symbol: 'ACME-USD', price: 2_500, tick: 1, lots: 1, assetId: 'acme' },
  maple: { symbol: 'MAPLE-USD', price: 1_200, tick: 1, lots: 1, assetId: 'maple' },
  btc: { symbol: 'BTC-USD', price: 6_500_000, tick: 1_000, lots: 1_000, assetId: 'btc' },
} as const;

const GTD_AHEAD_MS = 3_600_000;

const ticks = fc.integer({ min: -20, max: 20 });
const size = fc.integer({ min: 1, max: 12 });
const identifiedBy = fc.constantFrom('idempotency_key', 'client_order_id', 'both');
const next = fc.constantFrom('nothing', 'nothing', 'nothing', 'cancel', 'amend');

type MarketOf = (typeof MARKETS)[keyof typeof MARKETS];

const priceOf = ({ price, tick }: MarketOf, offset: number) => (price + offset * tick) / 100;

const exchangeOrder = fc
  .record({
    // Crypto of profile A goes to the prime broker, not to a book (docs/design/matching.md#execution-routes).
    market: fc.constantFrom(MARKETS.acme, MARKETS.maple),
    side: fc.constantFrom('BUY', 'SELL'),
    orderType: fc.constantFrom('limit', 'limit', 'limit', 'market'),
    ticks,
    size,
    identifiedBy,
    next,
  })
  .map(
    (drawn): PlannedOrder => ({
      door: 'exchange',
      terms: {
        assetId: drawn.market.assetId,
        side: drawn.side,
        orderType: drawn.orderType,
        quantity: drawn.size,
        ...(drawn.orderType === 'limit' ? { limitPrice: priceOf(drawn.market, drawn.ticks) } : {}),
      },
      identifiedBy: drawn.identifiedBy,
      next: drawn.next,
    }),
  );

const bookOrder = fc
  .record({
    market: fc.constantFrom(...Object.values(MARKETS)),
    side: fc.constantFrom('buy', 'sell'),
    type: fc.constantFrom(
      ...['limit', 'limit', 'limit', 'limit', 'market', 'limit_maker'],
      ...['stop_loss', 'stop_loss_limit', 'take_profit', 'take_profit_limit'],
    ),
    time_in_force: fc.constantFrom('GTC', 'GTC', 'GTC', 'IOC', 'FOK', 'GTD', 'POST_ONLY'),
    ticks,
    stopTicks: ticks,
    size,
    identifiedBy,
    next,
  })
  .map((drawn): PlannedOrder => {
    const { market, type } = drawn;
    return {
      door: 'book',
      terms: {
        symbol: market.symbol,
        side: drawn.side,
        type,
        size: drawn.size / market.lots,
        ...(type.startsWith('limit') || type.endsWith('limit') ? { price: priceOf(market, drawn.ticks) } : {}),
        ...(type.startsWith('stop') || type.startsWith('take') ? { stop_price: priceOf(market, drawn.stopTicks) } : {}),
        ...(type === 'limit' ? { time_in_force: drawn.time_in_force } : {}),
        ...(type === 'limit' && drawn.time_in_force === 'GTD' ? { expires_at: Date.now() + GTD_AHEAD_MS } : {}),
      },
      identifiedBy: drawn.identifiedBy,
      next: drawn.next,
    };
  });

/** Orders of every type through both doors, the same for the same seed. */
export function randomOrders(count: number, seed: number): PlannedOrder[] {
  const order = fc.oneof({ weight: 3, arbitrary: bookOrder }, { weight: 2, arbitrary: exchangeOrder });
  return fc.sample(order, { numRuns: count, seed });
}
