import { uuidv7 } from 'uuidv7';
import { beforeAll, describe, expect, test } from 'vitest';
import { runAudit } from '../../../../data/audit/run-audit.ts';
import type { Database } from '../../../../data/database.ts';
import type { OcfPackage } from '../../../../domain/register/ocf/export-ocf.ts';
import { createKeyHolder } from '../../fixtures/book-client.ts';
import { createPair } from '../../fixtures/create-pair.ts';
import { migrate } from '../../fixtures/migrate.ts';
import { createPartner, createSecurity, type Partner } from '../../fixtures/partner-client.ts';

let db: Database;
let lister: Partner;
let agent: Partner;

beforeAll(async () => {
  db = await migrate();
  lister = await createPartner(db, 'cross_lister');
  agent = await createPartner(db, 'transfer_agent');
});

let pairs = 0;

/** A listed security of the agent's; its id. */
async function listed(): Promise<string> {
  pairs += 1;
  const id = uuidv7();
  const { symbol } = await createPair(db, `OCF${pairs}`, { asset: { id } });
  const accepted = { transferAgent: agent.organization, agentState: 'accepted' } as const;
  await createSecurity(db, lister, { id, state: 'listed', market: symbol, symbol: `OCF${pairs}`, ...accepted });
  return id;
}

const holdersOf = async (id: string) => {
  const { body } = await agent.client.get<{ holders: Record<string, unknown>[] }>(`/v1/captable/${id}/holders`);
  return body.holders
    .map(({ holder_id: _, ...holder }) => holder)
    .sort((a, b) => String(a.reference).localeCompare(String(b.reference)));
};
const exported = async (id: string, query = '', as = agent) =>
  (await as.client.get<OcfPackage>(`/v1/captable/${id}/ocf${query}`)).body;
const importTo = (id: string, body: unknown, query = '') =>
  agent.client.post<Record<string, unknown>>(`/v1/captable/${id}/import?format=ocf${query}`, body);
const itemsOf = ({ files }: OcfPackage, name: string) => files[`./${name}.ocf.json`]?.items ?? [];

/** A register with an account, a certificate, a cancellation of two holdings' part, and somebody who has nothing left. */
async function kept(): Promise<string> {
  const id = await listed();
  const { accountId } = await createKeyHolder(db);
  const issue = (body: object) => agent.client.post(`/v1/captable/${id}/issuances`, body);
  const ada = { holder_reference: 'H-1', holder_name: 'Ada', country: 'US', shares: 60, cost: 120.5 };
  for (const body of [
    { ...ada, certificate_number: 'CS-1', legend: true },
    { ...ada, certificate_number: 'CS-2' },
    { holder_reference: 'H-2', holder_name: 'Bob Fund', holder_kind: 'entity', shares: 7 },
    { account_id: accountId, shares: 11, restriction_ends_at: null },
  ])
    expect((await issue(body)).status).toBe(200);
  const { body } = await agent.client.get<{ holders: { holder_id: string; name: string }[] }>(
    `/v1/captable/${id}/holders`,
  );
  const idOf = (name: string) => body.holders.find((holder) => holder.name === name)?.holder_id;
  for (const [name, shares] of [
    ['Ada', 70],
    ['Bob Fund', 7],
  ] as const) {
    const cancelled = await agent.client.post(`/v1/captable/${id}/cancellations`, { holder_id: idOf(name), shares });
    expect(cancelled.status).toBe(200);
  }
  return id;
}

