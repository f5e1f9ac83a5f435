import type { EventsDatabase } from '../../../data/events/database.ts';
import { listMovements, type RoomMovement } from '../../../data/events/timeline/timeline-entries.ts';
import { type JudgedMovement, judgeMovements } from '../../../domain/events/occupancy.ts';

/** Movements of an event, judged, by room. */
export async function judgedRooms(
  db: EventsDatabase,
  of: { readonly eventId: string; readonly roomId?: string | undefined },
): Promise<ReadonlyMap<string, readonly JudgedMovement<RoomMovement>[]>> {
  const rooms = Map.groupBy(await listMovements(db, of), ({ roomId }) => roomId);
  return new Map([...rooms].map(([roomId, movements]) => [roomId, judgeMovements(movements)]));
}
