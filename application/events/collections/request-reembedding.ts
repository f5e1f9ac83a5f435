import { eventsDatabase } from '../../../data/events/database.ts';
import { awaitReembedding, beginNextReembedding, type Collection } from '../../../data/events/images/collections.ts';
import type { EventWork } from '../event-work.ts';
import type { EventsCaller } from '../events-caller.ts';

/** A job that has done nothing for this long is taken for lost. */
const STALLED_MS = 10 * 60_000;
/** Of a tenant, collections that are embedded again at once: each has a turn in the queue that all tenants share. */
const AT_ONCE_MAX = 4;

/** Has a collection embedded by the model of now, unless that waits or is under way. */
export async function requestReembedding(
  env: Env,
  collection: Pick<Collection, 'id'>,
  caller: EventsCaller,
): Promise<void> {
  const now = Date.now();
  await awaitReembedding(eventsDatabase(env.EVENTS_DB), collection.id, { now, stalledBefore: now - STALLED_MS });
  await beginReembeddings(env, caller);
}

/** Begins what waits of the tenant's, as many as may be under way at once. Asked whenever one ends, and with each request. */
export async function beginReembeddings(env: Env, { tenant, organization, requestId }: EventsCaller): Promise<void> {
  const db = eventsDatabase(env.EVENTS_DB);
  for (let begun = 0; begun < AT_ONCE_MAX; begun++) {
    const now = Date.now();
    const terms = { now, stalledBefore: now - STALLED_MS, max: AT_ONCE_MAX };
    const collection = await beginNextReembedding(db, tenant, terms);
    if (collection === null) return;
    const work: EventWork = { type: 'reembed', tenant, organization, requestId, collection, after: '' };
    await env.EVENT_REEMBED.send(work);
  }
}
