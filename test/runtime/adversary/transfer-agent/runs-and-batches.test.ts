import { env } from 'cloudflare:workers';
import { uuidv7 } from 'uuidv7';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../../../data/database.ts';
import { findAction } from '../../../../data/partner/actions/corporate-actions.ts';
import { noteReturned, storeAmounts } from '../../../../data/partner/actions/entitlements.ts';
import { beginAgain, recordMergerHolders } from '../../../../data/partner/actions/merger-actions.ts';
import { type RegisterLine, stageEvent } from '../../../../data/partner/register/register-events.ts';
import { IMPORT_ROWS_MAX } from '../../../../domain/register/import-rows.ts';
import { createPair } from '../../fixtures/create-pair.ts';
import { migrate } from '../../fixtures/migrate.ts';
import { createPartner, createSecurity, type Partner } from '../../fixtures/partner-client.ts';

let db: Database;
let agent: Partner;
let security: string;

beforeAll(async () => {
  db = await migrate();
  const lister = await createPartner(db, 'cross_lister');
  agent = await createPartner(db, 'transfer_agent');
  security = uuidv7();
  const { symbol } = await createPair(db, 'LATE', { asset: { id: security } });
  const accepted = { transferAgent: agent.organization, agentState: 'accepted' } as const;
  await createSecurity(db, lister, { id: security, state: 'listed', market: symbol, symbol: 'LATE', ...accepted });
});

const TERMS = JSON.stringify({ amountPerShare: 100_000_000, currency: 'USD', currencyAsset: 'usd' });

/** An action at its second attempt, with one holder, as a run of the first attempt has read it and as it stands. */
async function secondAttempt(type: 'merger' | 'dividend', state: string, payment: string) {
  const id = uuidv7();
  await env.DB.prepare(
    `INSERT INTO corporate_actions (id, security, agent, type, state, attempt, terms, description, due_date, record_at, due_at, actor, created_at)
     VALUES (?1, ?2, ?3, ?4, ?5, 2, json_set(?6, '$.type', ?4, '$.counterparty', 'Nadir'), 'd', '2026-01-01', 1, 1, 'a', 1)`,
  )
    .bind(id, security, agent.organization, type, state, TERMS)
    .run();
  await env.DB.prepare(
    `INSERT INTO corporate_action_payments (action, payee, account, shares, amount, part, state)
     VALUES (?1, 'holder', 'holder', 7, iif(?2 = 'entitled', NULL, 700), iif(?2 = 'entitled', NULL, 0), ?2)`,
  )
    .bind(id, payment)
    .run();
  const now = await findAction(db, id);
  if (now === null) throw new Error('no action');
  const shown = () =>
    env.DB.prepare('SELECT amount, state, returned_at AS returnedAt FROM corporate_action_payments WHERE action = ?1')
      .bind(id)
      .first();
  return { id, now, late: { ...now, attempt: 1 }, shown };
}

describe('R-22: the largest import', () => {
  it('is written in batches of a bounded size, so that reads have their turn between them', async () => {
    const batches: number[] = [];
    const batch = (statements: D1PreparedStatement[]) => {
      batches.push(statements.length);
      return env.DB.batch(statements);
    };
    const client = { prepare: (text: string) => env.DB.prepare(text), batch };
    const line = (at: number): RegisterLine => ({
      holder: { id: uuidv7(), account: null, reference: `H-${at}`, kind: 'individual', name: 'N', country: null },
      shares: 1,
      cost: 0,
      acquiredAt: 1,
      restrictionEndsAt: null,
      offeringType: null,
      certificate: null,
      legend: false,
    });
    const event = {
      id: uuidv7(),
      security,
      type: 'import',
      hash: 'h',
      recordDate: null,
      notes: null,
      actor: 'a',
    } as const;
    const lines = Array.from({ length: IMPORT_ROWS_MAX }, (_, at) => line(at));
    await stageEvent({ $client: client } as unknown as Database, { ...event, createdAt: Date.now() }, lines);
    // Of 2,000 lines each: five parts a batch, and the event's row with what is counted of it.
    expect(batches.length).toBeGreaterThanOrEqual(3);
    expect(Math.max(...batches)).toBeLessThanOrEqual(12);
    const stored = 'SELECT count(*) AS n FROM register_changes WHERE event = ?1';
    expect(await env.DB.prepare(stored).bind(event.id).first()).toEqual({ n: IMPORT_ROWS_MAX });
  });
});

describe('M-16: a run that comes late, of an attempt that was given up,', () => {
  it('writes no amounts into the next attempt', async () => {
    const { now, late, shown } = await secondAttempt('merger', 'recorded', 'entitled');
    const amounts = [{ payee: 'holder', amount: 1_400, part: 0 }];
    await storeAmounts(db, late, amounts);
    expect(await shown()).toMatchObject({ amount: null, state: 'entitled' });
    await storeAmounts(db, { ...now, state: 'funding' }, amounts);
    expect(await shown()).toMatchObject({ amount: null, state: 'entitled' });
    await storeAmounts(db, now, amounts);
    expect(await shown()).toMatchObject({ amount: 1_400, state: 'due' });
  });

  it('says of nothing of the next attempt that it went back to the payer', async () => {
    const { now, late, shown } = await secondAttempt('dividend', 'returning', 'unpaid');
    await noteReturned(db, late, 5);
    expect(await shown()).toMatchObject({ state: 'unpaid', returnedAt: null });
    await noteReturned(db, now, 6);
    expect(await shown()).toMatchObject({ state: 'unpaid', returnedAt: 6 });
    const paid = await secondAttempt('dividend', 'funded', 'unpaid');
    await noteReturned(db, paid.now, 7);
    expect(await paid.shown()).toMatchObject({ returnedAt: null });
  });

  it('neither begins the next attempt again nor records its holders', async () => {
    const { id, late, shown } = await secondAttempt('merger', 'effective', 'entitled');
    await beginAgain(db, late, null);
    expect(await recordMergerHolders(db, late, uuidv7(), 8)).toBe(false);
    expect(await shown()).toMatchObject({ state: 'entitled' });
    expect(await findAction(db, id)).toMatchObject({ state: 'effective', attempt: 2 });
  });
});
