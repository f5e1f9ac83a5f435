import type { Market } from '../markets/market.ts';
import { PRICE_SCALE_WITHOUT_MARKET } from '../order-entry/without-market.ts';

/** What prices of an asset are stated in. */
export interface PriceTerms {
  /** Decimals of scaled prices. */
  readonly scale: number;
  /** Scaled; the price until there is a trade, null where nobody has stated one. */
  readonly reference: number | null;
}

/** Of an asset's market against cash; of one without a market its own, by the scale of orders without a market. */
export function priceTerms(
  asset: { readonly referencePrice: number | null },
  market: Pick<Market, 'priceScale' | 'referencePrice'> | null,
): PriceTerms {
  if (market === null) return { scale: PRICE_SCALE_WITHOUT_MARKET, reference: asset.referencePrice };
  return { scale: market.priceScale, reference: market.referencePrice };
}
