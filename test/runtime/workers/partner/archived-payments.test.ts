import { env } from 'cloudflare:workers';
import { uuidv7 } from 'uuidv7';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { archivePayments } from '../../../../application/partner/actions/archive-payments.ts';
import { carryOnActions } from '../../../../application/partner/actions/carry-on-actions.ts';
import { runAudit } from '../../../../data/audit/run-audit.ts';
import type { Database } from '../../../../data/database.ts';
import { orderStore } from '../../../../data/orders/archive/order-store.ts';
import { archivePaymentsStep } from '../../../../data/partner/actions/archive/archive-payments.ts';
import { listPayments } from '../../../../data/partner/actions/payments.ts';
import { DAY_MS } from '../../../../domain/calendar/durations.ts';
import { newYorkDate } from '../../../../domain/calendar/new-york-time.ts';
import { ledgerOf } from '../../../../durable-objects/ledger/api.ts';
import { countingStorage, dyingStorage } from '../../data/orders/archive/dying-storage.ts';
import { createKeyHolder } from '../../fixtures/book-client.ts';
import { createCurrency } from '../../fixtures/create-currency.ts';
import { createPair } from '../../fixtures/create-pair.ts';
import type { Answer } from '../../fixtures/exchange-client.ts';
import { introducedInvestor } from '../../fixtures/introduced-investor.ts';
import { migrate } from '../../fixtures/migrate.ts';
import { createPartner, createSecurity, type Partner } from '../../fixtures/partner-client.ts';

const SIZES = { objectPaymentsMax: 2, actionPaymentsMin: 2 };
const LONG_AFTER = 501 * DAY_MS;

let db: Database;
let lister: Partner;
let agent: Partner;
let pairs = 0;

beforeAll(async () => {
  db = await migrate();
  await createCurrency(db);
});

beforeEach(async () => {
  lister = await createPartner(db, 'cross_lister');
  agent = await createPartner(db, 'transfer_agent');
});

/** A security with five holders who have accounts, and one who has none; its id. */
async function held(): Promise<string> {
  const id = uuidv7();
  pairs += 1;
  const { symbol } = await createPair(db, `ARC${pairs}`, { asset: { id } });
  const accepted = { transferAgent: agent.organization, agentState: 'accepted' } as const;
  await createSecurity(db, lister, { id, state: 'listed', market: symbol, symbol: `ARC${pairs}`, ...accepted });
  const issue = async (body: object) =>
    expect(
      (await agent.client.post(`/v1/captable/${id}/issuances`, { restriction_ends_at: null, ...body })).status,
    ).toBe(200);
  for (let n = 1; n <= 5; n++) await issue({ account_id: (await createKeyHolder(db)).accountId, shares: n * 10 });
  await issue({ holder_reference: 'H-1', holder_name: 'Grace Trust', shares: 30 });
  return id;
}

/** A dividend of a dollar a share, paid; its id. */
async function paid(security: string): Promise<string> {
  const at = new Date().toISOString();
  const dates = { record_date: at, payment_date: at };
  const terms = { action_type: 'dividend', amount_per_share: 1, currency: 'USD', description: 'Dividend' };
  const made = await agent.client.post<{ corporate_action_id: string }>('/v1/corporate-actions', {
    ...{ security_id: security, ...dates, ...terms },
  });
  const { corporate_action_id: id } = made.body;
  const { accountId } = await introducedInvestor(lister, { cash: 1_000_00 });
  await lister.client.post(`/v1/corporate-actions/${id}/payment-account`, { account_id: accountId });
  await carryOnActions(env, Date.now());
  return id;
}

/** All of a list, by pages of two, or as they come. */
async function pages(path: string, limit: 2 | null = 2): Promise<unknown[]> {
  const found: unknown[] = [];
  const first = limit === null ? path : `${path}${path.includes('?') ? '&' : '?'}limit=${limit}`;
  for (let next: string | undefined = first; next !== undefined; ) {
    const { status, body, headers }: Answer<{ payments: unknown[] }> = await agent.client.get(next);
    expect(status).toBe(200);
    found.push(...body.payments);
    next = /<[^>]*(\/v1\/[^>]+)>/.exec(headers.get('link') ?? '')?.[1];
  }
  return found;
}

/** Everything that shows payments, as it shows them. */
async function shown(actions: readonly string[]): Promise<unknown> {
  const day = (offset_ms: number) => new Date(Date.now() + offset_ms).toISOString().slice(0, 10);
  const history = `/v1/reports/dividend-history?from=${day(-DAY_MS)}&to=${day(DAY_MS)}`;
  const lists = actions.flatMap((id) =>
    ['', '?status=paid', '?status=external', '?status=returned', '?status=due'].map(
      (query) => `/v1/corporate-actions/${id}/payments${query}`,
    ),
  );
  const whole = async (path: string) => (await agent.client.get<{ payments: unknown }>(path)).body.payments;
  const form = await agent.client.get<{ items: { question: string; value: unknown }[] }>(
    `/v1/reports/form-ta-2?year=${new Date(newYorkDate(Date.now())).toISOString().slice(0, 4)}`,
  );
  return {
    lists: await Promise.all(lists.map(whole)),
    pages: await Promise.all(lists.map((path) => pages(path))),
    history: [await whole(history), await pages(history)],
    form: form.body.items.map(({ question, value }) => [question, value]),
  };
}

