import { createExecutionContext, createMessageBatch, getQueueResult } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import { database } from '../../../../data/database.ts';
import { jobsOf, MORE_TO_DO } from '../../../../workers/cron/jobs.ts';
import { JOB_QUERIES_MAX, runJob } from '../../../../workers/cron/run-job.ts';
import { startJobs } from '../../../../workers/cron/start-jobs.ts';
import { consumeJobs, JOB_PARTS_MAX } from '../../../../workers/queues/consume-jobs.ts';
import { migrate } from '../../fixtures/migrate.ts';

const NEVER = new Promise<never>(() => undefined);
const NOW = 1_000_000;
const LEASE_MS = 15 * 60_000;

beforeAll(async () => {
  await migrate();
});

const count = async (of: Env) => (await of.DB.prepare('SELECT 1 AS one').first('one')) as number;
const done = (name: string, jobs: Parameters<typeof runJob>[2], now = NOW, overdue: Promise<void> = NEVER) =>
  runJob(env, { job: name, holder: `run of ${name} at ${now}`, now, overdue }, jobs);
const isLeased = async (job: string) =>
  (await env.DB.prepare('SELECT 1 FROM job_leases WHERE job = ?1').bind(job).first()) !== null;

describe('M-12: work by the clock', () => {
  it('is asked for by a message a job, those of five minutes and those of an hour', async () => {
    const asked: unknown[] = [];
    const JOBS = {
      sendBatch: async (messages: { body: unknown }[]) => void asked.push(...messages.map(({ body }) => body)),
    };
    await startJobs({ JOBS } as unknown as Env, '*/5 * * * *');
    expect(asked).toEqual(jobsOf('*/5 * * * *').map((job) => ({ job, part: 0 })));
    expect(asked).toHaveLength(28);
    expect(jobsOf('17 * * * *')).toHaveLength(16);
  });

  it('has a budget of queries, a batch counting each of its own, and stops before the one that is too many', async () => {
    let queries = 0;
    const greedy = async (of: Env) => {
      for (;;) {
        await of.DB.batch([of.DB.prepare('SELECT 1'), of.DB.prepare('SELECT ?1').bind(2)]);
        await of.EVENTS_DB.prepare('SELECT 1').all();
        queries += 3;
      }
    };
    expect(await done('greedy', { greedy })).toEqual({ type: 'goes_on' });
    expect(queries).toBe(JOB_QUERIES_MAX);
    expect(await isLeased('greedy')).toBe(false);
  });

  it('goes on at once where a job with a budget of its own says that it has more to do', async () => {
    expect(await done('more', { more: async () => MORE_TO_DO })).toEqual({ type: 'goes_on' });
    expect(await isLeased('more')).toBe(false);
    expect(await done('true', { true: async () => true })).toEqual({ type: 'done' });
  });

  it('counts what the query builder asks', async () => {
    let queries = 0;
    const greedy = async (of: Env) => {
      for (;;) {
        await database(of.DB).run('SELECT 1');
        queries += 1;
      }
    };
    expect(await done('builder', { builder: greedy })).toEqual({ type: 'goes_on' });
    expect(queries).toBe(JOB_QUERIES_MAX);
  });

  it('that has used up its budget goes on in another invocation, whatever it made of that', async () => {
    const swallowing = async (of: Env) => {
      for (let query = 0; query <= JOB_QUERIES_MAX; query++) await count(of).catch(() => undefined);
    };
    expect(await done('swallowing', { swallowing })).toEqual({ type: 'goes_on' });
    const within = async (of: Env) => {
      for (let query = 0; query < JOB_QUERIES_MAX; query++) await count(of);
    };
    expect(await done('within', { within })).toEqual({ type: 'done' });
  });

  it('takes nothing of another: one that hangs and one that uses up its budget beside it', async () => {
    const hangs = () => NEVER;
    const greedy = async (of: Env) => {
      for (;;) await count(of);
    };
    let asked = 0;
    const modest = async (of: Env) => {
      asked += await count(of);
    };
    const jobs = { hangs, greedy, modest };
    void done('hangs', jobs);
    expect(await Promise.all([done('greedy', jobs), done('modest', jobs)])).toEqual([
      { type: 'goes_on' },
      { type: 'done' },
    ]);
    expect(asked).toBe(1);
  });

  it('is done by one run at a time, until the invocation of that one is over', async () => {
    let end: () => void = () => undefined;
    let begun: () => void = () => undefined;
    const hasBegun = new Promise<void>((resolve) => {
      begun = resolve;
    });
    const slow = () =>
      new Promise<void>((resolve) => {
        end = resolve;
        begun();
      });
    const first = done('slow', { slow });
    await hasBegun;
    const quick = async () => undefined;
    expect(await done('slow', { slow: quick }, NOW + LEASE_MS - 1)).toEqual({ type: 'under_way' });
    expect(await done('slow', { slow: quick }, NOW + LEASE_MS)).toEqual({ type: 'done' });
    end();
    expect(await first).toEqual({ type: 'done' });
  });

  it('that a run has taken over is not given back by the one before', async () => {
    let end: () => void = () => undefined;
    let begun: () => void = () => undefined;
    const hasBegun = new Promise<void>((resolve) => {
      begun = resolve;
    });
    const slow = () =>
      new Promise<void>((resolve) => {
        end = resolve;
        begun();
      });
    const first = done('taken', { taken: slow });
    await hasBegun;
    void done('taken', { taken: () => NEVER }, NOW + LEASE_MS, NEVER);
    await expect
      .poll(() => env.DB.prepare("SELECT holder FROM job_leases WHERE job = 'taken'").first('holder'))
      .toBe(`run of taken at ${NOW + LEASE_MS}`);
    end();
    await first;
    expect(await isLeased('taken')).toBe(true);
  });

  it('that does not end in its time has failed, and keeps its place until its invocation is over', async () => {
    expect(await done('late', { late: () => NEVER }, NOW, Promise.resolve())).toMatchObject({ type: 'failed' });
    expect(await isLeased('late')).toBe(true);
  });

  it('that fails is tried again at once, since its place is free', async () => {
    const failing = async () => {
      throw new Error('a test');
    };
    expect(await done('failing', { failing })).toMatchObject({ type: 'failed' });
    expect(await done('failing', { failing: async () => undefined })).toEqual({ type: 'done' });
  });

  it.each(['', 'toString', 'nobody'])('of no such name is unknown: %j', async (job) => {
    expect(await done(job, undefined)).toEqual({ type: 'unknown' });
  });
});

