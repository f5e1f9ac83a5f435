import { createRoute, z } from '@hono/zod-openapi';
import { settleBeforeRead } from '../../application/ledger/settle-before-read.ts';
import { listLots } from '../../data/accounts/lots.ts';
import { listHoldings } from '../../data/accounts/portfolio.ts';
import { listRealizedProfits } from '../../data/accounts/realized-profits.ts';
import { readUnsettledShares } from '../../data/accounts/unsettled.ts';
import { database } from '../../data/database.ts';
import { fromScaled } from '../../domain/money/scaled.ts';
import { averagePrice } from '../../domain/portfolio/average-price.ts';
import { shownOffering } from '../../domain/resale/offering.ts';
import { principalOf } from '../middleware/app-env.ts';
import { type Profile, registerRoute } from '../middleware/profile.ts';
import { failure } from '../responses/failure.ts';
import { notCurrent } from '../responses/not-current.ts';
import { orderFailure } from './order-failure.ts';
import { RealizedPnl, realizedOf } from './realized-schema.ts';
import { unsettledOf } from './unsettled-of.ts';

const Lot = z.object({
  quantity: z.number(),
  acquisitionDate: z.iso.datetime(),
  restrictionEndDate: z.iso.datetime().nullable().openapi({ description: 'Null for a lot that never was restricted.' }),
  isRestricted: z.boolean(),
  offeringType: z.string().nullable().openapi({
    example: '506c',
    description: 'What the lot was offered under; of one that names none, that of its asset.',
  }),
});

/** X-EPI-01 to X-EPI-03. */
const ExchangePortfolioItem = z
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
    realizedPnl: RealizedPnl,
    lots: z.array(Lot).openapi({ description: 'First in, first out. Empty for assets that keep no lots.' }),
  })
  .openapi('ExchangePortfolioItem');

/** GET /v1/exchange-portfolio. */
export function listExchangePortfolioRoute(exchange: Profile): void {
  registerRoute(
    exchange,
    { access: { credential: 'tenant' }, bucket: 'private' },
    createRoute({
      method: 'get',
      path: '/v1/exchange-portfolio',
      tags: ['account'],
      summary: 'Holdings of the caller with their lots',
      responses: {
        200: {
          description: 'Holdings by symbol.',
          content: { 'application/json': { schema: z.object({ data: z.array(ExchangePortfolioItem) }) } },
        },
      },
    }),
    async (c) => {
      const { facts } = principalOf(c);
      if (facts === null) return orderFailure(c, { reason: 'no_account' });
      if (!(await settleBeforeRead(c.env, facts.accountId))) return failure(c, notCurrent());
      const db = database(c.env.DB);
      const [holdings, lots, profits, unsettled] = await Promise.all([
        listHoldings(db, facts.accountId),
        listLots(db, facts.accountId),
        listRealizedProfits(db, facts.accountId),
        readUnsettledShares(db, facts.accountId),
      ]);
      const lotsByAsset = Map.groupBy(lots, ({ asset }) => asset);
      const now = Date.now();
      const data = holdings.map((holding) => ({
        assetId: holding.assetId,
        symbol: holding.symbol,
        name: holding.name,
        type: holding.category,
        quantity: fromScaled(holding.quantity, holding.quantityScale),
        unsettledQuantity: unsettledOf(holding, unsettled),
        averageCost: averagePrice(holding.cost, holding.cashScale, holding.quantity, holding.quantityScale),
        realizedPnl: realizedOf(profits, holding.assetId),
        lots: (lotsByAsset.get(holding.assetId) ?? []).map((lot) => ({
          quantity: fromScaled(lot.quantity, holding.quantityScale),
          acquisitionDate: new Date(lot.acquiredAt).toISOString(),
          restrictionEndDate: lot.restrictionEndsAt === null ? null : new Date(lot.restrictionEndsAt).toISOString(),
          isRestricted: lot.restrictionEndsAt !== null && lot.restrictionEndsAt > now,
          offeringType: shownOffering(lot.offeringType ?? holding.offeringType, now),
        })),
      }));
      return c.json({ data }, 200);
    },
  );
}
