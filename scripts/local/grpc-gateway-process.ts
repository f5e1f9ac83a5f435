import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { join } from 'node:path';
import { credentials, loadPackageDefinition, type ServiceClientConstructor, type ServiceError } from '@grpc/grpc-js';
import { loadSync } from '@grpc/proto-loader';
import { protoPath } from 'grpc-health-check';
import { PATHS } from './paths.ts';

const HOST = '127.0.0.1';
const READY_MS_MAX = 20_000;
const STEP_MS = 100;
const RESTART_MS = 250;
/** The gateway is given this long to finish its calls. */
const DRAIN_MS = 2_000;

export interface GrpcGatewayTerms {
  /** Where the order-book profile answers, without `/v1`. */
  readonly exchangeUrl: string;
  /** 0 takes a free one. */
  readonly port: number;
  /** File that its log lines are added to. */
  readonly log: string;
  readonly gatewaySecret?: string;
}

/** A gateway beside the Worker, started again whenever it dies. */
export interface GrpcGatewayProcess {
  /** Where clients reach it; the same after a restart. */
  readonly address: string;
  /** Process id of the one that runs now; null between two. */
  pid(): number | null;
  /** Drains it and does not start it again. */
  stop(): Promise<void>;
}

/** Starts containers/grpc-gateway and waits until its health service says SERVING. Throws when it does not. */
export async function startGrpcGateway(terms: GrpcGatewayTerms): Promise<GrpcGatewayProcess> {
  const { log } = terms;
  const output = openSync(log, 'a');
  let { port } = terms;
  let running: ChildProcess | null = null;
  let stopping = false;

  const run = async (): Promise<void> => {
    const child = spawn(process.execPath, [join(PATHS.root, 'containers', 'grpc-gateway', 'main.ts')], {
      cwd: PATHS.root,
      // A Ctrl-C reaches it once, from us.
      detached: true,
      // The gateway ends when this channel does, so none outlives a start that was killed.
      stdio: ['ignore', output, output, 'ipc'],
      env: {
        ...process.env,
        EXCHANGE_URL: terms.exchangeUrl,
        GATEWAY_SECRET: terms.gatewaySecret ?? '',
        GRPC_HOST: HOST,
        GRPC_PORT: String(port),
        GRPC_DRAIN_MS: String(DRAIN_MS),
      },
    });
    running = child;
    child.once('exit', () => {
      running = null;
      if (!stopping) setTimeout(() => void (stopping || run().catch(() => undefined)), RESTART_MS);
    });
    const listening = once(child, 'message') as Promise<[{ port: number }]>;
    const first = await Promise.race([listening, once(child, 'exit').then(() => null)]);
    if (first === null) throw new Error(`the gRPC gateway ended while starting: see ${log}`);
    port = first[0].port;
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
    await whenServing(`${HOST}:${port}`, log);
  } catch (error) {
    await stop();
    throw error;
  }
  return { address: `localhost:${port}`, pid: () => running?.pid ?? null, stop };
}

async function whenServing(address: string, log: string): Promise<void> {
  const { grpc } = loadPackageDefinition(loadSync(protoPath)) as unknown as {
    grpc: { health: { v1: { Health: ServiceClientConstructor } } };
  };
  const client = new grpc.health.v1.Health(address, credentials.createInsecure());
  const isServing = () =>
    new Promise<boolean>((resolve) => {
      client.Check!({ service: 'TradingService' }, (error: ServiceError | null, answer?: { status: string | number }) =>
        resolve(error === null && (answer?.status === 'SERVING' || answer?.status === 1)),
      );
    });
  try {
    const deadline = Date.now() + READY_MS_MAX;
    while (!(await isServing())) {
      if (Date.now() > deadline) throw new Error(`the gRPC gateway does not serve: see ${log}`);
      await new Promise((resolve) => setTimeout(resolve, STEP_MS));
    }
  } finally {
    client.close();
  }
}
