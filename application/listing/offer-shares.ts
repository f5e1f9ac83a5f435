import { findAccount } from '../../data/accounts/accounts.ts';
import { findInstrumentOfMarket } from '../../data/catalog/instruments.ts';
import { database } from '../../data/database.ts';
import { type ListingEventRow, moveListing, replaceOffer } from '../../data/listing/listing-events.ts';
import { isOrderReleased } from '../../data/orders/account-orders.ts';
import { orderStore } from '../../data/orders/archive/order-store.ts';
import { attributesOf } from '../../domain/accreditation/attributes-of.ts';
import { requiresOf } from '../../domain/accreditation/requires-of.ts';
import type { PlaceCommand } from '../../durable-objects/order-book/api.ts';
import { settleBeforeRead } from '../ledger/settle-before-read.ts';
import { submitToBook } from '../order-book/submit-to-book.ts';
import { failureCode } from '../order-entry/failure-code.ts';
import { retryId } from '../order-entry/retry-id.ts';
import { failureOfRefusal } from '../order-entry/routes/failure-of-refusal.ts';

/** Places the issuer's order in the market of indications: its shares are held from here on. Nothing is converted where they are not there. */
export async function offerShares(env: Env, event: ListingEventRow): Promise<boolean> {
  const db = database(env.DB);
  const placed = await placeOffer(env, event);
  const now = Date.now();
  switch (placed.type) {
    case 'placed':
      await moveListing(db, event, 'offered', now);
      return true;
    case 'rejected':
    case 'refused':
      await moveListing(db, event, 'refused', now, placed.code);
      return true;
    // An id that the ledger has given up is tried under the one that follows from it.
    case 'spent':
      await replaceOffer(db, event, await retryId(event.offerId), now);
      return true;
    case 'not_now':
      return false;
  }
}

/**
 * The event was stopped while its offer may have been about to be placed. It is placed here under the same id, so that nobody places it later, and taken back by the
 * next step. A halted market is waited for: what is refused now might be taken then.
 */
export async function spendOffer(env: Env, event: ListingEventRow): Promise<boolean> {
  const placed = await placeOffer(env, event);
  if (placed.type === 'not_now' || (placed.type === 'refused' && placed.mayPass)) return false;
  await moveListing(database(env.DB), event, 'stopping', Date.now());
  return true;
}

type PlacedOffer =
  | { readonly type: 'placed' | 'spent' | 'not_now' }
  | { readonly type: 'rejected'; readonly code: string | null }
  /** Without a trace of the order. `mayPass`: its market is halted. */
  | { readonly type: 'refused'; readonly code: string; readonly mayPass: boolean };

/** Places the offer, or meets the one that was placed under its id. */
async function placeOffer(env: Env, event: ListingEventRow): Promise<PlacedOffer> {
  const db = database(env.DB);
  const [instrument, issuer] = await Promise.all([
    findInstrumentOfMarket(db, event.book),
    findAccount(db, event.issuerAccount),
  ]);
  if (instrument === null || instrument.market === null || issuer === null)
    throw new Error(`listing event ${event.id} is of no market or of no account`);
  const { asset, market, dollars } = instrument;
  const command: PlaceCommand = {
    type: 'place',
    orderId: event.offerId,
    account: issuer.id,
    owner: issuer.owner,
    keyId: null,
    clientOrderId: null,
    terms: {
      side: 'sell',
      type: 'limit',
      timeInForce: 'GTC',
      quantity: event.sharesOffered,
      price: event.price,
      stopPrice: null,
      expiresAt: null,
      selfTradePrevention: 'cancel_newest',
      hidden: false,
      displayQuantity: null,
    },
    attributes: attributesOf(issuer),
    requires: requiresOf(asset),
    allowanceAsset: null,
    positionAsset: null,
    daily: null,
    factsVersion: issuer.factsVersion,
    rulesVersion: market.rulesVersion,
  };
  const result = (await submitToBook(env, event.book, [command]))?.[0];
  if (result?.type === 'done') {
    const { status, code } = result.report;
    return status === 'rejected' ? { type: 'rejected', code } : { type: 'placed' };
  }
  if (result?.type === 'refused') {
    const { refusal } = result;
    if (refusal.reason === 'stale' || refusal.reason === 'backlog' || refusal.reason === 'ledger_full') return NOT_NOW;
    const mayPass = refusal.reason === 'market_not_open' && refusal.status !== 'closed';
    return { type: 'refused', code: failureCode(failureOfRefusal(refusal, { market, dollars })), mayPass };
  }
  const isAnswered = result?.type === 'unavailable' && (await settleBeforeRead(env, issuer.id));
  const isSpent = isAnswered && (await isOrderReleased(orderStore(env), issuer.id, event.offerId));
  return isSpent ? { type: 'spent' } : NOT_NOW;
}

const NOT_NOW = { type: 'not_now' } as const;
