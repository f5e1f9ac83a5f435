import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { join } from 'node:path';
import { PATHS } from './paths.ts';

const RESTART_MS = 250;

export interface GatewayTerms<Listening> {
  /** Folder under containers/ whose main.ts it runs. */
  readonly container: string;
  /** File that its log lines are added to. */
  readonly log: string;
  /** Its settings; `before` is where an earlier process of it listened, so that a restart keeps the address. */
  settings(before: Listening | null): Readonly<Record<string, string>>;
}

/** A gateway beside the Worker, started again whenever it dies. */
export interface GatewayProcess<Listening> {
  /** What it said when it began to listen. */
  readonly listening: Listening;
  /** Process id of the one that runs now; null between two. */
  pid(): number | null;
  /** Lets it drain and does not start it again. */
  stop(): Promise<void>;
}

/** Starts a gateway and waits until it listens, which it says by a message to its parent. Throws when it ends instead. */
export async function startGatewayProcess<Listening>(
  terms: GatewayTerms<Listening>,
): Promise<GatewayProcess<Listening>> {
  const output = openSync(terms.log, 'a');
  let listening: Listening | null = null;
  let running: ChildProcess | null = null;
  let stopping = false;

  const run = async (): Promise<Listening> => {
    const child = spawn(process.execPath, [join(PATHS.root, 'containers', terms.container, 'main.ts')], {
      cwd: PATHS.root,
      // The gateway ends when this channel does, so none outlives a start that was killed.
      stdio: ['ignore', output, output, 'ipc'],
      env: { ...process.env, ...terms.settings(listening) },
    });
    running = child;
    child.once('exit', () => {
      running = null;
      if (!stopping) setTimeout(() => void (stopping || run().catch(() => undefined)), RESTART_MS);
    });
    const said = once(child, 'message') as Promise<[Listening]>;
    const first = await Promise.race([said, once(child, 'exit').then(() => null)]);
    if (first === null) throw new Error(`${terms.container} ended while starting: see ${terms.log}`);
    [listening] = first;
    return listening;
  };

  const first = await run().catch((error: unknown) => {
    stopping = true;
    throw error;
  });
  return {
    listening: first,
    pid: () => running?.pid ?? null,
    async stop() {
      stopping = true;
      if (running === null) return;
      const ended = once(running, 'exit');
      running.kill('SIGTERM');
      await ended;
    },
  };
}
