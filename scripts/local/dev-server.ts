import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, fstatSync, openSync, readFileSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { prepareStaticFiles } from '../web/static-files.ts';
import { writeChainsConfig } from './chains-config.ts';
import type { DevnetPlace } from './devnet.ts';
import { linesThatMatter, saysUnbuildable } from './log-lines.ts';
import { PATHS } from './paths.ts';
import { listProcesses } from './process-group.ts';
import { STOP_WAIT_MS } from './run-lock.ts';
import { servedConfig } from './served-workers.ts';
import { waitUntilReady } from './wait-until-ready.ts';

/** What answers when a profile does; the events service asks for a token at its health (E-AUT-01). */
const READY_PATHS = [
  'exchange/healthz',
  'book/healthz',
  'agent/healthz',
  'iam/healthz',
  'partner/healthz',
  'bridge/healthz',
  'console/healthz',
  'events-service/openapi.json',
] as const;
const READY_STEP_MS = 100;
const PROBE_WAIT_MS = 1_000;

/** Bytes of the log from before a server was started. */
const logBefore = new WeakMap<ChildProcess, number>();

/** Vars of the Worker that the environment may say in place of wrangler.toml. */
const STATED_VARS = [
  'BODY_SECONDS_MAX',
  'BRIDGE_SIGNERS',
  'BRIDGE_SIGNER_TOKEN',
  'BRIDGE_TENANT_CONFIG',
  'CLIENT_ADDRESS_HEADER',
  'CONSOLE_ORIGIN',
] as const;

/**
 * Starts `wrangler dev` in a process group of its own, so that a Ctrl-C reaches it once, from us. The group ends with this process, however that ends. Its output
 * goes to .state/worker.log, after what is there if `keepsLog`.
 */
export function spawnDevServer(
  port: number,
  inferenceUrl: string,
  devnet: DevnetPlace | null,
  { keepsLog }: { readonly keepsLog: boolean },
): ChildProcess {
  prepareStaticFiles();
  const log = openSync(PATHS.log, keepsLog ? 'a' : 'w');
  const before = fstatSync(log).size;
  const server = spawn(
    process.execPath,
    [
      join(PATHS.root, 'scripts', 'local', 'group-keeper.ts'),
      String(STOP_WAIT_MS),
      join(PATHS.root, 'node_modules', 'wrangler', 'bin', 'wrangler.js'),
      'dev',
      '--config',
      servedConfig(),
      '--config',
      writeChainsConfig(devnet),
      '--local',
      '--port',
      String(port),
      '--inspector-port',
      '0',
      '--persist-to',
      PATHS.state,
      '--show-interactive-dev-session=false',
      '--var',
      `IAM_ISSUER:http://localhost:${port}/iam`,
      '--var',
      `CONSOLE_ORIGIN:http://localhost:${port}`,
      '--var',
      `PRIME_WEBHOOK_URL:http://localhost:${port}/exchange/v1/webhooks/prime`,
      '--var',
      `INFERENCE_URL:${inferenceUrl}`,
      ...(devnet === null
        ? []
        : ['--var', `REGISTRY_RPC_URL:${devnet.url}`, '--var', `REGISTRY_ADDRESS:${devnet.registry}`]),
      ...STATED_VARS.flatMap((name) => {
        const stated = process.env[name];
        return stated === undefined ? [] : ['--var', `${name}:${stated}`];
      }),
    ],
    {
      cwd: PATHS.root,
      detached: true,
      stdio: ['ignore', log, log, 'ipc'],
    },
  );
  logBefore.set(server, before);
  return server;
}

/** Waits until every profile answers, as long as the server works on its start. @throws Error with the lines of its log that matter when it ends or does nothing any more */
export async function whenReady(server: ChildProcess, port: number, say: (text: string) => void): Promise<void> {
  const readiness = await waitUntilReady(READY_PATHS, {
    isHealthy: (path) => isHealthy(`http://localhost:${port}/${path}`),
    hasEnded: () => server.exitCode !== null || server.signalCode !== null,
    isUnbuildable: () => saysUnbuildable(logFrom(logBefore.get(server) ?? 0)),
    work: () => workOf(server.pid),
    pause: () => new Promise((resolve) => setTimeout(resolve, READY_STEP_MS)),
    say,
  });
  switch (readiness.type) {
    case 'ready':
      return;
    case 'ended':
      throw new Error(`The server ended while starting:\n${logTail()}`);
    case 'unbuildable':
      throw new Error(`The server cannot be built:\n${logTail()}`);
    case 'idle':
      throw new Error(`The server does nothing any more, and ${readiness.path} does not answer:\n${logTail()}`);
    case 'never':
      throw new Error(`The server works and works, and ${readiness.path} does not answer:\n${logTail()}`);
  }
}

/** What the log says from a place on: it may hold what many servers before have said. */
function logFrom(place_bytes: number): string {
  const log = openSync(PATHS.log, 'r');
  try {
    const bytes = Buffer.alloc(Math.max(0, fstatSync(log).size - place_bytes));
    return bytes.subarray(0, readSync(log, bytes, 0, bytes.length, place_bytes)).toString();
  } finally {
    closeSync(log);
  }
}

/** Grows with the log and with the processor time of the server's group. */
function workOf(group: number | undefined): number {
  const used = listProcesses().reduce((sum, each) => (each.group === group ? sum + each.used : sum), 0);
  return used + (statSync(PATHS.log, { throwIfNoEntry: false })?.size ?? 0);
}

async function isHealthy(url: string): Promise<boolean> {
  try {
    return (await fetch(url, { signal: AbortSignal.timeout(PROBE_WAIT_MS) })).ok;
  } catch {
    return false;
  }
}

export function logTail(): string {
  return `${linesThatMatter(readFileSync(PATHS.log, 'utf8')).join('\n')}\nAll of it: ${PATHS.log}`;
}
