import { findAccounts } from '../../data/accounts/accounts.ts';
import type { OperatorAction } from '../../data/audit/trail/operator-events.ts';
import { type AssetRow, findAsset } from '../../data/catalog/assets.ts';
import {
  type AssetChangeEvent,
  endPendingChange,
  listPendingChangesOf,
  takePendingChanges,
} from '../../data/catalog/pending-asset-changes.ts';
import { type Database, database } from '../../data/database.ts';
import { listMarketsOf } from '../../data/markets/markets.ts';
import { attributesOf } from '../../domain/accreditation/attributes-of.ts';
import { requiresOf } from '../../domain/accreditation/requires-of.ts';
import { MARKETS_OF } from '../../domain/assets/asset-status.ts';
import { isLockedUp } from '../../domain/assets/issuer-lockup.ts';
import { MINUTE_MS } from '../../domain/calendar/durations.ts';
import { qualifies } from '../../domain/orders/eligibility.ts';
import { err, ok, type Result } from '../../domain/result.ts';
import { log } from '../../durable-objects/log/log.ts';
import { type ApiError, apiError } from '../../protocol/errors/api-error.ts';
import { askLedger } from '../ledger/ask-ledger.ts';
import { changeMarket } from '../ledger/change-market.ts';
import { type CancelledOrders, cancelInBooks } from '../order-book/cancel-in-books.ts';
import { reconfigureBook } from '../order-book/reconfigure-book.ts';
import { actionPart } from './action-part.ts';
import { marketChangeError } from './market-change-error.ts';
import { noSuchAsset } from './not-found.ts';

export interface ChangedAsset {
  readonly asset: AssetRow;
  /** Markets that it had an effect on, by symbol. */
  readonly markets: readonly string[];
  /** Bids of those who no longer qualify. */
  readonly cancelled: CancelledOrders;
}

const NONE_CANCELLED: CancelledOrders = { orderIds: [], pendingOrderIds: [] };

/** What orders are checked by: another value makes those that were checked under the last one stale. */
export const RULES_OF_ORDERS = [
  'tradeable',
  'executionRoute',
  'accreditationType',
  'regulation',
  'lockupEndsAt',
] as const;

/**
 * Has the markets of an asset follow a change of it, and writes down that they have; as often as need be, each part under the same id. What the
 * asset has become since is what they follow.
 */
export async function followAssetChange(env: Env, change: AssetChangeEvent): Promise<Result<ChangedAsset, ApiError>> {
  const db = database(env.DB);
  const asset = await findAsset(db, change.asset);
  if (asset === null) return err(noSuchAsset());
  const followed = await (change.after.status === undefined
    ? followRules(env, asset, change)
    : followStatus(env, asset, change));
  if (followed.ok) await endPendingChange(db, change.action.id);
  return followed;
}

/** Changes of one asset from before that a request goes on with. */
const EARLIER_CHANGES_MAX = 5;

/** Goes on with changes of an asset whose request ended too early, beside `change`, which has been seen to. */
export async function carryOnAsset(env: Env, { asset, action }: AssetChangeEvent): Promise<void> {
  const pending = await listPendingChangesOf(database(env.DB), asset, EARLIER_CHANGES_MAX);
  await carryOn(
    env,
    pending.filter((change) => change.action.id !== action.id),
  );
}

const CHANGES_PER_RUN_MAX = 20;

/** Every five minutes: goes on with changes of assets whose request ended too early. What is left over waits for the next run. */
export async function carryOnAssetChanges(env: Env, now = Date.now()): Promise<void> {
  const waiting = { before: now - MINUTE_MS, now, limit: CHANGES_PER_RUN_MAX };
  await carryOn(env, await takePendingChanges(database(env.DB), waiting));
}

async function carryOn(env: Env, changes: readonly AssetChangeEvent[]): Promise<void> {
  for (const change of changes) {
    const followed = await followAssetChange(env, change);
    if (followed.ok) continue;
    const { asset, action } = change;
    log('warn', 'markets do not follow a change of their asset yet', {
      asset,
      action: action.id,
      code: followed.error.code,
    });
  }
}

