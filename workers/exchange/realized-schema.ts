import { z } from '@hono/zod-openapi';
import type { RealizedProfit } from '../../data/accounts/realized-profits.ts';
import { fromScaled } from '../../domain/money/scaled.ts';
import { CASH_SYMBOL } from '../../domain/portfolio/cash.ts';

/** Of one asset, in US dollars. */
export const RealizedPnl = z.number().openapi({
  description:
    'US dollars that sales of the asset have realised in all: proceeds after fees less what the shares had cost, first in, first out by lots, on average where the asset has none.',
});

const IsPartial = z.boolean().openapi({
  description:
    'True where sales are left out: what their shares had cost is not known, or they were for another currency.',
});

/** What sales have realised, assets of which nothing is left included. */
export const Realized = z
  .object({
    currency: z.literal(CASH_SYMBOL),
    realizedPnl: z.number(),
    isPartial: IsPartial,
    assets: z.array(
      z.object({ assetId: z.string(), symbol: z.string(), realizedPnl: RealizedPnl, isPartial: IsPartial }),
    ),
  })
  .openapi('Realized');

export function realizedView(profits: readonly RealizedProfit[]): z.infer<typeof Realized> {
  const scale = profits[0]?.cashScale ?? 0;
  return {
    currency: CASH_SYMBOL,
    realizedPnl: fromScaled(
      profits.reduce((sum, { profit }) => sum + profit, 0),
      scale,
    ),
    isPartial: profits.some(({ isPartial }) => isPartial),
    assets: profits.map(({ assetId, symbol, profit, isPartial }) => ({
      assetId,
      symbol,
      realizedPnl: fromScaled(profit, scale),
      isPartial,
    })),
  };
}

/** Of one asset; 0 where nothing was sold. */
export function realizedOf(profits: readonly RealizedProfit[], assetId: string): number {
  const found = profits.find((profit) => profit.assetId === assetId);
  return found === undefined ? 0 : fromScaled(found.profit, found.cashScale);
}
