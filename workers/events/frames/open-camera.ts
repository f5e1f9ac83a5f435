import { type OpenCollection, openEventCollection } from '../../../application/events/collections/open-collection.ts';
import { eventsDatabase } from '../../../data/events/database.ts';
import { type CameraRow, findCamera } from '../../../data/events/sites/cameras.ts';
import { type EventRow, findEvent } from '../../../data/events/sites/events.ts';
import type { AppContext } from '../../middleware/app-env.ts';
import { tenancyOf } from '../tenancy.ts';

/** A camera with its event and the faces that are searched for it. */
export interface OpenCamera {
  readonly camera: CameraRow;
  readonly event: EventRow;
  readonly open: OpenCollection;
}

/** Null for one that the caller's tenant does not have, or whose event was deleted. */
export async function openCamera(c: AppContext, id: string): Promise<OpenCamera | null> {
  const db = eventsDatabase(c.env.EVENTS_DB);
  const { tenant } = tenancyOf(c);
  const camera = await findCamera(db, tenant, id);
  if (camera === null) return null;
  const [event, open] = await Promise.all([
    findEvent(db, tenant, camera.eventId),
    openEventCollection(c.env, tenant, camera.eventId),
  ]);
  return event === null || open === null ? null : { camera, event, open };
}
