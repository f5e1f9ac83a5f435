import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { PATHS } from '../local/paths.ts';
import { WRANGLER_ENVIRONMENT } from '../local/wrangler-environment.ts';
import { prepareStaticFiles } from '../web/static-files.ts';

const WRANGLER = join(PATHS.root, 'node_modules', 'wrangler', 'bin', 'wrangler.js');

/** What wrangler prints; its files are in place before. Throws with its standard error when it fails. */
export function runWrangler(...args: readonly string[]): string {
  prepareStaticFiles();
  return execFileSync(process.execPath, [WRANGLER, ...args], {
    cwd: PATHS.root,
    encoding: 'utf8',
    // Warnings on standard error repeat that secrets, which are vars in the local environment alone, are not inherited.
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...WRANGLER_ENVIRONMENT },
  });
}
