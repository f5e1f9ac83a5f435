/**
 * `node scripts/side-by-side.ts <name> …`: runs scripts of package.json, as many at once as there are cores, in the order in which they are named. Prints what each has printed when it
 * ends, says which failed, and exits 1 then.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';

const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };
const waiting = process.argv.slice(2);
const unknown = waiting.filter((name) => scripts[name] === undefined);
if (waiting.length === 0 || unknown.length > 0) {
  console.error(waiting.length === 0 ? 'name scripts of package.json' : `package.json has no ${unknown.join(', ')}`);
  process.exit(1);
}

const failed: string[] = [];
await Promise.all(Array.from({ length: availableParallelism() }, runAll));
console.log(failed.length === 0 ? 'all passed' : `failed: ${failed.join(', ')}`);
process.exitCode = failed.length === 0 ? 0 : 1;

async function runAll(): Promise<void> {
  for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
    const started = performance.now();
    const { code, output } = await run(name);
    if (code !== 0) failed.push(name);
    const seconds = ((performance.now() - started) / 1_000).toFixed(1);
    console.log(`\n> ${name}: ${code === 0 ? 'passed' : 'FAILED'} (${seconds} s)\n${output.trimEnd()}`);
  }
}

async function run(name: string): Promise<{ readonly code: number | null; readonly output: string }> {
  const child = spawn('npm', ['run', '--silent', name], { stdio: ['ignore', 'pipe', 'pipe'] });
  const printed: Buffer[] = [];
  child.stdout.on('data', (data: Buffer) => printed.push(data));
  child.stderr.on('data', (data: Buffer) => printed.push(data));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, output: Buffer.concat(printed).toString() };
}
