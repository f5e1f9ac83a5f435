import { asc, eq, isNull, type SQL, sql } from 'drizzle-orm';
import type { OperatorAction } from '../audit/trail/operator-events.ts';
import { changeOnce } from '../change-once.ts';
import type { Database } from '../database.ts';
import { consents, endedApplications } from '../schema/identity.ts';
import { sqlBatch } from '../sql-batch.ts';

export type EndedApplication = Readonly<typeof endedApplications.$inferSelect>;

/** Condition that an operator has ended an application for everybody. */
export function isApplicationEnded(clientId: SQL): SQL {
  return sql`EXISTS (SELECT 1 FROM ended_applications WHERE client_id = ${clientId})`;
}

export async function findEndedApplication(db: Database, clientId: string): Promise<EndedApplication | null> {
  return (await db.select().from(endedApplications).where(eq(endedApplications.clientId, clientId)).get()) ?? null;
}

/** An application that no operator has made, as operators see it. */
export interface Application {
  readonly clientId: string;
  /** As it has called itself last; null where nobody allows it anything. */
  readonly name: string | null;
  readonly people: number;
  readonly endedAt: number | null;
  readonly finishedAt: number | null;
  readonly reason: string | null;
}

/** Applications that people allow something, or that were ended, by id. */
export async function listApplications(
  db: Database,
  { after, notThese, limit }: { readonly after: string; readonly notThese: readonly string[]; readonly limit: number },
): Promise<Application[]> {
  return db.all<Application>(sql`
    SELECT c.id AS clientId, e.ended_at AS endedAt, e.finished_at AS finishedAt, e.reason,
           (SELECT count(DISTINCT user_id) FROM consents WHERE client_id = c.id) AS people,
           (SELECT client_name FROM consents WHERE client_id = c.id ORDER BY user_id DESC LIMIT 1) AS name
    FROM (SELECT DISTINCT client_id AS id FROM consents WHERE client_id > ${after} UNION SELECT client_id FROM ended_applications WHERE client_id > ${after}) c
    LEFT JOIN ended_applications e ON e.client_id = c.id
    WHERE NOT EXISTS (SELECT 1 FROM oauth_clients WHERE id = c.id) AND c.id NOT IN (SELECT value FROM json_each(${JSON.stringify(notThese)}))
    ORDER BY c.id LIMIT ${limit}`);
}

/** Whether somebody allows an application something. */
export async function isApplicationAllowed(db: Database, clientId: string): Promise<boolean> {
  const [rows] = await sqlBatch(db, [sql`SELECT 1 FROM consents WHERE client_id = ${clientId} LIMIT 1`]);
  return (rows ?? []).length > 0;
}

/** Ends an application for everybody: from here on nobody allows it anything, and it gets no token. False where it has ended already. */
export function endApplication(
  db: Database,
  { clientId, reason, now }: { readonly clientId: string; readonly reason: string; readonly now: number },
  action: OperatorAction,
): Promise<boolean> {
  return changeOnce(db, {
    action,
    type: 'operator.application_ended',
    subject: clientId,
    details: { reason },
    before: null,
    after: { endedAt: now },
    now,
    when: sql`NOT ${isApplicationEnded(sql`${clientId}`)}`,
    writes: (takesPlace) => [
      sql`INSERT INTO ended_applications (client_id, reason, ended_by, ended_at)
          SELECT ${clientId}, ${reason}, ${action.actor}, CAST(${now} AS INTEGER) WHERE ${takesPlace} ON CONFLICT DO NOTHING`,
    ],
  });
}

/** Lets people allow an application something again; what they had allowed stays ended. False where it has not ended, or something is left to end. */
export function readmitApplication(
  db: Database,
  { clientId, reason, now }: { readonly clientId: string; readonly reason: string; readonly now: number },
  action: OperatorAction,
): Promise<boolean> {
  const isOver = sql`client_id = ${clientId} AND finished_at IS NOT NULL`;
  return changeOnce(db, {
    action,
    type: 'operator.application_readmitted',
    subject: clientId,
    details: { reason },
    before: { ended: true },
    after: null,
    now,
    when: sql`EXISTS (SELECT 1 FROM ended_applications WHERE ${isOver})`,
    writes: (takesPlace) => [sql`DELETE FROM ended_applications WHERE ${isOver} AND ${takesPlace}`],
  });
}

/** Those of which something is left to end, the longest ago first. */
export function listUnfinishedApplications(db: Database, limit: number): Promise<EndedApplication[]> {
  return db
    .select()
    .from(endedApplications)
    .where(isNull(endedApplications.finishedAt))
    .orderBy(asc(endedApplications.endedAt))
    .limit(limit);
}

/** What people have allowed a client, some of it. */
export function listConsentsOfClient(
  db: Database,
  clientId: string,
  limit: number,
): Promise<{ readonly id: string; readonly userId: string }[]> {
  return db
    .select({ id: consents.id, userId: consents.userId })
    .from(consents)
    .where(eq(consents.clientId, clientId))
    .orderBy(asc(consents.userId), asc(consents.id))
    .limit(limit);
}

/** Nothing is left to end; false where something is. */
export async function finishApplication(db: Database, clientId: string, now: number): Promise<boolean> {
  const [rows] = await sqlBatch(db, [
    sql`UPDATE ended_applications SET finished_at = ${now}
        WHERE client_id = ${clientId} AND finished_at IS NULL AND NOT EXISTS (SELECT 1 FROM consents WHERE client_id = ${clientId}) RETURNING client_id`,
  ]);
  return rows?.length === 1;
}
