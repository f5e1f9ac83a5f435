import { type ChildProcess, spawn } from 'node:child_process';
import { openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeChainsConfig } from './chains-config.ts';
import type { DevnetPlace } from './devnet.ts';
import { PATHS } from './paths.ts';

/** What answers when a profile does; the events service asks for a token at its health (E-AUT-01). */
const READY_PATHS = [
  'exchange/healthz',
  'book/healthz',
  'agent/healthz',
  'iam/healthz',
  'partner/healthz',
  'bridge/healthz',
  'events-service/openapi.json',
] as const;
const READY_WAIT_MS = 60_000;
const READY_STEP_MS = 100;
const LOG_TAIL_LINES = 25;

/** Vars of the Worker that the environment may say in place of wrangler.toml. */
const STATED_VARS = ['BODY_SECONDS_MAX', 'BRIDGE_SIGNERS', 'BRIDGE_SIGNER_TOKEN', 'BRIDGE_TENANT_CONFIG'] as const;

/**
 * Starts `wrangler dev` in a process group of its own, so that a Ctrl-C reaches it once, from us. Its output goes to .state/worker.log,
 * after what is there if `keepsLog`.
 */
export function spawnDevServer(
  port: number,
  inferenceUrl: string,
  devnet: DevnetPlace | null,
  { keepsLog }: { readonly keepsLog: boolean },
): ChildProcess {
  const log = openSync(PATHS.log, keepsLog ? 'a' : 'w');
  return spawn(
    process.execPath,
    [
      join(PATHS.root, 'node_modules', 'wrangler', 'bin', 'wrangler.js'),
      'dev',
      '--config',
      PATHS.wranglerConfig,
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
      stdio: ['ignore', log, log],
    },
  );
}

/** Waits until every profile answers. Throws when the server exits or stays silent. */
export async function whenReady(server: ChildProcess, port: number): Promise<void> {
  const deadline = Date.now() + READY_WAIT_MS;
  for (const path of READY_PATHS) {
    while (!(await isHealthy(`http://localhost:${port}/${path}`))) {
      if (server.exitCode !== null || server.signalCode !== null)
        throw new Error(`The server ended while starting:\n${logTail()}`);
      if (Date.now() > deadline)
        throw new Error(`${path} did not answer within ${READY_WAIT_MS / 1_000} s:\n${logTail()}`);
      await new Promise((resolve) => setTimeout(resolve, READY_STEP_MS));
    }
  }
}

async function isHealthy(url: string): Promise<boolean> {
  try {
    return (await fetch(url, { signal: AbortSignal.timeout(READY_STEP_MS * 50) })).ok;
  } catch {
    return false;
  }
}

export function logTail(): string {
  return readFileSync(PATHS.log, 'utf8').split('\n').slice(-LOG_TAIL_LINES).join('\n');
}
