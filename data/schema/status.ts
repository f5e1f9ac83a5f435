import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { INCIDENT_STATES, type StatusPart } from '../../domain/status/parts.ts';

/** What operators tell the public of a disturbance. */
export const incidents = sqliteTable(
  'incidents',
  {
    /** UUIDv7, of the action that opened it. */
    id: text().primaryKey(),
    title: text().notNull(),
    /** JSON. */
    parts: text({ mode: 'json' }).$type<readonly StatusPart[]>().notNull(),
    state: text({ enum: INCIDENT_STATES }).notNull(),
    openedAt: integer().notNull(),
    updatedAt: integer().notNull(),
    /** Null while it is open. */
    resolvedAt: integer(),
  },
  (t) => [index('incidents_resolved').on(t.resolvedAt, t.id)],
);

/** What was told of an incident, from its opening on. */
export const incidentUpdates = sqliteTable(
  'incident_updates',
  {
    /** UUIDv7, of the action that told it. */
    id: text().primaryKey(),
    incident: text().notNull(),
    state: text({ enum: INCIDENT_STATES }).notNull(),
    words: text().notNull(),
    at: integer().notNull(),
  },
  (t) => [index('incident_updates_incident').on(t.incident, t.id)],
);
