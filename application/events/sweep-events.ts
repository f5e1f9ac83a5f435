import { eventsDatabase } from '../../data/events/database.ts';
import { findRetiredCollections } from '../../data/events/images/collections.ts';
import { foldAddresses } from './attendees/fold-addresses.ts';
import { deleteWholeCollection } from './collections/delete-whole-collection.ts';
import { sweepJobs } from './enhancement/sweep-jobs.ts';
import { sweepPhotos } from './faces/sweep-photos.ts';
import { judgeWaiting } from './occupancy/judge-waiting.ts';
import { sealAddresses } from './sites/seal-addresses.ts';
import { sweepStaffTrail } from './trail/staff-trail.ts';

const COLLECTIONS_PER_PAGE = 20;

/**
 * Hourly: finishes what requests to the events service left half done, and deletes what has expired, until nothing is left: where one invocation has not
 * queries enough, the job goes on in another.
 */
export async function sweepEvents(env: Env): Promise<void> {
  const swept = await Promise.allSettled([
    sweepCollections(env),
    sweepPhotos(env),
    sweepJobs(env),
    sweepStaffTrail(env),
    sealAddresses(env),
    foldAddresses(env),
    judgeWaiting(env),
  ]);
  const failures = swept.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
  if (failures.length > 0) throw new AggregateError(failures, 'the events service could not be swept');
}

async function sweepCollections(env: Env): Promise<void> {
  for (;;) {
    const retired = await findRetiredCollections(eventsDatabase(env.EVENTS_DB), Date.now(), COLLECTIONS_PER_PAGE);
    for (const collection of retired) await deleteWholeCollection(env, collection);
    if (retired.length < COLLECTIONS_PER_PAGE) return;
  }
}
