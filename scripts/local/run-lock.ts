import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { PATHS } from './paths.ts';

/** The system that runs on .state. */
export interface Running {
  /** Process of scripts/start.ts. */
  readonly pid: number;
  /** Process group of the server that it started. */
  readonly server: number | null;
  readonly port: number;
}

export function writeRunLock(running: Running): void {
  mkdirSync(PATHS.state, { recursive: true });
  writeFileSync(PATHS.lock, JSON.stringify(running));
}

export function removeRunLock(): void {
  rmSync(PATHS.lock, { force: true });
}

/** Who runs on this state, or null. A server whose starter was killed counts: it still holds the database. */
export function findRunning(): Running | null {
  const running = readLock();
  if (running === null) return null;
  return isAlive(running.pid, 'start.ts') || isServerAlive(running) ? running : null;
}

/** Stops a server that was left behind when its starter was killed. True when there was one. */
export async function stopOrphan(running: Running): Promise<boolean> {
  if (running.server === null || isAlive(running.pid, 'start.ts') || !isServerAlive(running)) return false;
  await stopGroup(running.server);
  return true;
}

const STOP_WAIT_MS = 5_000;
const STOP_STEP_MS = 50;

/** Ends a process group: asks, waits, then insists. */
export async function stopGroup(group: number): Promise<void> {
  signalGroup(group, 'SIGTERM');
  for (let waited_ms = 0; waited_ms < STOP_WAIT_MS; waited_ms += STOP_STEP_MS) {
    if (!signalGroup(group, 0)) return;
    await new Promise((resolve) => setTimeout(resolve, STOP_STEP_MS));
  }
  signalGroup(group, 'SIGKILL');
}

function signalGroup(group: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(-group, signal);
    return true;
  } catch {
    return false;
  }
}

function isServerAlive({ server }: Running): boolean {
  return server !== null && isAlive(server, 'wrangler');
}

/** Whether the process is there and is what it was: process ids are used again. */
function isAlive(pid: number, command: string): boolean {
  return commandOf(pid).includes(command);
}

function commandOf(pid: number): string {
  try {
    if (existsSync('/proc')) return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
    return execFileSync('ps', ['-o', 'command=', '-p', String(pid)], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  } catch {
    return '';
  }
}

function readLock(): Running | null {
  try {
    return JSON.parse(readFileSync(PATHS.lock, 'utf8')) as Running;
  } catch {
    return null;
  }
}
