import { createHash } from 'node:crypto';
import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PATHS } from './paths.ts';

const MARK = join(PATHS.state, 'prepared');

/** Whether the databases in .state have seen these migrations and, unless `isEmpty`, this demo, so that a start need not open them first. */
export function isPrepared(isEmpty: boolean): boolean {
  return existsSync(MARK) && readFileSync(MARK, 'utf8') === sourcesHash(isEmpty);
}

export function markPrepared(isEmpty: boolean): void {
  writeFileSync(MARK, sourcesHash(isEmpty));
}

/**
 * A new state begins as a copy of the one that PREPARED_STATE names, which `start.ts --prepare` has made: tests start many systems that begin alike.
 *
 * @returns whether it was copied
 */
export function beginFromPrepared(): boolean {
  const prepared = process.env.PREPARED_STATE || null;
  if (prepared === null || existsSync(MARK)) return false;
  cpSync(prepared, PATHS.state, { recursive: true });
  return true;
}

function sourcesHash(isEmpty: boolean): string {
  const hash = createHash('sha256');
  for (const folder of [...Object.values(PATHS.migrations), ...(isEmpty ? [] : [PATHS.demo])]) {
    for (const entry of readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))) {
      if (entry.isFile()) hash.update(entry.name).update(readFileSync(join(folder, entry.name)));
    }
  }
  return hash.digest('hex');
}
