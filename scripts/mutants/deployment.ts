import type { Mutant } from './mutant.ts';

const DESTINATION = 'domain/webhooks/destination.ts';
const destinations = ['domain/webhooks/destination.test.ts'];
const SETTINGS = 'scripts/deploy/setting-problems.ts';
const settings = ['test/node/setting-problems.test.ts'];
const TOKEN = 'durable-objects/credentials/access-token.ts';
const tokens = ['test/runtime/workers/iam/access-tokens.test.ts'];
const RUN_JOB = 'workers/cron/run-job.ts';
const BUDGET = 'workers/cron/d1-budget.ts';
const CONSUMER = 'workers/queues/consume-jobs.ts';
const jobs = ['test/runtime/adversary/venue-operator/jobs.test.ts'];
const RUNNING = 'scripts/local/running.ts';
const starts = ['test/node/start.test.ts'];

/** What a deployment states before it serves, where it sends nothing, and how its work by the clock is kept apart. */
export const DEPLOYMENT_MUTANTS: readonly Mutant[] = [
  {
    rule: "no webhook goes into the venue's own zones",
    file: DESTINATION,
    from: "return ownNames.some((own) => isWithin(name, own)) ? err('of_the_venue') : ok({ url: url.href, name });",
    to: 'return ok({ url: url.href, name });',
    tests: destinations,
  },
  {
    rule: "no webhook goes to the venue's hosts that stand in no zone of its own",
    file: DESTINATION,
    from: '...Object.keys(JSON.parse(PROFILE_HOSTS) as object)',
    to: '...[PROFILE_HOSTS].slice(1)',
    tests: destinations,
  },
  {
    rule: 'a name that only ends alike is in no zone of the venue',
    file: DESTINATION,
    from: '|| name.endsWith(`.',
    to: '|| name.endsWith(`',
    tests: destinations,
  },
  {
    rule: 'a deployment names every secret',
    file: SETTINGS,
    from: '.filter((name) => !requiredSecrets.includes(name))',
    to: '.filter(() => false)',
    tests: settings,
  },
  {
    rule: 'a deployment names every var',
    file: SETTINGS,
    from: '.filter((name) => !(name in vars) && !known.has(name))',
    to: '.filter(() => false)',
    tests: settings,
  },
  {
    rule: 'an address that carries a key is a secret',
    file: SETTINGS,
    from: '.filter((name) => name in vars)',
    to: '.filter(() => false)',
    tests: settings,
  },
  {
    rule: 'a venue in production states its names',
    file: 'workers/middleware/missing-settings.ts',
    from: "(env[name] ?? '').trim() === ''",
    to: 'false',
    tests: ['workers/middleware/missing-settings.test.ts'],
  },
  {
    rule: 'an ID token of the own provider is no access token',
    file: TOKEN,
    from: "if (!isAccessToken(protectedHeader.typ, payload, env)) return err('typ');",
    to: '',
    tests: tokens,
  },
  {
    rule: "what has claims of an ID token is no access token of another provider's",
    file: TOKEN,
    from: ' && !ID_TOKEN_CLAIMS.some((claim) => claim in payload)',
    to: '',
    tests: tokens,
  },
  {
    rule: 'a job is done by one run at a time',
    file: 'data/jobs/job-leases.ts',
    from: ', setWhere: lte(jobLeases.endsAt, now)',
    to: '',
    tests: jobs,
  },
  {
    rule: 'a lease is given back by its holder alone',
    file: 'data/jobs/job-leases.ts',
    from: 'and(eq(jobLeases.job, job), eq(jobLeases.holder, holder))',
    to: 'and(eq(jobLeases.job, job))',
    tests: jobs,
  },
  {
    rule: 'a job that hangs keeps its place until its invocation is over',
    file: RUN_JOB,
    from: "if (outcome === 'overdue') return",
    to: "if (outcome === 'overdue') await endJobLease(db, { job, holder });\n  if (outcome === 'overdue') return",
    tests: jobs,
  },
  {
    rule: 'a job has a budget of queries',
    file: BUDGET,
    from: 'if (queries > this.#left) {',
    to: 'if (this.#isSpent) {',
    tests: jobs,
  },
  {
    rule: 'each statement of a batch counts',
    file: BUDGET,
    from: 'budget.take(statements.length);',
    to: 'budget.take(1);',
    tests: jobs,
  },
  {
    rule: 'a job that fails is tried again',
    file: CONSUMER,
    from: 'message.retry({ delaySeconds: RETRY_S });\n      return;',
    to: 'break;',
    tests: jobs,
  },
  {
    rule: 'what one invocation leaves over goes on in another one',
    file: CONSUMER,
    from: 'await env.JOBS.send({ job, part: part + 1 } satisfies JobMessage);',
    to: 'void part;',
    tests: jobs,
  },
  {
    rule: 'a job goes on so many times and no more',
    file: CONSUMER,
    from: 'if (part + 1 < JOB_PARTS_MAX)',
    to: 'if (part >= 0)',
    tests: jobs,
  },
  {
    rule: 'a process that has another start is not the one that was left behind',
    file: RUNNING,
    from: 'return leader.start === serverStart;',
    to: 'return true;',
    tests: starts,
  },
  {
    rule: 'a server that works on its start is waited for',
    file: 'scripts/local/wait-until-ready.ts',
    from: 'idle = work > before ? 0 : idle + 1;',
    to: 'idle = idle + 1;',
    tests: starts,
  },
  {
    rule: 'a start whose code cannot be built ends at once',
    file: 'scripts/local/wait-until-ready.ts',
    from: "      if (host.isUnbuildable()) return { type: 'unbuildable', path };\n",
    to: '',
    tests: starts,
  },
  {
    rule: 'what a Worker or a container loads stands in production packages',
    file: 'scripts/closures/closure-problems.ts',
    from: 'if (!checkout.production.has(name))',
    to: "if (name === '')",
    tests: ['test/node/closures.test.ts'],
  },
  {
    rule: 'an image copies what its process loads',
    file: 'scripts/closures/closure-problems.ts',
    from: 'if (!isCopied(image, path))',
    to: "if (path === '')",
    tests: ['test/node/closures.test.ts'],
  },
];
