import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runWrangler } from '../deploy/run-wrangler.ts';
import { PATHS } from './paths.ts';

/**
 * BUILT_WORKERS names a folder of buildWorkers: then `wrangler dev` serves what lies there and bundles nothing. Without it, it bundles from source and again
 * after each edit, as somebody wants who works on the code. Tests start many systems of one state of the code.
 */
const BUILT = process.env.BUILT_WORKERS || null;

/** Tells wrangler that an entry is a bundle, whose modules of other types lie beside it. */
const AS_BUILT = { no_bundle: true, find_additional_modules: true } as const;

/**
 * Builds both Workers into a folder, once for all systems that are started with it.
 *
 * @throws Error with what wrangler has printed
 * @internal
 */
export function buildWorkers(folder: string): void {
  const build = (worker: string, config: string) => {
    const outdir = join(folder, worker);
    runWrangler('deploy', '--dry-run', '--containers-rollout=none', `--outdir=${outdir}`, `--config=${config}`);
    // Of twice its size, and read at each start.
    rmSync(join(outdir, 'index.js.map'), { force: true });
  };
  build('exchange', PATHS.wranglerConfig);
  build('chains', join(PATHS.root, 'wrangler.chains.toml'));
  const source = readFileSync(PATHS.wranglerConfig, 'utf8');
  const flags = Object.entries(AS_BUILT).map(([name, value]) => `${name} = ${value}`);
  const config = source
    .replace(/^main = .*$/m, ['main = "index.js"', ...flags].join('\n'))
    .replace(/^directory = "(.*)"$/m, (_, path: string) => `directory = ${JSON.stringify(join(PATHS.root, path))}`)
    .replaceAll(
      /^migrations_dir = "(.*)"$/gm,
      (_, path: string) => `migrations_dir = ${JSON.stringify(join(PATHS.root, path))}`,
    );
  writeFileSync(join(folder, 'exchange', 'wrangler.toml'), config);
}

/** The configuration of the exchange's Worker. */
export function servedConfig(): string {
  return BUILT === null ? PATHS.wranglerConfig : join(BUILT, 'exchange', 'wrangler.toml');
}

/** Of a configuration that is written: where a Worker's entry is. */
export function servedMain(worker: 'chains', source: string): Readonly<Record<string, unknown>> {
  return BUILT === null ? { main: source } : { main: join(BUILT, worker, 'index.js'), ...AS_BUILT };
}
