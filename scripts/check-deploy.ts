import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { PATHS } from './local/paths.ts';
import { WRANGLER_ENVIRONMENT } from './local/wrangler-environment.ts';

/** `npm run check:deploy`: every environment of wrangler.toml builds and has its bindings; nothing is uploaded. */
const ENVIRONMENTS = ['', 'staging', 'production'];

for (const environment of ENVIRONMENTS) {
  const wrangler = join(PATHS.root, 'node_modules', 'wrangler', 'bin', 'wrangler.js');
  const flags = [
    '--dry-run',
    '--containers-rollout=none',
    '--outdir',
    join(PATHS.root, '.wrangler', 'dry-run'),
    `--env=${environment}`,
  ];
  const output = execFileSync(process.execPath, [wrangler, 'deploy', ...flags], {
    cwd: PATHS.root,
    encoding: 'utf8',
    // Warnings on standard error repeat that secrets, which are vars in the local environment alone, are not inherited.
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...WRANGLER_ENVIRONMENT },
  });
  console.log(`${environment === '' ? 'local' : environment}: ${output.match(/Total Upload:.*/)?.[0] ?? 'built'}`);
}
