import { findDueErasures } from '../../../data/events/attendees/erasures.ts';
import { eventsDatabase } from '../../../data/events/database.ts';
import { deleteImages } from '../../../data/events/images/sealed-images.ts';
import { findEventsToShred } from '../../../data/events/retention/retention.ts';
import {
  collectionsOfDeparture,
  type Departure,
  deleteEnhancements,
  enhancementsOfDeparture,
  findDueDepartures,
  finishDeparture,
} from '../../../data/events/retention/retention-departures.ts';
import type { EventRow } from '../../../data/events/sites/events.ts';
import { eventsTenantOwner } from '../../../domain/webhooks/webhook-owner.ts';
import { clearEvents } from '../../partner/webhooks/list-events.ts';
import { deleteEndpointsMadeBy } from '../../partner/webhooks/manage-endpoints.ts';
import { carryOutErasure } from '../attendees/request-erasure.ts';
import { deleteWholeCollection } from '../collections/delete-whole-collection.ts';
import { destroyTenantKey } from './destroy-tenant-key.ts';
import { shredEvent } from './shred-event.ts';

const EVENTS_PER_PAGE = 100;
/** Each at most so many an invocation; what is left over waits for the next hour. */
const DEPARTURES_MAX = 10;
const ERASURES_MAX = 100;
const COLLECTIONS_MAX = 100;
const ENHANCEMENTS_MAX = 500;

/**
 * Hourly: destroys keys of tenants whose time to leave has come, erases attendees, shreds events whose retention period is over, and what is left of tenants that have left. One that fails holds up no other.
 *
 * @throws AggregateError of what failed, after all was tried
 */
export async function shredExpired(env: Env): Promise<void> {
  const db = eventsDatabase(env.EVENTS_DB);
  const failures: unknown[] = [];
  const attempt = async (work: () => Promise<void>) => {
    try {
      await work();
    } catch (error) {
      failures.push(error);
    }
  };
  const now = Date.now();
  for (const departure of await findDueDepartures(db, now, DEPARTURES_MAX))
    if (departure.keyDestroyedAt === null) await attempt(() => destroyTenantKey(env, departure));
  for (const erasure of await findDueErasures(db, now, ERASURES_MAX))
    await attempt(() => carryOutErasure(env, erasure));
  // Those too whose tenant has just left.
  const due = Date.now();
  let last: EventRow | null = null;
  do {
    const page: EventRow[] = await findEventsToShred(db, { now: due, after: last, limit: EVENTS_PER_PAGE });
    for (const event of page) await attempt(() => shredEvent(env, event));
    last = page.at(-1) ?? null;
  } while (last !== null);
  for (const departure of await findDueDepartures(db, now, DEPARTURES_MAX))
    if (departure.keyDestroyedAt !== null) await attempt(() => deleteWhatIsLeft(env, departure));
  if (failures.length > 0) throw new AggregateError(failures, 'some events could not be shredded');
}

/** What belongs to no event: collections of the tenant's own, enhanced images, webhooks, and the list of what it was told. */
async function deleteWhatIsLeft(env: Env, departure: Departure): Promise<void> {
  const db = eventsDatabase(env.EVENTS_DB);
  const collections = await collectionsOfDeparture(db, departure, COLLECTIONS_MAX);
  for (const collection of collections) await deleteWholeCollection(env, collection);
  const enhancements = await enhancementsOfDeparture(db, departure, ENHANCEMENTS_MAX);
  await deleteImages(
    env.EVENT_IMAGES,
    enhancements.flatMap(({ paths }) => paths),
  );
  await deleteEnhancements(
    db,
    enhancements.map(({ id }) => id),
  );
  const owner = eventsTenantOwner(departure.tenant);
  await deleteEndpointsMadeBy(env, owner, departure.leavingAt ?? departure.requestedAt);
  if (collections.length === COLLECTIONS_MAX || enhancements.length === ENHANCEMENTS_MAX) return;
  // Last, since a tenant that has come back has the same list.
  await clearEvents(env, owner);
  await finishDeparture(db, departure, Date.now());
}
