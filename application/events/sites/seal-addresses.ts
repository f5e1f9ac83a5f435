import { eventsDatabase } from '../../../data/events/database.ts';
import { openScopeKeys } from '../../../data/events/keys/r2-scope-keys.ts';
import { listUnsealedCameras, replaceBySealed, sealSource } from '../../../data/events/sites/cameras.ts';
import { eventScope } from '../../../data/events/sites/events.ts';

const CAMERAS_PER_PAGE = 100;

/** Seals addresses of cameras that were made before they were sealed, all of them. Where the key is gone, the shredding of the event takes them. */
export async function sealAddresses(env: Env): Promise<void> {
  const db = eventsDatabase(env.EVENTS_DB);
  const keys = openScopeKeys(env.EVENT_KEYS, env.EVENTS_MASTER_KEY);
  for (let after = ''; ; ) {
    const page = await listUnsealedCameras(db, { after, limit: CAMERAS_PER_PAGE });
    for (const [id, cameras] of Map.groupBy(page, ({ eventId }) => eventId)) {
      const key = await keys.open(eventScope({ tenant: cameras[0]!.tenant, id }));
      if (key === null) continue;
      for (const camera of cameras) await replaceBySealed(db, camera, await sealSource(key, camera.id, camera.source));
    }
    const last = page.at(-1);
    if (last === undefined || page.length < CAMERAS_PER_PAGE) return;
    after = last.id;
  }
}
