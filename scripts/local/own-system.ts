import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PATHS } from './paths.ts';
import { chosenPort, freePort } from './port.ts';

/** The start itself gives up where nothing moves; this is for one that hangs. */
const START_MS_MAX = 600_000;

export interface System {
  readonly origin: string;
  stop(): Promise<void>;
}

/** The system that runs on PORT; when none does, one of its own on free ports, in a state folder that is thrown away. */
export async function runningSystem(say: (text: string) => void): Promise<System> {
  const origin = `http://localhost:${chosenPort()}`;
  if (await answers(origin)) return { origin, stop: async () => undefined };
  say('no system runs here: starting one for this demo');
  return startOwnSystem({ ...(await ownSettings()), hasDemo: true });
}

async function answers(origin: string): Promise<boolean> {
  try {
    return (await fetch(`${origin}/iam/healthz`, { signal: AbortSignal.timeout(2_000) })).ok;
  } catch {
    return false;
  }
}

/** Free ports and a state folder that no system has. */
export interface OwnSettings {
  readonly port: number;
  readonly state: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

export async function ownSettings(): Promise<OwnSettings> {
  const port = await freePort();
  const state = mkdtempSync(join(tmpdir(), 'exchange-'));
  const own = {
    PORT: String(port),
    GRPC_PORT: '0',
    FIX_PORT: '0',
    INFERENCE_PORT: '0',
    DEVNET_PORT: '0',
    ETHEREUM_PORT: '0',
    STATE_DIR: state,
  };
  return { port, state, env: { ...process.env, ...own } };
}

/** A system of its own, as `npm start` brings it up; its state is thrown away when it stops. */
export async function startOwnSystem({
  port,
  state,
  env,
  hasDemo,
}: OwnSettings & { readonly hasDemo: boolean }): Promise<System> {
  const child = spawn(process.execPath, [join(PATHS.root, 'scripts', 'start.ts'), ...(hasDemo ? [] : ['--empty'])], {
    cwd: PATHS.root,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk;
  });
  const deadline = Date.now() + START_MS_MAX;
  while (!output.includes('Ctrl-C stops everything')) {
    if (child.exitCode !== null || Date.now() > deadline) {
      child.kill('SIGTERM');
      throw new Error(`the system did not get ready:\n${output}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return {
    origin: `http://localhost:${port}`,
    async stop() {
      if (child.exitCode === null) {
        const ended = once(child, 'exit');
        child.kill('SIGTERM');
        await ended;
      }
      rmSync(state, { recursive: true, force: true });
    },
  };
}
