import type { Mutant } from './mutant.ts';

const JOBS = 'data/events/images/enhancement-jobs.ts';
const SWEEP = 'application/events/enhancement/sweep-jobs.ts';
const ENHANCEMENT_TESTS = ['test/runtime/adversary/event-staff/enhancements-of-one-tenant.test.ts'];
const SETTING_TESTS = ['test/node/setting-problems.test.ts'];

/** How much of the events service one tenant may take, and who waits for whom. */
export const EVENT_ROOM_MUTANTS: readonly Mutant[] = [
  {
    rule: 'enhancement: a tenant’s jobs have turns one apart',
    file: JOBS,
    from: 'SELECT max(turn) + 1 FROM enhancement_jobs AS own',
    to: 'SELECT max(turn) FROM enhancement_jobs AS own',
    tests: ENHANCEMENT_TESTS,
  },
  {
    rule: 'enhancement: nobody saves up turns',
    file: JOBS,
    from: 'turn IS NOT NULL AND attempts = 0 ORDER BY turn LIMIT 1',
    to: 'turn IS NOT NULL ORDER BY turn LIMIT 1',
    tests: ENHANCEMENT_TESTS,
  },
  {
    rule: 'enhancement: the lowest turn is next',
    file: JOBS,
    from: '.orderBy(asc(enhancementJobs.turn), asc(enhancementJobs.id))',
    to: '.orderBy(asc(enhancementJobs.createdAt), asc(enhancementJobs.id))',
    tests: ENHANCEMENT_TESTS,
  },
  {
    rule: 'enhancement: a job that another has is not taken',
    file: JOBS,
    from: 'and(WAITS_FOR_TURN, lt(enhancementJobs.leaseUntil, now), gt(enhancementJobs.expiresAt, now))',
    to: 'and(WAITS_FOR_TURN, gt(enhancementJobs.expiresAt, now))',
    tests: ENHANCEMENT_TESTS,
  },
  {
    rule: 'enhancement: jobs of a tenant that wait are bounded',
    file: JOBS,
    from: 'WHERE jobs < ',
    to: 'WHERE jobs <> 1 + ',
    tests: ENHANCEMENT_TESTS,
  },
  {
    rule: 'enhancement: bytes of a tenant that wait are bounded',
    file: JOBS,
    from: 'AND bytes + ',
    to: 'AND 0 * ',
    tests: ENHANCEMENT_TESTS,
  },
  {
    rule: 'enhancement: the sweep goes on until nothing has expired',
    file: SWEEP,
    from: 'return expired.length === JOBS_PER_STEP;',
    to: 'return false;',
    tests: ENHANCEMENT_TESTS,
  },
  {
    rule: 'enhancement: a job that waits for its turn is not stalled',
    file: SWEEP,
    from: 'if (await isWorkedOn(db, before)) return;',
    to: '',
    tests: ENHANCEMENT_TESTS,
  },
  {
    rule: 'enhancement: a stalled job is queued once',
    file: JOBS,
    from: 'UPDATE enhancement_jobs SET updated_at = ',
    to: 'UPDATE enhancement_jobs SET created_at = ',
    tests: ENHANCEMENT_TESTS,
  },
  {
    rule: 'embedding again waits for no enhancement',
    file: 'application/events/collections/request-reembedding.ts',
    from: 'env.EVENT_REEMBED.send',
    to: 'env.EVENT_WORK.send',
    tests: ENHANCEMENT_TESTS,
  },
  {
    rule: 'deployment: a queue has dead letters',
    file: 'scripts/deploy/setting-problems.ts',
    from: 'consumer?.deadLetters === null',
    to: 'false',
    tests: SETTING_TESTS,
  },
];
