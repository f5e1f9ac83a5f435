import { env } from 'cloudflare:workers';
import { drizzle } from 'drizzle-orm/d1';
import { beforeAll, expect, test } from 'vitest';
import { listRegisterAt } from '../../../../data/partner/reports.ts';
import { migrate } from '../../fixtures/migrate.ts';

beforeAll(async () => {
  await migrate();
});

test('the register of holders reads the lines of each holder, and not all events for each', async () => {
  const queries: { readonly query: string; readonly params: readonly unknown[] }[] = [];
  const db = drizzle(env.DB, { logger: { logQuery: (query, params) => queries.push({ query, params }) } });
  await listRegisterAt(db, 'security', { sequence: 1, after: '', limit: 1 });
  const [{ query, params } = { query: '', params: [] }] = queries;
  const plan = env.DB.prepare(`EXPLAIN QUERY PLAN ${query}`).bind(...params);
  const steps = (await plan.all<{ detail: string }>()).results.map(({ detail }) => detail);
  const events = steps.filter((step) => /^SEARCH e /.test(step));
  expect(events).toHaveLength(4);
  for (const step of events) expect(step).toMatch(/\(id=\?\)$/);
  expect(steps.filter((step) => /^SEARCH c /.test(step))).toEqual(
    events.map(() => 'SEARCH c USING INDEX register_changes_holder (holder=?)'),
  );
});
