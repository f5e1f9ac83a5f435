import type { AssetCategory } from '../assets/asset.ts';
import type { MarketRoute, SettlementTerm } from './market.ts';

/** Neither route nor category of a market ever changes, so neither does this. */
export function settlementTermOf(route: MarketRoute, category: AssetCategory | null): SettlementTerm {
  return route === 'broker' && category === 'stocks' ? 'next_trading_day' : 'at_once';
}