describe('GET /v1/captable/{security_id}/ocf', () => {
  test('is the register with all that has changed it, for its agent and its lister', async () => {
    const id = await kept();
    const document = await exported(id, '?formation_date=2019-03-01&country_of_formation=DE');
    expect(document.manifest).toMatchObject({
      ocf_version: '1.2.1-alpha+main',
      file_type: 'OCF_MANIFEST_FILE',
      issuer: {
        id: 'orbital-freight',
        legal_name: 'Orbital Freight, Inc.',
        formation_date: '2019-03-01',
        country_of_formation: 'DE',
      },
      stakeholders_files: [{ filepath: './Stakeholders.ocf.json', md5: expect.stringMatching(/^[0-9a-f]{32}$/) }],
    });
    expect(itemsOf(document, 'StockClasses')).toMatchObject([{ id, name: 'Series B', class_type: 'PREFERRED' }]);
    expect(itemsOf(document, 'Stakeholders').map(({ issuer_assigned_id }) => issuer_assigned_id)).toHaveLength(3);
    const transactions = itemsOf(document, 'Transactions');
    expect(transactions[0]).toMatchObject({
      object_type: 'TX_STOCK_ISSUANCE',
      stock_class_id: id,
      custom_id: 'CS-1',
      quantity: '60',
      cost_basis: { amount: '120.5', currency: 'USD' },
      stock_legend_ids: ['restrictive-legend'],
    });
    const ended = transactions.filter(({ object_type }) => object_type === 'TX_STOCK_CANCELLATION');
    expect(ended.map(({ quantity }) => quantity)).toEqual(['60', '10', '7']);
    expect((await exported(id, '', lister)).files).toEqual(document.files);
    expect((await exported(id)).manifest).toMatchObject({
      issuer: { comments: ['not stated, and so of no meaning: formation_date, country_of_formation'] },
    });
    const stranger = await createPartner(db, 'transfer_agent');
    expect((await stranger.client.get(`/v1/captable/${id}/ocf`)).status).toBe(404);
  });
});

describe('POST /v1/captable/{security_id}/import?format=ocf', () => {
  test('makes of an exported register the same holders with the same shares', async () => {
    const from = await kept();
    const to = await listed();
    const document = await exported(from);
    expect(await importTo(to, document, '&dry_run=true')).toMatchObject({
      status: 200,
      body: { dry_run: true, rows: 2, shares: 61, event: null },
    });
    expect(await holdersOf(to)).toEqual([]);
    expect(await importTo(to, document)).toMatchObject({ status: 200, body: { rows: 2, shares: 61 } });
    expect(await holdersOf(to)).toEqual(await holdersOf(from));
    expect((await runAudit(db)).filter(({ holds }) => !holds)).toEqual([]);
  });

  test('names the objects that are wrong, and changes nothing', async () => {
    const id = await listed();
    const document = await exported(await kept());
    const transactions = itemsOf(document, 'Transactions');
    const withTransactions = (items: readonly object[]) => ({
      files: { ...document.files, './Transactions.ocf.json': { file_type: 'OCF_TRANSACTIONS_FILE', items } },
    });
    const details = async (body: unknown, query = '') =>
      ((await importTo(id, body, query)).body as { error: { details: Record<string, unknown> } }).error.details;
    expect(await details(withTransactions([...transactions, transactions[0] ?? {}]))).toEqual({
      reason: 'objects',
      errors: [{ object_id: transactions[0]?.id, field: 'security_id', message: 'is that of another issuance' }],
    });
    expect(await details(document, '&stock_class_id=another')).toMatchObject({ errors: [{ field: 'stock_class_id' }] });
    const nameless = { files: { a: { file_type: 'OCF_STAKEHOLDERS_FILE', items: [{ id: 'x' }] } } };
    expect(await details(nameless)).toMatchObject({ issues: [{ path: ['files', 'a', 'items', 0, 'object_type'] }] });
    expect(await details({ holders: [{ holder_reference: 'H', holder_name: 'Ada', shares: 1 }] })).toMatchObject({
      reason: 'objects',
    });
    const future = transactions.map((each) => ({ ...each, date: '2999-01-01' }));
    expect(await details(withTransactions(future))).toMatchObject({
      reason: 'rows',
      errors: [
        { row: 1, field: 'acquired_at', security_id: expect.any(String) },
        { row: 2, field: 'acquired_at' },
      ],
    });
    expect(await holdersOf(id)).toEqual([]);
  });
});
