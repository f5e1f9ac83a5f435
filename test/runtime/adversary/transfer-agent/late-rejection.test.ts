import { env } from 'cloudflare:workers';
import { sql } from 'drizzle-orm';
import { uuidv7 } from 'uuidv7';
import { beforeAll, expect, it } from 'vitest';
import type { Database } from '../../../../data/database.ts';
import { ledgerOf } from '../../../../durable-objects/ledger/api.ts';
import { createKeyHolder } from '../../fixtures/book-client.ts';
import { createCurrency } from '../../fixtures/create-currency.ts';
import { createPair } from '../../fixtures/create-pair.ts';
import { migrate } from '../../fixtures/migrate.ts';
import { createPartner, createSecurity } from '../../fixtures/partner-client.ts';
import { settle } from '../../fixtures/settle.ts';

/** Of a trade that is made now no earlier day is recorded. */
const TODAY = new Date().toISOString().slice(0, 10);

const WEEK_MS = 7 * 24 * 60 * 60 * 1_000;

let db: Database;

beforeAll(async () => {
  db = await migrate();
  await createCurrency(db);
});

it('M-20: a transfer is not rejected a week after its instruction, and goes on to be completed', async () => {
  const [lister, agent] = [await createPartner(db, 'cross_lister'), await createPartner(db, 'transfer_agent')];
  const id = uuidv7();
  const { symbol } = await createPair(db, 'LATE', { asset: { id } });
  const accepted = { transferAgent: agent.organization, agentState: 'accepted' } as const;
  await createSecurity(db, lister, { id, state: 'listed', market: symbol, symbol: 'LATE', ...accepted });
  const [seller, buyer] = [await createKeyHolder(db), await createKeyHolder(db, { cash: 1_000_00 })];
  const shares = { account_id: seller.accountId, shares: 10, restriction_ends_at: null };
  expect((await agent.client.post(`/v1/captable/${id}/issuances`, shares)).status).toBe(200);
  const order = { symbol, type: 'limit', size: 4, price: 10, time_in_force: 'GTC' };
  await seller.client.post('/v1/orders', { ...order, side: 'sell' });
  await buyer.client.post('/v1/orders', { ...order, side: 'buy' });
  await settle(symbol);
  const { body } = await agent.client.get<{ transfers: { transfer_instruction_id: string }[] }>(
    `/v1/transfers?security_id=${id}`,
  );
  const transfer = body.transfers[0]?.transfer_instruction_id ?? '';
  const acknowledge = (terms: object) => agent.client.post(`/v1/transfers/${transfer}/acknowledge`, terms);
  await db.run(sql`UPDATE transfer_instructions SET created_at = created_at - ${WEEK_MS} WHERE id = ${transfer}`);

  expect(await acknowledge({ acknowledged: false, notes: 'the price fell' })).toMatchObject({
    status: 409,
    body: { error: { details: { reason: 'rejection_overdue' } } },
  });
  const held = (await ledgerOf(env).balances(buyer.accountId)).find(({ asset }) => asset === id);
  expect(held?.available).toBe(4);
  expect((await acknowledge({ acknowledged: true, record_date: TODAY })).status).toBe(200);
});
