import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PATHS } from './paths.ts';

const MARK = join(PATHS.state, 'prepared');

/** Whether the databases in .state has seen these migrations and this demo, so that a start need not open it first. */
export function isPrepared(): boolean {
  return existsSync(MARK) && readFileSync(MARK, 'utf8') === sourcesHash();
}

export function markPrepared(): void {
  writeFileSync(MARK, sourcesHash());
}

function sourcesHash(): string {
  const hash = createHash('sha256');
  for (const folder of [...Object.values(PATHS.migrations), PATHS.demo]) {
    for (const entry of readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))) {
      if (entry.isFile()) hash.update(entry.name).update(readFileSync(join(folder, entry.name)));
    }
  }
  return hash.digest('hex');
}
