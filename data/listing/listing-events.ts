import { and, desc, eq, lt, notInArray, sql } from 'drizzle-orm';
import type { ListingState } from '../../domain/listing/listing-state.ts';
import type { OperatorAction } from '../audit/trail/operator-events.ts';
import { changeOnce } from '../change-once.ts';
import { createOnce } from '../create-once.ts';
import type { Database } from '../database.ts';
import { listingEvents } from '../schema/listing.ts';

export type ListingEventRow = typeof listingEvents.$inferSelect;

/** Writes a listing event down, with who announced it, once per action id. False while another one of the asset is under way. */
export function announceListing(db: Database, event: ListingEventRow, action: OperatorAction): Promise<boolean> {
  const { id, asset, book, state, createdAt, ...terms } = event;
  return createOnce(db, {
    action,
    type: 'operator.listing_announced',
    subject: asset,
    after: { event: id, book, ...terms },
    now: createdAt,
    conflict: sql`SELECT 1 FROM listing_events WHERE asset = ${asset} AND state NOT IN ('done', 'refused')`,
    inserts: (takesPlace) => [
      sql`INSERT INTO listing_events (id, asset, book, state, price, shares_offered, lot_size, allocation, lockup_months,
                                      restriction_ends_at, offering_type, issuer_account, opens_market, offer_id, actor, request_id,
                                      created_at, updated_at)
          SELECT ${id}, ${asset}, ${book}, ${state}, ${terms.price}, ${terms.sharesOffered}, ${terms.lotSize}, ${terms.allocation},
                 ${terms.lockupMonths}, ${terms.restrictionEndsAt}, ${terms.offeringType}, ${terms.issuerAccount},
                 ${terms.opensMarket ? 1 : 0}, ${terms.offerId}, ${terms.actor}, ${terms.requestId}, ${createdAt}, ${createdAt}
          WHERE ${takesPlace} ON CONFLICT DO NOTHING`,
    ],
  });
}

/** The listing event of an asset under this id, or null. */
export async function findListing(db: Database, asset: string, id: string): Promise<ListingEventRow | null> {
  const isIt = and(eq(listingEvents.id, id), eq(listingEvents.asset, asset));
  return (await db.select().from(listingEvents).where(isIt).get()) ?? null;
}

/** Listing events of an asset, newest first. */
export function listListings(
  db: Database,
  asset: string,
  { before, limit }: { readonly before: string | null; readonly limit: number },
): Promise<ListingEventRow[]> {
  return db
    .select()
    .from(listingEvents)
    .where(and(eq(listingEvents.asset, asset), before === null ? undefined : lt(listingEvents.id, before)))
    .orderBy(desc(listingEvents.id))
    .limit(limit);
}

/** Events that are not over and were last seen to before a time; chance decides which come first, so none that waits keeps back another. */
export function listUnfinishedListings(db: Database, before: number, limit: number): Promise<ListingEventRow[]> {
  return db
    .select()
    .from(listingEvents)
    .where(and(notInArray(listingEvents.state, ['done', 'refused']), lt(listingEvents.updatedAt, before)))
    .orderBy(sql`random()`)
    .limit(limit);
}

/** Moves an event on from the state that it was read in. */
export async function moveListing(
  db: Database,
  { id, state }: Pick<ListingEventRow, 'id' | 'state'>,
  to: ListingState,
  now: number,
  code: string | null = null,
): Promise<void> {
  await db
    .update(listingEvents)
    .set({ state: to, updatedAt: now, code })
    .where(and(eq(listingEvents.id, id), eq(listingEvents.state, state)));
}

/**
 * An operator stops an event that has not turned all firm, with who did it; once per action id. One whose offer is not known to stand is `withdrawing`: whoever is
 * about to place it must find its id spent.
 *
 * @returns false where the event has come too far, or is over
 */
export function stopListing(
  db: Database,
  { id, asset, state }: ListingEventRow,
  action: OperatorAction,
  now: number,
): Promise<boolean> {
  return changeOnce(db, {
    action,
    type: 'operator.listing_stopped',
    subject: asset,
    details: { event: id },
    before: { state },
    after: { state: 'stopping' },
    now,
    when: sql`EXISTS (SELECT 1 FROM listing_events WHERE id = ${id} AND state IN ('announced', 'offered', 'allotted'))`,
    writes: (takesPlace) => [
      sql`UPDATE listing_events SET state = CASE state WHEN 'announced' THEN 'withdrawing' ELSE 'stopping' END,
            updated_at = ${now}, stopped_at = ${now}
          WHERE id = ${id} AND state IN ('announced', 'offered', 'allotted') AND ${takesPlace}`,
    ],
  });
}

/** It is being seen to: a run that comes meanwhile leaves it alone for a while. */
export async function touchListing(db: Database, id: string, now: number): Promise<void> {
  await db.update(listingEvents).set({ updatedAt: now }).where(eq(listingEvents.id, id));
}

/** The issuer's order gets another id: the ledger has given the one up that it had. */
export async function replaceOffer(
  db: Database,
  { id, offerId }: Pick<ListingEventRow, 'id' | 'offerId'>,
  next: string,
  now: number,
): Promise<void> {
  await db
    .update(listingEvents)
    .set({ offerId: next, updatedAt: now })
    .where(and(eq(listingEvents.id, id), eq(listingEvents.offerId, offerId)));
}
