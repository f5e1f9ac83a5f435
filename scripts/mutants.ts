import { spawn } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MUTANTS } from './mutants/list.ts';
import { fits, type Mutant } from './mutants/mutant.ts';

/**
 * `npm run mutants [-- <words>]`: takes out one rule of money or access after the other, in a copy of the tree, and runs the tests that should
 * notice. Prints `N killed, M survived`; exit 1 when one survives, or no longer fits its file.
 */
const ROOT = join(import.meta.dirname, '..');
const LEFT_OUT = new Set(['node_modules', '.git', '.state', '.wrangler']);
const TIMEOUT_MS = 300_000;

type Verdict = 'killed' | 'survived' | 'does not fit';

function copyOfTree(): string {
  const copy = join(mkdtempSync(join(tmpdir(), 'mutants-')), 'tree');
  cpSync(ROOT, copy, {
    recursive: true,
    filter: (path) => !LEFT_OUT.has(path.slice(ROOT.length + 1).split('/')[0] ?? ''),
  });
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
  return copy;
}

async function verdictOn(tree: string, mutant: Mutant): Promise<Verdict> {
  const { file, from, to, tests } = mutant;
  const path = join(tree, file);
  const source = readFileSync(path, 'utf8');
  if (!fits(mutant, source)) return 'does not fit';
  writeFileSync(
    path,
    source.replace(from, () => to),
  );
  try {
    return (await passes(tree, tests)) ? 'survived' : 'killed';
  } finally {
    writeFileSync(path, source);
  }
}

/** A list may name tests of several projects: each runs its own. */
async function passes(tree: string, tests: readonly string[]): Promise<boolean> {
  const isRuntime = (test: string) => test.startsWith('test/runtime/');
  const isPure = (test: string) => /^(domain|protocol|clients)\//.test(test);
  const runs = [
    { project: 'pure', of: tests.filter(isPure) },
    { project: 'node*', of: tests.filter((test) => !isRuntime(test) && !isPure(test)) },
    { project: 'workers', of: tests.filter(isRuntime) },
  ];
  for (const { project, of } of runs) if (of.length > 0 && !(await runPasses(tree, project, of))) return false;
  return true;
}

function runPasses(tree: string, project: string, tests: readonly string[]): Promise<boolean> {
  const vitest = spawn('npx', ['vitest', 'run', '--bail', '1', '--project', project, ...tests], {
    cwd: tree,
    stdio: 'ignore',
    // A group of its own, so that what it starts ends with it.
    detached: true,
  });
  const timer = setTimeout(() => vitest.pid !== undefined && process.kill(-vitest.pid, 'SIGKILL'), TIMEOUT_MS);
  return new Promise((resolve, reject) => {
    vitest.on('error', reject);
    vitest.on('exit', (code) => {
      clearTimeout(timer);
      resolve(code === 0);
    });
  });
}

const words = process.argv.slice(2);
const wanted = MUTANTS.filter(({ rule, file }) => words.every((word) => `${rule} ${file}`.includes(word)));
const tree = copyOfTree();
const count: Record<Verdict, number> = { killed: 0, survived: 0, 'does not fit': 0 };
try {
  const suites = new Set(wanted.map(({ tests }) => tests.join(' ')));
  for (const suite of suites)
    if (!(await passes(tree, suite.split(' ')))) throw new Error(`without any mutant, these tests fail: ${suite}`);
  for (const mutant of wanted) {
    const verdict = await verdictOn(tree, mutant);
    count[verdict] += 1;
    console.log(`${verdict.padEnd(12)} ${mutant.rule} (${mutant.file})`);
  }
} finally {
  rmSync(join(tree, '..'), { recursive: true, force: true });
}
console.log(
  `${count.killed} killed, ${count.survived} survived${count['does not fit'] > 0 ? `, ${count['does not fit']} do not fit` : ''}`,
);
process.exitCode = count.survived + count['does not fit'] > 0 ? 1 : 0;
