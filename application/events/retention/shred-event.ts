import { eventsDatabase } from '../../../data/events/database.ts';
import { collectionsOfEvent } from '../../../data/events/images/collections.ts';
import { deleteImagesOf } from '../../../data/events/images/sealed-images.ts';
import { openScopeKeys } from '../../../data/events/keys/r2-scope-keys.ts';
import { deleteEventContents, recordKeyDestroyed, recordShredded } from '../../../data/events/retention/retention.ts';
import { type EventRow, eventScope } from '../../../data/events/sites/events.ts';
import { forgetEventInTrail } from '../../../data/events/trail/staff-trail.ts';
import { eraseGalleries } from '../collections/gallery-shards.ts';

/**
 * Shreds what a deleted event holds: its key first, so that no copy anywhere can be read, then what lies about. Interrupted at any
 * point it is repeated from the beginning.
 */
export async function shredEvent(env: Env, event: EventRow): Promise<void> {
  const db = eventsDatabase(env.EVENTS_DB);
  const scope = eventScope(event);
  await openScopeKeys(env.EVENT_KEYS, env.EVENTS_MASTER_KEY).destroy(scope);
  await recordKeyDestroyed(db, event.id, Date.now());
  for (const collection of await collectionsOfEvent(db, event.id)) await eraseGalleries(env, collection);
  await deleteImagesOf(env.EVENT_IMAGES, scope);
  await deleteEventContents(db, event.id);
  await forgetEventInTrail(db, event.id);
  await recordShredded(db, event.id, Date.now());
}
