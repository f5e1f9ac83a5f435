import { eventsDatabase } from '../../../data/events/database.ts';
import { openScopeKeys } from '../../../data/events/keys/r2-scope-keys.ts';
import { listUnsealedCameras, replaceBySealed, sealSource } from '../../../data/events/sites/cameras.ts';
import { eventScope } from '../../../data/events/sites/events.ts';

/** A camera costs a query, an event the reads of its key: fewer than an invocation has. The others come in an hour. */
const CAMERAS_PER_RUN = 100;

/** Seals addresses of cameras that were made before they were sealed. Where the key is gone, the shredding of the event takes them. */
export async function sealAddresses(env: Env): Promise<void> {
  const db = eventsDatabase(env.EVENTS_DB);
  const keys = openScopeKeys(env.EVENT_KEYS, env.EVENTS_MASTER_KEY);
  const byEvent = Map.groupBy(await listUnsealedCameras(db, CAMERAS_PER_RUN), ({ eventId }) => eventId);
  for (const [id, cameras] of byEvent) {
    const key = await keys.open(eventScope({ tenant: cameras[0]!.tenant, id }));
    if (key === null) continue;
    for (const camera of cameras) await replaceBySealed(db, camera, await sealSource(key, camera.id, camera.source));
  }
}
