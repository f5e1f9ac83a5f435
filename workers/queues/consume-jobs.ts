import { uuidv7 } from 'uuidv7';
import { describeBug } from '../../application/log/describe-bug.ts';
import { database } from '../../data/database.ts';
import { noteJobRun } from '../../data/jobs/job-runs.ts';
import { log } from '../../durable-objects/log/log.ts';
import { JobMessage } from '../cron/job-message.ts';
import { JOB_MS_MAX, type JobEnd, runJob } from '../cron/run-job.ts';

/** Invocations, one after the other, that a job may take for what is left over; the next cron begins anew. @internal */
export const JOB_PARTS_MAX = 20;
const RETRY_S = 60;

/** Consumes `jobs`: one job a message. One that fails is tried again, and goes to the dead letters when it keeps failing; the log names it each time. */
export async function consumeJobs(batch: MessageBatch, env: Env): Promise<void> {
  for (const message of batch.messages) await consume(message, env);
}

async function consume(message: Message, env: Env): Promise<void> {
  const read = JobMessage.safeParse(message.body);
  if (!read.success) {
    log('error', 'a message of jobs is malformed', { id: message.id });
    message.ack();
    return;
  }
  const { job, part } = read.data;
  const beganAt = Date.now();
  const end = await endOf(env, job);
  if (end.type === 'done' || end.type === 'goes_on' || end.type === 'failed') await note(env, job, beganAt, end);
  switch (end.type) {
    case 'failed':
      log('error', 'a scheduled job failed', { job, attempt: message.attempts, ...reasonsOf(end.error) });
      message.retry({ delaySeconds: RETRY_S });
      return;
    case 'goes_on':
      if (part + 1 < JOB_PARTS_MAX) await env.JOBS.send({ job, part: part + 1 } satisfies JobMessage);
      else log('warn', 'a scheduled job has more to do than it keeps up with', { job });
      break;
    case 'unknown':
      log('error', 'a scheduled job is unknown', { job });
      break;
    case 'done':
    case 'under_way':
  }
  message.ack();
}

async function endOf(env: Env, job: string): Promise<JobEnd> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const overdue = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, JOB_MS_MAX);
  });
  try {
    return await runJob(env, { job, holder: uuidv7(), now: Date.now(), overdue });
  } catch (error) {
    return { type: 'failed', error };
  } finally {
    clearTimeout(timer);
  }
}

/** For `GET /v1/operator/overview`. What cannot be written down has been done all the same. */
async function note(
  env: Env,
  job: string,
  beganAt: number,
  end: Extract<JobEnd, { type: 'done' | 'goes_on' | 'failed' }>,
): Promise<void> {
  const failure = end.type === 'failed' ? describeBug(end.error).message : null;
  try {
    await noteJobRun(database(env.DB), { job, beganAt, endedAt: Date.now(), outcome: end.type, failure });
  } catch (error) {
    log('warn', 'the run of a job was not written down', { job, ...describeBug(error) });
  }
}

/** A job that does many things says what became of each. */
function reasonsOf(error: unknown): object {
  const reasons = error instanceof AggregateError ? error.errors.map((each) => describeBug(each).message) : [];
  return { ...describeBug(error), reasons };
}
