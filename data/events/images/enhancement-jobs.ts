import { and, asc, eq, gt, isNotNull, lt, type SQL, sql } from 'drizzle-orm';
import { sqlBatch } from '../../sql-batch.ts';
import type { EventsDatabase } from '../database.ts';
import { enhancementJobs } from '../schema.ts';

export type EnhancementJob = typeof enhancementJobs.$inferSelect;

export type NewEnhancementJob = Pick<
  EnhancementJob,
  'id' | 'tenant' | 'createdBy' | 'fidelity' | 'upscale' | 'sourceKey' | 'byteLength' | 'createdAt' | 'expiresAt'
>;

/** How much of a tenant may wait, or be worked on, at once. */
export interface WaitingBounds {
  readonly jobs_max: number;
  readonly bytes_max: number;
}

/** Once per id, before its image is stored. False where the tenant would have more waiting than it may. */
export async function createJob(
  db: EventsDatabase,
  job: NewEnhancementJob,
  { jobs_max, bytes_max }: WaitingBounds,
): Promise<boolean> {
  const { id, tenant, createdBy, fidelity, upscale, sourceKey, byteLength, createdAt, expiresAt } = job;
  const [, found] = await sqlBatch(db, [
    sql`
      INSERT INTO enhancement_jobs
        (id, tenant, created_by, status, fidelity, upscale, source_key, byte_length, created_at, updated_at, expires_at)
      SELECT ${id}, ${tenant}, ${createdBy}, 'queued', ${fidelity}, ${upscale}, ${sourceKey}, ${byteLength}, ${createdAt}, ${createdAt}, ${expiresAt}
      FROM (
        SELECT count(*) AS jobs, coalesce(sum(byte_length), 0) AS bytes FROM enhancement_jobs
        WHERE tenant = ${tenant} AND status IN ('queued', 'processing')
      )
      WHERE jobs < ${jobs_max} AND bytes + ${byteLength} <= ${bytes_max}
      ON CONFLICT DO NOTHING`,
    sql`SELECT 1 FROM enhancement_jobs WHERE id = ${id}`,
  ]);
  return (found?.length ?? 0) > 0;
}

/** The image of the job is stored: it waits for its turn from then on. */
export async function giveTurn(
  db: EventsDatabase,
  { id, tenant }: Pick<EnhancementJob, 'id' | 'tenant'>,
): Promise<void> {
  await sqlBatch(db, [
    sql`UPDATE enhancement_jobs SET turn = ${nextTurnOf(sql`${tenant}`)} WHERE id = ${id} AND turn IS NULL`,
  ]);
}

/**
 * Behind the tenant's own last job that waits, and not before the turn that the consumers are at: the first that nobody has begun, or where all are
 * begun the last of those. A tenant that comes late is thus behind one job of each other tenant, however many those have, and nobody saves turns up.
 */
const nextTurnOf = (tenant: SQL): SQL => sql`max(
  coalesce((
    SELECT max(turn) + 1 FROM enhancement_jobs AS own WHERE own.tenant = ${tenant} AND status IN ('queued', 'processing')
  ), 0),
  coalesce((
    SELECT turn FROM enhancement_jobs AS next
    WHERE status IN ('queued', 'processing') AND turn IS NOT NULL AND attempts = 0 ORDER BY turn LIMIT 1
  ), (
    SELECT max(turn) FROM enhancement_jobs AS begun WHERE status IN ('queued', 'processing') AND turn IS NOT NULL
  ), 0)
)`;

export async function findJob(db: EventsDatabase, id: string): Promise<EnhancementJob | null> {
  const [row] = await db.select().from(enhancementJobs).where(eq(enhancementJobs.id, id));
  return row ?? null;
}

/**
 * Begins an attempt on the job whose turn it is, which has it until `leaseUntil`; null where none can be worked on. What an attempt says of the job
 * from then on counts as long as no later one has begun. A job whose attempt died is taken again once its lease is over.
 */
export async function claimNextJob(
  db: EventsDatabase,
  { now, leaseUntil }: { readonly now: number; readonly leaseUntil: number },
): Promise<EnhancementJob | null> {
  const next = db
    .select({ id: enhancementJobs.id })
    .from(enhancementJobs)
    .where(and(WAITS_FOR_TURN, lt(enhancementJobs.leaseUntil, now), gt(enhancementJobs.expiresAt, now)))
    .orderBy(asc(enhancementJobs.turn), asc(enhancementJobs.id))
    .limit(1);
  const [row] = await db
    .update(enhancementJobs)
    .set({
      status: 'processing',
      progress: 0,
      attempts: sql`${enhancementJobs.attempts} + 1`,
      leaseUntil,
      updatedAt: now,
    })
    .where(sql`${enhancementJobs.id} = ${next}`)
    .returning();
  return row ?? null;
}

