import { env } from 'cloudflare:workers';
import { uuidv7 } from 'uuidv7';
import { beforeAll, describe, expect, test } from 'vitest';
import { carryOnActions } from '../../../../application/partner/actions/carry-on-actions.ts';
import { carryOnTransfers } from '../../../../application/partner/register/transfers.ts';
import type { Database } from '../../../../data/database.ts';
import { newYorkDate } from '../../../../domain/calendar/new-york-time.ts';
import { createKeyHolder, type KeyHolder } from '../../fixtures/book-client.ts';
import { callWorker } from '../../fixtures/call-worker.ts';
import { createCurrency } from '../../fixtures/create-currency.ts';
import { createPair } from '../../fixtures/create-pair.ts';
import { introducedInvestor } from '../../fixtures/introduced-investor.ts';
import { migrate } from '../../fixtures/migrate.ts';
import { createPartner, createSecurity, type Partner } from '../../fixtures/partner-client.ts';
import { settle } from '../../fixtures/settle.ts';

/** Of a trade that is made now no earlier day is recorded. */
const NOW = new Date().toISOString();
const TODAY = NOW.slice(0, 10);

let db: Database;
let lister: Partner;
let agent: Partner;

beforeAll(async () => {
  db = await migrate();
  await createCurrency(db);
});

let pairs = 0;

interface Listed {
  readonly id: string;
  readonly symbol: string;
}

/** A listed security of a lister and an agent of their own. */
async function listed(by?: { readonly lister: Partner; readonly agent: Partner }): Promise<Listed> {
  pairs += 1;
  lister = by?.lister ?? (await createPartner(db, 'cross_lister'));
  agent = by?.agent ?? (await createPartner(db, 'transfer_agent'));
  const id = uuidv7();
  const { symbol } = await createPair(db, `RPT${pairs}`, { asset: { id } });
  const accepted = { transferAgent: agent.organization, agentState: 'accepted' } as const;
  await createSecurity(db, lister, { id, state: 'listed', market: symbol, symbol: `RPT${pairs}`, ...accepted });
  return { id, symbol };
}

async function issue({ id }: Listed, body: object): Promise<void> {
  const issued = await agent.client.post(`/v1/captable/${id}/issuances`, { restriction_ends_at: null, ...body });
  expect(issued.status).toBe(200);
}

async function trade({ symbol }: Listed, seller: KeyHolder, buyer: KeyHolder, quantity: number): Promise<string> {
  const order = { symbol, type: 'limit', size: quantity, price: 10, time_in_force: 'GTC' };
  expect((await seller.client.post('/v1/orders', { ...order, side: 'sell' })).status).toBeLessThan(300);
  expect((await buyer.client.post('/v1/orders', { ...order, side: 'buy' })).status).toBeLessThan(300);
  await settle(symbol);
  await carryOnTransfers(env);
  const last = 'SELECT id FROM trades WHERE book = ?1 ORDER BY sequence DESC LIMIT 1';
  return (await env.DB.prepare(last).bind(symbol).first<{ id: string }>())?.id ?? '';
}

async function complete(id: string, certificate: string): Promise<void> {
  const acknowledged = await agent.client.post(`/v1/transfers/${id}/acknowledge`, {
    acknowledged: true,
    record_date: TODAY,
  });
  expect(acknowledged.status).toBe(200);
  const completed = await agent.client.post(`/v1/transfers/${id}/complete`, {
    status: 'completed',
    record_date: TODAY,
    new_certificate_number: certificate,
    legend_applied: true,
    cap_table_updated_at: NOW,
  });
  expect(completed.status).toBe(200);
}

const report = async <Body>(path: string, as = agent) => (await as.client.get<Body>(`/v1/reports/${path}`)).body;

/** The report as text, with its headers. */
async function printed(path: string): Promise<{ text: string; headers: Headers }> {
  const answer = await callWorker(`http://localhost/partner/v1/reports/${path}`, { headers: agent.headers });
  expect(answer.status).toBe(200);
  return { text: await answer.text(), headers: answer.headers };
}

const today = () => new Date().toISOString().slice(0, 10);
const days = () => `from=${today()}&to=${new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)}`;

interface RegisterReport {
  readonly sequence: number;
  readonly shares_outstanding: number;
  readonly holders: readonly Record<string, unknown>[];
}

