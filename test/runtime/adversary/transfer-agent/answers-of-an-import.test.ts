import { env } from 'cloudflare:workers';
import { sql } from 'drizzle-orm';
import fc from 'fast-check';
import { uuidv7 } from 'uuidv7';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Database } from '../../../../data/database.ts';
import { convertedHolders } from '../../../../data/partner/register/conversion-events.ts';
import { formReferences } from '../../../../data/partner/register/register-events.ts';
import { callWorker } from '../../fixtures/call-worker.ts';
import { createPair } from '../../fixtures/create-pair.ts';
import { createTrader } from '../../fixtures/create-trader.ts';
import { introducedInvestor } from '../../fixtures/introduced-investor.ts';
import { migrate } from '../../fixtures/migrate.ts';
import { createPartner, createSecurity, type Partner } from '../../fixtures/partner-client.ts';

interface Refused {
  readonly error: { readonly message: string; readonly details: { readonly errors?: readonly object[] } };
}
interface Holders {
  readonly holders: readonly { readonly name: string; readonly holder_kind: string; readonly country: string | null }[];
}

let db: Database;
let lister: Partner;
let agent: Partner;

beforeAll(async () => {
  db = await migrate();
  lister = await createPartner(db, 'cross_lister');
  agent = await createPartner(db, 'transfer_agent');
});

let pairs = 0;
/** A security of whole shares. */
async function listed(): Promise<string> {
  pairs += 1;
  const id = uuidv7();
  const { symbol } = await createPair(db, `ANS${pairs}`, { asset: { id } });
  const accepted = { transferAgent: agent.organization, agentState: 'accepted' } as const;
  await createSecurity(db, lister, { id, state: 'listed', market: symbol, symbol: `ANS${pairs}`, ...accepted });
  return id;
}

async function send(id: string, body: string | object[], isDryRun: boolean) {
  const isCsv = typeof body === 'string';
  const response = await callWorker(`http://localhost/partner/v1/captable/${id}/import?dry_run=${isDryRun}`, {
    method: 'POST',
    headers: { ...agent.headers, 'content-type': isCsv ? 'text/csv' : 'application/json' },
    body: isCsv ? body : JSON.stringify({ holders: body }),
  });
  return { status: response.status, body: await response.json<Refused & { rows: number; shares: number }>() };
}

/** The answer of a dry run and of the import, which are the same but for the event. */
async function both(id: string, body: string | object[]) {
  const dry = await send(id, body, true);
  const made = await send(id, body, false);
  expect([dry.status, dry.body.error, dry.body.rows]).toEqual([made.status, made.body.error, made.body.rows]);
  return made;
}

const holdersOf = async (id: string) =>
  (await agent.client.get<Holders>(`/v1/captable/${id}/holders`)).body.holders.map(({ name, holder_kind, country }) => [
    name,
    holder_kind,
    country,
  ]);

const HEAD = 'holder_reference,holder_name,shares';

