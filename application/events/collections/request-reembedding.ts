import { eventsDatabase } from '../../../data/events/database.ts';
import { beginReembedding, type Collection } from '../../../data/events/images/collections.ts';
import type { EventWork } from '../event-work.ts';
import type { EventsCaller } from '../events-caller.ts';

/** A job that has done nothing for this long is taken for lost. */
const STALLED_MS = 10 * 60_000;

/** Has a collection embedded by the model of now, unless that is under way. */
export async function requestReembedding(
  env: Env,
  collection: Pick<Collection, 'id' | 'name'>,
  { tenant, organization, requestId }: EventsCaller,
): Promise<void> {
  const now = Date.now();
  const db = eventsDatabase(env.EVENTS_DB);
  if (!(await beginReembedding(db, collection.id, { now, stalledBefore: now - STALLED_MS }))) return;
  const work: EventWork = { type: 'reembed', tenant, organization, requestId, collection: collection.name, after: '' };
  await env.EVENT_REEMBED.send(work);
}
