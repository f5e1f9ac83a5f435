import { join, relative, resolve } from 'node:path';

const ROOT = join(import.meta.dirname, '..', '..');

/** STATE_DIR keeps a second system, such as a test's, apart from the one in .state. */
const STATE = resolve(ROOT, process.env.STATE_DIR ?? '.state');

/** Where a local system lives on disk. */
export const PATHS = {
  root: ROOT,
  wranglerConfig: join(ROOT, 'wrangler.toml'),
  /** Of each D1 binding. */
  migrations: { DB: join(ROOT, 'migrations', 'exchange'), EVENTS_DB: join(ROOT, 'migrations', 'events') },
  demo: join(ROOT, 'application', 'seed'),
  /** Everything that `npm run reset` empties. */
  state: STATE,
  /** The same, as it is told to people. */
  shownState: relative(ROOT, STATE).startsWith('..') ? STATE : relative(ROOT, STATE),
  /** Who is running on this state. */
  lock: join(STATE, 'running.json'),
  /** Where the chains of a local start are kept. */
  chains: { devnet: join(STATE, 'devnet.json'), ethereum: join(STATE, 'ethereum.json') },
  /** What the Worker logs: one JSON object a line, and wrangler's own lines. */
  log: join(STATE, 'worker.log'),
} as const;

export const DEFAULT_PORT = 8787;
