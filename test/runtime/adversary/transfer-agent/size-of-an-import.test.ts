import { env } from 'cloudflare:workers';
import { uuidv7 } from 'uuidv7';
import { beforeAll, expect, test } from 'vitest';
import type { Database } from '../../../../data/database.ts';
import { IMPORT_ROWS_MAX, IMPORT_VALUES_MAX } from '../../../../domain/register/import-rows.ts';
import { createCurrency } from '../../fixtures/create-currency.ts';
import { createPair } from '../../fixtures/create-pair.ts';
import { migrate } from '../../fixtures/migrate.ts';
import { createPartner, createSecurity, type Partner } from '../../fixtures/partner-client.ts';

let db: Database;
let agent: Partner;
let path: string;

beforeAll(async () => {
  db = await migrate();
  await createCurrency(db);
  const lister = await createPartner(db, 'cross_lister');
  agent = await createPartner(db, 'transfer_agent');
  const id = uuidv7();
  const { symbol } = await createPair(db, 'SIZE', { asset: { id } });
  const accepted = { transferAgent: agent.organization, agentState: 'accepted' } as const;
  await createSecurity(db, lister, { id, state: 'listed', market: symbol, symbol: 'SIZE', ...accepted });
  path = `/v1/captable/${id}/import`;
});

const row = (n: number) => ({ holder_reference: `R-${n}`, holder_name: `N ${n}`, shares: 1 });

test('M-11: a body of more values than an import may have is refused before it is parsed', async () => {
  const holders = Array.from({ length: IMPORT_VALUES_MAX / 2 }, () => ({}));
  expect(await agent.client.post(path, { holders })).toMatchObject({
    status: 413,
    body: { error: { code: 'PAYLOAD_TOO_LARGE', details: { values_max: IMPORT_VALUES_MAX } } },
  });
});

test('M-11: one row more than an import may have is refused, and as many as it may have are imported', async () => {
  const holders = Array.from({ length: IMPORT_ROWS_MAX + 1 }, (_, n) => row(n));
  expect((await agent.client.post(path, { holders })).status).toBe(400);
  expect((await agent.client.post(path, { holders: holders.slice(1) })).status).toBe(200);
  const held = await env.DB.prepare('SELECT count(*) AS n FROM register_holdings').first();
  expect(held).toEqual({ n: IMPORT_ROWS_MAX });
});