const rows = async (table: string, action: string) =>
  (await env.DB.prepare(`SELECT count(*) AS n FROM ${table} WHERE action = ?1`).bind(action).first<{ n: number }>())?.n;

const archive = (now = Date.now() + LONG_AFTER, on: Pick<Env, 'DB' | 'ORDER_ARCHIVE'> = env) =>
  archivePayments(on, now, SIZES);

async function expectRight(): Promise<void> {
  expect(await ledgerOf(env).projected()).toBe(true);
  expect((await runAudit(db)).filter(({ holds }) => !holds)).toEqual([]);
}

describe('M-18: payments of a dividend of long ago', () => {
  test('leave D1, and every list, report and check shows them as before', async () => {
    const security = await held();
    const kept = await paid(security);
    const reversed = await paid(security);
    const taken = await agent.client.post(`/v1/corporate-actions/${reversed}/reverse`, { reason: 'paid twice' });
    expect(taken.status).toBe(200);
    await carryOnActions(env, Date.now());
    const before = await shown([kept, reversed]);
    expect(before).toMatchObject({ history: [{ length: 12 }, { length: 12 }] });
    await archive();
    for (const id of [kept, reversed]) {
      expect([await rows('corporate_action_payments', id), await rows('archived_payments', id)]).toEqual([0, 3]);
    }
    expect(await shown([kept, reversed])).toEqual(before);
    await expectRight();
    await archive();
    expect(await rows('archived_payments', kept)).toBe(3);
  });

  test('are shown whole while a part of them has moved', async () => {
    const id = await paid(await held());
    const before = await shown([id]);
    // Announce the due action, land one object, and end there.
    for (let call = 0, moved = 0; moved < 4; call++) {
      expect(call).toBeLessThan(40);
      await archive(Date.now() + LONG_AFTER, dyingStorage(call, 'after').env).catch(() => undefined);
      moved = 6 - ((await rows('corporate_action_payments', id)) ?? 0);
      expect(await shown([id])).toEqual(before);
    }
    await expectRight();
    await archive();
    expect(await rows('corporate_action_payments', id)).toBe(0);
    expect(await shown([id])).toEqual(before);
    await expectRight();
  });

  test('move once, however many runs move them at once', async () => {
    const id = await paid(await held());
    const before = await shown([id]);
    await Promise.all([archive(), archive(), archive()]);
    expect(await rows('archived_payments', id)).toBe(3);
    expect(await shown([id])).toEqual(before);
    await expectRight();
  });

  test('are listed from eight objects a page at most, and in order, also where the rest stands in D1', async () => {
    const id = await paid(await held());
    const path = `/v1/corporate-actions/${id}/payments`;
    for (let n = 10; n < 20; n++)
      await env.DB.prepare(
        `INSERT INTO corporate_action_payments (action, payee, shares, amount, state) VALUES (?1, 'z${n}', 1, 100, 'external')`,
      )
        .bind(id)
        .run();
    const before = await pages(path);
    expect(before).toHaveLength(16);
    const step = { action: id, now: Date.now() };
    for (let n = 0; n < 11; n++)
      await archivePaymentsStep(orderStore(env), step, { objectPaymentsMax: 1, actionPaymentsMin: 1 });
    expect([await rows('corporate_action_payments', id), await rows('archived_payments', id)]).toEqual([5, 11]);
    expect([await pages(path), await pages(path, null)]).toEqual([before, before]);
    expect(await pages(`${path}?status=paid`, null)).toHaveLength(5);
    const counting = countingStorage();
    await listPayments(orderStore(counting.env), id, { state: null, after: null, limit: 10_001 });
    expect(counting.reads()).toBe(8);
    const day = (offset_ms: number) => new Date(Date.now() + offset_ms).toISOString().slice(0, 10);
    const history = `/v1/reports/dividend-history?from=${day(-DAY_MS)}&to=${day(DAY_MS)}`;
    expect((await pages(history, null)).map((one) => (one as { payee_id: string }).payee_id)).toEqual(
      before.map((one) => (one as { payee_id: string }).payee_id),
    );
  });

  test('stay where they are before their time, and where they are few', async () => {
    const id = await paid(await held());
    await archive(Date.now() + LONG_AFTER - 2 * DAY_MS);
    expect(await rows('corporate_action_payments', id)).toBe(6);
    await archivePayments(env, Date.now() + LONG_AFTER);
    expect([await rows('corporate_action_payments', id), await rows('archived_payments', id)]).toEqual([6, 0]);
    await archive();
    expect(await rows('corporate_action_payments', id)).toBe(6);
  });

  test('are not there for a list where the archive has something else: 503, and nothing is made up', async () => {
    const id = await paid(await held());
    await archive();
    const object = await env.DB.prepare('SELECT key FROM archived_payments WHERE action = ?1')
      .bind(id)
      .first<{ key: string }>();
    await env.ORDER_ARCHIVE.put(object?.key ?? '', '{"format":1,"payments":[]}');
    expect(await agent.client.get(`/v1/corporate-actions/${id}/payments`)).toMatchObject({
      status: 503,
      body: { error: { details: { reason: 'order_archive_unavailable' } } },
    });
  });
});
