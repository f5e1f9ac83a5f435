import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { D1Database } from '@cloudflare/workers-types';
import { unstable_splitSqlQuery } from 'wrangler';
import { PATHS } from './paths.ts';

/**
 * Applies what `wrangler d1 migrations apply --local` would, and notes it in the same table, without starting wrangler a second time.
 * Each file is one batch. Returns the names of the files that were applied.
 */
export async function applyMigrations(d1: D1Database): Promise<string[]> {
  await d1
    .prepare(
      `CREATE TABLE IF NOT EXISTS d1_migrations (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE,
       applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL)`,
    )
    .run();
  const { results } = await d1.prepare('SELECT name FROM d1_migrations').all<{ name: string }>();
  const applied = new Set(results.map(({ name }) => name));
  const waiting = readdirSync(PATHS.migrations)
    .filter((name) => name.endsWith('.sql') && !applied.has(name))
    .sort();
  for (const name of waiting) {
    const statements = unstable_splitSqlQuery(readFileSync(join(PATHS.migrations, name), 'utf8'));
    await d1.batch([
      ...statements.map((statement) => d1.prepare(statement)),
      d1.prepare('INSERT INTO d1_migrations (name) VALUES (?)').bind(name),
    ]);
  }
  return waiting;
}
