import type { OperatorAction } from '../../data/audit/trail/operator-events.ts';
import { findOperatorChange } from '../../data/audit/trail/operator-events.ts';
import { isAssetInUse } from '../../data/catalog/asset-in-use.ts';
import {
  type AssetRow,
  changeAsset,
  type EditableAsset,
  findAsset,
  isOtherRegulation,
} from '../../data/catalog/assets.ts';
import { findAssetChange } from '../../data/catalog/pending-asset-changes.ts';
import { type Database, database } from '../../data/database.ts';
import { routeChangeError } from '../../data/markets/markets.ts';
import type { AssetStatus } from '../../domain/assets/asset.ts';
import { MARKETS_OF, mayBecome } from '../../domain/assets/asset-status.ts';
import { offeringFailure } from '../../domain/assets/offering-failure.ts';
import type { ListedCategory } from '../../domain/assets/rail-of.ts';
import { err, type Result } from '../../domain/result.ts';
import { type ApiError, apiError } from '../../protocol/errors/api-error.ts';
import { takeOverHalt } from '../partner/securities/change-security.ts';
import { type ChangedAsset, carryOnAsset, followAssetChange, RULES_OF_ORDERS } from './follow-asset-change.ts';
import { marketChangeError } from './market-change-error.ts';
import { noSuchAsset } from './not-found.ts';

/** Approves, suspends or delists an asset. A suspended one's markets are halted, a delisted one's closed: their open orders are cancelled. */
export async function setAssetStatus(
  env: Env,
  { id, status, reason }: { readonly id: string; readonly status: AssetStatus; readonly reason: string },
  action: OperatorAction,
): Promise<Result<ChangedAsset, ApiError>> {
  const db = database(env.DB);
  const asset = await findListed(db, id);
  if (asset === null) return err(noSuchAsset());
  const isDone = (await findOperatorChange(db, action, id)) !== null;
  if (!isDone && !mayBecome(asset.status, status)) {
    const message = `an asset that is ${asset.status} does not become ${status}`;
    return err(apiError('CONFLICT', message, { from: asset.status, to: status }));
  }
  const awaited = MARKETS_OF[status] !== null;
  const change = { asset, change: { status }, type: 'operator.asset_status', reason, awaited, now: Date.now() };
  if (!(await changeAsset(db, change, action))) return err(changedMeanwhile());
  const takenOver = status === 'SUSPENDED' ? await takeOverHalt(env, { asset: id, reason }, action) : null;
  if (takenOver?.ok === false) return takenOver;
  return followed(env, id, action);
}

/** Changes what an asset says of itself, and the rules that its orders are checked by. */
export async function editAsset(
  env: Env,
  { id, edit, reason }: { readonly id: string; readonly edit: Partial<EditableAsset>; readonly reason: string },
  action: OperatorAction,
): Promise<Result<ChangedAsset, ApiError>> {
  const db = database(env.DB);
  const asset = await findListed(db, id);
  if (asset === null) return err(noSuchAsset());
  const made = await findOperatorChange<Partial<EditableAsset>>(db, action, id);
  const edited = { ...asset, ...edit };
  const unfit = offeringFailure({ ...edited, category: edited.category as ListedCategory });
  if (unfit !== null) {
    const message = `the offering is refused: ${unfit.reason.replaceAll('_', ' ')}`;
    return err(apiError('VALIDATION_ERROR', message, { field: 'accreditationType', ...unfit }));
  }
  const route = edit.executionRoute ?? null;
  const unrouted = made === null && route !== null ? await routeChangeError(db, asset, route) : null;
  if (unrouted !== null) return err(marketChangeError(unrouted));
  if (made === null && isOtherRegulation(asset, edit) && (await isAssetInUse(db, id))) return err(inUse());
  const awaited = RULES_OF_ORDERS.some((field) => edit[field] !== undefined);
  const change = { asset, change: edit, type: 'operator.asset_changed', reason, awaited, now: Date.now() };
  if (!(await changeAsset(db, change, action))) return err(changedMeanwhile());
  return followed(env, id, action);
}

/** The asset has changed: its markets follow, and with them what earlier requests have left open. */
async function followed(env: Env, id: string, action: OperatorAction): Promise<Result<ChangedAsset, ApiError>> {
  const change = await findAssetChange(database(env.DB), action.id, id);
  if (change === null) throw new Error(`a change of asset ${id} is in no audit trail`);
  const result = await followAssetChange(env, change);
  await carryOnAsset(env, change);
  return result;
}

/** Currencies and allowances are assets that nobody lists. */
async function findListed(db: Database, id: string): Promise<AssetRow | null> {
  const asset = await findAsset(db, id);
  return asset?.rail == null ? null : asset;
}

function inUse(): ApiError {
  const message = 'an asset that somebody holds, or that was traded, keeps its regulation';
  return apiError('CONFLICT', message, { field: 'regulation', reason: 'asset_in_use' });
}

function changedMeanwhile(): ApiError {
  return apiError('CONFLICT', 'the asset has changed meanwhile: read it again');
}
