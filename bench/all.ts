/**
 * `npm run bench:all`: runs every bench of package.json, one after the other, with the arguments that it is given (`--smoke`: to see that each runs). Says which
 * failed, with the end of what it printed, and exits 1 then.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';

const OUTPUT_CHARACTERS_MAX = 4_000;
/** A bench that hangs is ended; with `--smoke` each takes some seconds on a quiet machine. */
const BENCH_MS_MAX = process.argv.includes('--smoke') ? 600_000 : 3_600_000;

const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };
const failed: string[] = [];
for (const [name, command] of Object.entries(scripts)) {
  if (!name.startsWith('bench:') || name === 'bench:all') continue;
  const [, ...program] = command.split(' ');
  const started = performance.now();
  const problem = await runProblem([...program, ...process.argv.slice(2)]);
  const seconds = ((performance.now() - started) / 1_000).toFixed(1);
  if (problem !== null) failed.push(name);
  console.log(`${name}: ${problem ?? 'done'} (${seconds} s)`);
}
console.log(failed.length === 0 ? 'every bench runs' : `these benches fail: ${failed.join(', ')}`);
process.exitCode = failed.length === 0 ? 0 : 1;

async function runProblem(program: readonly string[]): Promise<string | null> {
  const child = spawn(process.execPath, program, { stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  let output = '';
  const collect = (data: Buffer) => {
    output = (output + data.toString()).slice(-OUTPUT_CHARACTERS_MAX);
  };
  child.stdout.on('data', collect);
  child.stderr.on('data', collect);
  // What the bench has started is in its group.
  const timer = setTimeout(() => process.kill(-(child.pid ?? 0), 'SIGKILL'), BENCH_MS_MAX);
  const [code, signal] = (await once(child, 'exit')) as [number | null, string | null];
  clearTimeout(timer);
  return code === 0 ? null : `ended with ${code ?? signal}\n${output}`;
}
