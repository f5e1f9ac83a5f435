import { database } from '../../data/database.ts';
import {
  findListing,
  type ListingEventRow,
  listUnfinishedListings,
  touchListing,
} from '../../data/listing/listing-events.ts';
import { MINUTE_MS } from '../../domain/calendar/durations.ts';
import { isListingOver } from '../../domain/listing/listing-state.ts';
import { log } from '../../durable-objects/log/log.ts';
import { describeBug } from '../log/describe-bug.ts';
import { allotShares } from './allot-shares.ts';
import { convertIndications } from './convert-indications.ts';
import { carryOnStopping, endListing, withdrawOffer } from './end-listing.ts';
import { offerShares, spendOffer } from './offer-shares.ts';

/** Steps of one run, of which each converts 200 indications at most. */
const STEPS_MAX = 60;

const EVENTS_PER_RUN_MAX = 5;

/**
 * Takes a listing event as far as it goes now. Each step can be repeated: what it has done is found done, so that a run that ends too early
 * is gone on with by the next one.
 *
 * @returns the event as it stands then
 */
export async function carryOnListing(env: Env, event: ListingEventRow): Promise<ListingEventRow> {
  const db = database(env.DB);
  let current = event;
  for (let steps = 0; steps < STEPS_MAX && !isListingOver(current.state); steps++) {
    await touchListing(db, event.id, Date.now());
    const isDone = await stepOf(env, current);
    current = (await findListing(db, event.asset, event.id)) ?? current;
    if (!isDone) break;
  }
  return current;
}

/** One step on from the state that the event is in. False where it cannot be taken now. */
function stepOf(env: Env, event: ListingEventRow): Promise<boolean> {
  switch (event.state) {
    case 'announced':
      return offerShares(env, event);
    case 'offered':
      return allotShares(env, event);
    case 'allotted':
      return convertIndications(env, event, withdrawOffer);
    case 'converted':
      return endListing(env, event);
    case 'withdrawing':
      return spendOffer(env, event);
    case 'stopping':
      return carryOnStopping(env, event);
    case 'done':
    case 'refused':
      return Promise.resolve(true);
  }
}

/** Every five minutes: goes on with listing events whose run ended too early. What is left over waits for the next run. */
export async function carryOnListings(env: Env, now = Date.now()): Promise<void> {
  const db = database(env.DB);
  for (const event of await listUnfinishedListings(db, now - MINUTE_MS, EVENTS_PER_RUN_MAX)) {
    try {
      const { state } = await carryOnListing(env, event);
      if (!isListingOver(state)) log('warn', 'a listing event does not go on yet', { event: event.id, state });
    } catch (error) {
      log('error', 'a listing event failed', { event: event.id, error: describeBug(error) });
    }
  }
}
