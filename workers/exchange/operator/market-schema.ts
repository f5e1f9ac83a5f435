import { z } from '@hono/zod-openapi';
import type { AppliedRules } from '../../../application/operator/change-market-rules.ts';
import type { MarketRules } from '../../../domain/ledger/transactions.ts';
import { MARKET_STATUSES, type Market } from '../../../domain/markets/market.ts';
import { TRADING_HOURS } from '../../../domain/markets/trading-hours.ts';
import { fromScaled } from '../../../domain/money/scaled.ts';

/** Everything, in basis points: the widest price band. */
export const BPS_MAX = 10_000;
/** A day: the longest halt that follows when trading reaches the end of the band. */
export const BAND_HALT_SECONDS_MAX = 86_400;

export const BAND_DESCRIPTION =
  'How far from what the market goes by anything may trade, in basis points; 0 for no band. Left out: 2000 where orders match each other.';

export const MarketRulesView = z
  .object({
    status: z.enum(MARKET_STATUSES),
    minSize: z.number(),
    maxSize: z.number(),
    makerFeeBps: z.int(),
    takerFeeBps: z.int(),
    bandBps: z.int(),
    bandHaltSeconds: z.int(),
    tradingHours: z.enum(TRADING_HOURS),
    referencePrice: z.number().nullable(),
  })
  .openapi('OperatorMarketRules');

export const MarketChangeView = z
  .object({ symbol: z.string(), before: MarketRulesView, after: MarketRulesView })
  .openapi('OperatorMarketChange');

type Scales = Pick<Market, 'quantityScale' | 'priceScale'>;

export function marketRulesView(rules: MarketRules, scales: Scales): z.infer<typeof MarketRulesView> {
  const { status, quantityMin, quantityMax, makerFeeBps, takerFeeBps, bandBps, bandHaltSeconds, referencePrice } =
    rules;
  const { tradingHours = 'always' } = rules;
  return {
    status,
    minSize: fromScaled(quantityMin, scales.quantityScale),
    maxSize: fromScaled(quantityMax, scales.quantityScale),
    makerFeeBps,
    takerFeeBps,
    bandBps,
    bandHaltSeconds,
    tradingHours,
    referencePrice: referencePrice === null ? null : fromScaled(referencePrice, scales.priceScale),
  };
}

export function marketChangeView({ market, before, after }: AppliedRules): z.infer<typeof MarketChangeView> {
  return { symbol: market.symbol, before: marketRulesView(before, market), after: marketRulesView(after, market) };
}
