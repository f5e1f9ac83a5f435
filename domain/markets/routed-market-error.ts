import type { AssetCategory, ExecutionRouteName } from '../assets/asset.ts';
import { fromScaled } from '../money/scaled.ts';
import { CASH_SYMBOL } from '../portfolio/cash.ts';
import type { Market, MarketRoute, VenueRoute } from './market.ts';

/** Decimals of a broker's prices. */
const PRICE_SCALE = 4;
/** A cent in them. */
const TICK = 100;
/** Of currencies, a hundredth of it: a cent of the euro is a hundredth of its price. */
const CURRENCY_TICK = 1;

export type RoutedMarketError =
  /** Orders on the asset go another way. */
  | { readonly reason: 'asset_not_routed' }
  | {
      readonly reason: 'not_as_broker';
      readonly field: 'priceScale' | 'tickSize' | 'lotSize';
      readonly required: number;
    }
  /** A share at the finest price is no whole unit of the quote asset: an execution between cents would not be exact. */
  | { readonly reason: 'quote_scale_too_small'; readonly required: number }
  /** Another market has the broker's orders and events of the asset, or the indications on it. */
  | { readonly reason: 'asset_routed_elsewhere'; readonly symbol: string }
  /** Who may hold a pre-IPO asset is bounded, and a listing event knows of nothing else. */
  | { readonly reason: 'asset_not_pre_ipo' }
  /** A broker quotes in dollars, and what an indication turns into is paid in them. */
  | { readonly reason: 'quote_not_cash' }
  /** Nothing trades in it that a band could lie around. */
  | { readonly reason: 'band_without_trading' };

/**
 * Why a market under these terms cannot be routed, or null. What the prime broker fills is whole in any market whose tick and lot are; of a
 * broker's units see docs/design/broker.md#order-types.
 */
export function routedMarketError(
  terms: Pick<Market, 'priceScale' | 'quantityScale' | 'quoteScale' | 'tickSize' | 'lotSize'> & {
    readonly route: VenueRoute;
    readonly category: AssetCategory;
    readonly quoteSymbol: string;
  },
  executionRoute: ExecutionRouteName | null,
  routedElsewhere: string | null,
): RoutedMarketError | null {
  if (executionRoute !== terms.route) return { reason: 'asset_not_routed' };
  if (routedElsewhere !== null) return { reason: 'asset_routed_elsewhere', symbol: routedElsewhere };
  if (terms.quoteSymbol !== CASH_SYMBOL) return { reason: 'quote_not_cash' };
  if (terms.route === 'prime') return null;
  if (terms.priceScale !== PRICE_SCALE) return { reason: 'not_as_broker', field: 'priceScale', required: PRICE_SCALE };
  const tick = terms.category === 'forex' ? CURRENCY_TICK : TICK;
  if (terms.tickSize !== tick)
    return { reason: 'not_as_broker', field: 'tickSize', required: fromScaled(tick, PRICE_SCALE) };
  if (terms.lotSize !== 10 ** terms.quantityScale) return { reason: 'not_as_broker', field: 'lotSize', required: 1 };
  return terms.quoteScale < PRICE_SCALE ? { reason: 'quote_scale_too_small', required: PRICE_SCALE } : null;
}

/** Why a market under these terms cannot take indications of interest, or null (docs/design/pre-ipo.md#the-market-of-indications). */
export function indicationMarketError(
  { executionRoute, category, quoteSymbol }: IndicatedAsset,
  { bandBps }: Pick<Market, 'bandBps'>,
  routedElsewhere: string | null,
): RoutedMarketError | null {
  if (executionRoute !== 'indication') return { reason: 'asset_not_routed' };
  if (category !== 'pre-ipo') return { reason: 'asset_not_pre_ipo' };
  if (quoteSymbol !== CASH_SYMBOL) return { reason: 'quote_not_cash' };
  if (routedElsewhere !== null) return { reason: 'asset_routed_elsewhere', symbol: routedElsewhere };
  return bandError('indication', bandBps);
}

/** Why a market of this route cannot have such a band, or null. */
export function bandError(route: MarketRoute, bandBps: number): RoutedMarketError | null {
  return route === 'indication' && bandBps !== 0 ? { reason: 'band_without_trading' } : null;
}

interface IndicatedAsset {
  readonly executionRoute: ExecutionRouteName | null;
  readonly category: AssetCategory;
  /** Of what the market quotes in. */
  readonly quoteSymbol: string;
}