describe('GET /v1/reports/shareholder-register', () => {
  test('has every holder with shares, certificates and percent, and sums to what is outstanding', async () => {
    const security = await listed();
    const ann = await createKeyHolder(db);
    const bob = await createKeyHolder(db, { cash: 1_000_00 });
    await issue(security, { account_id: ann.accountId, shares: 70, certificate_number: 'C-1' });
    await issue(security, { holder_reference: 'H-1', holder_name: 'Grace Trust', shares: 30, legend: true });
    await complete(await trade(security, ann, bob, 7), 'C-2');
    const shown = await report<RegisterReport>(`shareholder-register?security_id=${security.id}`);
    expect(shown).toMatchObject({ security_id: security.id, sequence: 3, shares_outstanding: 100, as_of: null });
    const byReference = new Map(shown.holders.map((each) => [each.reference, each]));
    expect(byReference.get(`account:${ann.accountId}`)).toMatchObject({ shares: 63, percent: 63, certificates: 'C-1' });
    expect(byReference.get(`account:${bob.accountId}`)).toMatchObject({ shares: 7, certificates: 'C-2', legend: true });
    expect(byReference.get('H-1')).toMatchObject({ name: 'Grace Trust', account_id: null, shares: 30, legend: true });
    expect(shown.holders).toHaveLength(3);
    expect(await report(`shareholder-register?security_id=${security.id}`, lister)).toEqual(shown);
  });

  test('says where a holder has more certificates than it names', async () => {
    const security = await listed();
    const [many, few] = [21, 20].map((count) => Array.from({ length: count }, (_, at) => `${count}-${at + 10}`));
    const holder = { holder_name: 'Grace Trust', shares: 1 };
    for (const number of many ?? [])
      await issue(security, { ...holder, holder_reference: 'H-1', certificate_number: number });
    for (const number of few ?? [])
      await issue(security, { ...holder, holder_reference: 'H-2', certificate_number: number });
    const { holders } = await report<RegisterReport>(`shareholder-register?security_id=${security.id}`);
    expect(holders.map((each) => [each.reference, each.certificates, each.has_more_certificates])).toEqual([
      ['H-1', many?.slice(0, 20).join(' '), true],
      ['H-2', few?.join(' '), false],
    ]);
  });

  test('says what the register said then', async () => {
    const security = await listed();
    await issue(security, { holder_reference: 'H-1', holder_name: 'Grace Trust', shares: 30 });
    const { recorded_at: then } = (await env.DB.prepare('SELECT recorded_at FROM register_events WHERE security = ?1')
      .bind(security.id)
      .first<{ recorded_at: number }>()) ?? { recorded_at: 0 };
    while (Date.now() <= then) await Promise.resolve();
    await issue(security, { holder_reference: 'H-2', holder_name: 'Sal', shares: 5 });
    const path = `shareholder-register?security_id=${security.id}&as_of=${new Date(then).toISOString()}`;
    expect(await report<RegisterReport>(path)).toMatchObject({ sequence: 1, shares_outstanding: 30, holders: [{}] });
    const before = `shareholder-register?security_id=${security.id}&as_of=${new Date(then - 1).toISOString()}`;
    expect(await report<RegisterReport>(before)).toMatchObject({ sequence: 0, shares_outstanding: 0, holders: [] });
  });

  test('goes on in pages of one and the same register, whatever is recorded meanwhile', async () => {
    const security = await listed();
    for (const n of [1, 2, 3])
      await issue(security, { holder_reference: `H-${n}`, holder_name: `Holder ${n}`, shares: n });
    const path = `/v1/reports/shareholder-register?security_id=${security.id}&limit=2`;
    const first = await agent.client.get<RegisterReport>(path);
    await issue(security, { holder_reference: 'H-3', holder_name: 'Holder 3', shares: 10 });
    await issue(security, { holder_reference: 'H-4', holder_name: 'Holder 4', shares: 10 });
    const next = /<[^>]*(\/v1\/[^>]+)>/.exec(first.headers.get('link') ?? '')?.[1] ?? '';
    const second = await agent.client.get<RegisterReport>(next);
    expect(first.body.holders.map(({ reference, shares }) => [reference, shares])).toEqual([
      ['H-1', 1],
      ['H-2', 2],
    ]);
    expect(second.body).toMatchObject({
      sequence: 3,
      shares_outstanding: 6,
      holders: [{ reference: 'H-3', shares: 3 }],
    });
    expect(second.headers.get('link')).toBeNull();
  });

  test('is a table of RFC 4180, and a page that shows names as text', async () => {
    const security = await listed();
    const name = '<script>alert("x")</script>, Inc.';
    await issue(security, { holder_reference: '=1+1', holder_name: name, shares: 1 });
    const path = `shareholder-register?security_id=${security.id}`;
    const csv = await printed(`${path}&format=csv`);
    expect(csv.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    const [head, row] = csv.text.split('\r\n');
    expect(head).toBe(
      'holder_id,reference,account_id,name,holder_kind,country,shares,percent,certificates,has_more_certificates,legend',
    );
    expect(row).toContain(`,'=1+1,,"<script>alert(""x"")</script>, Inc.",individual,,1,100,,no`);
    const page = await printed(`${path}&format=html`);
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(page.text).toContain('&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt;, Inc.');
    expect(page.text).not.toContain('<script');
  });
});

describe('GET /v1/reports/transfer-log', () => {
  test('has the transfers of the days in order, with what became of them and when they were due', async () => {
    const security = await listed();
    const ann = await createKeyHolder(db);
    const bob = await createKeyHolder(db, { cash: 1_000_00 });
    await issue(security, { account_id: ann.accountId, shares: 70 });
    const done = await trade(security, ann, bob, 7);
    await complete(done, 'C-2');
    const open = await trade(security, ann, bob, 2);
    interface Log {
      readonly transfers: readonly Record<string, unknown>[];
    }
    const shown = await report<Log>(`transfer-log?${days()}`);
    expect(shown.transfers).toMatchObject([
      {
        transfer_instruction_id: done,
        security_id: security.id,
        status: 'completed',
        units: 7,
        seller_account_id: ann.accountId,
        buyer_account_id: bob.accountId,
        certificate_number: 'C-2',
        legend_applied: true,
        recorded_at: expect.stringMatching(/Z$/),
      },
      { transfer_instruction_id: open, status: 'pending', units: 2, recorded_at: null, certificate_number: null },
    ]);
    for (const { received_at, turnaround_due_at } of shown.transfers)
      expect(Date.parse(String(turnaround_due_at))).toBeGreaterThan(Date.parse(String(received_at)));
    expect(await report(`transfer-log?${days()}&security_id=${security.id}`, lister)).toEqual(shown);
    expect(await report(`transfer-log?from=2020-01-01&to=2020-12-31`)).toMatchObject({ transfers: [] });
    const first = await agent.client.get<Log>(`/v1/reports/transfer-log?${days()}&limit=1`);
    const next = /<[^>]*(\/v1\/[^>]+)>/.exec(first.headers.get('link') ?? '')?.[1] ?? '';
    expect((await agent.client.get<Log>(next)).body.transfers).toMatchObject([{ transfer_instruction_id: open }]);
    expect((await printed(`transfer-log?${days()}&format=csv`)).text.split('\r\n')).toHaveLength(4);
  });

  test('refuses days that run backwards', async () => {
    await listed();
    expect((await agent.client.get('/v1/reports/transfer-log?from=2026-02-01&to=2026-01-31')).status).toBe(400);
    expect((await agent.client.get('/v1/reports/transfer-log?from=2026-02-01')).status).toBe(400);
  });
});

/** A dividend of a dollar a share, paid now; its id. */
async function paid(security: Listed): Promise<string> {
  const at = new Date().toISOString();
  const terms = { action_type: 'dividend', amount_per_share: 1, currency: 'USD', description: 'Dividend' };
  const made = await agent.client.post<{ corporate_action_id: string }>('/v1/corporate-actions', {
    security_id: security.id,
    record_date: at,
    payment_date: at,
    ...terms,
  });
  expect(made.status).toBe(201);
  const { corporate_action_id: id } = made.body;
  const { accountId } = await introducedInvestor(lister, { cash: 1_000_00 });
  await lister.client.post(`/v1/corporate-actions/${id}/payment-account`, { account_id: accountId });
  await carryOnActions(env, Date.now());
  return id;
}

describe('GET /v1/reports/dividend-history', () => {
  test('has each payment of each dividend of the days', async () => {
    const security = await listed();
    const ann = await createKeyHolder(db);
    await issue(security, { account_id: ann.accountId, shares: 70 });
    await issue(security, { holder_reference: 'H-1', holder_name: 'Grace Trust', shares: 30 });
    const id = await paid(security);
    interface History {
      readonly payments: readonly Record<string, unknown>[];
    }
    const shown = await report<History>(`dividend-history?${days()}`);
    expect(shown.payments).toHaveLength(2);
    expect(shown.payments).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          corporate_action_id: id,
          action_status: 'completed',
          amount_per_share: 1,
          currency: 'USD',
          payee_id: ann.accountId,
          shares: 70,
          amount: 70,
          status: 'paid',
        }),
        expect.objectContaining({ name: 'Grace Trust', amount: 30, status: 'external', paid_at: null }),
      ]),
    );
    const first = await agent.client.get<History>(`/v1/reports/dividend-history?${days()}&limit=1`);
    const next = /<[^>]*(\/v1\/[^>]+)>/.exec(first.headers.get('link') ?? '')?.[1] ?? '';
    const rest = (await agent.client.get<History>(next)).body.payments;
    expect([...first.body.payments, ...rest]).toEqual(shown.payments);
    expect(await report(`dividend-history?from=2020-01-01&to=2020-12-31`)).toMatchObject({ payments: [] });
    expect((await printed(`dividend-history?${days()}&format=html`)).text).toContain('Grace Trust');
  });

  test('has a dividend on its stated payment date, whatever day that is in UTC', async () => {
    const security = await listed();
    await issue(security, { holder_reference: 'H-1', holder_name: 'Grace Trust', shares: 30 });
    const day = new Date(newYorkDate(Date.now())).toISOString().slice(0, 10);
    const terms = { action_type: 'dividend', amount_per_share: 1, currency: 'USD', description: 'Dividend' };
    const dates = { security_id: security.id, record_date: day, payment_date: day };
    expect((await agent.client.post('/v1/corporate-actions', { ...dates, ...terms })).status).toBe(201);
    await carryOnActions(env, Date.now() + 30 * 3_600_000);
    expect(await report(`dividend-history?from=${day}&to=${day}`)).toMatchObject({ payments: [{ payment_date: day }] });
  });
});

