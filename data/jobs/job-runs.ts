import { sql } from 'drizzle-orm';
import type { Database } from '../database.ts';
import { jobRuns } from '../schema/jobs.ts';

export type JobRun = Readonly<typeof jobRuns.$inferSelect>;

/** Why a job failed is kept so far. */
const FAILURE_LENGTH_MAX = 500;

/** Writes down how a run of a job ended. */
export async function noteJobRun(
  db: Database,
  {
    job,
    beganAt,
    endedAt,
    outcome,
    failure,
  }: Pick<JobRun, 'job' | 'beganAt' | 'endedAt' | 'outcome'> & { readonly failure: string | null },
): Promise<void> {
  const failed = outcome === 'failed';
  const words = failed ? (failure ?? '').slice(0, FAILURE_LENGTH_MAX) : null;
  const failedAt = failed ? endedAt : null;
  await db
    .insert(jobRuns)
    .values({ job, beganAt, endedAt, outcome, failedAt, failure: words, failuresInRow: failed ? 1 : 0 })
    .onConflictDoUpdate({
      target: jobRuns.job,
      set: {
        beganAt,
        endedAt,
        outcome,
        ...(failed
          ? { failedAt, failure: words, failuresInRow: sql`${jobRuns.failuresInRow} + 1` }
          : { failuresInRow: 0 }),
      },
    });
}

/** The last run of each job, by its name: one row a job. */
export function listJobRuns(db: Database): Promise<JobRun[]> {
  return db.select().from(jobRuns).orderBy(jobRuns.job);
}
