import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { PATHS } from './paths.ts';
import { listProcesses } from './process-group.ts';
import { isServerAlive, isStarterAlive, type Running } from './running.ts';

/** Says that this process runs on the state, with the server whose group this is. */
export function writeRunLock({ group, port }: { readonly group: number | null; readonly port: number }): void {
  const processes = listProcesses();
  const startOf = (pid: number) => processes.find((each) => each.pid === pid)?.start ?? '';
  const running: Running = {
    pid: process.pid,
    start: startOf(process.pid),
    server: group,
    serverStart: group === null ? '' : startOf(group),
    port,
  };
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
  const processes = listProcesses();
  return isStarterAlive(running, processes) || isServerAlive(running, processes) ? running : null;
}

/** Stops a server that was left behind when its starter was killed. True when there was one. */
export async function stopOrphan(running: Running): Promise<boolean> {
  const processes = listProcesses();
  if (running.server === null || isStarterAlive(running, processes) || !isServerAlive(running, processes)) return false;
  await stopGroup(running.server);
  return true;
}

/** What a group has to end by itself. */
export const STOP_WAIT_MS = 5_000;
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

function readLock(): Running | null {
  try {
    return JSON.parse(readFileSync(PATHS.lock, 'utf8')) as Running;
  } catch {
    return null;
  }
}
