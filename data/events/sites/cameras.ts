import { and, asc, eq, gt, isNull, ne, sql } from 'drizzle-orm';
import { EVENT_BOUNDS } from '../../../domain/events/event-bounds.ts';
import type { MatchRuleSetting } from '../../../domain/faces/match-rule.ts';
import { sqlBatch } from '../../sql-batch.ts';
import type { EventsDatabase } from '../database.ts';
import type { ScopeKey } from '../keys/scope-key.ts';
import { cameras, events } from '../schema.ts';
import { matchSettingColumns } from './match-setting.ts';

export type CameraRow = typeof cameras.$inferSelect;

type NewCamera = Pick<CameraRow, 'id' | 'tenant' | 'roomId' | 'name' | 'type' | 'createdAt'> & {
  readonly sealedSource: Buffer;
};

/** A camera's address, which may carry a password. */
export async function sealSource(key: ScopeKey, cameraId: string, source: string): Promise<Buffer> {
  return Buffer.from(await key.seal(new TextEncoder().encode(source), ['camera_source', cameraId]));
}

/** Its address; null without the key of its event. */
export async function openSource(key: ScopeKey | null, camera: CameraRow): Promise<string | null> {
  if (camera.sealedSource === null) return camera.source;
  const plain = (await key?.open(camera.sealedSource, ['camera_source', camera.id])) ?? null;
  return plain === null ? null : new TextDecoder().decode(plain);
}

/** Once per id; null when the tenant has no such room, its event was deleted, or has as many cameras as it may. */
export async function createCamera(db: EventsDatabase, camera: NewCamera): Promise<CameraRow | null> {
  await sqlBatch(db, [
    sql`
      INSERT INTO cameras (id, tenant, event_id, room_id, name, type, source, sealed_source, created_at)
      SELECT
        ${camera.id}, rooms.tenant, rooms.event_id, rooms.id, ${camera.name}, ${camera.type}, '',
        unhex(${camera.sealedSource.toString('hex')}), ${camera.createdAt}
      FROM rooms JOIN events ON events.id = rooms.event_id AND events.deleted_at IS NULL
      WHERE rooms.id = ${camera.roomId} AND rooms.tenant = ${camera.tenant}
        AND (SELECT count(*) FROM cameras WHERE event_id = rooms.event_id) < ${EVENT_BOUNDS.cameras_max}
      ON CONFLICT (id) DO NOTHING`,
  ]);
  return findCamera(db, camera.tenant, camera.id);
}

/** A camera of an event that was not deleted. */
export async function findCamera(db: EventsDatabase, tenant: string, id: string): Promise<CameraRow | null> {
  const [row] = await db
    .select({ camera: cameras })
    .from(cameras)
    .innerJoin(events, eq(events.id, cameras.eventId))
    .where(and(eq(cameras.id, id), eq(cameras.tenant, tenant), isNull(events.deletedAt)));
  return row?.camera ?? null;
}

/** Of a room that the caller has found, in order of creation. */
export async function listCameras(
  db: EventsDatabase,
  { roomId, after, limit }: { roomId: string; after: string | null; limit: number },
): Promise<CameraRow[]> {
  return db
    .select()
    .from(cameras)
    .where(and(eq(cameras.roomId, roomId), after === null ? undefined : gt(cameras.id, after)))
    .orderBy(asc(cameras.id))
    .limit(limit);
}

/** Of every tenant, cameras whose address is in clear, in order of their ids. */
export async function listUnsealedCameras(
  db: EventsDatabase,
  { after, limit }: { readonly after: string; readonly limit: number },
): Promise<CameraRow[]> {
  return db
    .select()
    .from(cameras)
    .where(and(ne(cameras.source, ''), isNull(cameras.sealedSource), gt(cameras.id, after)))
    .orderBy(asc(cameras.id))
    .limit(limit);
}

export async function replaceBySealed(
  db: EventsDatabase,
  { id, source }: Pick<CameraRow, 'id' | 'source'>,
  sealedSource: Buffer,
): Promise<void> {
  await db
    .update(cameras)
    .set({ sealedSource, source: '' })
    .where(and(eq(cameras.id, id), eq(cameras.source, source)));
}

/** Null when the tenant has no such camera, or its event was deleted. */
export async function setCameraMatchRule(
  db: EventsDatabase,
  { tenant, id, setting }: { readonly tenant: string; readonly id: string; readonly setting: MatchRuleSetting },
): Promise<CameraRow | null> {
  if ((await findCamera(db, tenant, id)) === null) return null;
  await db
    .update(cameras)
    .set(matchSettingColumns(setting))
    .where(and(eq(cameras.id, id), eq(cameras.tenant, tenant)));
  return findCamera(db, tenant, id);
}
