import type { EventsDatabase } from '../../../../data/events/database.ts';
import type { ScopeKey } from '../../../../data/events/keys/scope-key.ts';
import { type SightingCamera, sightingStatements } from '../../../../data/events/timeline/timeline.ts';
import { sqlBatch } from '../../../../data/sql-batch.ts';
import type { Sighting } from '../../../../domain/events/presence.ts';

/** Writes down whom a camera saw, in a batch of its own. */
export async function recordSightings(
  db: EventsDatabase,
  key: ScopeKey,
  camera: SightingCamera,
  sightings: readonly Sighting[],
): Promise<void> {
  const statements = await sightingStatements(key, camera, sightings);
  if (statements.length > 0) await sqlBatch(db, statements);
}
