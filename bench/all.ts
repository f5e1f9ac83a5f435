/**
 * `npm run bench:all`: runs every bench of package.json, one after the other, with the arguments that it is given. With `--smoke` (to see that each runs) as many
 * at once as there are cores. Says which failed, with the end of what it printed, and exits 1 then.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';

const OUTPUT_CHARACTERS_MAX = 4_000;
/** A bench that hangs is ended; with `--smoke` each takes some seconds on a quiet machine. */
const isSmoke = process.argv.includes('--smoke');
const BENCH_MS_MAX = isSmoke ? 600_000 : 3_600_000;

const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };
const failed: string[] = [];
const waiting = Object.entries(scripts).filter(([name]) => name.startsWith('bench:') && name !== 'bench:all');
await Promise.all(Array.from({ length: isSmoke ? availableParallelism() : 1 }, runAll));
console.log(failed.length === 0 ? 'every bench runs' : `these benches fail: ${failed.join(', ')}`);
process.exitCode = failed.length === 0 ? 0 : 1;

async function runAll(): Promise<void> {
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const [name, command] = next;
    const [, ...program] = command.split(' ');
    const started = performance.now();
    const problem = await runProblem([...program, ...process.argv.slice(2)]);
    const seconds = ((performance.now() - started) / 1_000).toFixed(1);
    if (problem !== null) failed.push(name);
    console.log(`${name}: ${problem ?? 'done'} (${seconds} s)`);
  }
}

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