/** When the first of the jobs that wait can be taken; null where none waits. */
export async function nextJobAt(db: EventsDatabase, now: number): Promise<number | null> {
  const [row] = await db
    .select({ leaseUntil: sql<number | null>`min(${enhancementJobs.leaseUntil})` })
    .from(enhancementJobs)
    .where(and(WAITS_FOR_TURN, gt(enhancementJobs.expiresAt, now)));
  return row?.leaseUntil ?? null;
}

/** An attempt on a job: how many began before it, and itself. */
export interface Attempt {
  readonly id: string;
  readonly attempts: number;
}

export async function reportProgress(
  db: EventsDatabase,
  attempt: Attempt,
  { progress, now, leaseUntil }: { readonly progress: number; readonly now: number; readonly leaseUntil: number },
): Promise<boolean> {
  return change(db, attempt, { progress, leaseUntil, updatedAt: now });
}

export async function completeJob(
  db: EventsDatabase,
  attempt: Attempt,
  result: Pick<
    EnhancementJob,
    'resultKey' | 'originalWidth' | 'originalHeight' | 'enhancedWidth' | 'enhancedHeight' | 'faceRestoration'
  >,
  now: number,
): Promise<boolean> {
  return change(db, attempt, { ...result, status: 'completed', progress: 1, leaseUntil: 0, updatedAt: now });
}

export async function failJob(
  db: EventsDatabase,
  attempt: Attempt,
  error: { readonly code: string; readonly message: string },
  now: number,
): Promise<boolean> {
  return change(db, attempt, {
    status: 'failed',
    errorCode: error.code,
    errorMessage: error.message,
    leaseUntil: 0,
    updatedAt: now,
  });
}

/** Gives the job back: nobody takes it before `waitsUntil`. */
export async function endAttempt(
  db: EventsDatabase,
  attempt: Attempt,
  { now, waitsUntil }: { readonly now: number; readonly waitsUntil: number },
): Promise<boolean> {
  return change(db, attempt, { status: 'queued', progress: 0, leaseUntil: waitsUntil, updatedAt: now });
}

/** Whether any job was begun, went on or ended since `since`: then the queue has messages, and jobs wait for their turn alone. */
export async function isWorkedOn(db: EventsDatabase, since: number): Promise<boolean> {
  const rows = await db
    .select({ id: enhancementJobs.id })
    .from(enhancementJobs)
    .where(and(sql`${enhancementJobs.attempts} > 0`, gt(enhancementJobs.updatedAt, since)))
    .limit(1);
  return rows.length > 0;
}

/**
 * Takes note, once, of jobs that nobody has touched since `before`, and gives those a turn whose request died before it did.
 *
 * @returns how many: for so many jobs the queue is to be told again that one is due
 */
export async function noteStalledJobs(
  db: EventsDatabase,
  {
    before,
    now,
    limit,
    of,
  }: {
    readonly before: number;
    readonly now: number;
    readonly limit: number;
    readonly of: 'all' | 'without_turn';
  },
): Promise<number> {
  const isMeant = of === 'all' ? sql`true` : sql`turn IS NULL`;
  const [noted] = await sqlBatch(db, [
    sql`
      UPDATE enhancement_jobs SET updated_at = ${now}, turn = coalesce(turn, ${nextTurnOf(sql`enhancement_jobs.tenant`)})
      WHERE id IN (
        SELECT id FROM enhancement_jobs
        WHERE status IN ('queued', 'processing') AND updated_at < ${before} AND lease_until < ${now} AND expires_at > ${now}
          AND ${isMeant}
        ORDER BY turn LIMIT ${limit}
      )
      RETURNING id`,
  ]);
  return noted?.length ?? 0;
}

export async function findExpiredJobs(db: EventsDatabase, now: number, limit: number): Promise<EnhancementJob[]> {
  return db.select().from(enhancementJobs).where(lt(enhancementJobs.expiresAt, now)).limit(limit);
}

/** Their images are deleted first. */
export async function deleteJobs(db: EventsDatabase, ids: readonly string[]): Promise<void> {
  await db
    .delete(enhancementJobs)
    .where(sql`${enhancementJobs.id} IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`);
}

/** As the indexes of jobs that have not ended say it. */
const WAITS_FOR_TURN = and(sql`${enhancementJobs.status} IN ('queued', 'processing')`, isNotNull(enhancementJobs.turn));

async function change(db: EventsDatabase, { id, attempts }: Attempt, set: Partial<EnhancementJob>): Promise<boolean> {
  const changed = await db
    .update(enhancementJobs)
    .set(set)
    .where(
      and(eq(enhancementJobs.id, id), eq(enhancementJobs.attempts, attempts), eq(enhancementJobs.status, 'processing')),
    )
    .returning({ id: enhancementJobs.id });
  return changed.length > 0;
}
