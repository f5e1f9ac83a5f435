import { createRoute, z } from '@hono/zod-openapi';
import { settleBeforeRead } from '../../application/ledger/settle-before-read.ts';
import { type PricedAsset, readPrices } from '../../application/market-data/asset-prices.ts';
import { type HoldingRow, listHoldings } from '../../data/accounts/portfolio.ts';
import { listRealizedProfits } from '../../data/accounts/realized-profits.ts';
import { readUnsettledShares } from '../../data/accounts/unsettled.ts';
import { database } from '../../data/database.ts';
import { valueHolding } from '../../domain/portfolio/value-holding.ts';
import { principalOf } from '../middleware/app-env.ts';
import { type Profile, registerRoute } from '../middleware/profile.ts';
import { failure } from '../responses/failure.ts';
import { notCurrent } from '../responses/not-current.ts';
import { orderFailure } from './order-failure.ts';
import { Realized, RealizedPnl, realizedOf, realizedView } from './realized-schema.ts';
import { unsettledOf } from './unsettled-of.ts';

/** X-HOL-01 to X-HOL-03. */
const Holding = z
  .object({
    assetId: z.string(),
    symbol: z.string(),
    name: z.string(),
    type: z.string(),
    quantity: z.number(),
    unsettledQuantity: z
      .number()
      .openapi({ description: 'Bought and not settled: they may be sold, and not be withdrawn.' }),
    averageCost: z.number(),
    currentPrice: z.number(),
    marketValue: z.number(),
    unrealizedPnl: z.number(),
    unrealizedPnlPercent: z.number(),
    stale: z.boolean().openapi({
      description:
        'The source of the price is away: it is what that said last, or where it has said nothing what last traded here.',
    }),
    realizedPnl: RealizedPnl,
  })
  .openapi('Holding');

/** GET /v1/portfolio. */
export function listPortfolioRoute(exchange: Profile): void {
  registerRoute(
    exchange,
    { access: { credential: 'tenant' }, bucket: 'private' },
    createRoute({
      method: 'get',
      path: '/v1/portfolio',
      tags: ['account'],
      summary: 'Holdings of the caller at their last prices',
      responses: {
        200: {
          description: 'Holdings by symbol, and what sales have realised, in US dollars.',
          content: {
            'application/json': {
              schema: z.object({ data: z.array(Holding), realized: Realized, message: z.literal('ok') }),
            },
          },
        },
      },
    }),
    async (c) => {
      const { facts } = principalOf(c);
      if (facts === null) return orderFailure(c, { reason: 'no_account' });
      if (!(await settleBeforeRead(c.env, facts.accountId))) return failure(c, notCurrent());
      const db = database(c.env.DB);
      const [holdings, profits, unsettled] = await Promise.all([
        listHoldings(db, facts.accountId),
        listRealizedProfits(db, facts.accountId),
        readUnsettledShares(db, facts.accountId),
      ]);
      const priced = await readPrices(c.env, holdings.map(pricedAssetOf), Date.now());
      const data = priced.map(({ holding, price }) => ({
        assetId: holding.assetId,
        symbol: holding.symbol,
        name: holding.name,
        type: holding.category,
        ...valueHolding(
          holding,
          { priceScale: price.scales.price, quantityScale: holding.quantityScale, quoteScale: holding.cashScale },
          // Where nobody has stated a price a quote stands at 0.
          price.quote.last || null,
        ),
        stale: price.isStale,
        unsettledQuantity: unsettledOf(holding, unsettled),
        realizedPnl: realizedOf(profits, holding.assetId),
      }));
      return c.json({ data, realized: realizedView(profits), message: 'ok' as const }, 200);
    },
  );
}

function pricedAssetOf(holding: HoldingRow): PricedAsset & { readonly holding: HoldingRow } {
  const { assetId, symbol, quantityScale, book, route, priceScale, referencePrice } = holding;
  const hasMarket = book !== null && route !== null && priceScale !== null;
  return {
    holding,
    asset: { id: assetId, symbol, scale: quantityScale, referencePrice },
    market: hasMarket ? { symbol: book, route, priceScale, referencePrice } : null,
  };
}
