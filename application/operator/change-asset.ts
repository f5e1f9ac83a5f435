import { findAccounts } from '../../data/accounts/accounts.ts';
import { findOperatorChange, type OperatorAction } from '../../data/audit/trail/operator-events.ts';
import { isAssetInUse } from '../../data/catalog/asset-in-use.ts';
import {
  type AssetRow,
  changeAsset,
  type EditableAsset,
  findAsset,
  isOtherRegulation,
} from '../../data/catalog/assets.ts';
import { type Database, database } from '../../data/database.ts';
import { listMarketsOf } from '../../data/markets/markets.ts';
import { attributesOf } from '../../domain/accreditation/attributes-of.ts';
import { requiresOf } from '../../domain/accreditation/requires-of.ts';
import type { AssetStatus } from '../../domain/assets/asset.ts';
import { MARKETS_OF, mayBecome } from '../../domain/assets/asset-status.ts';
import { offeringFailure } from '../../domain/assets/offering-failure.ts';
import type { ListedCategory } from '../../domain/assets/rail-of.ts';
import { qualifies } from '../../domain/orders/eligibility.ts';
import { err, ok, type Result } from '../../domain/result.ts';
import { type ApiError, apiError } from '../../protocol/errors/api-error.ts';
import { askLedger } from '../ledger/ask-ledger.ts';
import { changeMarket } from '../ledger/change-market.ts';
import { cancelInBooks } from '../order-book/cancel-in-books.ts';
import { reconfigureBook } from '../order-book/reconfigure-book.ts';
import { actionPart } from './action-part.ts';
import { marketChangeError } from './market-change-error.ts';
import { noSuchAsset } from './not-found.ts';

export interface ChangedAsset {
  readonly asset: AssetRow;
  /** Markets that it had an effect on, by symbol. */
  readonly markets: readonly string[];
  /** Bids of those who no longer qualify. */
  readonly cancelledOrders: readonly string[];
}

/** What orders are checked by: another value makes those that were checked under the last one stale. */
const RULES_OF_ORDERS = ['tradeable', 'executionRoute', 'accreditationType', 'regulation'] as const;

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
  const change = { asset, change: { status }, type: 'operator.asset_status', reason, now: Date.now() };
  if (!(await changeAsset(db, change, action))) return err(changedMeanwhile());
  const marketStatus = MARKETS_OF[status];
  const current = (await findAsset(db, id)) ?? asset;
  // A repetition that comes after a later change has nothing left to do.
  if (marketStatus === null || current.status !== status) return ok(unaffected(current));
  const symbols = (await listMarketsOf(db, id)).map(({ symbol }) => symbol);
  const markets = await changeMarketsOf(env, symbols, { status: marketStatus }, action);
  return markets.ok ? ok({ asset: current, markets: markets.value, cancelledOrders: [] }) : markets;
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
  if (made === null && isOtherRegulation(asset, edit) && (await isAssetInUse(db, id))) return err(inUse());
  const change = { asset, change: edit, type: 'operator.asset_changed', reason, now: Date.now() };
  if (!(await changeAsset(db, change, action))) return err(changedMeanwhile());
  const current = (await findAsset(db, id)) ?? asset;
  const before = { ...asset, ...made?.before };
  if (RULES_OF_ORDERS.every((field) => before[field] === current[field])) return ok(unaffected(current));
  const markets = await changeMarketsOf(env, await basedOn(db, id), {}, action);
  if (!markets.ok) return markets;
  const isStricter = before.accreditationType !== current.accreditationType;
  const cancelled = isStricter ? await cancelUnqualified(env, current, markets.value) : ok([]);
  return cancelled.ok ? ok({ asset: current, markets: markets.value, cancelledOrders: cancelled.value }) : cancelled;
}

/** Currencies and allowances are assets that nobody lists. */
async function findListed(db: Database, id: string): Promise<AssetRow | null> {
  const asset = await findAsset(db, id);
  return asset?.rail == null ? null : asset;
}

/** Markets whose orders are for the asset. */
async function basedOn(db: Database, id: string): Promise<readonly string[]> {
  return (await listMarketsOf(db, id)).flatMap(({ symbol, baseAsset }) => (baseAsset === id ? symbol : []));
}

/**
 * Gives each market a new version of its rules, so that no order comes in that was checked before, and has its book read them. A closed
 * market stays as it is. Answers the symbols of the others.
 */
async function changeMarketsOf(
  env: Env,
  symbols: readonly string[],
  rules: { readonly status?: 'halted' | 'closed' },
  action: OperatorAction,
): Promise<Result<readonly string[], ApiError>> {
  const affected: string[] = [];
  for (const symbol of symbols) {
    const part = await actionPart(action, symbol);
    const details = { partOf: action.id };
    const changed = await changeMarket(env, { symbol, rules, renews: true, details, action: part, now: Date.now() });
    if (!changed.ok && changed.error.reason === 'market_closed') continue;
    if (!changed.ok) return err(marketChangeError(changed.error));
    if (!(await reconfigureBook(env, symbol))) return err(bookIsSilent(symbol));
    affected.push(symbol);
  }
  return ok(affected);
}

/** Cancels bids for an asset of those whom its accreditation rule no longer lets buy. A sell keeps what it asked of its counterparty. */
async function cancelUnqualified(
  env: Env,
  asset: AssetRow,
  symbols: readonly string[],
): Promise<Result<readonly string[], ApiError>> {
  const requires = requiresOf(asset);
  const orderIds: string[] = [];
  for (const symbol of symbols) {
    const open = await askLedger(env, (ledger) => ledger.reservations(symbol));
    if (open === null) return err(bookIsSilent(symbol));
    const holders = await findAccounts(database(env.DB), [...new Set(open.map(({ account }) => account))]);
    for (const holder of holders.filter((facts) => !qualifies(requires, attributesOf(facts)))) {
      const command = { account: holder.id, keyId: null, side: 'buy', reason: 'revoked' } as const;
      const cancelled = await cancelInBooks(env, [symbol], command);
      if (cancelled.unreachable.length > 0) return err(bookIsSilent(symbol));
      orderIds.push(...cancelled.orderIds);
    }
  }
  return ok(orderIds);
}

function unaffected(asset: AssetRow): ChangedAsset {
  return { asset, markets: [], cancelledOrders: [] };
}

function inUse(): ApiError {
  const message = 'an asset that somebody holds, or that was traded, keeps its regulation';
  return apiError('CONFLICT', message, { field: 'regulation', reason: 'asset_in_use' });
}

function changedMeanwhile(): ApiError {
  return apiError('CONFLICT', 'the asset has changed meanwhile: read it again');
}

function bookIsSilent(symbol: string): ApiError {
  const message = 'the asset has changed, but a market did not answer; repeat with the same Idempotency-Key';
  return apiError('SERVICE_UNAVAILABLE', message, { market: symbol });
}
