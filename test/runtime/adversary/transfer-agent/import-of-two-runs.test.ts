import { env } from 'cloudflare:workers';
import { sql } from 'drizzle-orm';
import { uuidv7 } from 'uuidv7';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Database } from '../../../../data/database.ts';
import {
  announceEvent,
  findRegisterEvent,
  linesOf,
  NOT_ANNOUNCED,
  type RegisterLine,
  recordEvent,
  refuseEvent,
  stageEvent,
} from '../../../../data/partner/register/register-events.ts';
import { sqlBatch } from '../../../../data/sql-batch.ts';
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

describe('M-08: a staged event of a register', () => {
  test('is announced with all of its lines, or not at all', async () => {
    const security = await listed();
    const event = {
      id: uuidv7(),
      security: security.id,
      type: 'import',
      hash: 'h',
      recordDate: null,
      notes: null,
      actor: 'a',
      createdAt: Date.now(),
    } as const;
    const lines = Array.from(
      { length: 6 },
      (_, n): RegisterLine => ({
        holder: { id: uuidv7(), account: null, reference: `R-${n}`, kind: 'individual', name: `N ${n}`, country: null },
        shares: 10,
        cost: 0,
        acquiredAt: 1,
        restrictionEndsAt: null,
        offeringType: null,
        certificate: null,
        legend: false,
      }),
    );
    // Run A: the first half.
    await stageEvent(db, event, []);
    await sqlBatch(db, linesOf(event, lines.slice(0, 3), 0));
    // The job, after fifteen minutes.
    expect(await refuseEvent(db, { id: event.id, state: 'staged' }, NOT_ANNOUNCED)).toBe(true);
    // Run B begins it anew, and is at its first line.
    await stageEvent(db, event, lines.slice(0, 1));
    // Run A: the second half; then it announces.
    await sqlBatch(db, linesOf(event, lines.slice(3), 3));
    if (await announceEvent(db, event)) await recordEvent(db, event, Date.now());
    const state = (await findRegisterEvent(db, event.id))?.state;
    const count = await db.get<{ n: number }>(
      sql`SELECT count(*) AS n FROM register_changes WHERE event = ${event.id}`,
    );
    expect(state === 'recorded' ? count?.n : 6).toBe(6);
    await env.DB.prepare('DELETE FROM register_holdings WHERE security = ?1').bind(security.id).run();
    await env.DB.prepare('DELETE FROM register_changes WHERE security = ?1').bind(security.id).run();
    await env.DB.prepare('DELETE FROM register_events WHERE security = ?1').bind(security.id).run();
  });
});
