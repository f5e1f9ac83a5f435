import type { AssetCategory } from '../assets/asset.ts';
import type { MarketRoute, SettlementTerm } from './market.ts';

/** Markets whose fills settle on the next trading day: of this route, and of assets of this category. */
export const SETTLES_NEXT_TRADING_DAY = { route: 'broker', category: 'stocks' } as const satisfies {
  readonly route: MarketRoute;
  readonly category: AssetCategory;
};

/** Neither route nor category of a market ever changes, so neither does this. */
export function settlementTermOf(route: MarketRoute, category: AssetCategory | null): SettlementTerm {
  const isLater = route === SETTLES_NEXT_TRADING_DAY.route && category === SETTLES_NEXT_TRADING_DAY.category;
  return isLater ? 'next_trading_day' : 'at_once';
}