/** Of SEC Form TA-2 (SEC 2113), in its order. */
const QUESTIONS = [
  ...['1(h)', 'File number', '2(a)', '2(b)', '2(c)', '2(d)', '3(a)', '3(b)', '4(a)', '4(b)'],
  ...['5(a)', '5(b)', '5(c)', '5(d)', '6(a)', '6(b)', '6(c)', '7(a)', '7(b)', '7(c)(i)', '7(c)(ii)'],
  ...['8(a)(i)', '8(a)(ii)', '8(b)', '8(c)', '9(a)', '9(b)(i)', '9(b)(ii)', '10(a)', '10(b)', '11(a)', '11(b)'],
];

describe('GET /v1/reports/form-ta-2', () => {
  test('counts items, accounts, issues, dividends and turnaround of the year, and leaves the rest to the agent', async () => {
    const security = await listed();
    const ann = await createKeyHolder(db);
    const bob = await createKeyHolder(db, { cash: 1_000_00 });
    await issue(security, { account_id: ann.accountId, shares: 70 });
    await issue(security, { holder_reference: 'H-1', holder_name: 'Grace Trust', shares: 30 });
    await complete(await trade(security, ann, bob, 7), 'C-2');
    const late = await trade(security, ann, bob, 2);
    const lateAt = Date.now() - 40 * 86_400_000;
    await env.DB.prepare('UPDATE transfer_instructions SET created_at = ?2 WHERE id = ?1').bind(late, lateAt).run();
    await paid(security);
    interface Form {
      readonly items: readonly { question: string; title: string; value: unknown; source: string }[];
      readonly turnaround: readonly object[];
    }
    const [month, year] = [lateAt, Date.now()].map((at) => new Date(newYorkDate(at)).toISOString());
    const formOf = (date = '') => report<Form>(`form-ta-2?year=${date.slice(0, 4)}`);
    const form = await formOf(year);
    const answer = (of: Form, question: string) => of.items.find((each) => each.question === question)?.value;
    expect(form).toMatchObject({ sec_registration_number: '84-01234', questions: '1-5, 11' });
    const before = await formOf(month);
    const isOneYear = month?.slice(0, 4) === year?.slice(0, 4);
    expect([answer(form, '4(a)'), answer(before, '4(a)')]).toEqual(isOneYear ? [2, 2] : [1, 1]);
    expect([answer(form, '4(b)'), answer(form, '5(a)')]).toEqual([3, 3]);
    const columns = (question: string) =>
      form.items.filter((each) => each.question === question).map(({ value }) => value);
    expect(columns('5(d)')).toEqual([100, 0, 0, 0, 0, 0]);
    expect(columns('6(a)')).toEqual([1, 0, 0, 0, 0, 0]);
    expect([...new Set(form.items.map(({ question }) => question))]).toEqual(QUESTIONS);
    expect(before.turnaround).toContainEqual({
      month: month?.slice(0, 7),
      received: 1,
      in_time: 0,
      late: 1,
      open: 0,
      compliant: false,
    });
    expect([answer(before, '9(a)'), answer(before, '9(b)(i)')]).toEqual([false, 1]);
    for (const { value, source } of form.items) expect(value === null).toBe(source === 'agent');
    expect([answer(form, '7(c)(i)'), answer(form, '7(c)(ii)')]).toEqual([1, 70]);
    const page = (await printed(`form-ta-2?year=${year?.slice(0, 4)}&format=html`)).text;
    expect(page).toContain('Items received for transfer');
    const rows = (await printed(`form-ta-2?year=${year?.slice(0, 4)}&format=csv`)).text;
    // Cash has the decimals of its currency wherever a person reads it.
    expect([page.includes('>70.00<'), rows.includes('in dollars",70.00,')]).toEqual([true, true]);
    expect(form.items.flatMap((item) => Object.keys(item))).not.toContain('decimals');
    for (const { question, title } of form.items)
      expect(rows.replaceAll('"', '')).toContain(`\r\n${question},${title},`);
    const takenBack = async (at: number) => {
      const change =
        "UPDATE corporate_action_payments SET state = 'returned', returned_at = ?2 WHERE account IN (?1, ?3)";
      await env.DB.prepare(change).bind(ann.accountId, at, bob.accountId).run();
      const { items } = await report<Form>(`form-ta-2?year=${year?.slice(0, 4)}`);
      return items.filter((each) => each.question.startsWith('7(c)')).map(({ value }) => value);
    };
    expect(await takenBack(Date.now())).toEqual([0, 0]);
    expect(await takenBack(Date.now() + 370 * 86_400_000)).toEqual([1, 70]);
  });

  test('is of no year that lies ahead', async () => {
    const year = new Date(newYorkDate(Date.now())).getUTCFullYear();
    expect((await agent.client.get(`/v1/reports/form-ta-2?year=${year}`)).status).toBe(200);
    expect(await agent.client.get(`/v1/reports/form-ta-2?year=${year + 1}`)).toMatchObject({
      status: 400,
      body: { error: { details: { field: 'year' } } },
    });
  });

  test('is the agent’s own', async () => {
    await listed();
    expect((await lister.client.get('/v1/reports/form-ta-2?year=2026')).status).toBe(403);
  });
});

test('no report is of another partner’s security', async () => {
  const security = await listed();
  await issue(security, { holder_reference: 'H-1', holder_name: 'Grace Trust', shares: 30 });
  for (const stranger of [await createPartner(db, 'transfer_agent'), await createPartner(db, 'cross_lister')]) {
    for (const path of [
      `shareholder-register?security_id=${security.id}`,
      `transfer-log?${days()}&security_id=${security.id}`,
      `dividend-history?${days()}&security_id=${security.id}`,
    ])
      expect((await stranger.client.get(`/v1/reports/${path}`)).status).toBe(404);
    expect(await report(`transfer-log?${days()}`, stranger)).toMatchObject({ transfers: [] });
    expect(await report(`dividend-history?${days()}`, stranger)).toMatchObject({ payments: [] });
  }
});
