import { env } from 'cloudflare:workers';
import { sql } from 'drizzle-orm';
import { uuidv7 } from 'uuidv7';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Database } from '../../../../data/database.ts';
import { COST_MAX } from '../../../../domain/ledger/balances.ts';
import { Ledger } from '../../../../domain/ledger/ledger.ts';
import { ledgerOf } from '../../../../durable-objects/ledger/api.ts';
import { createKeyHolder, type KeyHolder } from '../../fixtures/book-client.ts';
import { createCurrency } from '../../fixtures/create-currency.ts';
import { createPair } from '../../fixtures/create-pair.ts';
import { migrate } from '../../fixtures/migrate.ts';
import { createPartner, createSecurity, type Partner } from '../../fixtures/partner-client.ts';

let db: Database;
let lister: Partner;
let agent: Partner;
let holder: KeyHolder;
let pairs = 0;

beforeAll(async () => {
  db = await migrate();
  await createCurrency(db);
  lister = await createPartner(db, 'cross_lister');
  agent = await createPartner(db, 'transfer_agent');
  holder = await createKeyHolder(db);
});

afterEach(() => {
  vi.restoreAllMocks();
});

async function listed(): Promise<string> {
  pairs += 1;
  const id = uuidv7();
  const { symbol } = await createPair(db, `FAIL${pairs}`, { asset: { id } });
  const accepted = { transferAgent: agent.organization, agentState: 'accepted' } as const;
  await createSecurity(db, lister, { id, state: 'listed', market: symbol, symbol: `FAIL${pairs}`, ...accepted });
  return id;
}

function issue(security: string, terms: object = {}) {
  const body = { account_id: holder.accountId, shares: 1, restriction_ends_at: null, ...terms };
  return agent.client.post(`/v1/captable/${security}/issuances`, body);
}

async function states(security: string): Promise<string[]> {
  const rows = await db.all<{ state: string; refusal: string | null }>(
    sql`SELECT state, refusal FROM register_events WHERE security = ${security} ORDER BY id`,
  );
  return rows.map(({ state, refusal }) => (refusal === null ? state : `${state} ${refusal}`));
}

async function shares(security: string): Promise<number> {
  const balances = await ledgerOf(env).balances(holder.accountId);
  return balances.find(({ asset }) => asset === security)?.available ?? 0;
}

describe('M-02: an event of a register', () => {
  it('whose entry the ledger cannot apply ends as refused, and the next event of the security goes on', async () => {
    const security = await listed();
    const { apply } = Ledger.prototype;
    const tried = vi.spyOn(Ledger.prototype, 'apply').mockImplementation(function (this: Ledger, transaction, context) {
      if (transaction.kind === 'register_entry') throw new RangeError('an amount that is not exact');
      return apply.call(this, transaction, context) as never;
    });
    expect((await issue(security)).status).toBe(400);
    expect(await states(security)).toEqual(['refused failed']);
    const entries = tried.mock.calls.filter(([{ kind }]) => kind === 'register_entry');
    expect(entries.length, 'what failed is not tried again').toBe(1);
    tried.mockRestore();
    expect((await issue(security)).status).toBe(200);
    expect(await states(security)).toEqual(['refused failed', 'recorded']);
    expect(await shares(security)).toBe(1);
  });

  it('that states a cost beyond that of a holding is refused, and holds up no other', async () => {
    const security = await listed();
    const refused = await issue(security, { cost: (COST_MAX + 100) / 100 });
    expect([400, 409, 422]).toContain(refused.status);
    expect((await issue(security)).status).toBe(200);
    expect(await shares(security)).toBe(1);
  });
});
