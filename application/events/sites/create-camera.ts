import { eventsDatabase } from '../../../data/events/database.ts';
import { openScopeKeys } from '../../../data/events/keys/r2-scope-keys.ts';
import type { ScopeKey } from '../../../data/events/keys/scope-key.ts';
import {
  type CameraRow,
  createCamera as createCameraRow,
  openSource,
  sealSource,
} from '../../../data/events/sites/cameras.ts';
import { eventScope } from '../../../data/events/sites/events.ts';
import { findRoom } from '../../../data/events/sites/rooms.ts';
import type { CameraType } from '../../../domain/events/camera-type.ts';
import { err, ok, type Result } from '../../../domain/result.ts';
import type { ApiError } from '../../../protocol/errors/api-error.ts';
import { notFound } from '../not-found.ts';
import { tooMany } from '../too-many.ts';

export interface CameraToCreate {
  /** The same on every repetition. */
  readonly id: string;
  readonly tenant: string;
  readonly roomId: string;
  readonly name: string;
  readonly type: CameraType;
  /** Stream address. */
  readonly source: string;
}

/** Makes a camera of a room, whose address is sealed by the key of its event; once per id. */
export async function createCamera(
  env: Env,
  { source, ...camera }: CameraToCreate,
): Promise<Result<CameraRow, ApiError>> {
  const db = eventsDatabase(env.EVENTS_DB);
  const room = await findRoom(db, camera.tenant, camera.roomId);
  const key = room === null ? null : await keyOf(env, room);
  if (key === null) return err(notFound('room'));
  const sealedSource = await sealSource(key, camera.id, source);
  const created = await createCameraRow(db, { ...camera, sealedSource, createdAt: Date.now() });
  return created === null ? err(tooMany('cameras_max')) : ok(created);
}

/** The addresses of cameras, by their ids; null where the key of the event is gone. */
export async function sourcesOf(env: Env, cameras: readonly CameraRow[]): Promise<ReadonlyMap<string, string | null>> {
  const byEvent = Map.groupBy(cameras, ({ eventId }) => eventId);
  const opened = [...byEvent.values()].map(async (own) => {
    const key = await keyOf(env, own[0]!);
    return Promise.all(own.map(async (camera) => [camera.id, await openSource(key, camera)] as const));
  });
  return new Map((await Promise.all(opened)).flat());
}

function keyOf(
  env: Env,
  { tenant, eventId }: { readonly tenant: string; readonly eventId: string },
): Promise<ScopeKey | null> {
  return openScopeKeys(env.EVENT_KEYS, env.EVENTS_MASTER_KEY).open(eventScope({ tenant, id: eventId }));
}
