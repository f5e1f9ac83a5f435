import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..', '..');
const PROGRAM_WAIT_MS = 120_000;

/** A program of a page. */
export interface PageProgram {
  readonly language: 'ts' | 'python';
  readonly text: string;
}

/** The programs that a page shows, in their order. */
export function programsOf(page: string): PageProgram[] {
  return [...page.matchAll(/^```(ts|python)\n(.*?)^```$/gms)].map(([, language, text = '']) => ({
    language: language as PageProgram['language'],
    text,
  }));
}

/**
 * A folder to run programs in: it has what the page says that they need, and the client library by its name, from its source: Node reads types
 * where a file does not stand in node_modules, which a link does not.
 */
export function programFolder(): { readonly path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'page-programs-'));
  for (const name of ['clients', 'containers']) symlinkSync(join(ROOT, name), join(path, name));
  const sdk = join(path, 'node_modules', '@edge-exchange', 'sdk');
  mkdirSync(sdk, { recursive: true });
  const source = join(ROOT, 'clients', 'sdk');
  for (const name of readdirSync(source)) if (name !== 'package.json') symlinkSync(join(source, name), join(sdk, name));
  const shipped = JSON.parse(readFileSync(join(source, 'package.json'), 'utf8')) as Shipped;
  const exports = Object.entries(shipped.exports).map(([entry, { default: built }]) => [
    entry,
    built.replace('./dist/clients/sdk/', './').replace(/\.js$/, '.ts'),
  ]);
  const manifest = { name: '@edge-exchange/sdk', type: 'module', exports: Object.fromEntries(exports) };
  writeFileSync(join(sdk, 'package.json'), JSON.stringify(manifest));
  symlinkSync(join(ROOT, 'node_modules', '@modelcontextprotocol'), join(path, 'node_modules', '@modelcontextprotocol'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

interface Shipped {
  readonly exports: Readonly<Record<string, { readonly default: string }>>;
}

/** Runs a program against a system at another place than the page says; resolves with what it printed. */
export function runProgram({ language, text }: PageProgram, folder: string, origin: string): Promise<string> {
  const file = join(folder, language === 'ts' ? 'program.mts' : 'program.py');
  writeFileSync(file, text.replaceAll('localhost:8787', new URL(origin).host));
  const env = { ...process.env, PYTHONPATH: join(ROOT, 'clients', 'signing'), PYTHONDONTWRITEBYTECODE: '1' };
  const [command, options] = language === 'ts' ? [process.execPath, ['--no-warnings']] : ['python3', []];
  return new Promise((resolve, reject) => {
    execFile(command, [...options, file], { cwd: folder, env, timeout: PROGRAM_WAIT_MS }, (failed, stdout, stderr) => {
      if (failed === null) resolve(stdout);
      else reject(new Error(`${failed.message}\n${stdout}\n${stderr}`));
    });
  });
}
