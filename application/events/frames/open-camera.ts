import { eventsDatabase } from '../../../data/events/database.ts';
import { isBound } from '../../../data/events/sites/camera-credentials.ts';
import { type CameraRow, findCamera } from '../../../data/events/sites/cameras.ts';
import { type EventRow, findEvent } from '../../../data/events/sites/events.ts';
import { type OpenCollection, openEventCollection } from '../collections/open-collection.ts';

/** A camera with its event and the faces that are searched for it. */
export interface OpenCamera {
  readonly camera: CameraRow;
  readonly event: EventRow;
  readonly open: OpenCollection;
  /** The user who sends as it. */
  readonly sentBy: string;
}

/** Null for one that the tenant does not have, or whose event was deleted. */
async function openCamera(env: Env, { tenant, userId }: FrameSender, id: string): Promise<OpenCamera | null> {
  const db = eventsDatabase(env.EVENTS_DB);
  const camera = await findCamera(db, tenant, id);
  if (camera === null) return null;
  const [event, open] = await Promise.all([
    findEvent(db, tenant, camera.eventId),
    openEventCollection(env, tenant, camera.eventId),
  ]);
  return event === null || open === null ? null : { camera, event, open, sentBy: userId };
}

/**
 * The camera for somebody who sends as it. Who may set up cameras, and so bind anybody, sends as any camera of the tenant; anybody else, whether a
 * camera's agent or staff, as those that they were bound to. Null for every other: it tells nobody which cameras there are.
 */
export async function openCameraFor(env: Env, sender: FrameSender, id: string): Promise<OpenCamera | null> {
  const { tenant, userId, mayBindCameras } = sender;
  if (!mayBindCameras && !(await isBound(eventsDatabase(env.EVENTS_DB), { tenant, cameraId: id, userId }))) return null;
  return openCamera(env, sender, id);
}

/** Who sends frames. */
export interface FrameSender {
  readonly tenant: string;
  readonly userId: string;
  /** Whether they are told who is on the frame. */
  readonly mayReadAttendees: boolean;
  readonly mayBindCameras: boolean;
}
