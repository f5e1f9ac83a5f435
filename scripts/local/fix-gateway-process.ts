import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { join } from 'node:path';
import { PATHS } from './paths.ts';

const HOST = '127.0.0.1';
const READY_MS_MAX = 20_000;
const STEP_MS = 100;
const RESTART_MS = 250;
/** Orders in work when it is stopped are given this long. */
const DRAIN_MS = 3_000;

export interface FixGatewayTerms {
  /** Where the order-book profile answers, without `/v1`. */
  readonly exchangeUrl: string;
  /** 0 takes a free one. */
  readonly port: number;
  /** Folder of the message stores. */
  readonly storeFolder: string;
  /** File that its log lines are added to. */
  readonly log: string;
  readonly gatewaySecret?: string;
}

/** A gateway beside the Worker, started again whenever it dies. */
export interface FixGatewayProcess {
  /** Where clients reach it; the same after a restart. */
  readonly port: number;
  /** Process id of the one that runs now; null between two. */
  pid(): number | null;
  /** Logs its sessions out and does not start it again. */
  stop(): Promise<void>;
}

interface Ports {
  readonly port: number;
  readonly healthPort: number;
}

/** Starts containers/fix-gateway and waits until its /healthz answers that all is well. Throws when it does not. */
export async function startFixGateway(terms: FixGatewayTerms): Promise<FixGatewayProcess> {
  const { log } = terms;
  const output = openSync(log, 'a');
  let ports: Ports = { port: terms.port, healthPort: 0 };
  let running: ChildProcess | null = null;
  let stopping = false;

  const run = async (): Promise<void> => {
    const child = spawn(process.execPath, [join(PATHS.root, 'containers', 'fix-gateway', 'main.ts')], {
      cwd: PATHS.root,
      // The gateway ends when this channel does, so none outlives a start that was killed.
      stdio: ['ignore', output, output, 'ipc'],
      env: {
        ...process.env,
        EXCHANGE_URL: terms.exchangeUrl,
        GATEWAY_SECRET: terms.gatewaySecret ?? '',
        FIX_HOST: HOST,
        FIX_PORT: String(ports.port),
        FIX_HEALTH_PORT: String(ports.healthPort),
        FIX_STORE: terms.storeFolder,
        FIX_DRAIN_MS: String(DRAIN_MS),
      },
    });
    running = child;
    child.once('exit', () => {
      running = null;
      if (!stopping) setTimeout(() => void (stopping || run().catch(() => undefined)), RESTART_MS);
    });
    const listening = once(child, 'message') as Promise<[Ports]>;
    const first = await Promise.race([listening, once(child, 'exit').then(() => null)]);
    if (first === null) throw new Error(`the FIX gateway ended while starting: see ${log}`);
    [ports] = first;
  };

  const stop = async (): Promise<void> => {
    stopping = true;
    if (running === null) return;
    const ended = once(running, 'exit');
    running.kill('SIGTERM');
    await ended;
  };

  try {
    await run();
    await whenHealthy(ports.healthPort, log);
  } catch (error) {
    await stop();
    throw error;
  }
  return { port: ports.port, pid: () => running?.pid ?? null, stop };
}

async function whenHealthy(port: number, log: string): Promise<void> {
  const deadline = Date.now() + READY_MS_MAX;
  for (;;) {
    const healthy = await fetch(`http://${HOST}:${port}/healthz`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (healthy) return;
    if (Date.now() > deadline) throw new Error(`the FIX gateway is not well: see ${log}`);
    await new Promise((resolve) => setTimeout(resolve, STEP_MS));
  }
}
