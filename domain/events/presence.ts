/**
 * Sightings of one person by one camera that lie no further apart than this, inclusive, are one presence and one timeline entry
 * (docs/design/timeline.md#presence).
 */
export const PRESENCE_WINDOW_MS = 30_000;

/** A face in a frame that matched an attendee. */
export interface Sighting {
  readonly attendeeId: string;
  /** The stored face that it matched. */
  readonly faceId: string;
  /** Cosine, −1..1. */
  readonly similarity: number;
  /** When the camera took the frame, in Unix milliseconds. */
  readonly capturedAt: number;
  readonly frameId: string;
}

/** A person before a camera without a gap longer than the window. */
export interface Presence {
  readonly attendeeId: string;
  /** The face of the best sighting. */
  readonly faceId: string;
  /** The best of its sightings. */
  readonly similarity: number;
  readonly firstSeenAt: number;
  readonly lastSeenAt: number;
  /** Frame of the first sighting. */
  readonly frameId: string;
}

/** Joins the sightings of one camera into presences, whatever their order and however often each comes; in order of time. */
export function presencesOf(sightings: readonly Sighting[], windowMs = PRESENCE_WINDOW_MS): readonly Presence[] {
  const last = new Map<string, number>();
  const presences: Presence[] = [];
  for (const sighting of sightings.toSorted(inOrderOfTime)) {
    const at = last.get(sighting.attendeeId);
    const open = at === undefined ? undefined : presences[at];
    if (at !== undefined && open !== undefined && sighting.capturedAt - open.lastSeenAt <= windowMs) {
      presences[at] = extended(open, sighting);
    } else {
      last.set(sighting.attendeeId, presences.push(begun(sighting)) - 1);
    }
  }
  return presences;
}

function begun({ capturedAt, ...sighting }: Sighting): Presence {
  return { ...sighting, firstSeenAt: capturedAt, lastSeenAt: capturedAt };
}

function extended(presence: Presence, sighting: Sighting): Presence {
  const best = sighting.similarity > presence.similarity ? sighting : presence;
  return { ...presence, faceId: best.faceId, similarity: best.similarity, lastSeenAt: sighting.capturedAt };
}

/** By frame where the time is the same, so that what an order leaves open is the same for all orders. */
function inOrderOfTime(a: Sighting, b: Sighting): number {
  return (
    a.capturedAt - b.capturedAt ||
    compare(a.frameId, b.frameId) ||
    compare(a.attendeeId, b.attendeeId) ||
    compare(a.faceId, b.faceId)
  );
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
