/** Market rails (X-SVC-01). */
export type Rail = 'public' | 'private' | 'digital';

/** Categories of assets that are listed (X-SVC-01), and the two kinds of balance that are not listed: currencies and allowances. */
export type AssetCategory =
  | 'stocks'
  | 'fixed-income'
  | 'commodities'
  | 'forex'
  | 'privates'
  | 'pre-ipo'
  | 'crypto'
  | 'currency'
  | 'allowance';

/** Only an `APPROVED` asset is listed and traded. */
export type AssetStatus = 'APPROVED' | 'PENDING' | 'SUSPENDED' | 'DELISTED';

/** Where an order for the asset executes (docs/design/matching.md#execution-routes). */
export type ExecutionRouteName = 'internal' | 'broker' | 'prime' | 'indication';

/** What a buyer must be: verified by a third party (506c) or self-certified (506b). */
export type AccreditationType = '506c' | '506b';

/** The exemption or registration that the asset was offered under; it decides the resale hold. */
export type Regulation = 'reg_d_506c' | 'reg_d_506b' | 'reg_cf' | 'reg_s' | 'reg_a' | 'retail';
