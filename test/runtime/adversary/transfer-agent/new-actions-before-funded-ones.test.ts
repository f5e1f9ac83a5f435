import { env } from 'cloudflare:workers';
import { uuidv7 } from 'uuidv7';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Database } from '../../../../data/database.ts';
import { takeDueActions } from '../../../../data/partner/actions/corporate-actions.ts';
import { createCurrency } from '../../fixtures/create-currency.ts';
import { createPair } from '../../fixtures/create-pair.ts';
import { migrate } from '../../fixtures/migrate.ts';
import { createPartner, createSecurity, type Partner } from '../../fixtures/partner-client.ts';

let db: Database;
let lister: Partner;
let agent: Partner;

beforeAll(async () => {
  db = await migrate();
  await createCurrency(db);
  lister = await createPartner(db, 'cross_lister');
  agent = await createPartner(db, 'transfer_agent');
});

let pairs = 0;
async function listed() {
  pairs += 1;
  const id = uuidv7();
  const { symbol } = await createPair(db, `FND${pairs}`, { asset: { id } });
  const accepted = { transferAgent: agent.organization, agentState: 'accepted' } as const;
  await createSecurity(db, lister, { id, state: 'listed', market: symbol, symbol: `FND${pairs}`, ...accepted });
  return { id, symbol };
}

describe('M-07: twenty new corporate actions before each run', () => {
  test('do not keep back one whose payer has paid', async () => {
    const security = await listed();
    await env.DB.prepare("UPDATE corporate_actions SET state = 'cancelled'").run();
    const insert = (id: string, state: string, tried: number) =>
      env.DB.prepare(`INSERT INTO corporate_actions (id, security, agent, type, state, terms, description, due_date, record_at, due_at, tried_at, actor, created_at)
        VALUES (?1, ?2, ?3, 'dividend', ?4, '{"type":"dividend","amountPerShare":1,"currency":"USD","currencyAsset":"x"}', 'd', '2026-01-01', 1, 1, ?5, 'a', 1)`)
        .bind(id, security.id, agent.organization, state, tried)
        .run();
    const victim = uuidv7();
    await insert(victim, 'funded', 1_000);
    let met = 0;
    for (let run = 0; run < 50; run++) {
      for (let n = 0; n < 20; n++) await insert(uuidv7(), 'announced', 0);
      const due = await takeDueActions(db, { now: 2_000_000 + run * 300_000, limit: 20 });
      if (due.includes(victim)) met += 1;
      // The run ends them: nothing was to be paid.
      await env.DB.prepare("UPDATE corporate_actions SET state = 'completed' WHERE state = 'announced'").run();
    }
    await env.DB.prepare("UPDATE corporate_actions SET state = 'cancelled'").run();
    expect(met).toBeGreaterThan(0);
  });
});
