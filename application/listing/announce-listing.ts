import { findAccount } from '../../data/accounts/accounts.ts';
import type { OperatorAction } from '../../data/audit/trail/operator-events.ts';
import { findInstrumentOfAsset } from '../../data/catalog/instruments.ts';
import { database } from '../../data/database.ts';
import { announceListing, findListing, type ListingEventRow } from '../../data/listing/listing-events.ts';
import type { Allocation } from '../../domain/listing/allocate-shares.ts';
import { listedLotTerms } from '../../domain/listing/listed-lot.ts';
import { type Market, takesIndications } from '../../domain/markets/market.ts';
import { type ScaledError, toScaled } from '../../domain/money/scaled.ts';
import { isNotionalExact } from '../../domain/order-entry/exact-notional.ts';
import { instrumentFailure } from '../../domain/order-entry/instrument-failure.ts';
import { err, ok, type Result } from '../../domain/result.ts';
import { type ApiError, apiError } from '../../protocol/errors/api-error.ts';
import { actionPart } from '../operator/action-part.ts';
import { noSuchAccount, noSuchAsset } from '../operator/not-found.ts';
import { numberError } from '../operator/number-error.ts';

/** What an issuer says of its listing, in JSON numbers. */
export interface ListingTerms {
  readonly assetId: string;
  readonly price: number;
  readonly sharesOffered: number;
  /** Shares are dealt out in multiples of this; null for the lot of the market. */
  readonly lotSize: number | null;
  readonly allocation: Allocation;
  readonly lockupMonths: number;
  /** Whether the asset gets a pair of its own afterwards. */
  readonly opensMarket: boolean;
}

/** Writes the terms of a listing event down, after which they stand (docs/design/pre-ipo.md#the-listing-event); once per action. */
export async function announceListingEvent(
  env: Env,
  terms: ListingTerms,
  action: OperatorAction,
): Promise<Result<ListingEventRow, ApiError>> {
  const db = database(env.DB);
  const announced = await findListing(db, terms.assetId, action.id);
  if (announced !== null) return ok(announced);
  const instrument = await findInstrumentOfAsset(db, terms.assetId);
  if (instrument === null) return err(noSuchAsset());
  const { asset, market } = instrument;
  if (market === null || !takesIndications(market) || instrumentFailure(instrument, 'indication') !== null)
    return err(apiError('CONFLICT', 'the asset takes no indications of interest', { reason: 'not_indicated' }));
  if (asset.issuerAccount === null)
    return err(apiError('CONFLICT', 'the asset names no account of its issuer', { reason: 'no_issuer_account' }));
  if ((await findAccount(db, asset.issuerAccount)) === null) return err(noSuchAccount());
  const amounts = scaledAmounts(terms, market);
  if (!amounts.ok) return amounts;
  const now = Date.now();
  const event: ListingEventRow = {
    id: action.id,
    asset: asset.id,
    book: market.symbol,
    state: 'announced',
    ...amounts.value,
    allocation: terms.allocation,
    lockupMonths: terms.lockupMonths,
    ...listedLotTerms(asset, terms.lockupMonths, now),
    issuerAccount: asset.issuerAccount,
    opensMarket: terms.opensMarket,
    offerId: (await actionPart(action, 'offer')).id,
    code: null,
    actor: action.actor,
    requestId: action.requestId,
    createdAt: now,
    updatedAt: now,
    stoppedAt: null,
  };
  return (await announceListing(db, event, action))
    ? ok(event)
    : err(apiError('CONFLICT', 'a listing event of the asset is under way', { reason: 'under_way' }));
}

type Amounts = Pick<ListingEventRow, 'price' | 'sharesOffered' | 'lotSize'>;

function scaledAmounts(terms: ListingTerms, market: Market): Result<Amounts, ApiError> {
  const price = toScaled(terms.price, market.priceScale);
  if (!price.ok) return unfit('price', price.error);
  const offered = toScaled(terms.sharesOffered, market.quantityScale);
  if (!offered.ok) return unfit('sharesOffered', offered.error);
  const lot = terms.lotSize === null ? ok(market.lotSize) : toScaled(terms.lotSize, market.quantityScale);
  if (!lot.ok) return unfit('lotSize', lot.error);
  const refused = (field: string, reason: string): Result<never, ApiError> =>
    err(apiError('VALIDATION_ERROR', `${field} is none of this market`, { field, reason }));
  if (price.value % market.tickSize !== 0) return refused('price', 'not_on_tick');
  if (lot.value % market.lotSize !== 0) return refused('lotSize', 'not_on_lot');
  if (offered.value % lot.value !== 0) return refused('sharesOffered', 'not_on_lot');
  if (!isNotionalExact(market, price.value, offered.value)) return refused('sharesOffered', 'notional_too_large');
  return ok({ price: price.value, sharesOffered: offered.value, lotSize: lot.value });
}

function unfit(field: string, error: ScaledError): Result<never, ApiError> {
  return err(numberError(field, error));
}
