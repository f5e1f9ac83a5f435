import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildWorkers } from '../../scripts/local/served-workers.ts';
import { buildConsole } from '../../scripts/web/build-console.ts';

/** Before the first file: the systems of all files serve one build. `operations.test.ts` starts what `npm start` starts, from source. */
export default async function setup(): Promise<() => void> {
  await buildConsole();
  const folder = mkdtempSync(join(tmpdir(), 'built-workers-'));
  buildWorkers(folder);
  process.env.BUILT_WORKERS = folder;
  return () => rmSync(folder, { recursive: true, force: true });
}
