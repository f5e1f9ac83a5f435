import type { Market } from '../../../domain/markets/market.ts';
import { assetSymbolsOf } from '../../../domain/markets/market-symbol.ts';
import { fromScaled } from '../../../domain/money/scaled.ts';
import type { DollarTerms } from '../../../domain/order-entry/limit-currency.ts';
import type { BookRefusal } from '../../../durable-objects/order-book/api.ts';
import type { OrderEntryFailure } from '../order-entry-failure.ts';

/** What an order trades on; limits in money are told in dollars. */
export interface Traded {
  readonly market: Market;
  readonly dollars: DollarTerms | null;
}

/** A book's refusal in the units of the doors. `stale` is not among them: order entry checks again instead of telling anyone. */
export function failureOfRefusal(
  refusal: Exclude<BookRefusal, { reason: 'stale' }>,
  { market, dollars }: Traded,
): OrderEntryFailure {
  switch (refusal.reason) {
    case 'insufficient_balance':
    case 'holding_too_large': {
      const isBase = refusal.asset === market.baseAsset;
      const [base, quote] = assetSymbolsOf(market.symbol);
      const asset = isBase ? base : quote;
      return unscaled({ ...refusal, asset }, isBase ? market.quantityScale : market.quoteScale);
    }
    case 'investment_limit_exceeded':
      return unscaled(refusal, dollars?.scale ?? market.quoteScale);
    case 'risk_limit_exceeded':
      return unscaled(
        refusal,
        refusal.limit === 'position' ? market.quantityScale : (dollars?.scale ?? market.quoteScale),
      );
    case 'identity_ended':
      return { reason: 'kyc_incomplete', kycStatus: 'pending' };
    case 'outside_price_band':
      return {
        ...refusal,
        low: fromScaled(refusal.low, market.priceScale),
        high: fromScaled(refusal.high, market.priceScale),
      };
    default:
      return refusal;
  }
}

function unscaled<Refusal extends { required: number; available: number }>(refusal: Refusal, scale: number): Refusal {
  return { ...refusal, required: fromScaled(refusal.required, scale), available: fromScaled(refusal.available, scale) };
}
