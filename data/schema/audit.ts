import { sql } from 'drizzle-orm';
import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { TOOL_TRANSPORTS } from '../../domain/identity/tool-transport.ts';

/** Every call of an agent tool (X-AGT-22), for 30 days. Append-only: triggers refuse UPDATE, and DELETE of what is younger than 29 days. */
export const agentToolCalls = sqliteTable(
  'agent_tool_calls',
  {
    /** UUIDv7: the time of the call, and the order of the list. */
    id: text().primaryKey(),
    keyId: text().notNull(),
    transport: text({ enum: TOOL_TRANSPORTS }).notNull(),
    tool: text().notNull(),
    /** The declared parameters whose values are valid, and nothing else. */
    parameters: text({ mode: 'json' }).$type<Readonly<Record<string, unknown>>>().notNull(),
    /** `OK`, or the error code of the exchange. */
    resultCode: text().notNull(),
    calledAt: integer().notNull(),
  },
  (t) => [index('agent_tool_calls_key').on(t.keyId, t.id)],
);

/** How many tools the agents of a user have called, by day: what bounds the log. */
export const agentToolCallDays = sqliteTable(
  'agent_tool_call_days',
  {
    userId: text().notNull(),
    /** Days since 1970, UTC. */
    day: integer().notNull(),
    calls: integer().notNull(),
  },
  (t) => [primaryKey({ columns: [t.userId, t.day] })],
);

/** Events that leave the system. Each is written together with the change that it tells of (docs/design/shape.md#events-out). */
export const domainEvents = sqliteTable(
  'domain_events',
  {
    id: text().primaryKey(),
    type: text().notNull(),
    subject: text().notNull(),
    payload: text().notNull(),
    createdAt: integer().notNull(),
    /** When it was handed to those who receive it; null until then, −1 where it could not be told. */
    dispatchedAt: integer(),
  },
  (t) => [
    index('domain_events_waiting').on(t.id).where(sql`${t.dispatchedAt} is null`),
    /** In the order in which they were written: the rowid is an index's last column. Those of the bridge's tenants stand apart, each tenant's by themselves. */
    index('domain_events_undispatched_others')
      .on(t.dispatchedAt)
      .where(sql`${t.dispatchedAt} is null and ${t.type} not glob 'bridge.*'`),
    index('domain_events_undispatched_bridge')
      .on(t.subject)
      .where(sql`${t.dispatchedAt} is null and ${t.type} glob 'bridge.*'`),
    /** The audit trail of operators: data/audit/trail/audit-trail.ts. Triggers of its migration keep it append-only. */
    index('domain_events_operator').on(t.id).where(sql`${t.type} glob 'operator.*'`),
    /** The same by its kind, by what was acted upon, and by who acted. */
    index('domain_events_operator_type').on(t.type, t.id).where(sql`${t.type} glob 'operator.*'`),
    index('domain_events_operator_subject').on(t.subject, t.id).where(sql`${t.type} glob 'operator.*'`),
    index('domain_events_operator_actor').on(sql`payload ->> 'actor'`, t.id).where(sql`${t.type} glob 'operator.*'`),
  ],
);
