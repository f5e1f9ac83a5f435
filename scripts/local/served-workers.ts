import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runWrangler } from '../deploy/run-wrangler.ts';
import { PATHS } from './paths.ts';

/**
 * BUILT_WORKERS names a folder of buildWorkers: then `wrangler dev` serves what lies there and bundles nothing. Without it, it bundles from source and again
 * after each edit, as somebody wants who works on the code. Tests start many systems of one state of the code.
 */
const BUILT = process.env.BUILT_WORKERS || null;

/** What wrangler has bundled, beside the entry that names what it exports. */
const BUNDLE = 'bundle.mjs';

/** Tells wrangler that an entry is a bundle, whose modules of other types lie beside it. */
const AS_BUILT = {
  no_bundle: true,
  find_additional_modules: true,
  rules: [{ type: 'ESModule', globs: [BUNDLE] }],
} as const;

/**
 * Builds both Workers into a folder, once for all systems that are started with it.
 *
 * @throws Error with what wrangler has printed
 * @internal
 */
export function buildWorkers(folder: string): void {
  const build = (worker: string, config: string) => {
    const outdir = join(folder, worker);
    runWrangler(
      'deploy',
      '--dry-run',
      '--minify',
      '--containers-rollout=none',
      `--outdir=${outdir}`,
      `--config=${config}`,
    );
    // A map of twice its size would be read at each start.
    rmSync(join(outdir, 'index.js.map'), { force: true });
    putEntryBefore(outdir);
  };
  build('exchange', PATHS.wranglerConfig);
  build('chains', join(PATHS.root, 'wrangler.chains.toml'));
  const source = readFileSync(PATHS.wranglerConfig, 'utf8');
  const flags = [
    'no_bundle = true',
    'find_additional_modules = true',
    `rules = [{ type = "ESModule", globs = ["${BUNDLE}"] }]`,
  ];
  const config = source
    .replace(/^main = .*$/m, ['main = "index.js"', ...flags].join('\n'))
    .replace(/^directory = "(.*)"$/m, (_, path: string) => `directory = ${JSON.stringify(join(PATHS.root, path))}`)
    .replaceAll(
      /^migrations_dir = "(.*)"$/gm,
      (_, path: string) => `migrations_dir = ${JSON.stringify(join(PATHS.root, path))}`,
    );
  writeFileSync(join(folder, 'exchange', 'wrangler.toml'), config);
}

/** wrangler parses the entry of a bundle at each start, to see what it exports: several MB. So the entry is a line, and the bundle a module beside it. */
function putEntryBefore(outdir: string): void {
  const bundle = join(outdir, BUNDLE);
  renameSync(join(outdir, 'index.js'), bundle);
  const lists = [...readFileSync(bundle, 'utf8').matchAll(/\bexport\s*\{([^{}]*)\}/g)];
  const list = lists.at(-1)?.[1];
  if (list === undefined) throw new Error(`${bundle} exports nothing.`);
  const names = list.split(',').map((each) => each.trim().replace(/^.* as /, ''));
  writeFileSync(join(outdir, 'index.js'), `export { ${names.join(', ')} } from './${BUNDLE}';\n`);
}

/** The configuration of the exchange's Worker. */
export function servedConfig(): string {
  return BUILT === null ? PATHS.wranglerConfig : join(BUILT, 'exchange', 'wrangler.toml');
}

/** Of a configuration that is written: where a Worker's entry is. */
export function servedMain(worker: 'chains', source: string): Readonly<Record<string, unknown>> {
  return BUILT === null ? { main: source } : { main: join(BUILT, worker, 'index.js'), ...AS_BUILT };
}
