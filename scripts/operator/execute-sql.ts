import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { PATHS } from '../local/paths.ts';
import { WRANGLER_ENVIRONMENT } from '../local/wrangler-environment.ts';

const ANSWER_BYTES_MAX = 16 * 1024 * 1024;

/** Which database `exchange`: a deployed environment's, or that of the local state. */
export type WhichDatabase = { readonly environment: string } | 'local';

/**
 * Runs SQL in the database by wrangler, as whoever is logged in to it, and returns the rows of its last statement.
 *
 * @throws Error with what wrangler said
 */
export async function executeSql<Row>(which: WhichDatabase, sql: string): Promise<readonly Row[]> {
  const where = which === 'local' ? ['--local', '--persist-to', PATHS.state] : ['--env', which.environment, '--remote'];
  const wrangler = join(PATHS.root, 'node_modules', 'wrangler', 'bin', 'wrangler.js');
  const command = [wrangler, 'd1', 'execute', 'DB', '--config', PATHS.wranglerConfig, ...where, '--json', '--yes'];
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [...command, '--command', sql], {
      cwd: PATHS.root,
      env: { ...process.env, ...WRANGLER_ENVIRONMENT },
      maxBuffer: ANSWER_BYTES_MAX,
    });
    const answers = JSON.parse(stdout.slice(stdout.indexOf('['))) as { readonly results: readonly Row[] }[];
    return answers.at(-1)?.results ?? [];
  } catch (error) {
    const said = error as { readonly stderr?: string; readonly stdout?: string; readonly message: string };
    throw new Error([said.message, said.stderr, said.stdout].filter(Boolean).join('\n'));
  }
}