describe('M-12: a message of the queue', () => {
  async function consumed(body: unknown, of: Env = env) {
    const batch = createMessageBatch('jobs', [{ id: 'message', timestamp: new Date(), body, attempts: 1 }]);
    await consumeJobs(batch, of);
    const { explicitAcks, retryMessages } = await getQueueResult(batch, createExecutionContext());
    return { isDone: explicitAcks.length === 1, isRetried: retryMessages.length === 1 };
  }

  it('is acknowledged when its job is done, when it is malformed, and when no job has its name', async () => {
    for (const body of [{ job: 'expire_records', part: 0 }, { job: 'nobody', part: 0 }, { part: 0 }, 'x', null])
      expect(await consumed(body)).toEqual({ isDone: true, isRetried: false });
  });

  it('comes again when its job fails, or when the database is away', async () => {
    const broken = { ...env, ORDER_ARCHIVE_AFTER_DAYS: 'soon' } as unknown as Env;
    expect(await consumed({ job: 'archive_orders', part: 0 }, broken)).toEqual({ isDone: false, isRetried: true });
    const away = {
      prepare: () => {
        throw new Error('away');
      },
      batch: () => {
        throw new Error('away');
      },
    };
    const without = { ...env, DB: away } as unknown as Env;
    expect(await consumed({ job: 'expire_records', part: 0 }, without)).toEqual({ isDone: false, isRetried: true });
  });

  it('is followed by another one while there is more to do, so many times', async () => {
    const sent: unknown[] = [];
    const of = { ...env, JOBS: { send: async (body: unknown) => void sent.push(body) } } as unknown as Env;
    await spendBudget(of, 0);
    expect(sent).toEqual([{ job: 'expire_records', part: 1 }]);
    await spendBudget(of, JOB_PARTS_MAX - 1);
    expect(sent).toHaveLength(1);
  });

  /** A job whose storage asks again and again. */
  async function spendBudget(of: Env, part: number): Promise<void> {
    const { JOBS } = await import('../../../../workers/cron/jobs.ts');
    const table = JOBS as Record<string, (env: Env) => Promise<unknown>>;
    const own = table.expire_records;
    table.expire_records = async (spending) => {
      for (;;) await count(spending);
    };
    try {
      expect(await consumed({ job: 'expire_records', part }, of)).toEqual({ isDone: true, isRetried: false });
    } finally {
      if (own !== undefined) table.expire_records = own;
    }
  }
});
