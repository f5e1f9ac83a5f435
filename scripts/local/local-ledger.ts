import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { unstable_readConfig, unstable_splitSqlQuery, unstable_startWorker } from 'wrangler';
import type { AuditRow } from '../../data/audit/audit-check.ts';
import type { JournalSource } from '../../domain/ledger/journal-source.ts';
import type { LedgerStatus, RebuildOutcome } from '../../durable-objects/ledger/api.ts';
import { PATHS } from './paths.ts';

/** The ledger, the books and the D1 databases that `wrangler dev` keeps in .state, while it is not running: two processes may not share them. */
export interface LocalLedger {
  /** Applies the migrations that wait and returns their names. */
  migrate(): Promise<string[]>;
  /** Puts the demo in place. */
  seed(): Promise<void>;
  audit(): Promise<AuditRow[]>;
  status(): Promise<LedgerStatus>;
  stateHash(): Promise<{ readonly stateHash: string }>;
  /** The ledger's journal, from its segments and the object. */
  readonly journal: JournalSource;
  rebuildReadModel(): Promise<RebuildOutcome>;
  projected(): Promise<boolean>;
  close(): Promise<void>;
}

/** What is needed of wrangler.toml. */
interface LocalConfig {
  readonly name: string;
  readonly compatibility_date: string;
  readonly compatibility_flags: readonly string[];
  readonly d1_databases: readonly Record<string, unknown>[];
  readonly r2_buckets: readonly { readonly binding: string; readonly bucket_name: string }[];
  readonly durable_objects: { readonly bindings: readonly { readonly name: string; readonly class_name: string }[] };
  readonly vars: Readonly<Record<string, unknown>>;
}

/** Bindings of the Durable Objects that hold money and orders, of those that are told of changed facts, and of the brokers that routed books ask. */
const LEDGER_OBJECTS: readonly string[] = ['LEDGER', 'ORDER_BOOK', 'GATE', 'SANDBOX_BROKER', 'SANDBOX_PRIME'];
const LEDGER_BUCKETS: readonly string[] = ['LEDGER_JOURNAL', 'ORDER_ARCHIVE'];

/** Starts scripts/local/ledger-worker.ts on the databases of wrangler.toml. */
export async function openLocalLedger(): Promise<LocalLedger> {
  const worker = await unstable_startWorker({
    config: writeLedgerConfig(),
    dev: { persist: PATHS.state, server: { port: 0 }, inspector: false, watch: false, logLevel: 'error' },
  });
  await worker.ready;
  const call = async <Answer>(path: string, body: unknown = {}): Promise<Answer> => {
    const response = await worker.fetch(`http://ledger${path}`, { method: 'POST', body: JSON.stringify(body) });
    if (!response.ok) throw new Error(`The ledger answered ${response.status} to ${path}: ${await response.text()}`);
    return (await response.json()) as Answer;
  };
  return {
    migrate: async () => [
      ...(await call<string[]>('/migrate/DB', readMigrations(PATHS.migrations.DB))),
      ...(await call<string[]>('/migrate/EVENTS_DB', readMigrations(PATHS.migrations.EVENTS_DB))),
    ],
    seed: () => call('/seed'),
    audit: () => call('/audit'),
    status: () => call('/ledger/status'),
    stateHash: () => call('/ledger/state-hash'),
    journal: {
      partAfter: (seq) => call('/ledger/part', seq),
      segmentText: (key) => call('/ledger/segment', key),
    },
    rebuildReadModel: () => call('/ledger/rebuild-read-model'),
    projected: () => call('/ledger/projected'),
    close: () => worker.dispose(),
  };
}

/** A configuration with nothing but the databases, those objects, the ledger's segments, and archived orders. The Worker's name is that of the exchange: objects are stored under it. */
function writeLedgerConfig(): string {
  const exchange: LocalConfig = unstable_readConfig({ config: PATHS.wranglerConfig });
  const { name, compatibility_date, compatibility_flags, d1_databases, r2_buckets, vars } = exchange;
  const bindings = exchange.durable_objects.bindings.filter((binding) => LEDGER_OBJECTS.includes(binding.name));
  const config = {
    name,
    main: join(import.meta.dirname, 'ledger-worker.ts'),
    compatibility_date,
    compatibility_flags,
    d1_databases: d1_databases.map(({ binding, database_name, database_id }) => ({
      binding,
      database_name,
      database_id,
    })),
    r2_buckets: r2_buckets
      .filter(({ binding }) => LEDGER_BUCKETS.includes(binding))
      .map(({ binding, bucket_name }) => ({ binding, bucket_name })),
    durable_objects: { bindings: bindings.map(({ name, class_name }) => ({ name, class_name })) },
    migrations: [{ tag: 'v1', new_sqlite_classes: bindings.map(({ class_name }) => class_name) }],
    vars,
  };
  mkdirSync(PATHS.state, { recursive: true });
  const path = join(PATHS.state, 'ledger-worker.json');
  writeFileSync(path, JSON.stringify(config));
  return path;
}

function readMigrations(folder: string): { name: string; statements: string[] }[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.sql'))
    .sort()
    .map((name) => ({ name, statements: unstable_splitSqlQuery(readFileSync(join(folder, name), 'utf8')) }));
}
