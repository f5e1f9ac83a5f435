import type { OperatorAction } from '../../data/audit/trail/operator-events.ts';
import { findInstrumentOfMarket } from '../../data/catalog/instruments.ts';
import { database } from '../../data/database.ts';
import { type ListingEventRow, moveListing } from '../../data/listing/listing-events.ts';
import type { Market } from '../../domain/markets/market.ts';
import { fromScaled } from '../../domain/money/scaled.ts';
import { log } from '../../durable-objects/log/log.ts';
import type { ApiError } from '../../protocol/errors/api-error.ts';
import { changeMarket } from '../ledger/change-market.ts';
import { actionPart } from '../operator/action-part.ts';
import { editAsset } from '../operator/change-asset.ts';
import { openNewMarket } from '../operator/open-new-market.ts';
import { cancelInBooks } from '../order-book/cancel-in-books.ts';
import { reconfigureBook } from '../order-book/reconfigure-book.ts';
import { submitToBook } from '../order-book/submit-to-book.ts';
import { convertIndications } from './convert-indications.ts';

/** Takes back what is left of the issuer's offer: its shares are free again. */
export async function withdrawOffer(env: Env, event: ListingEventRow): Promise<boolean> {
  if (!(await cancelOffer(env, event))) return false;
  await moveListing(database(env.DB), event, 'converted', Date.now());
  return true;
}

/**
 * One step of an event that was stopped: the rest of the offer is taken back first, so that nothing turns firm any more; then what was to turn firm is asked
 * for, which finds what has, and the rest without an offer. Indications stand.
 */
export async function carryOnStopping(env: Env, event: ListingEventRow): Promise<boolean> {
  if (!(await cancelOffer(env, event))) return false;
  return convertIndications(env, event, async () => {
    await moveListing(database(env.DB), event, 'refused', Date.now());
    return true;
  });
}

/** False where it is not known to have ended. */
async function cancelOffer(env: Env, { book, offerId: orderId, issuerAccount: account }: ListingEventRow) {
  const result = (await submitToBook(env, book, [{ type: 'cancel', orderId, account }]))?.[0];
  // One that is refused has ended: every share of it is sold, or somebody has cancelled it.
  return result?.type === 'done' || result?.type === 'refused';
}

/** The asset trades from here on as the terms say, and every indication that is left lapses. */
export async function endListing(env: Env, event: ListingEventRow): Promise<boolean> {
  const isDone = event.opensMarket ? await openPair(env, event) : await lapse(env, event);
  if (isDone) await moveListing(database(env.DB), event, 'done', Date.now());
  return isDone;
}

/** Without a pair, interest may be taken anew, for another event. */
async function lapse(env: Env, { book }: ListingEventRow): Promise<boolean> {
  const everybody = { account: null, keyId: null, side: null, reason: 'delisted' } as const;
  return (await cancelInBooks(env, [book], everybody)).unreachable.length === 0;
}

/** The pair of the asset, under the rules of its market of indications; that one closes, and with it every indication lapses. */
async function openPair(env: Env, event: ListingEventRow): Promise<boolean> {
  const { id, actor, requestId, asset, book } = event;
  const action: OperatorAction = { id, actor, requestId, reason: `listing event ${id}` };
  const indicated = (await findInstrumentOfMarket(database(env.DB), book))?.market;
  if (indicated == null) throw new Error(`listing event ${id} is of no market`);
  const opened = await openNewMarket(env, pairOf(event, indicated), await actionPart(action, 'market'));
  // A pair that stands already stays as it is.
  if (!opened.ok && opened.error.code !== 'CONFLICT') return stuck(event, opened.error);
  const edit = { executionRoute: 'internal' } as const;
  const reason = action.reason ?? '';
  const routed = await editAsset(env, { id: asset, edit, reason }, await actionPart(action, 'route'));
  if (!routed.ok) return stuck(event, routed.error);
  const rules = { status: 'closed' } as const;
  const close = { symbol: book, rules, action: await actionPart(action, 'close'), now: Date.now() };
  const closed = await changeMarket(env, close);
  if (!closed.ok && closed.error.reason !== 'market_closed') return false;
  return reconfigureBook(env, book);
}

function pairOf(event: ListingEventRow, indicated: Market): Parameters<typeof openNewMarket>[1] {
  const { priceScale, quantityScale } = indicated;
  const price = (scaled: number) => fromScaled(scaled, priceScale);
  const quantity = (scaled: number) => fromScaled(scaled, quantityScale);
  return {
    baseAssetId: indicated.baseAsset,
    quoteAssetId: indicated.quoteAsset,
    route: 'internal',
    priceScale,
    tickSize: price(indicated.tickSize),
    lotSize: quantity(indicated.lotSize),
    minSize: quantity(indicated.quantityMin),
    maxSize: quantity(indicated.quantityMax),
    makerFeeBps: indicated.makerFeeBps,
    takerFeeBps: indicated.takerFeeBps,
    tradingHours: 'always',
    referencePrice: price(event.price),
  };
}

function stuck({ id, asset }: ListingEventRow, { code, message }: ApiError): false {
  log('warn', 'a listed asset does not get its market yet', { event: id, asset, code, message });
  return false;
}
