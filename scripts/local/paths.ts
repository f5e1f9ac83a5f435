import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..', '..');

/** Where a local system lives on disk. */
export const PATHS = {
  root: ROOT,
  wranglerConfig: join(ROOT, 'wrangler.toml'),
  migrations: join(ROOT, 'migrations', 'exchange'),
  demo: join(ROOT, 'data', 'seed'),
  /** Everything that `npm run reset` empties. */
  state: join(ROOT, '.state'),
  /** Who is running on this state. */
  lock: join(ROOT, '.state', 'running.json'),
  /** What the Worker logs: one JSON object a line, and wrangler's own lines. */
  log: join(ROOT, '.state', 'worker.log'),
} as const;

export const DEFAULT_PORT = 8787;
