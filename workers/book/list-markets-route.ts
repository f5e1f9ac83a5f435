import { createRoute, z } from '@hono/zod-openapi';
import { database } from '../../data/database.ts';
import { type ListedMarket, listListedMarkets } from '../../data/markets/listed-markets.ts';
import { seesUnsolicited } from '../../domain/accreditation/sees-unsolicited.ts';
import { MARKET_STATUSES } from '../../domain/markets/market.ts';
import { priceBand } from '../../domain/markets/price-band.ts';
import { fromScaled } from '../../domain/money/scaled.ts';
import { ALLOWED_TIME_IN_FORCE } from '../../domain/order-entry/allowed-time-in-force.ts';
import { restingNotionalMin } from '../../domain/order-entry/terms-failure.ts';
import { OPEN_ORDERS_PER_ACCOUNT_MAX, OPEN_ORDERS_PER_BOOK_MAX } from '../../durable-objects/order-book/api.ts';
import { optionalPrincipalOf } from '../middleware/app-env.ts';
import { type Profile, registerRoute } from '../middleware/profile.ts';
import { pageOf, rowsToRead } from '../responses/paging.ts';
import { wholeNumberOr } from '../responses/whole-number.ts';

const LIMIT_MAX = 1_000;

const Market = z
  .object({
    symbol: z.string(),
    base_asset: z.string(),
    quote_asset: z.string(),
    status: z.enum(MARKET_STATUSES).openapi({ description: 'Orders are taken while open.' }),
    halted_until: z.int().nullable().openapi({
      description: 'Unix milliseconds at which a halt ends by itself; null for none, or for one that does not.',
    }),
    tick_size: z.number().openapi({ description: 'Prices are multiples of it.' }),
    lot_size: z.number().openapi({ description: 'Sizes are multiples of it.' }),
    size_min: z.number(),
    size_max: z.number(),
    notional_min: z.number().openapi({
      description:
        'What an order that may rest comes to at least, price times size, in the quote asset; one that ends at once may come to less.',
    }),
    price_decimals: z.int(),
    size_decimals: z.int(),
    maker_fee_bps: z.number().openapi({ description: 'Basis points of the amount traded, in the quote asset.' }),
    taker_fee_bps: z.number(),
    reference_price: z
      .number()
      .nullable()
      .openapi({ description: 'Last trade, before the first what the venue has set.' }),
    price_band: z
      .object({ low: z.number(), high: z.number(), width_bps: z.int() })
      .nullable()
      .openapi({ description: 'Limits outside are refused and nothing trades there; null where there is no band.' }),
    open_orders_per_account_max: z
      .int()
      .openapi({ description: 'Open orders that an account may have in this book; one more is RISK_LIMIT_EXCEEDED.' }),
    open_orders_max: z.int().openapi({ description: 'The same of the whole book.' }),
    order_types: z.record(z.string(), z.array(z.string())).openapi({ description: 'Times in force by order type.' }),
  })
  .openapi('Market');

const Markets = z.object({ markets: z.array(Market) }).openapi('Markets');

/** GET /v1/markets. */
export function listMarketsRoute(profile: Profile): void {
  registerRoute(
    profile,
    { access: { credential: 'public' }, bucket: 'public' },
    createRoute({
      method: 'get',
      path: '/v1/markets',
      summary: 'Trading pairs and their rules',
      request: {
        query: z.object({
          limit: wholeNumberOr(LIMIT_MAX, 1, LIMIT_MAX),
          cursor: z.string().default(''),
        }),
      },
      responses: {
        200: {
          description: 'By symbol; the next page is in the Link header.',
          content: { 'application/json': { schema: Markets } },
        },
      },
    }),
    async (c) => {
      const { limit, cursor } = c.req.valid('query');
      const found = await listListedMarkets(database(c.env.DB), {
        after: cursor,
        limit: rowsToRead(limit),
        unsolicited: seesUnsolicited(optionalPrincipalOf(c)?.facts ?? null),
        now: Date.now(),
      });
      const page = pageOf(c, found, limit, ({ market }) => market.symbol);
      return c.json({ markets: page.map(wireMarket) }, 200);
    },
  );
}

function wireMarket({
  market,
  asset,
  quoteSymbol,
  lastPrice,
  bandReference,
  haltedUntil,
}: ListedMarket): z.infer<typeof Market> {
  const { priceScale, quantityScale } = market;
  const open = asset.tradeable && asset.status === 'APPROVED';
  const reference = lastPrice ?? market.referencePrice;
  const band = priceBand(market, { reference: bandReference });
  return {
    symbol: market.symbol,
    base_asset: asset.symbol,
    quote_asset: quoteSymbol,
    status: market.status === 'open' && !open ? 'halted' : market.status,
    halted_until: haltedUntil,
    tick_size: fromScaled(market.tickSize, priceScale),
    lot_size: fromScaled(market.lotSize, quantityScale),
    size_min: fromScaled(market.quantityMin, quantityScale),
    size_max: fromScaled(market.quantityMax, quantityScale),
    notional_min: restingNotionalMin(market),
    price_decimals: priceScale,
    size_decimals: quantityScale,
    maker_fee_bps: market.makerFeeBps,
    taker_fee_bps: market.takerFeeBps,
    reference_price: reference === null ? null : fromScaled(reference, priceScale),
    price_band:
      band === null
        ? null
        : { low: fromScaled(band.low, priceScale), high: fromScaled(band.high, priceScale), width_bps: market.bandBps },
    open_orders_per_account_max: OPEN_ORDERS_PER_ACCOUNT_MAX,
    open_orders_max: OPEN_ORDERS_PER_BOOK_MAX,
    order_types: ORDER_TYPES,
  };
}

const ORDER_TYPES = Object.fromEntries(
  Object.entries(ALLOWED_TIME_IN_FORCE).map(([type, allowed]) => [type, [...allowed]]),
);
