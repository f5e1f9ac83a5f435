import { type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import { CASH_SYMBOL } from '../../domain/portfolio/cash.ts';

/** An asset's columns, however the statement names its table. */
interface AssetColumns {
  readonly id: SQLWrapper;
  readonly executionRoute: SQLWrapper;
}

/**
 * Of an asset's markets against cash the symbol of the one that its orders go to; else of its pair, else of any. Null for an asset without
 * one.
 */
export function marketOfAsset({ id, executionRoute }: AssetColumns): SQL<string | null> {
  return sql<string | null>`(
    SELECT of_asset.symbol FROM markets of_asset JOIN assets of_cash ON of_cash.id = of_asset.quote_asset
    WHERE of_asset.base_asset = ${id} AND of_cash.symbol = ${CASH_SYMBOL}
    ORDER BY of_asset.route = coalesce(${executionRoute}, 'internal') DESC, of_asset.route = 'internal' DESC, of_asset.symbol LIMIT 1)`;
}
