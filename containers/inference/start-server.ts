import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';
import { createApp } from './http/app.ts';
import { WorkerPool } from './pool/worker-pool.ts';
import type { Settings } from './settings.ts';

/** A photo of the largest size comes within this time, or its connection is closed. */
const REQUEST_MS_MAX = 60_000;
/** For worker threads to come out of native code, in which a process that ends would be aborted. */
const CLOSE_MS_MAX = 10_000;
const SWEEP_MS = 20;

export interface InferenceServer {
  readonly port: number;
  /** Settles when every worker has its models; until then health says `starting`. */
  readonly ready: Promise<void>;
  /** Refuses new requests, finishes those that it has, for the time that the settings give them, then closes. */
  drain(): Promise<void>;
}

const ENGINES = new URL('./engine/load-engines.ts', import.meta.url);

/** Serves protocol/inference/wire.ts. `engines` is the module that worker threads load their models by. */
export async function startServer(settings: Settings, engines: URL = ENGINES): Promise<InferenceServer> {
  const { host, limits, models, queue_max, secret, timeout_ms, workers } = settings;
  const pool = new WorkerPool({ workers, queue_max, timeout_ms, worker: { engines: engines.href, models, limits } });
  let draining = false;
  const app = createApp({
    pool,
    secret,
    body_bytes_max: settings.body_bytes_max,
    receiving_max: queue_max + workers,
    isDraining: () => draining,
  });
  const server = createAdaptorServer({ fetch: app.fetch, serverOptions: { requestTimeout: REQUEST_MS_MAX } }) as Server;
  server.listen(settings.port, host);
  await once(server, 'listening');

  const drain = async () => {
    draining = true;
    const answered = async () => {
      await pool.whenIdle();
      const closed = once(server, 'close');
      server.close();
      // A connection that is kept alive becomes idle once its last answer is out, and would keep the server for seconds.
      const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_MS);
      await closed;
      clearInterval(sweep);
    };
    await Promise.race([answered(), after(settings.drain_ms)]);
    server.closeAllConnections();
    server.close();
    await Promise.race([pool.close(), after(CLOSE_MS_MAX)]);
  };
  let drained: Promise<void> | null = null;
  return {
    port: (server.address() as AddressInfo).port,
    ready: pool.ready,
    drain() {
      drained ??= drain();
      return drained;
    },
  };
}

function after(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds).unref());
}
