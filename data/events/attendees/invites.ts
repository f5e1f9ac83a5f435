import { and, asc, eq, gt, sql } from 'drizzle-orm';
import { sqlBatch } from '../../sql-batch.ts';
import type { EventsDatabase } from '../database.ts';
import { invites } from '../schema.ts';
import { eventIsLive } from '../sites/events.ts';

export type InviteRow = typeof invites.$inferSelect;

/** Once per id; null when there is no such attendee; `conflict` when they have an invite. */
export async function createInvite(db: EventsDatabase, invite: InviteRow): Promise<InviteRow | 'conflict' | null> {
  await sqlBatch(db, [
    sql`
      INSERT INTO invites (id, tenant, event_id, attendee_id, status, created_at, updated_at)
      SELECT
        ${invite.id}, ${invite.tenant}, event_id, id, ${invite.status}, ${invite.createdAt}, ${invite.updatedAt}
      FROM attendees
      WHERE id = ${invite.attendeeId} AND event_id = ${invite.eventId} AND ${eventIsLive(invite.tenant, invite.eventId)}
      ON CONFLICT DO NOTHING`,
  ]);
  const [row] = await db
    .select()
    .from(invites)
    .where(
      and(
        eq(invites.eventId, invite.eventId),
        eq(invites.attendeeId, invite.attendeeId),
        eventIsLive(invite.tenant, invite.eventId),
      ),
    );
  if (row === undefined) return null;
  return row.id === invite.id ? row : 'conflict';
}

/** Null when the event has no such invite, or was deleted. */
export async function updateInvite(
  db: EventsDatabase,
  change: Pick<InviteRow, 'id' | 'tenant' | 'eventId' | 'status' | 'updatedAt'>,
): Promise<InviteRow | null> {
  const { id, tenant, eventId, status, updatedAt } = change;
  const [row] = await db
    .update(invites)
    .set({ status, updatedAt })
    .where(and(eq(invites.id, id), eq(invites.eventId, eventId), eventIsLive(tenant, eventId)))
    .returning();
  return row ?? null;
}

export async function findInviteOf(db: EventsDatabase, eventId: string, attendeeId: string): Promise<InviteRow | null> {
  const [row] = await db
    .select()
    .from(invites)
    .where(and(eq(invites.eventId, eventId), eq(invites.attendeeId, attendeeId)));
  return row ?? null;
}

/** Of an event that the caller has found, in order of creation. */
export async function listInvites(
  db: EventsDatabase,
  { eventId, after, limit }: { eventId: string; after: string | null; limit: number },
): Promise<InviteRow[]> {
  const rows = await db
    .select()
    .from(invites)
    .where(and(eq(invites.eventId, eventId), after === null ? undefined : gt(invites.id, after)))
    .orderBy(asc(invites.id))
    .limit(limit);
  return rows;
}
