import type { OperatorAction } from '../../data/audit/trail/operator-events.ts';
import { database } from '../../data/database.ts';
import { findListing, type ListingEventRow, stopListing } from '../../data/listing/listing-events.ts';
import { shownListingState } from '../../domain/listing/listing-state.ts';
import { err, ok, type Result } from '../../domain/result.ts';
import { type ApiError, apiError } from '../../protocol/errors/api-error.ts';
import { carryOnListing } from './carry-on-listing.ts';

/** An operator stops a listing event (docs/design/pre-ipo.md#an-event-that-is-stopped); once per action. What turned firm stands. */
export async function stopListingEvent(
  env: Env,
  { asset, event: id }: { readonly asset: string; readonly event: string },
  action: OperatorAction,
): Promise<Result<ListingEventRow, ApiError>> {
  const db = database(env.DB);
  const event = await findListing(db, asset, id);
  if (event === null) return err(apiError('NOT_FOUND', 'listing event does not exist'));
  const isStopped = await stopListing(db, event, action, Date.now());
  const current = (await findListing(db, asset, id)) ?? event;
  if (!isStopped)
    return err(apiError('CONFLICT', 'the event cannot be stopped any more', { state: shownListingState(current) }));
  return ok(await carryOnListing(env, current));
}
