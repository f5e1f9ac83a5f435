import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { PATHS } from '../local/paths.ts';
import { WRANGLER_ENVIRONMENT } from '../local/wrangler-environment.ts';

const WRANGLER = join(PATHS.root, 'node_modules', 'wrangler', 'bin', 'wrangler.js');

/** What wrangler prints. Throws with its standard error when it fails. */
export function runWrangler(...args: readonly string[]): string {
  return execFileSync(process.execPath, [WRANGLER, ...args], {
    cwd: PATHS.root,
    encoding: 'utf8',
    // Warnings on standard error repeat that secrets, which are vars in the local environment alone, are not inherited.
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...WRANGLER_ENVIRONMENT },
  });
}
