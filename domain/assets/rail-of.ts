import type { AssetCategory, ExecutionRouteName, Rail } from './asset.ts';

/** Categories that assets are listed under, with their rail (X-SVC-01). */
export const RAIL_OF = {
  stocks: 'public',
  'fixed-income': 'public',
  commodities: 'public',
  forex: 'public',
  privates: 'private',
  'pre-ipo': 'private',
  crypto: 'digital',
} as const satisfies Partial<Record<AssetCategory, Rail>>;

export type ListedCategory = keyof typeof RAIL_OF;

/** Where orders for an asset of the category execute unless it says otherwise (X-SVC-03, docs/design/matching.md#execution-routes). */
export const ROUTE_OF: Readonly<Record<ListedCategory, ExecutionRouteName>> = {
  stocks: 'broker',
  'fixed-income': 'broker',
  commodities: 'broker',
  forex: 'broker',
  privates: 'internal',
  'pre-ipo': 'indication',
  crypto: 'prime',
};

/** Securities keep lots first-in-first-out; commodities, currencies and crypto are fungible. */
export const CATEGORIES_WITH_LOTS: ReadonlySet<ListedCategory> = new Set([
  'stocks',
  'fixed-income',
  'privates',
  'pre-ipo',
]);
