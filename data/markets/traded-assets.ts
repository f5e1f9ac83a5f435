import { sql } from 'drizzle-orm';
import type { AssetRow } from '../catalog/assets.ts';
import type { Database } from '../database.ts';

/** An asset of a pair, base or quote. */
export type TradedAsset = Readonly<Pick<AssetRow, 'symbol' | 'name' | 'category' | 'scale'>>;

interface TradedAssetPage {
  /** Symbol of the last asset of the page before; empty for the first page. */
  readonly after: string;
  readonly limit: number;
  /** Whether pairs of assets offered without general solicitation (506(b)) may be shown. */
  readonly unsolicited: boolean;
}

/** Assets of the pairs that the list of markets shows, by symbol. */
export function listTradedAssets(db: Database, { after, limit, unsolicited }: TradedAssetPage): Promise<TradedAsset[]> {
  const pairs = sql`
    FROM markets m JOIN assets b ON b.id = m.base_asset WHERE m.route = 'internal' AND b.rail IS NOT NULL AND b.status <> 'PENDING'
    ${unsolicited ? sql`` : sql`AND (b.accreditation_type IS NULL OR b.accreditation_type <> '506b')`}`;
  return db.all<TradedAsset>(sql`
    SELECT symbol, name, category, scale FROM assets
    WHERE symbol > ${after} AND id IN (SELECT m.base_asset ${pairs} UNION SELECT m.quote_asset ${pairs})
    ORDER BY symbol LIMIT CAST(${limit} AS INTEGER)`);
}
