import { once } from 'node:events';
import { type BridgeSetUp, startBridgeSetUp } from './local/bridge/start-set-up.ts';
import { missingFiles } from './local/built-files.ts';
import { logTail, spawnDevServer, whenReady } from './local/dev-server.ts';
import { type LocalDevnet, startLocalDevnet } from './local/devnet.ts';
import { type Gateways, startGateways } from './local/gateways.ts';
import { type Inference, startInference } from './local/inference.ts';
import { PATHS } from './local/paths.ts';
import { chosenPort, isPortFree } from './local/port.ts';
import { beginFromPrepared, isPrepared, markPrepared } from './local/preparation.ts';
import { findRunning, removeRunLock, stopGroup, stopOrphan, writeRunLock } from './local/run-lock.ts';
import { keepSchedule, type Schedule } from './local/schedule.ts';
import { watchServer } from './local/server-watch.ts';
import { chosenServices, type Service } from './local/services.ts';
import { welcome } from './local/welcome.ts';
import { WRANGLER_ENVIRONMENT } from './local/wrangler-environment.ts';
import { buildConsole } from './web/build-console.ts';

Object.assign(process.env, WRANGLER_ENVIRONMENT);

/** When npm or the terminal is killed, no signal comes: the parent is then another. */
const PARENT_CHECK_MS = 1_000;

/** Address of a service that was left out: it refuses connections. */
const NOBODY = 'http://127.0.0.1:1';

const startedAt = Date.now();

/** Without the demo: the venue begins with the operator that `npm run operator:create` makes. */
const isEmpty = process.argv.includes('--empty');

/** Ends when the databases are ready, and serves nothing: what PREPARED_STATE of other starts may name. */
const isPreparation = process.argv.includes('--prepare');

/** `npm start`: migrate, seed, serve, until Ctrl-C or SIGTERM. */
async function start(): Promise<number> {
  const missing = missingFiles(PATHS.root);
  if (missing !== null) throw new Error(missing);
  const port = chosenPort();
  const services = chosenServices();
  await claim(port);
  try {
    if (!isEmpty && beginFromPrepared()) step('began with a copy of a prepared ledger');
    if (isPrepared(isEmpty)) step(`the ledger in ${PATHS.shownState} is prepared`);
    else await prepareLedger();
    if (isPreparation) return endOfPreparation();
    if ((await buildConsole()).isNew) step('built the console');
  } catch (error) {
    removeRunLock();
    throw error;
  }
  return serve(port, services);
}

function endOfPreparation(): number {
  removeRunLock();
  return 0;
}

/** Migrates and seeds, both of which leave alone what is there. */
async function prepareLedger(): Promise<void> {
  step(`preparing the ledger in ${PATHS.shownState}`);
  // Loaded here, because a start that needs no preparation is faster without it.
  const { openLocalLedger } = await import('./local/local-ledger.ts');
  const ledger = await openLocalLedger();
  try {
    const applied = await ledger.migrate();
    step(applied.length === 0 ? 'no migration is waiting' : `applied ${applied.length} migrations`);
    if (!isEmpty) {
      await ledger.seed();
      step('demo organizations, assets, users and holdings are in place');
    }
  } finally {
    await ledger.close();
  }
  markPrepared(isEmpty);
}

/** Makes sure that nobody else uses the state or the port. */
async function claim(port: number): Promise<void> {
  const running = findRunning();
  if (running !== null) {
    if (!(await stopOrphan(running))) {
      throw new Error(`The exchange is running already, on port ${running.port} (process ${running.pid}).`);
    }
    step('stopped the server of an earlier start that was killed');
  }
  if (!(await isPortFree(port))) {
    throw new Error(`Port ${port} is in use. Stop what listens there, or choose another: PORT=${port + 1} npm start`);
  }
  writeRunLock({ group: null, port });
}

