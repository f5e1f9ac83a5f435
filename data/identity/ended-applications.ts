import { asc, eq, isNull, or, type SQL, sql } from 'drizzle-orm';
import { originOfDocument } from '../../domain/identity/client-metadata.ts';
import type { OperatorAction } from '../audit/trail/operator-events.ts';
import { changeOnce } from '../change-once.ts';
import type { Database } from '../database.ts';
import { endedApplications } from '../schema/identity.ts';
import { sqlBatch } from '../sql-batch.ts';

export type EndedApplication = Readonly<typeof endedApplications.$inferSelect>;

/** Condition that an operator has ended an application for everybody: itself, or documents of its origin. */
export function isApplicationEnded(clientId: string): SQL {
  return sql`EXISTS (SELECT 1 FROM ended_applications WHERE client_id = ${clientId} OR origin = ${originOfDocument(clientId)})`;
}

export async function findEndedApplication(db: Database, clientId: string): Promise<EndedApplication | null> {
  const origin = originOfDocument(clientId);
  const isIt = eq(endedApplications.clientId, clientId);
  const isOfIt = origin === null ? isIt : or(isIt, eq(endedApplications.origin, origin));
  return (await db.select().from(endedApplications).where(isOfIt).get()) ?? null;
}

/** Condition on consents, by the index of their client: they are of it, or of a document of the origin that has ended. */
function isConsentOf({ clientId, origin }: Pick<EndedApplication, 'clientId' | 'origin'>): SQL {
  if (origin === null) return sql`client_id = ${clientId}`;
  // `0` is the character after `/`.
  return sql`(client_id >= ${`${origin}/`} AND client_id < ${`${origin}0`})`;
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

/** People that are counted. */
export const PEOPLE_COUNTED_MAX = 1_000;

/** Applications that people allow something, or that were ended, by id: from one to the next by the index, however many people allow each. */
export async function listApplications(
  db: Database,
  { after, notThese, limit }: { readonly after: string; readonly notThese: readonly string[]; readonly limit: number },
): Promise<Application[]> {
  const next = (id: SQL) => sql`SELECT min(id) FROM (
      SELECT min(client_id) AS id FROM consents WHERE client_id > ${id} UNION ALL SELECT min(client_id) FROM ended_applications WHERE client_id > ${id})`;
  return db.all<Application>(sql`
    WITH RECURSIVE c (id) AS (${next(sql`${after}`)} UNION ALL SELECT (${next(sql`c.id`)}) FROM c WHERE c.id IS NOT NULL)
    SELECT c.id AS clientId, e.ended_at AS endedAt, e.finished_at AS finishedAt, e.reason,
           (SELECT count(*) FROM (SELECT DISTINCT user_id FROM consents WHERE client_id = c.id LIMIT ${PEOPLE_COUNTED_MAX})) AS people,
           (SELECT client_name FROM consents WHERE client_id = c.id ORDER BY user_id DESC LIMIT 1) AS name
    FROM c LEFT JOIN ended_applications e ON e.client_id = c.id
    WHERE c.id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM oauth_clients WHERE id = c.id) AND c.id NOT IN (SELECT value FROM json_each(${JSON.stringify(notThese)}))
    LIMIT ${limit}`);
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
    when: sql`NOT ${isApplicationEnded(clientId)}`,
    writes: (takesPlace) => [
      sql`INSERT INTO ended_applications (client_id, reason, ended_by, ended_at, origin)
          SELECT ${clientId}, ${reason}, ${action.actor}, CAST(${now} AS INTEGER), ${originOfDocument(clientId)} WHERE ${takesPlace} ON CONFLICT DO NOTHING`,
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

interface ConsentOfApplication {
  readonly id: string;
  readonly userId: string;
  readonly clientId: string;
}

/** What people have allowed an ended application, after what was tried last. */
export async function listConsentsToEnd(
  db: Database,
  { clientId, origin, triedUpTo }: EndedApplication,
  limit: number,
): Promise<ConsentOfApplication[]> {
  const [client, user, id] = triedUpTo === '' ? ['', '', ''] : (JSON.parse(triedUpTo) as [string, string, string]);
  return db.all<ConsentOfApplication>(sql`
    SELECT id, user_id AS userId, client_id AS clientId FROM consents
    WHERE ${isConsentOf({ clientId, origin })} AND (client_id, user_id, id) > (${client}, ${user}, ${id})
    ORDER BY client_id, user_id, id LIMIT ${limit}`);
}

/** Up to where consents were tried: the next run goes on behind it. Null begins with the first again. */
export async function noteConsentsTried(
  db: Database,
  application: string,
  last: ConsentOfApplication | null,
): Promise<void> {
  const triedUpTo = last === null ? '' : JSON.stringify([last.clientId, last.userId, last.id]);
  await db.update(endedApplications).set({ triedUpTo }).where(eq(endedApplications.clientId, application));
}

/** Nothing is left to end; false where something is. */
export async function finishApplication(db: Database, application: EndedApplication, now: number): Promise<boolean> {
  const [rows] = await sqlBatch(db, [
    sql`UPDATE ended_applications SET finished_at = ${now}
        WHERE client_id = ${application.clientId} AND finished_at IS NULL AND NOT EXISTS (SELECT 1 FROM consents WHERE ${isConsentOf(application)}) RETURNING client_id`,
  ]);
  return rows?.length === 1;
}
