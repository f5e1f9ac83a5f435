import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** Builds the client library into clients/sdk/dist: ES modules and their types. `npm pack` in clients/sdk does it first. */
const SDK = join(import.meta.dirname, '..', '..', 'clients', 'sdk');
const typescript = dirname(createRequire(import.meta.url).resolve('typescript/package.json'));

rmSync(join(SDK, 'dist'), { recursive: true, force: true });
execFileSync(process.execPath, [join(typescript, 'bin', 'tsc'), '-p', join(SDK, 'tsconfig.json')], {
  stdio: 'inherit',
});