describe('an import of a register', () => {
  test('R-03: refuses a table whose thousands have points, row by row, in the dry run as in the import', async () => {
    const id = await listed();
    const answer = await both(id, `${HEAD}\nH-1,Ada Example,1.000\nH-2,Ben Example,2.000\n`);
    expect(answer).toMatchObject({
      status: 400,
      body: {
        error: {
          details: {
            error_count: 2,
            errors: [
              { row: 1, line: 2, field: 'shares', message: expect.stringContaining('may mean 1000') },
              { row: 2, line: 3, field: 'shares', message: expect.stringContaining('may mean 2000') },
            ],
          },
        },
      },
    });
    expect(await both(id, `${HEAD}\nH-1,Ada Example,250.00\n`)).toMatchObject({ status: 200, body: { shares: 250 } });
  });

  test('R-06: what a row says of a holder wins over what is left out, in one import and in a later one', async () => {
    const id = await listed();
    const row = (name: string, more: object = {}) => ({
      holder_reference: name,
      holder_name: name,
      shares: 1,
      ...more,
    });
    const entity = { holder_kind: 'entity', country: 'GB' };
    expect(await both(id, [row('Fund'), row('Fund', entity), row('Later'), row('First', entity)])).toMatchObject({
      status: 200,
    });
    expect(await both(id, [row('Later', entity), row('First'), row('Fund')])).toMatchObject({ status: 200 });
    expect(await holdersOf(id)).toEqual(
      expect.arrayContaining([
        ['Fund', 'entity', 'GB'],
        ['Later', 'entity', 'GB'],
        ['First', 'entity', 'GB'],
      ]),
    );
    const other = { holder_kind: 'individual', country: 'US' };
    expect((await both(id, [row('Later', other)])).body.error.details.errors).toMatchObject([
      { row: 1, field: 'holder_kind' },
      { row: 1, field: 'country' },
    ]);
  });

  test('R-06: what a row says of the holder of an account counts as well, and one that says otherwise is refused', async () => {
    const id = await listed();
    const { accountId, userId } = await createTrader(db);
    const rename = (name: string) => db.run(sql`UPDATE users SET name = ${name} WHERE id = ${userId}`);
    await rename('Grace Field');
    const row = (more: object = {}) => ({ account_id: accountId, shares: 1, ...more });
    expect(await both(id, [row()])).toMatchObject({ status: 200 });
    expect(await holdersOf(id)).toEqual([['Grace Field', 'individual', null]]);
    // Nobody had said what kind of holder that is: the venue's own word gives way.
    const trust = { holder_kind: 'entity', country: 'GB' };
    expect(await both(id, [row(trust), row({ holder_name: 'Grace Field' })])).toMatchObject({ status: 200 });
    expect(await holdersOf(id)).toEqual([['Grace Field', 'entity', 'GB']]);
    const wrong = { holder_kind: 'individual', country: 'US', holder_name: 'Grace Meadow' };
    for (const [field, value] of Object.entries(wrong))
      expect((await both(id, [row({ [field]: value })])).body.error.details.errors).toMatchObject([{ row: 1, field }]);
    // Whoever has the account may have another name by now; the register keeps the one that it was made with.
    await rename('Grace Meadow');
    expect(await both(id, [row({ holder_name: 'Grace Meadow' })])).toMatchObject({ status: 200 });
    expect(await holdersOf(id)).toEqual([['Grace Field', 'entity', 'GB']]);
  });

  test('R-06: a company that an agent registers without a word of its kind is the entity that it was introduced as', async () => {
    const id = await listed();
    const { accountId } = await introducedInvestor(lister, { name: 'Field Ltd', accountType: 'entity' });
    expect(await both(id, [{ account_id: accountId, shares: 1 }])).toMatchObject({ status: 200 });
    expect(await holdersOf(id)).toEqual([['Field Ltd', 'entity', null]]);
  });

  test('R-10: names the row that says otherwise of a holder, before anything is done', async () => {
    const csv = `${HEAD},holder_kind,country\nH-1,Ada Example,250,individual,US\nH-1,Ada Example,250,entity,GB\n`;
    expect(await both(await listed(), csv)).toMatchObject({
      status: 400,
      body: {
        error: {
          details: {
            errors: [
              { row: 2, line: 3, field: 'holder_kind' },
              { row: 2, line: 3, field: 'country' },
            ],
          },
        },
      },
    });
  });

  test('R-10: a dry run answers what the import answers, whatever the rows', async () => {
    const id = await listed();
    const row = fc.record(
      {
        holder_reference: fc.constantFrom('H-1', 'h-1', 'H-2', 'account:1', ''),
        holder_name: fc.constantFrom('Ada', 'Ben'),
        shares: fc.constantFrom(1, '2', '1.000', 2 ** 50, 0.5),
        holder_kind: fc.constantFrom('individual', 'entity', 'robot'),
        country: fc.constantFrom('US', 'GB'),
        certificate_number: fc.constantFrom('C-1', 'c-1', 'C-2', 'C-3', 'C-4'),
      },
      { requiredKeys: ['holder_reference', 'holder_name', 'shares'] },
    );
    for (const rows of fc.sample(fc.array(row, { minLength: 1, maxLength: 3 }), { numRuns: 25, seed: 10 }))
      await both(id, rows);
    // More than an asset may have, in two imports that are each right.
    const large = { holder_reference: 'L', holder_name: 'Large', shares: 2 ** 50 };
    const other = await listed();
    for (const status of [200, 200, 400]) expect(await both(other, [large])).toMatchObject({ status });
  });

  test('R-11: a reference of the register that only looks the same is refused, and one of the same letters is the holder', async () => {
    const id = await listed();
    const row = (reference: string, name = 'Zoé Example') => ({
      holder_reference: reference,
      holder_name: name,
      shares: 1,
    });
    expect(await both(id, `${HEAD}\nÉ-1,Zoé Example,1\nE\u0301-1,Zoe\u0301 Example,1\n`)).toMatchObject({
      status: 200,
    });
    expect(await both(id, [row('E\u0301-1', 'Zoe\u0301 Example')])).toMatchObject({ status: 200 });
    expect(await holdersOf(id)).toHaveLength(1);
    for (const reference of ['é-1', 'É–1', 'Ｅ\u0301-1'])
      expect((await both(id, [row(reference)])).body.error.details.errors).toMatchObject([
        { row: 1, field: 'holder_reference', message: 'looks like É-1 of the register, and is another text' },
      ]);
    expect(await holdersOf(id)).toHaveLength(1);
  });

  test('R-11: finds the holders of before references had forms, composed as they are sent', async () => {
    const id = await listed();
    const row = (reference: string, name: string) => ({ holder_reference: reference, holder_name: name, shares: 1 });
    expect((await both(id, [row('É-1', 'Zoé'), row('H-1', 'Ada'), row('H-2', 'Bé')])).status).toBe(200);
    await env.DB.prepare(
      `UPDATE register_holders SET reference_form = NULL, reference = replace(reference, 'É', 'É'), name = replace(name, 'é', 'é')
       WHERE security = ?1`,
    )
      .bind(id)
      .run();
    // Known by its very reference, whose name is stored in the old way.
    expect((await both(id, [row('H-2', 'Bé')])).status).toBe(200);
    const refused = await both(id, [row('h-1', 'Ada')]);
    expect([refused.status, refused.body.error.details.errors]).toMatchObject([
      400,
      [{ row: 1, field: 'holder_reference', message: 'looks like H-1 of the register, and is another text' }],
    ]);
    for (const [reference, name] of [
      ['É-1', 'Zoé'],
      ['É-1', 'Zoé'],
    ] as const)
      expect((await both(id, [row(reference, name)])).status).toBe(200);
    expect(await holdersOf(id)).toHaveLength(3);
  });

  test('R-11: composes no reference of before into that of another holder', async () => {
    const id = await listed();
    const row = (reference: string, name: string) => ({ holder_reference: reference, holder_name: name, shares: 1 });
    expect((await both(id, [row('É-1', 'Zoé'), row('H-1', 'Ada')])).status).toBe(200);
    const old = `UPDATE register_holders SET reference_form = NULL, reference = 'É-1' WHERE security = ?1 AND reference = 'H-1'`;
    await env.DB.prepare(old).bind(id).run();
    expect(await formReferences(db, id)).toBe(true);
    const forms =
      'SELECT reference FROM register_holders WHERE security = ?1 AND reference_form IS NOT NULL ORDER BY name';
    const { results } = await env.DB.prepare(forms).bind(id).all();
    expect(results).toEqual([{ reference: 'É-1' }, { reference: 'É-1' }]);
  });

  test('R-11: a merger names itself behind a reference that only looks like one of the other register, and keeps what was said', async () => {
    const [ending, survivor] = [await listed(), await listed()];
    const row = (holder_reference: string, more: object = {}) => ({
      holder_reference,
      holder_name: 'Ada',
      shares: 1,
      ...more,
    });
    expect((await both(survivor, [row('H-1'), row('H-2')])).status).toBe(200);
    const rows = [row('h-1'), row('H-2'), row('H-3', { holder_kind: 'individual' })];
    expect((await both(ending, rows)).status).toBe(200);
    const event = await env.DB.prepare('SELECT id FROM register_events WHERE security = ?1')
      .bind(ending)
      .first<string>('id');
    const holders = await convertedHolders(db, { event: event ?? '', into: survivor, from: 0, limit: 10 });
    expect(holders.map(({ reference, isTaken, isKindStated }) => [reference, isTaken, isKindStated])).toEqual([
      ['h-1', true, false],
      ['H-2', false, false],
      ['H-3', false, true],
    ]);
  });

  test('R-11: a holder of the register is not kept from their shares by another one that looks like them', async () => {
    const id = await listed();
    const row = { holder_reference: 'H-1', holder_name: 'Ada', shares: 1 };
    expect((await both(id, [row])).status).toBe(200);
    await env.DB.prepare(
      `INSERT INTO register_holders (id, security, reference, reference_form, kind, name, created_at)
       VALUES (?1, ?2, 'h-1', 'h-1', 'individual', 'Ada', 0)`,
    )
      .bind(uuidv7(), id)
      .run();
    expect(await both(id, [row])).toMatchObject({ status: 200 });
  });

  test('R-04: a list of a register that is cut says so, in its answer as in its description, and leads on', async () => {
    const id = await listed();
    const count = 10_001;
    const rows = Array.from({ length: count }, (_, at) => ({
      holder_reference: `H-${at}`,
      holder_name: 'N',
      shares: 1,
    }));
    expect((await send(id, rows, false)).status).toBe(200);
    const path = `/v1/captable/${id}/holders`;
    type Page = { holders: { reference: string }[]; has_more?: boolean };
    const first = await agent.client.get<Page>(path);
    expect([first.body.holders.length, first.body.has_more]).toEqual([10_000, true]);
    const next = new URL(first.headers.get('link')?.match(/<(.*)>/)?.[1] ?? '');
    const rest = await agent.client.get<Page>(`${path}${next.search}`);
    expect([rest.body.holders.length, rest.body.has_more, rest.headers.get('link')]).toEqual([1, undefined, null]);
    expect(new Set([...first.body.holders, ...rest.body.holders].map(({ reference }) => reference)).size).toBe(count);
    const page = await agent.client.get<Page>(`${path}?limit=3`);
    expect([page.body.holders.length, page.body.has_more]).toEqual([3, true]);

    type Operation = {
      parameters?: { name: string; description?: string; schema?: { description?: string } }[];
      responses: { 200: { content: Record<string, { schema: object }> } };
    };
    const response = await callWorker('http://localhost/partner/openapi.json');
    const { paths, components } = await response.json<{
      paths: Record<string, Record<string, Operation>>;
      components: { schemas: Record<string, { properties?: object }> };
    }>();
    const lists = Object.entries(paths).flatMap(([name, { get }]) =>
      get?.parameters?.some((each) => each.name === 'cursor') ? [[name, get] as const] : [],
    );
    expect(lists.length).toBeGreaterThan(10);
    for (const [name, { parameters, responses }] of lists) {
      const limit = parameters?.find((each) => each.name === 'limit');
      expect(limit?.description ?? limit?.schema?.description, name).toContain('Link header');
      const schema = JSON.stringify(responses[200].content['application/json']?.schema);
      const named = schema.match(/#\/components\/schemas\/(\w+)"/)?.[1] ?? '';
      expect(schema + JSON.stringify(components.schemas[named]?.properties ?? {}), name).toContain('has_more');
    }
  });

  test('R-07: takes stock of an OCF document whose rest, cost or price is written as vendors do', async () => {
    const holder = {
      object_type: 'STAKEHOLDER',
      id: 'holder-1',
      name: { legal_name: 'Ada Example' },
      stakeholder_type: 'INDIVIDUAL',
    };
    const issuance = (change: object) => ({
      object_type: 'TX_STOCK_ISSUANCE',
      id: 'issuance-1',
      security_id: 'stock-1',
      date: '2022-01-01',
      stakeholder_id: 'holder-1',
      custom_id: 'C-1',
      stock_class_id: 'class-1',
      share_price: { amount: '2.00', currency: 'USD' },
      quantity: '100',
      stock_legend_ids: [],
      security_law_exemptions: [],
      ...change,
    });
    const cancellation = {
      object_type: 'TX_STOCK_CANCELLATION',
      id: 'cancellation-1',
      security_id: 'stock-1',
      date: '2022-02-01',
      quantity: '40',
      balance_security_id: '',
      reason_text: 'part of it',
    };
    const importOcf = async (...items: object[]) => {
      const files = {
        a: { file_type: 'OCF_TRANSACTIONS_FILE', items: [holder, ...items] },
        b: { file_type: 'OCF_MANIFEST_FILE' },
      };
      const { client } = agent;
      return client.post(`/v1/captable/${await listed()}/import?format=ocf`, { files });
    };
    expect(await importOcf(issuance({}), cancellation)).toMatchObject({
      status: 200,
      body: { shares: 60, rows_without_cost: 0 },
    });
    const omitted = issuance({ cost_basis: { omitted: true, comment: 'Data not available' } });
    expect(await importOcf(omitted)).toMatchObject({ status: 200, body: { shares: 100, rows_without_cost: 0 } });
    const euros = issuance({ share_price: { amount: '1.00', currency: 'EUR' } });
    expect(await importOcf(euros)).toMatchObject({ status: 200, body: { shares: 100, rows_without_cost: 1 } });
    const words = issuance({ share_price: { amount: 'one', currency: 'EUR' } });
    expect(await importOcf(words)).toMatchObject({
      status: 400,
      body: { error: { details: { errors: [{ object_id: 'issuance-1', field: 'share_price' }] } } },
    });
  });

  test('R-15: takes what spreadsheets write, and tells the line of what is wrong', async () => {
    const id = await listed();
    expect(await both(id, `${HEAD},legend\nH-1,Ada Example,250,TRUE\n`)).toMatchObject({ status: 200 });
    expect(await both(id, 'Holder_Reference,Holder_Name,Shares\nH-1,Ada Example,250\n')).toMatchObject({ status: 200 });
    const semicolons = await both(id, 'holder_reference;holder_name;shares\nH-1;Ada Example;250\n');
    expect([semicolons.status, semicolons.body.error.message]).toEqual([
      400,
      'columns are divided by commas, and those of this file by semicolons',
    ]);
    const blank = await both(id, `${HEAD}\nH-1,Ada Example,1\n\n\nH-2,Ben Example,x\n`);
    expect(blank.body.error.details.errors).toMatchObject([{ row: 2, line: 5, field: 'shares' }]);
  });
});
