import { and, eq, inArray, lt, sql } from 'drizzle-orm';
import type { EventsDatabase } from '../database.ts';
import { enhancementJobs } from '../schema.ts';

export type EnhancementJob = typeof enhancementJobs.$inferSelect;

export type NewEnhancementJob = Pick<
  EnhancementJob,
  'id' | 'tenant' | 'createdBy' | 'fidelity' | 'upscale' | 'sourceKey' | 'createdAt' | 'expiresAt'
>;

/** Once per id. */
export async function createJob(db: EventsDatabase, job: NewEnhancementJob): Promise<void> {
  await db
    .insert(enhancementJobs)
    .values({ ...job, status: 'queued', updatedAt: job.createdAt })
    .onConflictDoNothing();
}

export async function findJob(db: EventsDatabase, id: string): Promise<EnhancementJob | null> {
  const [row] = await db.select().from(enhancementJobs).where(eq(enhancementJobs.id, id));
  return row ?? null;
}

/**
 * Begins an attempt, which has the job until `leaseUntil`. Null where the job has ended, or another attempt has it. What an attempt says
 * of the job from then on counts as long as no later one has begun.
 */
export async function beginAttempt(
  db: EventsDatabase,
  id: string,
  { now, leaseUntil }: { readonly now: number; readonly leaseUntil: number },
): Promise<EnhancementJob | null> {
  const [row] = await db
    .update(enhancementJobs)
    .set({
      status: 'processing',
      progress: 0,
      attempts: sql`${enhancementJobs.attempts} + 1`,
      leaseUntil,
      updatedAt: now,
    })
    .where(and(eq(enhancementJobs.id, id), HAS_NOT_ENDED, lt(enhancementJobs.leaseUntil, now)))
    .returning();
  return row ?? null;
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

/** Gives the job back to the queue. */
export async function endAttempt(db: EventsDatabase, attempt: Attempt, now: number): Promise<boolean> {
  return change(db, attempt, { status: 'queued', progress: 0, leaseUntil: 0, updatedAt: now });
}

/** Jobs that nobody has worked on since `before`: their message was lost, or given up. */
export async function findStalledJobs(
  db: EventsDatabase,
  { before, now, limit }: { readonly before: number; readonly now: number; readonly limit: number },
): Promise<EnhancementJob[]> {
  return db
    .select()
    .from(enhancementJobs)
    .where(and(HAS_NOT_ENDED, lt(enhancementJobs.updatedAt, before), lt(enhancementJobs.leaseUntil, now)))
    .limit(limit);
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

const HAS_NOT_ENDED = inArray(enhancementJobs.status, ['queued', 'processing']);

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
