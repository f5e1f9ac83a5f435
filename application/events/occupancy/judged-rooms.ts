import type { EventsDatabase } from '../../../data/events/database.ts';
import { listDoorPresences, type RoomPresence } from '../../../data/events/timeline/timeline-entries.ts';
import { doorMovements } from '../../../domain/events/door-movements.ts';
import { type JudgedMovement, judgeMovements, type Movement } from '../../../domain/events/occupancy.ts';

/** A movement with the presence that it follows from. */
export type RoomMovement = RoomPresence & Movement;

interface JudgedRoomsQuery {
  readonly eventId: string;
  readonly roomId?: string | undefined;
  /** Movements after it count not yet: a camera whose clock is ahead tells of some. Undefined takes all. */
  readonly until?: number;
}

/** Movements of an event, judged, by room. */
export async function judgedRooms(
  db: EventsDatabase,
  { until = Number.POSITIVE_INFINITY, ...of }: JudgedRoomsQuery,
): Promise<ReadonlyMap<string, readonly JudgedMovement<RoomMovement>[]>> {
  const rooms = Map.groupBy(await listDoorPresences(db, of), ({ roomId }) => roomId);
  return new Map(
    [...rooms].map(([roomId, presences]) => [
      roomId,
      judgeMovements(doorMovements(presences).filter(({ at }) => at <= until)),
    ]),
  );
}
