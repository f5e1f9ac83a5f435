import type { OperatorAction } from '../../../data/audit/trail/operator-events.ts';
import { type AssetRow, changeAsset, findAsset, findAssetBySymbol } from '../../../data/catalog/assets.ts';
import { findAssetChange } from '../../../data/catalog/pending-asset-changes.ts';
import { database } from '../../../data/database.ts';
import { findMarket } from '../../../data/markets/markets.ts';
import {
  changeSecurity,
  endPendingStep,
  findSecurity,
  type Security,
  takePendingSteps,
} from '../../../data/partner/securities.ts';
import type { AssetStatus } from '../../../domain/assets/asset.ts';
import { mayBecome } from '../../../domain/assets/asset-status.ts';
import { MINUTE_MS } from '../../../domain/calendar/durations.ts';
import { marketSymbol } from '../../../domain/markets/market-symbol.ts';
import { fromScaled, toScaled } from '../../../domain/money/scaled.ts';
import { effectiveRestrictions } from '../../../domain/partner/effective-restrictions.ts';
import { lockupEndsAt } from '../../../domain/partner/lockup.ts';
import {
  type PendingSecurityChange,
  type SecurityListing,
  type SecurityState,
  VALUATION_SCALE,
} from '../../../domain/partner/security.ts';
import { err, ok, type Result } from '../../../domain/result.ts';
import { log } from '../../../durable-objects/log/log.ts';
import { type ApiError, apiError } from '../../../protocol/errors/api-error.ts';
import { changeMarket } from '../../ledger/change-market.ts';
import { actionPart } from '../../operator/action-part.ts';
import { followAssetChange } from '../../operator/follow-asset-change.ts';
import { listAsset } from '../../operator/list-asset.ts';
import { marketChangeError } from '../../operator/market-change-error.ts';
import { openNewMarket } from '../../operator/open-new-market.ts';
import { reconfigureBook } from '../../order-book/reconfigure-book.ts';

/** Where the asset of a security of this state stands; null for one that has none. */
const STATUS_OF: Readonly<Record<SecurityState, AssetStatus | null>> = {
  submitted: null,
  refused: null,
  listed: 'APPROVED',
  halted: 'SUSPENDED',
  delisted: 'DELISTED',
};

/**
 * Has asset and market follow the step that is pending of a security, as often as need be: each part is done once for the action that began it
 * (docs/design/partner.md#states-of-a-security). Nothing to do is done.
 */
export async function followSecurity(env: Env, id: string): Promise<Result<Security, ApiError>> {
  const db = database(env.DB);
  const security = await findSecurity(db, id);
  if (security === null) return err(apiError('NOT_FOUND', 'security does not exist'));
  const { pending } = security;
  if (pending === null) return ok(security);
  const followed =
    pending.listing === null
      ? await alignAsset(env, security, pending.step === 'state' ? STATUS_OF[security.state] : null, pending)
      : await makeListing(env, security, pending.listing, pending);
  if (!followed.ok) return followed;
  const current = await findSecurity(db, id);
  if (current === null) return err(apiError('NOT_FOUND', 'security does not exist'));
  if (current.pending?.id === pending.id) await endPendingStep(db, current);
  return ok((await findSecurity(db, id)) ?? current);
}

const STEPS_PER_RUN_MAX = 20;

/** Every five minutes: goes on with steps whose request ended too early. */
export async function carryOnSecurities(env: Env, now = Date.now()): Promise<void> {
  const waiting = { before: now - MINUTE_MS, now, limit: STEPS_PER_RUN_MAX };
  for (const id of await takePendingSteps(database(env.DB), waiting)) {
    const followed = await followSecurity(env, id);
    if (!followed.ok)
      log('warn', 'a step of a security does not come to its end yet', { security: id, code: followed.error.code });
  }
}

/** The asset, not shown yet, then its market, then the asset is approved and the security listed. What is refused leaves it submitted. */
async function makeListing(
  env: Env,
  security: Security,
  listing: SecurityListing,
  pending: PendingSecurityChange,
): Promise<Result<null, ApiError>> {
  const made = await makeAssetAndMarket(env, security, listing, pending);
  if (!made.ok) {
    if (made.error.code !== 'SERVICE_UNAVAILABLE') await giveUpListing(env, security, made.error, pending);
    return made;
  }
  const db = database(env.DB);
  const approved = await alignAsset(env, security, 'APPROVED', pending);
  if (!approved.ok) return approved;
  const change = { state: 'listed', symbol: listing.symbol, market: made.value, pending: null } as const;
  const part = await actionPart(pending, 'listed');
  const listed = { change, type: 'security.listed', details: { reason: pending.reason }, now: Date.now() };
  if (await changeSecurity(db, security, listed, part)) return ok(null);
  return err(apiError('CONFLICT', 'the security has changed meanwhile: read it again'));
}

