import { and, eq, lte } from 'drizzle-orm';
import type { Database } from '../database.ts';
import { jobLeases } from '../schema/jobs.ts';

export interface JobLease {
  readonly job: string;
  readonly holder: string;
}

/** Whether this run has the job to itself until then. */
export async function takeJobLease(
  db: Database,
  { job, holder }: JobLease,
  { now, endsAt }: { readonly now: number; readonly endsAt: number },
): Promise<boolean> {
  const taken = await db
    .insert(jobLeases)
    .values({ job, holder, endsAt })
    .onConflictDoUpdate({ target: jobLeases.job, set: { holder, endsAt }, setWhere: lte(jobLeases.endsAt, now) })
    .returning({ job: jobLeases.job });
  return taken.length > 0;
}

/** Gives the job back, unless another run has it meanwhile. */
export async function endJobLease(db: Database, { job, holder }: JobLease): Promise<void> {
  await db.delete(jobLeases).where(and(eq(jobLeases.job, job), eq(jobLeases.holder, holder)));
}