async function serve(port: number, services: ReadonlySet<Service>): Promise<number> {
  let inference: Inference | null = null;
  let devnet: LocalDevnet | null = null;
  try {
    if (services.has('inference')) {
      step('starting the inference container');
      inference = await startInference();
    }
    if (services.has('chains')) devnet = await startChains();
    return await serveBeside(services, inference, devnet, port);
  } finally {
    await devnet?.stop();
    await inference?.stop();
    removeRunLock();
  }
}

async function startChains(): Promise<LocalDevnet | null> {
  step('starting the chains: the devnet with the registry of settlements, and one that stands for Ethereum');
  const devnet = await startLocalDevnet().catch((error: unknown) => {
    step(error instanceof Error ? error.message : String(error));
    return null;
  });
  if (devnet === null)
    step('there is no devnet on this machine: nothing is recorded on chain, and the bridge takes no transfers');
  return devnet;
}

async function serveBeside(
  services: ReadonlySet<Service>,
  inference: Inference | null,
  devnet: LocalDevnet | null,
  port: number,
): Promise<number> {
  let group: number | null = null;
  let gateways: Gateways | null = null;
  let schedule: Schedule | null = null;
  let bridge: BridgeSetUp | null = null;
  let stopping = false;
  const stop = async () => {
    if (stopping) return;
    stopping = true;
    schedule?.stop();
    await bridge?.stop();
    // Gateways first, which log their clients out of an exchange that still answers.
    await gateways?.stop();
    if (group !== null) await stopGroup(group);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void stop());
  const parent = process.ppid;
  const orphaned = setInterval(() => process.ppid !== parent && void stop(), PARENT_CHECK_MS);
  try {
    for (let starts = 0; !stopping; starts++) {
      const server = spawnDevServer(port, inference?.url ?? NOBODY, devnet, { keepsLog: starts > 0 });
      if (server.pid === undefined) throw new Error('wrangler could not be started.');
      group = server.pid;
      writeRunLock({ group, port });
      const ended = once(server, 'exit');
      step(starts === 0 ? 'starting the Worker' : 'starting the Worker again');
      await Promise.race([whenReady(server, port, step), ended]);
      const isUp = server.exitCode === null && server.signalCode === null;
      if (!stopping && isUp && gateways === null) {
        if (services.has('grpc') || services.has('fix')) step('starting the gateways');
        gateways = await startGateways(port, services);
        schedule = keepSchedule(port, (cron, error) => step(`the scheduled run ${cron} failed: ${String(error)}`));
        step(`ready in ${((Date.now() - startedAt) / 1_000).toFixed(1)} s`);
        console.log(welcome({ port, gateways, inference, devnet, hasDemo: !isEmpty }));
        if (!isEmpty && devnet !== null) bridge = setUpBridgeOn(devnet, port);
      } else if (!stopping && isUp) step('ready again');
      const watch = watchServer(`http://localhost:${port}/book/healthz`);
      const outcome = await Promise.race([ended.then(() => 'ended'), watch.silent.then(() => 'silent')]);
      watch.stop();
      if (outcome === 'ended' || stopping) break;
      step('the server answers nothing any more: stopping it');
      await stopGroup(group);
    }
  } finally {
    clearInterval(orphaned);
    await bridge?.stop();
    await gateways?.stop();
    if (group !== null) await stopGroup(group);
  }
  if (stopping) {
    step('stopped');
    return 0;
  }
  throw new Error(`The server ended by itself:\n${logTail()}`);
}

/** Null where the chain that stands for Ethereum is not this start's own: nothing is deployed on another one. */
function setUpBridgeOn({ url: exchange, ethereum: external }: LocalDevnet, port: number): BridgeSetUp | null {
  if (external !== null) return startBridgeSetUp({ origin: `http://localhost:${port}`, exchange, external }, step);
  step("the chains are not this start's own: the demo's tenant of the bridge takes no transfers");
  return null;
}

function step(text: string): void {
  console.log(`[${((Date.now() - startedAt) / 1_000).toFixed(1).padStart(5)} s] ${text}`);
}

try {
  process.exitCode = await start();
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
