import type { OperatorAction } from '../../data/audit/trail/operator-events.ts';
import { type AssetRow, type ListingTerms, registerAsset } from '../../data/catalog/assets.ts';
import { database } from '../../data/database.ts';
import type { ExecutionRouteName } from '../../domain/assets/asset.ts';
import { offeringFailure } from '../../domain/assets/offering-failure.ts';
import { CATEGORIES_WITH_LOTS, type ListedCategory, RAIL_OF, ROUTE_OF } from '../../domain/assets/rail-of.ts';
import { err, ok, type Result } from '../../domain/result.ts';
import { type ApiError, apiError } from '../../protocol/errors/api-error.ts';

type Derived = 'tracksLots' | 'rail' | 'createdAt';

/** What an operator says of an asset; the rest follows from its category. */
export interface AssetToList extends Omit<ListingTerms, 'id' | 'category' | 'executionRoute' | Derived> {
  /** The id of the action when left out. */
  readonly id?: string | undefined;
  readonly category: ListedCategory;
  /** By category when left out. */
  readonly executionRoute?: ExecutionRouteName | undefined;
}

/** Lists an asset. */
export async function listAsset(
  env: Env,
  asset: AssetToList,
  action: OperatorAction,
): Promise<Result<AssetRow, ApiError>> {
  const unfit = offeringFailure(asset);
  if (unfit !== null) {
    const message = `the offering is refused: ${unfit.reason.replaceAll('_', ' ')}`;
    return err(apiError('VALIDATION_ERROR', message, { field: 'accreditationType', ...unfit }));
  }
  const { id = action.id, executionRoute = ROUTE_OF[asset.category], ...fields } = asset;
  const tracksLots = CATEGORIES_WITH_LOTS.has(asset.category);
  const terms = { ...fields, id, executionRoute, tracksLots, rail: RAIL_OF[asset.category], createdAt: Date.now() };
  if (!(await registerAsset(database(env.DB), terms, action)))
    return err(apiError('CONFLICT', 'the id or the symbol is taken', { id, symbol: terms.symbol }));
  return ok({ ...terms, imageObject: null, lockupEndsAt: null });
}
