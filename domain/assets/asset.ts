/** Market rails (X-SVC-01). */
export const RAILS = ['public', 'private', 'digital'] as const;

export type Rail = (typeof RAILS)[number];

/** Categories of assets that are listed (X-SVC-01), and the two kinds of balance that are not listed: currencies and allowances. */
export const ASSET_CATEGORIES = [
  'stocks',
  'fixed-income',
  'commodities',
  'forex',
  'privates',
  'pre-ipo',
  'crypto',
  'currency',
  'allowance',
] as const;

export type AssetCategory = (typeof ASSET_CATEGORIES)[number];

/** Only an `APPROVED` asset is listed and traded; asset-status.ts says what becomes what. */
export const ASSET_STATUSES = ['APPROVED', 'PENDING', 'SUSPENDED', 'DELISTED'] as const;

export type AssetStatus = (typeof ASSET_STATUSES)[number];

/** Where an order for the asset executes (docs/design/matching.md#execution-routes). */
export const EXECUTION_ROUTE_NAMES = ['internal', 'broker', 'prime', 'indication'] as const;

export type ExecutionRouteName = (typeof EXECUTION_ROUTE_NAMES)[number];

/** What a buyer must be: verified by a third party (506c) or self-certified (506b). */
export const ACCREDITATION_TYPES = ['506c', '506b'] as const;

export type AccreditationType = (typeof ACCREDITATION_TYPES)[number];

/** The exemption or registration that the asset was offered under; it decides the resale hold. */
export const REGULATIONS = ['reg_d_506c', 'reg_d_506b', 'reg_cf', 'reg_s', 'reg_a', 'retail'] as const;

export type Regulation = (typeof REGULATIONS)[number];
