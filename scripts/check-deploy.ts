import { join } from 'node:path';
import { BUDGET } from './deploy/budget.ts';
import { measureStartup } from './deploy/measure-startup.ts';
import { runWrangler } from './deploy/run-wrangler.ts';
import { PATHS } from './local/paths.ts';
import { buildConsole } from './web/build-console.ts';

/**
 * `npm run check:deploy`: every environment of wrangler.toml and wrangler.chains.toml, and wrangler.signer.toml, builds and has its bindings, and what is uploaded keeps to its budget
 * of size; the exchange's Worker, of time at the start, too. Nothing is uploaded.
 */
const ENVIRONMENTS = ['', 'staging', 'production'];
const UPLOAD = /Total Upload: .* \/ gzip: ([\d.]+) KiB/;
const STARTUP_ATTEMPTS = 5;
/** As it would be uploaded; that of the last environment stays. */
const BUNDLE = join(PATHS.root, '.wrangler', 'dry-run', 'worker.bundle');

const exceeded: string[] = [];

await buildConsole();

for (const environment of ENVIRONMENTS)
  measure(environment === '' ? 'local' : environment, BUDGET.gzip_kib_max, [
    '--containers-rollout=none',
    `--outfile=${BUNDLE}`,
    `--env=${environment}`,
  ]);
for (const environment of ENVIRONMENTS)
  measure(`chains, ${environment === '' ? 'local' : environment}`, BUDGET.chains_gzip_kib_max, [
    '--config=wrangler.chains.toml',
    `--env=${environment}`,
  ]);
measure('signer', BUDGET.chains_gzip_kib_max, ['--config=wrangler.signer.toml', '--containers-rollout=none']);

function measure(name: string, gzip_kib_max: number, terms: readonly string[]): void {
  const printed = runWrangler('deploy', '--dry-run', ...terms);
  const [upload, gzip_kib] = UPLOAD.exec(printed) ?? [];
  if (upload === undefined) throw new Error(`wrangler deploy names no size:\n${printed}`);
  console.log(`${name}: ${upload} of ${gzip_kib_max} KiB`);
  if (Number(gzip_kib) > gzip_kib_max) exceeded.push(`the bundle of ${name} is larger than its budget`);
}

const startup_ms = measureStartup(BUNDLE, BUDGET.startup_ms_max, STARTUP_ATTEMPTS);
console.log(`start-up: ${startup_ms} of ${BUDGET.startup_ms_max} ms`);
if (startup_ms > BUDGET.startup_ms_max) exceeded.push('the Worker takes longer to start than its budget');

for (const what of exceeded) console.error(what);
if (exceeded.length > 0) {
  console.error('The budget is in scripts/deploy/budget.ts.');
  process.exitCode = 1;
}
