import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '..', '..');
const CONTAINERS = join(ROOT, 'containers');

const images = readdirSync(CONTAINERS).flatMap((container) =>
  readdirSync(join(CONTAINERS, container))
    .filter((file) => file.startsWith('Dockerfile'))
    .map((file) => [`containers/${container}/${file}`, `containers/${container}/main.ts`] as const),
);

/** Files of ours that a program may load: what it imports, and the modules of its threads. */
function filesOf(path: string, found = new Set<string>()): Set<string> {
  if (found.has(path)) return found;
  found.add(path);
  if (!path.endsWith('.ts')) return found;
  const source = readFileSync(join(ROOT, path), 'utf8');
  const values = source.replaceAll(/^import type [^;]*;/gm, '');
  for (const [, relative = ''] of values.matchAll(/'(\.\.?\/[^']+\.(?:ts|json))'/g)) {
    filesOf(normalize(join(dirname(path), relative)), found);
  }
  return found;
}

describe('an image', () => {
  it.each(images)('has every file that its program loads: %s', (dockerfile, main) => {
    const copied = [...readFileSync(join(ROOT, dockerfile), 'utf8').matchAll(/^COPY ([a-z/-]+) \.\/\1$/gm)];
    const folders = copied.map(([, folder]) => `${folder}/`);
    const missing = [...filesOf(main)].filter((file) => !folders.some((folder) => file.startsWith(folder)));
    expect(folders.length).toBeGreaterThan(0);
    expect(missing).toEqual([]);
  });
});
