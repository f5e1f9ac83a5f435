import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { convertV4MiniflareOptions, Miniflare } from 'miniflare';
import { unstable_getMiniflareWorkerOptions } from 'wrangler';

export interface StartedWorker {
  readonly url: URL;
  /** Stops workerd and starts it again on the same storage. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/** What a Worker is given beyond its configuration. */
export interface WorkerTerms {
  readonly bindings?: Readonly<Record<string, unknown>>;
  /** Receives what the Worker logs; it goes to the terminal when left out. */
  readonly log?: (line: string) => void;
}

/** Bundles a bench Worker with wrangler, as deploying would, and runs it straight in workerd on storage of its own, migrated. */
export async function startWorker(config: string, { bindings, log }: WorkerTerms = {}): Promise<StartedWorker> {
  const folder = mkdtempSync(join(tmpdir(), 'edge-exchange-bench-'));
  const bundle = join(folder, 'bundle');
  execFileSync('wrangler', ['deploy', '--dry-run', '--config', config, '--outdir', bundle], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const script = readdirSync(bundle).find((name) => name.endsWith('.js'));
  if (script === undefined) throw new Error('wrangler bundled no script');
  const { workerOptions } = unstable_getMiniflareWorkerOptions(config);
  const options = {
    ...convertV4MiniflareOptions({
      ...workerOptions,
      bindings: { ...(workerOptions.bindings as object | undefined), ...bindings } as Record<string, string>,
      modules: [{ type: 'ESModule', path: join(bundle, script) }],
      modulesRoot: bundle,
    }),
    resourcePersistencePath: join(folder, 'storage'),
    ...(log === undefined ? {} : { handleStructuredLogs: ({ message }: { message: string }) => log(message) }),
  };
  let miniflare = new Miniflare(options);
  let url = await miniflare.ready;
  if ('DB' in ((workerOptions.d1Databases as object | undefined) ?? {})) {
    const db = await miniflare.getD1Database('DB');
    for (const statement of migrationStatements()) await db.prepare(statement).run();
  }
  return {
    get url() {
      return url;
    },
    async restart() {
      await miniflare.dispose();
      miniflare = new Miniflare(options);
      url = await miniflare.ready;
    },
    async stop() {
      await miniflare.dispose();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function migrationStatements(): string[] {
  const folder = 'migrations/exchange';
  const files = readdirSync(folder)
    .filter((name) => name.endsWith('.sql'))
    .sort();
  return files.flatMap((name) =>
    readFileSync(join(folder, name), 'utf8')
      .split('--> statement-breakpoint')
      .map((part) => part.trim()),
  );
}
