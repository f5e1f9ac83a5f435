import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../scripts/local/port.ts';
import { buildWorkers } from '../../scripts/local/served-workers.ts';
import { buildConsole } from '../../scripts/web/build-console.ts';

const START = join(import.meta.dirname, '..', '..', 'scripts', 'start.ts');

/** Before the first file: the systems of all files serve one build, and begin with a copy of one state. `operations.test.ts` starts what `npm start` starts, from source and from nothing. */
export default async function setup(): Promise<() => void> {
  await buildConsole();
  const folder = mkdtempSync(join(tmpdir(), 'built-workers-'));
  buildWorkers(folder);
  const prepared = join(folder, 'state');
  execFileSync(process.execPath, [START, '--prepare'], {
    env: { ...process.env, STATE_DIR: prepared, PORT: String(await freePort()) },
  });
  Object.assign(process.env, { BUILT_WORKERS: folder, PREPARED_STATE: prepared });
  return () => rmSync(folder, { recursive: true, force: true });
}
