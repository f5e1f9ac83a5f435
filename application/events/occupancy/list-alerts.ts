import { eventsDatabase } from '../../../data/events/database.ts';
import { findEvent } from '../../../data/events/sites/events.ts';
import { listRooms, type RoomRow } from '../../../data/events/sites/rooms.ts';
import { type CapacityAlert, capacityAlertsOf } from '../../../domain/events/occupancy.ts';
import { judgedRooms } from './judged-rooms.ts';
import { ROOMS_READ_MAX } from './rooms-read-max.ts';

/** A time in which a room held more people than its capacity. */
export interface RoomAlert {
  readonly room: RoomRow;
  readonly alert: CapacityAlert;
}

export interface AlertPage {
  /** When the last alert of the page before started, and the id of its room. */
  readonly after: { readonly at: number; readonly id: string } | null;
  readonly limit: number;
}

/** The oldest first. Null for an event that the tenant does not have. */
export async function listAlerts(
  env: Env,
  tenant: string,
  id: string,
  { after, limit }: AlertPage,
): Promise<readonly RoomAlert[] | null> {
  const db = eventsDatabase(env.EVENTS_DB);
  const event = await findEvent(db, tenant, id);
  if (event === null) return null;
  const eventId = event.id;
  const now = Date.now();
  const [rooms, judged] = await Promise.all([
    listRooms(db, { eventId, limit: ROOMS_READ_MAX }),
    judgedRooms(db, { eventId, until: now }),
  ]);
  const time = { during: event, now };
  return rooms
    .flatMap((room) =>
      capacityAlertsOf(judged.get(room.id) ?? [], room.capacity, time).map((alert) => ({ room, alert })),
    )
    .toSorted(inOrder)
    .filter((one) => after === null || inOrder(one, { room: { id: after.id }, alert: { startedAt: after.at } }) > 0)
    .slice(0, limit);
}

interface Placed {
  readonly room: Pick<RoomRow, 'id'>;
  readonly alert: Pick<CapacityAlert, 'startedAt'>;
}

function inOrder(a: Placed, b: Placed): number {
  return a.alert.startedAt - b.alert.startedAt || (a.room.id === b.room.id ? 0 : a.room.id < b.room.id ? -1 : 1);
}
