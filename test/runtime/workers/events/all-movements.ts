import { asc, eq } from 'drizzle-orm';
import type { EventsDatabase } from '../../../../data/events/database.ts';
import { timeline } from '../../../../data/events/schema.ts';
import { type DoorPresence, doorMovements } from '../../../../domain/events/door-movements.fixtures.ts';
import { type JudgedMovement, judgeMovements, type Movement } from '../../../../domain/events/occupancy.fixtures.ts';

type Presence = DoorPresence & { readonly roomId: string; readonly cameraId: string | null };
type RoomMovement = JudgedMovement<Presence & Movement>;

/** Movements of an event by room, judged by reading every entry of it: what spans and sums are held to. */
export async function allMovements(
  db: EventsDatabase,
  eventId: string,
  until = Number.POSITIVE_INFINITY,
): Promise<ReadonlyMap<string, readonly RoomMovement[]>> {
  const entries = await db
    .select()
    .from(timeline)
    .where(eq(timeline.eventId, eventId))
    .orderBy(asc(timeline.firstSeenAt), asc(timeline.id));
  const presences = entries.flatMap(({ voidedAt, type, attendeeTag: person, ...entry }): Presence[] =>
    voidedAt !== null || type === 'present' ? [] : [{ ...entry, type, person }],
  );
  const rooms = Map.groupBy(presences, ({ roomId }) => roomId);
  return new Map(
    [...rooms].map(([roomId, own]) => [roomId, judgeMovements(doorMovements(own).filter(({ at }) => at <= until))]),
  );
}

export interface MovementFilter {
  readonly cameraId?: string | undefined;
  readonly person?: string | undefined;
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

/** As the list of entries has it; a movement that follows from others is of its own instant alone. */
export function isWithin(movement: RoomMovement, { cameraId, person, from, to }: MovementFilter): boolean {
  const { isImplied = false, at } = movement;
  return (
    (!isImplied || (at >= (from ?? at) && at <= (to ?? at))) &&
    (cameraId === undefined || movement.cameraId === cameraId) &&
    (person === undefined || movement.person === person) &&
    (from === undefined || movement.lastSeenAt >= from) &&
    (to === undefined || movement.firstSeenAt <= to)
  );
}
