import { and, asc, eq, sql } from 'drizzle-orm';
import { sqlBatch } from '../../sql-batch.ts';
import type { EventsDatabase } from '../database.ts';
import { cameraCredentials } from '../schema.ts';

export type CameraCredential = typeof cameraCredentials.$inferSelect;

/** Users that may be bound to one camera. */
export const CREDENTIALS_PER_CAMERA_MAX = 16;

/** Whether the user may send frames as the camera. */
export async function isBound(
  db: EventsDatabase,
  { tenant, cameraId, userId }: Pick<CameraCredential, 'tenant' | 'cameraId' | 'userId'>,
): Promise<boolean> {
  const rows = await db
    .select({ userId: cameraCredentials.userId })
    .from(cameraCredentials)
    .where(
      and(
        eq(cameraCredentials.cameraId, cameraId),
        eq(cameraCredentials.userId, userId),
        eq(cameraCredentials.tenant, tenant),
      ),
    );
  return rows.length > 0;
}

/** Once per camera and user; false where the camera has as many as it may. */
export async function bindCredential(
  db: EventsDatabase,
  { cameraId, userId, tenant, eventId, boundBy, createdAt }: CameraCredential,
): Promise<boolean> {
  await sqlBatch(db, [
    sql`
      INSERT INTO camera_credentials (camera_id, user_id, tenant, event_id, bound_by, created_at)
      SELECT ${cameraId}, ${userId}, ${tenant}, ${eventId}, ${boundBy}, ${createdAt}
      WHERE (SELECT count(*) FROM camera_credentials WHERE camera_id = ${cameraId}) < ${CREDENTIALS_PER_CAMERA_MAX}
      ON CONFLICT DO NOTHING`,
  ]);
  return isBound(db, { tenant, cameraId, userId });
}

/** Ends a binding that this very call has made, and none that stood before. */
export async function takeBindingBack(
  db: EventsDatabase,
  { cameraId, userId, tenant, boundBy, createdAt }: CameraCredential,
): Promise<void> {
  await db
    .delete(cameraCredentials)
    .where(
      and(
        eq(cameraCredentials.cameraId, cameraId),
        eq(cameraCredentials.userId, userId),
        eq(cameraCredentials.tenant, tenant),
        eq(cameraCredentials.boundBy, boundBy),
        eq(cameraCredentials.createdAt, createdAt),
      ),
    );
}

export async function endCredential(
  db: EventsDatabase,
  { tenant, cameraId, userId }: Pick<CameraCredential, 'tenant' | 'cameraId' | 'userId'>,
): Promise<void> {
  await db
    .delete(cameraCredentials)
    .where(
      and(
        eq(cameraCredentials.cameraId, cameraId),
        eq(cameraCredentials.userId, userId),
        eq(cameraCredentials.tenant, tenant),
      ),
    );
}

/** Of a camera that the caller has found. */
export async function credentialsOf(db: EventsDatabase, cameraId: string): Promise<CameraCredential[]> {
  return db
    .select()
    .from(cameraCredentials)
    .where(eq(cameraCredentials.cameraId, cameraId))
    .orderBy(asc(cameraCredentials.userId));
}
