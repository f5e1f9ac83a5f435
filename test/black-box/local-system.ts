import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../scripts/local/port.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const START_WAIT_MS = 300_000;

/** How a command of package.json ended. */
export interface CommandResult {
  readonly code: number;
  readonly output: string;
}

/** A system of its own: started by `npm start`, with its state in a folder of its own. */
export interface LocalSystem {
  readonly port: number;
  readonly origin: string;
  /** Its state folder, absolute. */
  readonly state: string;
  /** Runs `npm run <script>` on its state. */
  run(script: string): Promise<CommandResult>;
  /** `npm start`, until it says that it is ready; returns what it printed. `settings` are added to its environment. */
  start(settings?: Readonly<Record<string, string>>): Promise<string>;
  /** What `npm start` has printed so far. */
  printed(): string;
  /** Sends a signal to `npm start` and waits for its end. */
  stop(signal: NodeJS.Signals): Promise<CommandResult>;
  /** SIGKILL to everything that serves, wrangler and workerd, wherever they are; waits until `npm start` has noticed. */
  kill(): Promise<void>;
}

/** @param settings for the environment of its commands; SERVICES names what runs beside the Worker, where a test needs more than nothing */
export async function localSystem(settings: Readonly<Record<string, string>> = {}): Promise<LocalSystem> {
  const port = await freePort();
  const state = mkdtempSync(join(tmpdir(), 'exchange-'));
  process.once('exit', () => rmSync(state, { recursive: true, force: true, maxRetries: 3 }));
  const env = {
    ...process.env,
    PORT: String(port),
    GRPC_PORT: '0',
    FIX_PORT: '0',
    INFERENCE_PORT: '0',
    DEVNET_PORT: '0',
    ETHEREUM_PORT: '0',
    STATE_DIR: state,
    SERVICES: '',
    ...settings,
  };
  let started: { process: ChildProcess; output: () => string } | null = null;
  return {
    port,
    origin: `http://localhost:${port}`,
    state,
    run: (script) =>
      new Promise((resolve) => {
        execFile('npm', ['run', '--silent', script], { cwd: ROOT, env }, (error, stdout, stderr) => {
          resolve({ code: typeof error?.code === 'number' ? error.code : 0, output: stdout + stderr });
        });
      }),
    async start(added = {}) {
      const child = spawn('npm', ['start', '--silent'], {
        cwd: ROOT,
        env: { ...env, ...added },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      let output = '';
      child.stdout.on('data', (chunk: Buffer) => {
        output += chunk;
      });
      child.stderr.on('data', (chunk: Buffer) => {
        output += chunk;
      });
      started = { process: child, output: () => output };
      const deadline = Date.now() + START_WAIT_MS;
      while (!output.includes('Ctrl-C stops everything')) {
        if (child.exitCode !== null || Date.now() > deadline)
          throw new Error(`npm start did not get ready:\n${output}`);
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      return output;
    },
    printed: () => started?.output() ?? '',
    async stop(signal) {
      if (started === null) throw new Error('not started');
      const { process: child, output } = started;
      if (child.exitCode === null) {
        child.kill(signal);
        await once(child, 'exit');
      }
      return { code: child.exitCode ?? 0, output: output() };
    },
    async kill() {
      if (started === null) throw new Error('not started');
      const { server } = JSON.parse(readFileSync(join(state, 'running.json'), 'utf8')) as { server: number };
      const ended = once(started.process, 'exit');
      process.kill(-server, 'SIGKILL');
      await ended;
    },
  };
}
