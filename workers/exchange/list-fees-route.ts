import { createRoute, z } from '@hono/zod-openapi';
import { database } from '../../data/database.ts';
import { listMarketFees, type MarketFees } from '../../data/markets/market-fees.ts';
import { seesUnsolicited } from '../../domain/accreditation/sees-unsolicited.ts';
import { isAtBroker, MARKET_ROUTES } from '../../domain/markets/market.ts';
import { principalOf } from '../middleware/app-env.ts';
import { type Profile, registerRoute } from '../middleware/profile.ts';
import { limitQuery, pageOf, rowsToRead } from '../responses/paging.ts';
import { orderFailure } from './order-failure.ts';

const Fees = z
  .object({
    market: z.string().openapi({ example: 'ACME-USD' }),
    assetId: z.string(),
    symbol: z.string(),
    rail: z.string().nullable(),
    route: z.enum(MARKET_ROUTES).openapi({ description: 'Where orders of the market execute.' }),
    makerFeeBps: z.int().nullable().openapi({
      description:
        'Basis points of the amount traded, of an order that waited in the book. Null where orders are handed to a broker: there every fill costs takerFeeBps.',
    }),
    takerFeeBps: z
      .int()
      .openapi({ description: 'Basis points of the amount traded, of an order that meets one that waits.' }),
    currency: z.string().openapi({ description: 'What the fee is charged in.', example: 'USD' }),
  })
  .openapi('MarketFees');

const ROUNDING =
  'A fee is charged up to the next unit of its currency, once over all fills of an order: many small fills cost no more than one large one.';

/** GET /v1/fees: what the caller's trades cost, market by market, as the engine charges it. */
export function listFeesRoute(exchange: Profile): void {
  registerRoute(
    exchange,
    { access: { credential: 'tenant' }, bucket: 'private' },
    createRoute({
      method: 'get',
      path: '/v1/fees',
      tags: ['account'],
      summary: 'Fees of the caller by market',
      request: {
        query: z.object({
          assetId: z.string().min(1).max(200).optional().openapi({ description: 'Only markets of this asset.' }),
          limit: limitQuery,
          cursor: z.string().max(200).default(''),
        }),
      },
      responses: {
        200: {
          description: 'By market; the next page is in the Link header.',
          content: {
            'application/json': {
              schema: z.object({ data: z.array(Fees), rounding: z.string(), message: z.literal('ok') }),
            },
          },
        },
      },
    }),
    async (c) => {
      const { facts } = principalOf(c);
      if (facts === null) return orderFailure(c, { reason: 'no_account' });
      const { assetId, limit, cursor } = c.req.valid('query');
      const found = await listMarketFees(database(c.env.DB), {
        after: cursor,
        limit: rowsToRead(limit),
        assetId: assetId ?? null,
        unsolicited: seesUnsolicited(facts),
      });
      const data = pageOf(c, found, limit, ({ symbol }) => symbol).map(feesView);
      return c.json({ data, rounding: ROUNDING, message: 'ok' as const }, 200);
    },
  );
}

function feesView({ symbol, assetId, assetSymbol, rail, route, makerFeeBps, takerFeeBps, currency }: MarketFees) {
  const maker = isAtBroker({ route }) ? null : makerFeeBps;
  return { market: symbol, assetId, symbol: assetSymbol, rail, route, makerFeeBps: maker, takerFeeBps, currency };
}
