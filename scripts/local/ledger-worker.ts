import type { D1Database } from '@cloudflare/workers-types';
import { runWholeAudit } from '../../application/audit/run-whole-audit.ts';
import { seedDemo } from '../../application/seed/seed-demo.ts';
import { ledgerOf } from '../../durable-objects/ledger/api.ts';

export { Gate } from '../../durable-objects/gate/gate.ts';
export { Ledger } from '../../durable-objects/ledger/ledger.ts';
export { OrderBook } from '../../durable-objects/order-book/order-book.ts';
export { SandboxBroker } from '../../durable-objects/sandbox-broker/sandbox-broker.ts';
export { SandboxPrime } from '../../durable-objects/sandbox-prime/sandbox-prime.ts';

/** A migration that waits, as SQL statements. */
export interface WaitingMigration {
  readonly name: string;
  readonly statements: readonly string[];
}

/**
 * The Worker through which scripts reach the D1 databases, the ledger, its segments and the books in .state while the exchange itself is not running. Statements run beside
 * the databases: from a Node process each of them would cost a synchronous round trip.
 */
export default {
  async fetch(request: Request, env: Env): Promise<Response> {
    const { pathname } = new URL(request.url);
    switch (pathname) {
      case '/migrate/DB':
        return Response.json(await migrate(env.DB, (await request.json()) as WaitingMigration[]));
      case '/migrate/EVENTS_DB':
        return Response.json(await migrate(env.EVENTS_DB, (await request.json()) as WaitingMigration[]));
      case '/seed':
        await seedDemo({ env, apiKeyMasterKey: env.API_KEY_MASTER_KEY, now: Date.now() });
        return Response.json({});
      case '/audit':
        return Response.json((await runWholeAudit(env)).checks);
      case '/ledger/status':
        return Response.json(await ledgerOf(env).status());
      case '/ledger/state-hash':
        return Response.json(await ledgerOf(env).stateHash());
      case '/ledger/part':
        return Response.json(await ledgerOf(env).journalPartAfter((await request.json()) as number));
      case '/ledger/segment':
        return Response.json((await (await env.LEDGER_JOURNAL.get((await request.json()) as string))?.text()) ?? null);
      case '/ledger/rebuild-read-model':
        return Response.json(await ledgerOf(env).rebuildReadModel(crypto.randomUUID()));
      case '/ledger/projected':
        return Response.json(await ledgerOf(env).projected());
      default:
        return new Response(null, { status: 404 });
    }
  },
};

/** Does what `wrangler d1 migrations apply --local` does, each file as one batch, and notes it in the same table. */
async function migrate(d1: D1Database, migrations: readonly WaitingMigration[]): Promise<string[]> {
  await d1
    .prepare(
      `CREATE TABLE IF NOT EXISTS d1_migrations (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE,
       applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL)`,
    )
    .run();
  const { results } = await d1.prepare('SELECT name FROM d1_migrations').all<{ name: string }>();
  const applied = new Set(results.map(({ name }) => name));
  const waiting = migrations.filter(({ name }) => !applied.has(name));
  for (const { name, statements } of waiting) {
    await d1.batch([
      ...statements.map((statement) => d1.prepare(statement)),
      d1.prepare('INSERT INTO d1_migrations (name) VALUES (?)').bind(name),
    ]);
  }
  return waiting.map(({ name }) => name);
}
