import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import { importsIn } from './imports-in.ts';

export interface Closure {
  /** Paths from the root of the checkout. */
  readonly files: ReadonlySet<string>;
  /** Each package with the first file that names it. */
  readonly packages: ReadonlyMap<string, string>;
}

/** Everything that an entry point loads, itself included. `read` gives the text of a file, and null where there is none. */
export function closureOf(entry: string, read: (path: string) => string | null): Closure {
  const files = new Set<string>();
  const packages = new Map<string, string>();
  const waiting = [entry];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (files.has(path)) continue;
    files.add(path);
    if (!path.endsWith('.ts')) continue;
    const source = read(path);
    if (source === null) throw new Error(`${path} is loaded and is not there`);
    for (const specifier of importsIn(source)) {
      if (specifier.startsWith('.')) waiting.push(join(path, '..', specifier));
      else if (!isBuiltin(specifier) && !specifier.startsWith('cloudflare:')) {
        const name = packageOf(specifier);
        if (!packages.has(name)) packages.set(name, path);
      }
    }
  }
  return { files, packages };
}

function packageOf(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}