async function makeAssetAndMarket(
  env: Env,
  security: Security,
  listing: SecurityListing,
  action: OperatorAction,
): Promise<Result<string, ApiError>> {
  const db = database(env.DB);
  const quote = await findAssetBySymbol(db, security.currency);
  if (quote === null)
    return err(apiError('CONFLICT', 'the venue has no such currency', { currency: security.currency }));
  const asset = await findAsset(db, security.id);
  if (asset === null) {
    const made = await listAsset(env, assetOf(security, listing), await actionPart(action, 'asset'));
    if (!made.ok) return made;
  }
  const symbol = marketSymbol(listing.symbol, quote.symbol, 'internal');
  if ((await findMarket(db, symbol)) !== null) return ok(symbol);
  const { priceScale, tickSize, lotSize, minSize, maxSize, makerFeeBps, takerFeeBps } = listing;
  const market = {
    ...{ priceScale, tickSize, lotSize, minSize, maxSize, makerFeeBps, takerFeeBps },
    baseAssetId: security.id,
    quoteAssetId: quote.id,
    route: 'internal',
    bandBps: listing.bandBps,
    bandHaltSeconds: listing.bandHaltSeconds,
    tradingHours: 'always',
    referencePrice: listing.referencePrice ?? valuedAt(security, listing),
  } as const;
  const opened = await openNewMarket(env, market, await actionPart(action, 'market'));
  return opened.ok ? ok(opened.value.symbol) : opened;
}

/** The price of the last valuation that its lister has stated, on the tick of its market. */
function valuedAt({ lastValuationPrice }: Security, { tickSize, priceScale }: SecurityListing): number | null {
  const tick = toScaled(tickSize, priceScale);
  if (!tick.ok) return null;
  const exponent = priceScale - VALUATION_SCALE;
  const valued = exponent >= 0 ? lastValuationPrice * 10 ** exponent : Math.floor(lastValuationPrice / 10 ** -exponent);
  const onTick = valued - (valued % tick.value);
  return onTick === 0 ? null : fromScaled(onTick, priceScale);
}

function assetOf(security: Security, listing: SecurityListing) {
  return {
    id: security.id,
    symbol: listing.symbol,
    name: security.assetName,
    category: 'privates',
    exchange: null,
    status: 'PENDING',
    scale: listing.scale,
    tradeable: true,
    accreditationType: listing.accreditationType,
    regulation: listing.regulation,
    offeringType: null,
    issuerName: security.issuerName,
    issuerAccount: null,
    description: null,
    image: '',
    referencePrice: null,
  } as const;
}

/** The operator may state other terms. */
async function giveUpListing(
  env: Env,
  security: Security,
  { code }: ApiError,
  pending: PendingSecurityChange,
): Promise<void> {
  const given = { change: { pending: null }, type: 'security.listing_refused', details: { code }, now: Date.now() };
  await changeSecurity(database(env.DB), security, given, await actionPart(pending, 'refused'));
}

/**
 * Gives the asset the lock-up that follows from the security and its status (null leaves that as it is), and opens the market of one whose halt was
 * lifted. A security without an asset has nothing that follows.
 */
async function alignAsset(
  env: Env,
  security: Security,
  status: AssetStatus | null,
  pending: PendingSecurityChange,
): Promise<Result<null, ApiError>> {
  const db = database(env.DB);
  const asset = await findAsset(db, security.id);
  if (asset === null) return ok(null);
  const part = await actionPart(pending, 'align');
  const change = differences(security, asset, status);
  if (Object.keys(change).length > 0) {
    const awaited = {
      asset,
      change,
      type: 'operator.asset_status',
      reason: pending.reason,
      awaited: true,
      now: Date.now(),
    };
    if (!(await changeAsset(db, awaited, part)))
      return err(apiError('SERVICE_UNAVAILABLE', 'the asset has changed meanwhile; please repeat'));
  }
  const made = await findAssetChange(db, part.id, asset.id);
  const followed = made === null ? ok(null) : await followAssetChange(env, made);
  if (!followed.ok) return followed;
  return status === 'APPROVED' && security.market !== null ? openMarketAgain(env, security.market, pending) : ok(null);
}

function differences(
  { restrictions, agentRestrictions }: Security,
  asset: AssetRow,
  status: AssetStatus | null,
): Partial<Pick<AssetRow, 'status' | 'lockupEndsAt'>> {
  const lockup = lockupEndsAt(effectiveRestrictions(restrictions, agentRestrictions).lockUpExpiryDate);
  return {
    ...(status !== null && asset.status !== status && mayBecome(asset.status, status) ? { status } : {}),
    ...(asset.lockupEndsAt === lockup ? {} : { lockupEndsAt: lockup }),
  };
}

async function openMarketAgain(
  env: Env,
  symbol: string,
  pending: PendingSecurityChange,
): Promise<Result<null, ApiError>> {
  const market = await findMarket(database(env.DB), symbol);
  if (market?.status !== 'halted') return ok(null);
  const action = await actionPart(pending, 'open');
  const changed = await changeMarket(env, { symbol, rules: { status: 'open' }, action, now: Date.now() });
  if (!changed.ok) return err(marketChangeError(changed.error));
  if (await reconfigureBook(env, symbol)) return ok(null);
  return err(apiError('SERVICE_UNAVAILABLE', 'the market did not answer; please repeat', { market: symbol }));
}