/** A suspended asset's markets are halted, a delisted one's closed. */
async function followStatus(
  env: Env,
  asset: AssetRow,
  { action }: AssetChangeEvent,
): Promise<Result<ChangedAsset, ApiError>> {
  const status = MARKETS_OF[asset.status];
  if (status === null) return ok(unaffected(asset));
  const symbols = (await listMarketsOf(database(env.DB), asset.id)).map(({ symbol }) => symbol);
  const markets = await changeMarketsOf(env, symbols, { status }, action);
  return markets.ok ? ok({ asset, markets: markets.value, cancelled: NONE_CANCELLED }) : markets;
}

async function followRules(
  env: Env,
  asset: AssetRow,
  { action, before: changed }: AssetChangeEvent,
): Promise<Result<ChangedAsset, ApiError>> {
  const before = { ...asset, ...changed };
  if (RULES_OF_ORDERS.every((field) => before[field] === asset[field])) return ok(unaffected(asset));
  const markets = await changeMarketsOf(env, await basedOn(database(env.DB), asset.id), {}, action);
  if (!markets.ok) return markets;
  const isStricter = before.accreditationType !== asset.accreditationType;
  const cancelled = isStricter ? await cancelUnqualified(env, asset, markets.value) : ok(NONE_CANCELLED);
  if (!cancelled.ok) return cancelled;
  const locked = isLockedUp(asset, Date.now()) ? await cancelSells(env, markets.value) : ok(NONE_CANCELLED);
  if (!locked.ok) return locked;
  return ok({ asset, markets: markets.value, cancelled: both(cancelled.value, locked.value) });
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
): Promise<Result<CancelledOrders, ApiError>> {
  const requires = requiresOf(asset);
  const orderIds: string[] = [];
  const pendingOrderIds: string[] = [];
  for (const symbol of symbols) {
    const open = await askLedger(env, (ledger) => ledger.reservations(symbol));
    if (open === null) return err(bookIsSilent(symbol));
    const holders = await findAccounts(database(env.DB), [...new Set(open.map(({ account }) => account))]);
    for (const holder of holders.filter((facts) => !qualifies(requires, attributesOf(facts)))) {
      const command = { account: holder.id, keyId: null, side: 'buy', reason: 'revoked' } as const;
      const cancelled = await cancelInBooks(env, [symbol], command);
      if (cancelled.unreachable.length > 0) return err(bookIsSilent(symbol));
      orderIds.push(...cancelled.orderIds);
      pendingOrderIds.push(...cancelled.pendingOrderIds);
    }
  }
  return ok({ orderIds, pendingOrderIds });
}

/** Cancels what is offered of an asset that its issuer has locked up. */
async function cancelSells(env: Env, symbols: readonly string[]): Promise<Result<CancelledOrders, ApiError>> {
  let cancelled = NONE_CANCELLED;
  for (const symbol of symbols) {
    const open = await askLedger(env, (ledger) => ledger.reservations(symbol));
    if (open === null) return err(bookIsSilent(symbol));
    for (const account of new Set(open.map((reservation) => reservation.account))) {
      const sells = await cancelInBooks(env, [symbol], { account, keyId: null, side: 'sell', reason: 'revoked' });
      if (sells.unreachable.length > 0) return err(bookIsSilent(symbol));
      cancelled = both(cancelled, sells);
    }
  }
  return ok(cancelled);
}

function both(one: CancelledOrders, other: CancelledOrders): CancelledOrders {
  return {
    orderIds: [...one.orderIds, ...other.orderIds],
    pendingOrderIds: [...one.pendingOrderIds, ...other.pendingOrderIds],
  };
}

function unaffected(asset: AssetRow): ChangedAsset {
  return { asset, markets: [], cancelled: NONE_CANCELLED };
}

function bookIsSilent(symbol: string): ApiError {
  const message = 'the asset has changed, but a market did not answer; repeat with the same Idempotency-Key';
  return apiError('SERVICE_UNAVAILABLE', message, { market: symbol });
}
