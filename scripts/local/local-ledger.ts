import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { D1Database } from '@cloudflare/workers-types';
import { getPlatformProxy, unstable_readConfig } from 'wrangler';
import { PATHS } from './paths.ts';
import { WRANGLER_ENVIRONMENT } from './wrangler-environment.ts';

export interface LocalLedger {
  readonly d1: D1Database;
  /** Vars of the local environment in wrangler.toml. */
  readonly vars: Readonly<Record<string, unknown>>;
  close(): Promise<void>;
}

/** What is needed of wrangler.toml. */
interface LocalConfig {
  readonly name: string;
  readonly compatibility_date: string;
  readonly d1_databases: readonly {
    readonly binding: string;
    readonly database_name: string;
    readonly database_id: string;
  }[];
  readonly vars: Readonly<Record<string, unknown>>;
}

/**
 * Opens the D1 database that `wrangler dev` keeps in .state, while it is not running: two processes may not share it. The proxy gets
 * a configuration with nothing but the database, because the Durable Object classes are not there outside of the Worker.
 */
export async function openLocalLedger(): Promise<LocalLedger> {
  Object.assign(process.env, WRANGLER_ENVIRONMENT);
  const config: LocalConfig = unstable_readConfig({ config: PATHS.wranglerConfig });
  const configPath = join(PATHS.state, 'ledger-only.json');
  mkdirSync(PATHS.state, { recursive: true });
  writeFileSync(
    configPath,
    JSON.stringify({
      name: config.name,
      compatibility_date: config.compatibility_date,
      d1_databases: config.d1_databases.map(({ binding, database_name, database_id }) => ({
        binding,
        database_name,
        database_id,
      })),
    }),
  );
  const proxy = await getPlatformProxy<{ DB: D1Database }>({
    configPath,
    persist: { path: join(PATHS.state, 'v3') },
    envFiles: [],
  });
  return { d1: proxy.env.DB, vars: config.vars, close: () => proxy.dispose() };
}
