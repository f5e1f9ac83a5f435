import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** Builds the packages of `clients` that are named into their `dist`: ES modules and their types. `npm pack` in a package does it first. */
const CLIENTS = join(import.meta.dirname, '..', '..', 'clients');
const typescript = dirname(createRequire(import.meta.url).resolve('typescript/package.json'));

for (const name of process.argv.slice(2)) {
  rmSync(join(CLIENTS, name, 'dist'), { recursive: true, force: true });
  const project = join(CLIENTS, name, 'tsconfig.json');
  execFileSync(process.execPath, [join(typescript, 'bin', 'tsc'), '-p', project], { stdio: 'inherit' });
}
