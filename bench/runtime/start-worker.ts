import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { convertV4MiniflareOptions, Miniflare } from 'miniflare';
import { unstable_getMiniflareWorkerOptions } from 'wrangler';

export interface StartedWorker {
  /** Where Miniflare serves it: a Worker of Miniflare's own stands before it, which costs 0.3 ms a request. */
  readonly url: URL;
  /** The Worker's own socket, with nothing before it. */
  readonly directUrl: URL;
  /** Stops workerd and starts it again on the same storage. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/** What a Worker is given beyond its configuration. */
export interface WorkerTerms {
  readonly bindings?: Readonly<Record<string, unknown>>;
  /** Receives what the Worker logs; it goes to the terminal when left out. */
  readonly log?: (line: string) => void;
  /** Where profilers may look into it (cpu-profile.ts). */
  readonly inspectorPort?: number;
}

/** Bundles a bench Worker with wrangler, as deploying would, and runs it straight in workerd on storage of its own, migrated. */
export async function startWorker(
  config: string,
  { bindings, log, inspectorPort }: WorkerTerms = {},
): Promise<StartedWorker> {
  const folder = mkdtempSync(join(tmpdir(), 'edge-exchange-bench-'));
  const bundle = join(folder, 'bundle');
  execFileSync('wrangler', ['deploy', '--dry-run', '--config', config, '--outdir', bundle], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const files = readdirSync(bundle);
  const script = files.find((name) => name.endsWith('.js'));
  if (script === undefined) throw new Error('wrangler bundled no script');
  const workerOptions = withExchangeBindings(config, readFileSync(join(bundle, script), 'utf8'));
  const options = {
    ...convertV4MiniflareOptions({
      ...workerOptions,
      bindings: { ...workerOptions.bindings, ...bindings } as Record<string, string>,
      modules: modulesOf(bundle, script),
      modulesRoot: bundle,
      unsafeDirectSockets: [{ host: '127.0.0.1', port: 0 }],
    }),
    resourcePersistencePath: join(folder, 'storage'),
    ...(inspectorPort === undefined ? {} : { inspectorPort }),
    ...(log === undefined ? {} : { handleStructuredLogs: ({ message }: { message: string }) => log(message) }),
  };
  let miniflare = new Miniflare(options);
  let url = await miniflare.ready;
  let directUrl = await miniflare.unsafeGetDirectURL();
  const databases = workerOptions.d1Databases;
  for (const [binding, folder] of Object.entries(MIGRATIONS)) {
    if (!(binding in databases)) continue;
    const db = await miniflare.getD1Database(binding);
    for (const statements of migrations(folder)) await db.batch(statements.map((statement) => db.prepare(statement)));
  }
  return {
    get url() {
      return url;
    },
    get directUrl() {
      return directUrl;
    },
    async restart() {
      await miniflare.dispose();
      miniflare = new Miniflare(options);
      url = await miniflare.ready;
      directUrl = await miniflare.unsafeGetDirectURL();
    },
    async stop() {
      await miniflare.dispose();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

type Bindings = Readonly<Record<string, unknown>>;

/**
 * What objects of the exchange are bound to stands in wrangler.toml alone: vars, databases, buckets, queues, and of the objects those whose class the Worker
 * exports. What the bench's own configuration says goes before.
 */
function withExchangeBindings(config: string, source: string) {
  const { workerOptions: exchange } = unstable_getMiniflareWorkerOptions('wrangler.toml');
  const { workerOptions: own } = unstable_getMiniflareWorkerOptions(config);
  const exported = new Set(
    Array.from(source.matchAll(/^export \{([^}]*)\}/gm), ([, names]) => names ?? '')
      .flatMap((names) => names.split(','))
      .map((name) => name.trim().split(' as ').at(-1)),
  );
  const objectsOfExchange = (exchange.durableObjects ?? {}) as Record<
    string,
    { className: string; useSQLite: boolean }
  >;
  const objects = Object.entries(objectsOfExchange);
  const merged = (name: 'bindings' | 'd1Databases' | 'r2Buckets' | 'queueProducers') => ({
    ...(exchange[name] as Bindings | undefined),
    ...(own[name] as Bindings | undefined),
  });
  return {
    ...own,
    bindings: merged('bindings'),
    d1Databases: merged('d1Databases') as Record<string, { id: string }>,
    r2Buckets: merged('r2Buckets') as Record<string, { id: string }>,
    queueProducers: merged('queueProducers') as Record<string, { queueName: string }>,
    durableObjects: {
      ...Object.fromEntries(objects.filter(([, { className }]) => exported.has(className))),
      ...(own.durableObjects as typeof objectsOfExchange | undefined),
    },
  };
}

/** The script, and what it imports that is no script: WebAssembly and texts keep files of their own beside it. */
function modulesOf(bundle: string, script: string): { type: 'ESModule' | 'CompiledWasm' | 'Text'; path: string }[] {
  const types = { js: 'ESModule', wasm: 'CompiledWasm', txt: 'Text' } as const;
  const beside = readdirSync(bundle).filter((name) => name.endsWith('.wasm') || name.endsWith('.txt'));
  return [script, ...beside].map((name) => ({
    type: types[name.slice(name.lastIndexOf('.') + 1) as keyof typeof types],
    path: join(bundle, name),
  }));
}

const MIGRATIONS = { DB: 'migrations/exchange', EVENTS_DB: 'migrations/events' };

/** The statements of each migration, in order. */
function migrations(folder: string): string[][] {
  const files = readdirSync(folder)
    .filter((name) => name.endsWith('.sql'))
    .sort();
  return files.map((name) =>
    readFileSync(join(folder, name), 'utf8')
      .split('--> statement-breakpoint')
      .map((part) => part.trim()),
  );
}
