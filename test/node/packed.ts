import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** A folder that has the tarball of a package of `clients`, and nothing else of ours. */
export interface Packed {
  readonly folder: string;
  readonly modules: string;
  readonly installed: string;
}

export function packedFolder(name: string): Packed {
  const folder = mkdtempSync(join(tmpdir(), `${name}-package-`));
  const modules = join(folder, 'node_modules');
  return { folder, modules, installed: join(modules, '@edge-exchange', name) };
}

/** Packs `clients/<name>`, which builds it, and unpacks it as npm would install it. */
export function install(name: string, { folder, installed }: Packed): void {
  const cwd = join(import.meta.dirname, '..', '..', 'clients', name);
  execFileSync('npm', ['pack', '--silent', '--pack-destination', folder], { cwd });
  const tarball = readdirSync(folder).find((file) => file.endsWith('.tgz'))!;
  mkdirSync(installed, { recursive: true });
  execFileSync('tar', ['-xzf', join(folder, tarball), '-C', installed, '--strip-components=1']);
}

/** What a program that is run in the folder prints, as JSON. */
export function said({ folder }: Packed, source: string): unknown {
  writeFileSync(join(folder, 'use.mjs'), source);
  return JSON.parse(execFileSync(process.execPath, ['use.mjs'], { cwd: folder, encoding: 'utf8' }));
}

/** What the compiler has against a program of the folder; empty for nothing. */
export function compile({ folder }: Packed, source: string, more: readonly string[] = []): string {
  const typescript = dirname(createRequire(import.meta.url).resolve('typescript/package.json'));
  writeFileSync(join(folder, 'use.mts'), source);
  const options = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2022', '--lib', 'es2023,dom'];
  try {
    execFileSync(process.execPath, [join(typescript, 'bin', 'tsc'), ...options, ...more, 'use.mts'], {
      cwd: folder,
    });
    return '';
  } catch (error) {
    return String((error as { stdout: Buffer }).stdout);
  }
}
