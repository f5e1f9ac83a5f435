import { z } from '@hono/zod-openapi';
import type { MarketChangeError } from '../../../application/ledger/change-market.ts';
import type { MarketRules } from '../../../domain/ledger/transactions.ts';
import { MARKET_STATUSES, type Market } from '../../../domain/markets/market.ts';
import { fromScaled } from '../../../domain/money/scaled.ts';
import { type ApiError, apiError } from '../../../protocol/errors/api-error.ts';

/** Everything, in basis points: the widest price band. */
export const BPS_MAX = 10_000;

export const MarketRulesView = z
  .object({
    status: z.enum(MARKET_STATUSES),
    minSize: z.number(),
    maxSize: z.number(),
    makerFeeBps: z.int(),
    takerFeeBps: z.int(),
    bandBps: z.int(),
    referencePrice: z.number().nullable(),
  })
  .openapi('OperatorMarketRules');

export const MarketChangeView = z
  .object({ symbol: z.string(), before: MarketRulesView, after: MarketRulesView })
  .openapi('OperatorMarketChange');

type Scales = Pick<Market, 'quantityScale' | 'priceScale'>;

export function marketRulesView(rules: MarketRules, scales: Scales): z.infer<typeof MarketRulesView> {
  const { status, quantityMin, quantityMax, makerFeeBps, takerFeeBps, bandBps, referencePrice } = rules;
  return {
    status,
    minSize: fromScaled(quantityMin, scales.quantityScale),
    maxSize: fromScaled(quantityMax, scales.quantityScale),
    makerFeeBps,
    takerFeeBps,
    bandBps,
    referencePrice: referencePrice === null ? null : fromScaled(referencePrice, scales.priceScale),
  };
}

export function marketChangeError(error: MarketChangeError): ApiError {
  switch (error.reason) {
    case 'market_not_found':
      return apiError('NOT_FOUND', 'market does not exist');
    case 'market_closed':
      return apiError('CONFLICT', 'the market is closed for good');
    case 'outcome_unknown':
      return apiError(
        'SERVICE_UNAVAILABLE',
        'no answer from the ledger; repeat with the same Idempotency-Key to learn the outcome',
        { reason: error.reason },
      );
    case 'asset_not_found':
      return apiError('ASSET_NOT_FOUND', 'asset does not exist');
    case 'notional_not_whole':
    case 'not_positive':
    case 'not_on_lot':
    case 'not_on_tick':
    case 'minimum_above_maximum':
    case 'fee_out_of_range': {
      const { reason, ...details } = error;
      return apiError('VALIDATION_ERROR', `the market's rules are refused: ${reason.replaceAll('_', ' ')}`, {
        reason,
        ...details,
      });
    }
  }
}
