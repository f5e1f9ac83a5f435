import { and, desc, eq, gte, inArray, isNotNull, isNull, lt, type SQL, sql } from 'drizzle-orm';
import type { IncidentState, StatusPart } from '../../domain/status/parts.ts';
import type { OperatorAction } from '../audit/trail/operator-events.ts';
import { changeOnce } from '../change-once.ts';
import { createOnce } from '../create-once.ts';
import type { Database } from '../database.ts';
import { incidents, incidentUpdates } from '../schema/status.ts';

/** Open at once; the public answer shows all of them. */
export const OPEN_INCIDENTS_MAX = 20;
/** Told of one incident. */
export const INCIDENT_UPDATES_MAX = 50;

interface IncidentUpdate {
  readonly state: IncidentState;
  readonly words: string;
  /** Unix milliseconds. */
  readonly at: number;
}

export interface Incident {
  readonly id: string;
  readonly title: string;
  readonly parts: readonly StatusPart[];
  readonly state: IncidentState;
  readonly openedAt: number;
  readonly updatedAt: number;
  /** Null while it is open. */
  readonly resolvedAt: number | null;
  /** Newest first. */
  readonly updates: readonly IncidentUpdate[];
}

export interface NewIncident {
  readonly title: string;
  readonly parts: readonly StatusPart[];
  readonly state: IncidentState;
  readonly words: string;
}

/** Opens an incident under the id of the action; false where as many are open as may be. */
export function openIncident(
  db: Database,
  { title, parts, state, words }: NewIncident,
  action: OperatorAction,
  now: number,
): Promise<boolean> {
  return createOnce(db, {
    action,
    type: 'operator.incident_opened',
    subject: action.id,
    now,
    after: { title, parts, state, words },
    conflict: sql`SELECT 1 FROM incidents WHERE resolved_at IS NULL LIMIT 1 OFFSET ${OPEN_INCIDENTS_MAX - 1}`,
    inserts: (takesPlace) => [
      sql`INSERT INTO incidents (id, title, parts, state, opened_at, updated_at)
          SELECT ${action.id}, ${title}, ${JSON.stringify(parts)}, ${state}, ${now}, ${now} WHERE ${takesPlace}
          ON CONFLICT DO NOTHING`,
      insertUpdate(action.id, action.id, { state, words, at: now }, takesPlace),
    ],
  });
}

/**
 * Tells more of an open incident, and resolves it where the update says so; false where it is resolved already, was told enough of, or is no longer as
 * `before` has it.
 */
export function updateIncident(
  db: Database,
  before: Incident,
  { state, words, parts }: Omit<NewIncident, 'title'>,
  action: OperatorAction,
  now: number,
): Promise<boolean> {
  const { id } = before;
  return changeOnce(db, {
    action,
    type: state === 'resolved' ? 'operator.incident_resolved' : 'operator.incident_updated',
    subject: id,
    details: { words },
    before: { state: before.state, parts: before.parts },
    after: { state, parts },
    now,
    // The last one, which ends it, always has room.
    when: sql`EXISTS (SELECT 1 FROM incidents
                      WHERE id = ${id} AND resolved_at IS NULL AND updated_at = ${before.updatedAt} AND parts = ${JSON.stringify(before.parts)})
              AND (${state === 'resolved'} OR (SELECT count(*) FROM incident_updates WHERE incident = ${id}) < ${INCIDENT_UPDATES_MAX})`,
    writes: (takesPlace) => [
      // Once: an update of another action since then is newer than a repetition of this one.
      sql`UPDATE incidents SET state = ${state}, parts = ${JSON.stringify(parts)}, updated_at = ${now},
                               resolved_at = ${state === 'resolved' ? now : null}
          WHERE id = ${id} AND resolved_at IS NULL AND ${takesPlace}
            AND NOT EXISTS (SELECT 1 FROM incident_updates WHERE id = ${action.id})`,
      insertUpdate(action.id, id, { state, words, at: now }, takesPlace),
    ],
  });
}

function insertUpdate(id: string, incident: string, { state, words, at }: IncidentUpdate, takesPlace: SQL): SQL {
  return sql`INSERT INTO incident_updates (id, incident, state, words, at)
             SELECT ${id}, ${incident}, ${state}, ${words}, ${at} WHERE ${takesPlace} ON CONFLICT DO NOTHING`;
}

export async function findIncident(db: Database, id: string): Promise<Incident | null> {
  const [incident] = await withUpdates(db, await db.select().from(incidents).where(eq(incidents.id, id)));
  return incident ?? null;
}

export interface IncidentFilter {
  /** Null for all. */
  readonly isOpen: boolean | null;
  /** Of those that are resolved, which were since then; null for all. Unix milliseconds. */
  readonly resolvedSince: number | null;
  /** Id of the last incident of the page before. */
  readonly before: string | null;
  readonly limit: number;
}

/** Newest first. */
export async function listIncidents(
  db: Database,
  { isOpen, resolvedSince, before, limit }: IncidentFilter,
): Promise<Incident[]> {
  const rows = await db
    .select()
    .from(incidents)
    .where(
      and(
        isOpen === null ? undefined : isOpen ? isNull(incidents.resolvedAt) : isNotNull(incidents.resolvedAt),
        resolvedSince === null ? undefined : gte(incidents.resolvedAt, resolvedSince),
        before === null ? undefined : lt(incidents.id, before),
      ),
    )
    .orderBy(desc(incidents.id))
    .limit(limit);
  return withUpdates(db, rows);
}

async function withUpdates(db: Database, rows: readonly (typeof incidents.$inferSelect)[]): Promise<Incident[]> {
  if (rows.length === 0) return [];
  const ids = rows.map(({ id }) => id);
  const told = await db
    .select()
    .from(incidentUpdates)
    .where(inArray(incidentUpdates.incident, sql`(SELECT value FROM json_each(${JSON.stringify(ids)}))`))
    .orderBy(desc(incidentUpdates.id));
  return rows.map((row) => ({
    ...row,
    updates: told.filter(({ incident }) => incident === row.id).map(({ state, words, at }) => ({ state, words, at })),
  }));
}
