import type { JobMessage } from './job-message.ts';
import { jobsOf } from './jobs.ts';

/** Asks for each job of a cron by a message of its own: what one of them takes, or how it fails, is no other's. */
export async function startJobs(env: Pick<Env, 'JOBS'>, cron: string): Promise<void> {
  await env.JOBS.sendBatch(jobsOf(cron).map((job) => ({ body: { job, part: 0 } satisfies JobMessage })));
}
