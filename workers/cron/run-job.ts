import { database } from '../../data/database.ts';
import { endJobLease, takeJobLease } from '../../data/jobs/job-leases.ts';
import { MINUTE_MS } from '../../domain/calendar/durations.ts';
import { countedDatabase, QueryBudget } from './d1-budget.ts';
import { JOBS, MORE_TO_DO } from './jobs.ts';

/** Of the 1,000 that Cloudflare gives an invocation; the rest is for the lease. @internal */
export const JOB_QUERIES_MAX = 900;
/** Of the 15 minutes that Cloudflare gives a consumer of a queue. */
export const JOB_MS_MAX = 10 * MINUTE_MS;
/** Longer than an invocation lives. */
const LEASE_MS = 15 * MINUTE_MS;

export type JobEnd =
  | { readonly type: 'done' }
  /** Another run is at it. */
  | { readonly type: 'under_way' }
  /** There is more than one invocation may do. */
  | { readonly type: 'goes_on' }
  | { readonly type: 'unknown' }
  | { readonly type: 'failed'; readonly error: unknown };

export interface JobTerms {
  readonly job: string;
  /** Of this run; a lease is given back by its holder alone. */
  readonly holder: string;
  readonly now: number;
  /** Resolves when the job has had its time. */
  readonly overdue: Promise<void>;
}

/** Does a job, with a budget of queries and of time, while no other run of it is under way. */
export async function runJob(
  env: Env,
  { job, holder, now, overdue }: JobTerms,
  jobs: typeof JOBS = JOBS,
): Promise<JobEnd> {
  const run = Object.hasOwn(jobs, job) ? jobs[job] : undefined;
  if (run === undefined) return { type: 'unknown' };
  const db = database(env.DB);
  if (!(await takeJobLease(db, { job, holder }, { now, endsAt: now + LEASE_MS }))) return { type: 'under_way' };
  const budget = new QueryBudget(JOB_QUERIES_MAX);
  const counted = {
    ...env,
    DB: countedDatabase(env.DB, budget),
    EVENTS_DB: countedDatabase(env.EVENTS_DB, budget),
  };
  const outcome = await Promise.race([
    run(counted).then(
      (said) => ({ said }),
      (error: unknown) => ({ error }),
    ),
    overdue.then(() => 'overdue' as const),
  ]);
  // What hangs may still do something until its invocation has ended: nobody begins beside it.
  if (outcome === 'overdue') return { type: 'failed', error: new Error('it has not ended in its time') };
  await endJobLease(db, { job, holder });
  if (budget.isSpent) return { type: 'goes_on' };
  if ('error' in outcome) return { type: 'failed', error: outcome.error };
  return { type: outcome.said === MORE_TO_DO ? 'goes_on' : 'done' };
}
