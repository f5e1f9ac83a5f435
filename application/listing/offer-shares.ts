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
  const now = Date.now();
  if (result?.type === 'done') {
    const { status, code } = result.report;
    if (status === 'rejected') await moveListing(db, event, 'refused', now, code);
    else await moveListing(db, event, 'offered', now);
    return true;
  }
  if (result?.type === 'refused') {
    const { refusal } = result;
    if (refusal.reason === 'stale' || refusal.reason === 'backlog' || refusal.reason === 'ledger_full') return false;
    await moveListing(db, event, 'refused', now, failureCode(failureOfRefusal(refusal, { market, dollars })));
    return true;
  }
  // An id that the ledger has given up is tried under the one that follows from it.
  if (result?.type === 'unavailable' && (await settleBeforeRead(env, issuer.id))) {
    const isSpent = await isOrderReleased(orderStore(env), issuer.id, event.offerId);
    if (isSpent) await replaceOffer(db, event, await retryId(event.offerId), now);
    return isSpent;
  }
  return false;
}
