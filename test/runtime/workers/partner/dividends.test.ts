import { env } from 'cloudflare:workers';
import { uuidv7 } from 'uuidv7';
import { beforeAll, describe, expect, test } from 'vitest';
import { adjustTrade } from '../../../../application/ledger/adjust-trade.ts';
import { transact } from '../../../../application/ledger/transact.ts';
import { withdraw } from '../../../../application/ledger/transfers.ts';
import { carryOnAction, carryOnActions } from '../../../../application/partner/actions/carry-on-actions.ts';
import { runAudit } from '../../../../data/audit/run-audit.ts';
import type { Database } from '../../../../data/database.ts';
import { type ActionChange, changeAction } from '../../../../data/partner/actions/change-action.ts';
import { findAction, moveAction } from '../../../../data/partner/actions/corporate-actions.ts';
import { announceEvent, type StagedEvent, stageEvent } from '../../../../data/partner/register/register-events.ts';
import { DAY_MS, HOUR_MS } from '../../../../domain/calendar/durations.ts';
import { AMOUNT_MAX } from '../../../../domain/ledger/balances.ts';
import type { BreakBooking } from '../../../../domain/ledger/transactions.ts';
import { ledgerOf } from '../../../../durable-objects/ledger/api.ts';
import { createKeyHolder, type KeyHolder } from '../../fixtures/book-client.ts';
import { createCurrency, USD } from '../../fixtures/create-currency.ts';
import { createPair } from '../../fixtures/create-pair.ts';
import { venueOperator } from '../../fixtures/cross-list.ts';
import type { Client, ErrorBody } from '../../fixtures/exchange-client.ts';
import { giveBalance } from '../../fixtures/give-balance.ts';
import { introducedInvestor } from '../../fixtures/introduced-investor.ts';
import { migrate } from '../../fixtures/migrate.ts';
import { setFacts } from '../../fixtures/operate.ts';
import { createPartner, createSecurity, type Partner } from '../../fixtures/partner-client.ts';
import { settle } from '../../fixtures/settle.ts';
import { skipTime } from '../../fixtures/skip-time.ts';

let db: Database;
let lister: Partner;
let agent: Partner;
let operator: Client;

beforeAll(async () => {
  db = await migrate();
  lister = await createPartner(db, 'cross_lister');
  agent = await createPartner(db, 'transfer_agent');
  await createCurrency(db);
  operator = await venueOperator(db);
});

let pairs = 0;

interface Listed {
  readonly id: string;
  readonly symbol: string;
}

async function listed(): Promise<Listed> {
  pairs += 1;
  const id = uuidv7();
  const { symbol } = await createPair(db, `ACT${pairs}`, { asset: { id } });
  const accepted = { transferAgent: agent.organization, agentState: 'accepted' } as const;
  await createSecurity(db, lister, { id, state: 'listed', market: symbol, symbol: `ACT${pairs}`, ...accepted });
  return { id, symbol };
}

async function issue({ id }: Listed, body: object): Promise<void> {
  const issued = await agent.client.post(`/v1/captable/${id}/issuances`, { restriction_ends_at: null, ...body });
  expect(issued.status).toBe(200);
}

async function holder(security: Listed, shares: number): Promise<KeyHolder> {
  const holds = await createKeyHolder(db, { cash: 1_000_00 });
  await issue(security, { account_id: holds.accountId, shares });
  return holds;
}

async function trade({ symbol }: Listed, seller: KeyHolder, buyer: KeyHolder, quantity: number): Promise<string> {
  const order = { symbol, type: 'limit', size: quantity, price: 10, time_in_force: 'GTC' };
  expect((await seller.client.post('/v1/orders', { ...order, side: 'sell' })).status).toBeLessThan(300);
  expect((await buyer.client.post('/v1/orders', { ...order, side: 'buy' })).status).toBeLessThan(300);
  await settle(symbol);
  const last = 'SELECT id FROM trades WHERE book = ?1 ORDER BY sequence DESC LIMIT 1';
  return (await env.DB.prepare(last).bind(symbol).first<{ id: string }>())?.id ?? '';
}

const at = (offset_ms: number) => new Date(Date.now() + offset_ms).toISOString();

const DIVIDEND = { action_type: 'dividend', amount_per_share: 0.25, currency: 'USD', description: 'Annual dividend' };

interface Action {
  readonly corporate_action_id: string;
  readonly status: string;
}

const announce = (body: object, as = agent) => as.client.post<Action>('/v1/corporate-actions', body);
const read = async (id: string, as = agent) => (await as.client.get<Action>(`/v1/corporate-actions/${id}`)).body;
const act = (id: string, what: string, body: object, as = agent) =>
  as.client.post<Action>(`/v1/corporate-actions/${id}/${what}`, body);

/** A dividend of 0.25 a share on those who hold shares now, announced; its id. */
async function declared({ id }: Listed, terms: object = {}): Promise<string> {
  const dates = { record_date: at(0), payment_date: at(0) };
  const made = await announce({ security_id: id, ...DIVIDEND, ...dates, ...terms });
  expect(made).toMatchObject({ status: 201, body: { status: 'announced' } });
  return made.body.corporate_action_id;
}

async function payer(cash = 1_000_00): Promise<string> {
  return (await introducedInvestor(lister, { cash })).accountId;
}

const fund = async (id: string, account: string) =>
  expect(await act(id, 'payment-account', { account_id: account }, lister)).toMatchObject({
    status: 200,
    body: { payment_account_id: account },
  });

const run = (later_ms = 0) => carryOnActions(env, Date.now() + later_ms);

const cashOf = async (account: string) =>
  (await ledgerOf(env).balances(account)).find(({ asset }) => asset === USD)?.available ?? 0;

async function entitlements(id: string): Promise<Record<string, unknown>[]> {
  const path = `/v1/corporate-actions/${id}/payments`;
  return (await agent.client.get<{ payments: Record<string, unknown>[] }>(path)).body.payments;
}

const entitled = async (id: string) =>
  Object.fromEntries((await entitlements(id)).map(({ account_id, name, shares }) => [account_id ?? name, shares]));

async function expectRight(): Promise<void> {
  expect(await ledgerOf(env).projected()).toBe(true);
  expect((await runAudit(db)).filter(({ holds }) => !holds)).toEqual([]);
}

describe('a dividend', () => {
  test('is paid from the account that the lister names to those who held shares, and says all of itself', async () => {
    const security = await listed();
    const [ann, bob] = [await holder(security, 101), await holder(security, 3)];
    await issue(security, { holder_reference: 'H-1', holder_name: 'Grace Trust', shares: 10 });
    const id = await declared(security, { amount_per_share: 0.255 });
    const from = await payer();
    await fund(id, from);
    await run();
    expect(await read(id, lister)).toMatchObject({
      corporate_action_id: id,
      security_id: security.id,
      action_type: 'dividend',
      status: 'completed',
      amount_per_share: 0.255,
      currency: 'USD',
      description: 'Annual dividend',
      payment_account_id: from,
      total_amount: 26.51,
      external_amount: 2.55,
      waiting_for: null,
    });
    expect(await Promise.all([ann.accountId, bob.accountId, from].map(cashOf))).toEqual([1_025_75, 1_000_76, 973_49]);
    expect(await entitlements(id)).toEqual(
      expect.arrayContaining([
        {
          payee_id: ann.accountId,
          account_id: ann.accountId,
          holder_reference: null,
          name: expect.any(String),
          shares: 101,
          amount: 25.75,
          status: 'paid',
          paid_at: expect.stringMatching(/Z$/),
          returned_at: null,
        },
        expect.objectContaining({
          account_id: null,
          name: 'Grace Trust',
          shares: 10,
          amount: 2.55,
          status: 'external',
        }),
      ]),
    );
    await expectRight();
  });

  test('stands in the transactions of who gets it and of who pays it', async () => {
    const security = await listed();
    const ann = await holder(security, 8);
    const id = await declared(security);
    const from = await payer();
    await fund(id, from);
    await run();
    expect(await ledgerOf(env).projected()).toBe(true);
    const { results } = await env.DB.prepare(
      `SELECT account, type, amount FROM transfers WHERE reference = 'Annual dividend' AND account IN (?1, ?2) ORDER BY amount, type`,
    )
      .bind(ann.accountId, from)
      .all();
    expect(results).toEqual([
      { account: ann.accountId, type: 'deposit', amount: 200 },
      { account: from, type: 'withdrawal', amount: 200 },
    ]);
  });

  test('is of those who held shares at the record date, whatever was traded, taken back and issued since', async () => {
    const security = await listed();
    const [ann, bob, cay] = [await holder(security, 100), await holder(security, 10), await createKeyHolder(db)];
    const before = await trade(security, ann, bob, 20);
    skipTime(1_000);
    const id = await declared(security);
    skipTime(1_000);
    await trade(security, ann, bob, 7);
    await trade(security, bob, await createKeyHolder(db, { cash: 1_000_00 }), 3);
    await issue(security, { account_id: cay.accountId, shares: 50 });
    await issue(security, { holder_reference: 'H-2', holder_name: 'Late', shares: 50 });
    const action = { id: uuidv7(), actor: 'operator', requestId: uuidv7() };
    const taken = { tradeId: before, price: null, reason: 'erroneous', action, now: Date.now() };
    expect(await adjustTrade(env, taken)).toMatchObject({ ok: true });
    await run();
    // What was taken back before the holders are recorded never was.
    expect(await entitled(id)).toEqual({ [ann.accountId]: 100, [bob.accountId]: 10 });
  });

  test('keeps a trade by which its buyer has it from being taken back, until it is reversed or an operator says that it is settled', async () => {
    const security = await listed();
    const [ann, bob] = [await holder(security, 100), await createKeyHolder(db, { cash: 1_000_00 })];
    const bought = [await trade(security, ann, bob, 20), await trade(security, ann, bob, 4)] as const;
    skipTime(1_000);
    const id = await declared(security);
    skipTime(1_000);
    const later = await trade(security, ann, bob, 3);
    const from = await payer();
    await fund(id, from);
    expect((await agent.client.get('/v1/transfers')).status).toBe(200);
    const reject = (transfer: string) =>
      agent.client.post<ErrorBody>(`/v1/transfers/${transfer}/acknowledge`, {
        acknowledged: false,
        notes: 'a legend',
      });
    // While a rejection is under way nobody is recorded: it is known first who has the shares.
    await env.DB.prepare("UPDATE transfer_instructions SET state = 'rejecting', reason = 'x' WHERE id = ?1")
      .bind(bought[0])
      .run();
    await run();
    expect(await read(id)).toMatchObject({ status: 'announced', waiting_for: 'not_current' });
    await env.DB.prepare("UPDATE transfer_instructions SET state = 'pending', reason = NULL WHERE id = ?1")
      .bind(bought[0])
      .run();
    await run();
    expect(await read(id)).toMatchObject({ status: 'completed' });
    const refused = {
      status: 409,
      body: { error: { details: { reason: 'dividend_since', corporate_action_id: id } } },
    };
    expect(await reject(bought[0])).toMatchObject(refused);
    const bust = (tradeId: string, body: object) =>
      operator.post<ErrorBody>(`/v1/operator/trades/${tradeId}/bust`, { reason: 'erroneous', ...body });
    expect(await bust(bought[0], {})).toMatchObject({
      status: 409,
      body: { error: { details: { reason: 'dividend_since', corporateActionId: id } } },
    });
    // A trade of a day after brings nothing of it.
    expect((await reject(later)).status).toBe(200);
    expect((await bust(bought[1], { dividendsSettled: true })).status).toBe(200);
    expect((await act(id, 'reverse', { reason: 'the trade goes back' })).status).toBe(200);
    await run();
    expect(await read(id)).toMatchObject({ status: 'reversed' });
    expect((await reject(bought[0])).status).toBe(200);
    expect(await Promise.all([ann.accountId, bob.accountId, from].map(cashOf))).toEqual([1_000_00, 1_000_00, 1_000_00]);
    await expectRight();
  });

  test('counts shares that are offered', async () => {
    const security = await listed();
    const ann = await holder(security, 9);
    const offer = { symbol: security.symbol, side: 'sell', type: 'limit', size: 9, price: 99, time_in_force: 'GTC' };
    expect((await ann.client.post('/v1/orders', offer)).status).toBeLessThan(300);
    const id = await declared(security);
    await run();
    expect(await entitled(id)).toEqual({ [ann.accountId]: 9 });
  });

  test('waits for its record date, then for its payment date', async () => {
    const security = await listed();
    const ann = await holder(security, 4);
    const id = await declared(security, { record_date: at(HOUR_MS), payment_date: at(2 * HOUR_MS) });
    const from = await payer();
    await fund(id, from);
    await run();
    expect(await read(id)).toMatchObject({ status: 'announced' });
    await run(HOUR_MS + 1_000);
    expect(await read(id)).toMatchObject({ status: 'recorded', waiting_for: null });
    expect((await entitlements(id))[0]).toMatchObject({ amount: 1, status: 'due' });
    expect(await cashOf(from)).toBe(1_000_00);
    await run(2 * HOUR_MS + 1_000);
    expect(await read(id)).toMatchObject({ status: 'completed' });
    expect(await cashOf(ann.accountId)).toBe(1_001_00);
  });

  test('waits for who pays, and for their money; meanwhile nothing moves', async () => {
    const security = await listed();
    const ann = await holder(security, 40);
    const id = await declared(security);
    await run();
    expect(await read(id)).toMatchObject({ status: 'recorded', waiting_for: 'payment_account' });
    const from = await payer(9_99);
    await fund(id, from);
    await run();
    expect(await read(id)).toMatchObject({ status: 'recorded', waiting_for: 'insufficient_funds', total_amount: 10 });
    await giveBalance({ accountId: from, asset: USD, amount: 1 });
    expect(await ledgerOf(env).projected()).toBe(true);
    await setFacts(from, { frozen: true });
    await run();
    expect(await read(id)).toMatchObject({ status: 'recorded', waiting_for: 'insufficient_funds' });
    await setFacts(from, { frozen: false });
    await run();
    expect(await read(id)).toMatchObject({ status: 'completed', waiting_for: null });
    expect(await Promise.all([ann.accountId, from].map(cashOf))).toEqual([1_010_00, 0]);
  });

  test('whose money was spent since D1 was read is asked for again, under another id', async () => {
    const security = await listed();
    const ann = await holder(security, 40);
    const id = await declared(security);
    const from = await payer(9_00);
    await fund(id, from);
    await run();
    const action = await findAction(db, id);
    if (action === null) throw new Error('the action is gone');
    expect(await moveAction(db, action, { state: 'funding' })).toBe(true);
    await run();
    expect(await read(id)).toMatchObject({ status: 'recorded', waiting_for: 'insufficient_funds' });
    await giveBalance({ accountId: from, asset: USD, amount: 1_00 });
    expect(await ledgerOf(env).projected()).toBe(true);
    await run();
    expect(await read(id)).toMatchObject({ status: 'completed' });
    expect(await cashOf(ann.accountId)).toBe(1_010_00);
    await expectRight();
  });

  test('is paid once, however often and by however many it is carried on, from any step', async () => {
    const security = await listed();
    const ann = await holder(security, 40);
    const id = await declared(security);
    const from = await payer();
    await fund(id, from);
    await Promise.all([run(), run(), run()]);
    // What D1 has lost of it after the ledger has moved is found again under the same ids.
    for (const lost of ['funding', 'funded']) {
      await env.DB.batch([
        env.DB.prepare(`UPDATE corporate_actions SET state = ?2 WHERE id = ?1`).bind(id, lost),
        env.DB.prepare(
          `UPDATE corporate_action_payments SET state = 'due' WHERE action = ?1 AND account IS NOT NULL`,
        ).bind(id),
      ]);
      await run();
    }
    expect(await read(id)).toMatchObject({ status: 'completed' });
    expect(await Promise.all([ann.accountId, from].map(cashOf))).toEqual([1_010_00, 990_00]);
    await expectRight();
  });

  test('goes to more holders than one transaction takes, each once', async () => {
    const security = await listed();
    const { accountId } = await introducedInvestor(lister);
    const { results: columns } = await env.DB.prepare("SELECT name FROM pragma_table_info('accounts')").all<{
      name: string;
    }>();
    const values = columns.map(({ name }) => (name === 'id' ? `'many-' || n.value` : `a."${name}"`)).join(', ');
    const names = columns.map(({ name }) => `"${name}"`).join(', ');
    const numbers = JSON.stringify(Array.from({ length: 620 }, (_, n) => n));
    await env.DB.prepare(
      `INSERT INTO accounts (${names}) SELECT ${values} FROM accounts a, json_each(?1) n WHERE a.id = ?2`,
    )
      .bind(numbers, accountId)
      .run();
    await env.DB.prepare(
      "INSERT INTO register_consents (account, created_at) SELECT 'many-' || value, 1 FROM json_each(?1)",
    )
      .bind(numbers)
      .run();
    const holders = Array.from({ length: 620 }, (_, n) => ({ account_id: `many-${n}`, shares: n + 1 }));
    expect((await agent.client.post(`/v1/captable/${security.id}/import`, { holders })).status).toBe(200);
    const id = await declared(security, { amount_per_share: 1 });
    const from = await payer(200_000_00);
    await fund(id, from);
    await Promise.all([run(), run()]);
    expect(await read(id)).toMatchObject({ status: 'completed', total_amount: 192_510 });
    expect(await cashOf(from)).toBe(7_490_00);
    for (const n of [0, 499, 500, 619]) expect(await cashOf(`many-${n}`)).toBe((n + 1) * 100);
    const { results: parts } = await env.DB.prepare(
      'SELECT part, count(*) AS n FROM corporate_action_payments WHERE action = ?1 GROUP BY part ORDER BY part',
    )
      .bind(id)
      .all();
    expect(parts).toEqual([
      { part: 0, n: 500 },
      { part: 1, n: 120 },
    ]);
    await expectRight();
  });

  test('waits while an event of the register is under way', async () => {
    const security = await listed();
    await holder(security, 40);
    const terms = { hash: 'h', recordDate: null, notes: null, actor: 'a', createdAt: Date.now() };
    const event: StagedEvent = { id: uuidv7(), security: security.id, type: 'issuance', ...terms };
    const line = { shares: 7, cost: 0, acquiredAt: 1, restrictionEndsAt: null, offeringType: null };
    const sal = {
      id: uuidv7(),
      account: null,
      reference: 'S',
      kind: 'individual',
      name: 'Sal',
      country: null,
    } as const;
    await stageEvent(db, event, [{ ...line, holder: sal, certificate: null, legend: false }]);
    expect(await announceEvent(db, event)).toBe(true);
    const id = await declared(security);
    await run();
    expect(await read(id)).toMatchObject({ status: 'announced', waiting_for: 'not_current' });
    expect(await entitlements(id)).toEqual([]);
    await env.DB.prepare('DELETE FROM register_events WHERE id = ?1').bind(event.id).run();
    await run();
    expect(Object.values(await entitled(id))).toEqual([40]);
  });

  test('that comes to more than an amount may be asks nobody for money, and may be cancelled', async () => {
    const security = await listed();
    await holder(security, 1);
    for (const name of ['H-3', 'H-4'])
      await issue(security, { holder_reference: name, holder_name: name, shares: 1_000_000_000 });
    const id = await declared(security, { amount_per_share: 1_000_000 });
    await fund(id, await payer(2_000_000_00));
    await run();
    expect(await read(id)).toMatchObject({ status: 'recorded', waiting_for: 'above_amount_max', total_amount: null });
    expect(await act(id, 'cancel', { reason: 'mistyped' })).toMatchObject({ status: 200 });
  });

  test('goes on however many actions wait before it, and they go on beside many that do not', async () => {
    const security = await listed();
    await holder(security, 40);
    const stuck = await declared(security);
    await run();
    expect(await read(stuck)).toMatchObject({ waiting_for: 'payment_account' });
    const { results } = await env.DB.prepare("SELECT name FROM pragma_table_info('corporate_actions')").all<{
      name: string;
    }>();
    const values = results.map(({ name }) =>
      name === 'id' ? `'stuck-' || n.value` : name === 'tried_at' ? '-1' : `a."${name}"`,
    );
    const numbers = JSON.stringify(Array.from({ length: 25 }, (_, n) => n));
    await env.DB.prepare(
      `INSERT INTO corporate_actions SELECT ${values.join(', ')} FROM corporate_actions a, json_each(?1) n WHERE a.id = ?2`,
    )
      .bind(numbers, stuck)
      .run();
    const other = await listed();
    await holder(other, 40);
    const id = await declared(other);
    await fund(id, await payer());
    await run();
    expect(await read(id)).toMatchObject({ status: 'completed' });
    const tried = 'SELECT count(*) AS n FROM corporate_actions WHERE id LIKE ?1 AND tried_at > 0';
    expect(await env.DB.prepare(tried).bind('stuck-%').first('n')).toBe(25);
    await env.DB.prepare("DELETE FROM corporate_actions WHERE id LIKE 'stuck-%'").run();
  });

  test('of less than a cent for everybody is completed without anybody who pays', async () => {
    const security = await listed();
    await holder(security, 1);
    const id = await declared(security, { amount_per_share: 0.009 });
    await run();
    expect(await read(id)).toMatchObject({ status: 'completed', total_amount: 0 });
    expect(await entitlements(id)).toEqual([]);
    await expectRight();
  });
});

describe('M-01: a dividend whose payer has paid, and which has paid nobody', () => {
  const operate = (id: string, what: string) =>
    operator.post<Action>(`/v1/operator/corporate-actions/${id}/${what}`, { reason: 'looked at' });

  async function funded() {
    const security = await listed();
    const ann = await holder(security, 40);
    const id = await declared(security);
    const from = await payer();
    await fund(id, from);
    for (let steps = 0; steps < 10 && (await read(id)).status !== 'funded'; steps++)
      await carryOnAction(env, id, Date.now(), 1);
    expect(await read(id)).toMatchObject({ status: 'funded' });
    expect(await cashOf(from)).toBe(990_00);
    return { id, ann, from };
  }

  test('gives it back while an operator holds it, and is paid once, whole, when it goes on', async () => {
    const { id, ann, from } = await funded();
    expect((await operate(id, 'hold')).status).toBe(200);
    await run();
    expect(await read(id)).toMatchObject({ status: 'recorded', waiting_for: 'held_by_operator' });
    expect(await Promise.all([ann.accountId, from].map(cashOf))).toEqual([1_000_00, 1_000_00]);
    await expectRight();
    expect((await operate(id, 'release')).status).toBe(200);
    await Promise.all([run(), run()]);
    await run();
    expect(await read(id)).toMatchObject({ status: 'completed' });
    expect(await Promise.all([ann.accountId, from].map(cashOf))).toEqual([1_010_00, 990_00]);
    await expectRight();
  });

  test('gives it back, once, when an operator cancels it', async () => {
    const { id, ann, from } = await funded();
    expect((await operate(id, 'cancel')).status).toBe(200);
    await Promise.all([run(), run()]);
    expect(await read(id)).toMatchObject({ status: 'cancelled' });
    expect((await operate(id, 'hold')).status).toBe(409);
    expect(await Promise.all([ann.accountId, from].map(cashOf))).toEqual([1_000_00, 1_000_00]);
    await expectRight();
  });

  test('gives it back while its agent is suspended', async () => {
    const { id, ann, from } = await funded();
    const state = (to: string) =>
      env.DB.prepare('UPDATE partner_organizations SET state = ?2 WHERE organization = ?1')
        .bind(agent.organization, to)
        .run();
    await state('suspended');
    await run();
    await state('active');
    expect(await read(id)).toMatchObject({ status: 'recorded', waiting_for: 'agent_suspended' });
    expect(await Promise.all([ann.accountId, from].map(cashOf))).toEqual([1_000_00, 1_000_00]);
    await run();
    expect(await read(id)).toMatchObject({ status: 'completed' });
    expect(await Promise.all([ann.accountId, from].map(cashOf))).toEqual([1_010_00, 990_00]);
    await expectRight();
  });
});

describe('M-21: a dividend whose payer has no room for what goes back', () => {
  /** An execution at a broker, which nothing bounds: the account has as much as an amount may be, and no room for more. Returns what came. */
  async function fill(account: string): Promise<number> {
    pairs += 1;
    const base = uuidv7();
    const { symbol } = await createPair(db, `FUL${pairs}`, { asset: { id: base, tracksLots: false } });
    await giveBalance({ accountId: account, asset: base, amount: 1 });
    const came = AMOUNT_MAX - (await cashOf(account));
    const booking: BreakBooking = {
      route: 'broker',
      baseAsset: base,
      quoteAsset: USD,
      tracksLots: false,
      account,
      side: 'sell',
      executionId: uuidv7(),
      price: came,
      quantity: 1,
      notional: came,
      executedAt: Date.now(),
    };
    const event = null;
    const terms = {
      book: symbol,
      breakId: uuidv7(),
      booking,
      reason: 'booked',
      by: 'ops',
      createdAt: Date.now(),
      event,
    };
    expect(await transact(env, { kind: 'resolve_break', id: uuidv7(), ...terms })).toMatchObject({ type: 'done' });
    expect(await cashOf(account)).toBe(AMOUNT_MAX);
    expect(await ledgerOf(env).projected()).toBe(true);
    return came;
  }

  async function spend(account: string, amount: number): Promise<void> {
    const event = null;
    const terms = { account, asset: USD, amount, cost: 0, tracksLots: false, lots: [], reference: null, event };
    const taken = { kind: 'transfer', id: uuidv7(), type: 'withdrawal', createdAt: Date.now(), ...terms } as const;
    expect(await transact(env, taken)).toMatchObject({ type: 'done' });
    expect(await ledgerOf(env).projected()).toBe(true);
  }

  async function step(id: string, until: string): Promise<void> {
    for (let steps = 0; steps < 10 && (await read(id)).status !== until; steps++)
      await carryOnAction(env, id, Date.now(), 1);
    expect(await read(id)).toMatchObject({ status: until });
  }

  const poolOf = async () =>
    (await ledgerOf(env).balances('boundary:distributions')).find(({ asset }) => asset === USD);
  const journaled = async () => (await ledgerOf(env).stateHash()).journaled;

  async function funded(cash?: number) {
    const security = await listed();
    const [ann, bob] = [await holder(security, 40), await holder(security, 8)];
    const id = await declared(security);
    const from = await payer(cash);
    await fund(id, from);
    await step(id, 'funded');
    return { id, ann, bob, from };
  }

  test('waits for it by name, asks the ledger for nothing meanwhile, and ends once there is room', async () => {
    const { id, ann, bob, from } = await funded();
    const came = [await fill(ann.accountId), await fill(from)];
    await run();
    expect(await read(id)).toMatchObject({ status: 'funded', waiting_for: 'payer_full' });
    expect(await cashOf(bob.accountId)).toBe(1_002_00);
    const before = await journaled();
    for (let runs = 0; runs < 3; runs++) await run();
    expect(await journaled()).toBe(before);
    await spend(from, came[1] as number);
    await Promise.all([run(), run()]);
    await Promise.all([run(), run()]);
    expect(await read(id)).toMatchObject({ status: 'completed', waiting_for: null });
    expect(await cashOf(from)).toBe(998_00);
    expect(await poolOf()).toMatchObject({ available: 0 });
    await spend(ann.accountId, came[0] as number);
  });

  test('is taken back, and what holders gave goes to who has paid once there is room', async () => {
    const { id, ann, from } = await funded();
    await run();
    expect(await read(id)).toMatchObject({ status: 'completed' });
    expect(await act(id, 'reverse', { reason: 'an error' })).toMatchObject({ status: 200 });
    const came = await fill(from);
    await run();
    await run();
    expect(await read(id)).toMatchObject({ status: 'reversing', waiting_for: 'payer_full' });
    expect(await cashOf(ann.accountId)).toBe(1_000_00);
    await spend(from, came);
    await run();
    await run();
    expect(await read(id)).toMatchObject({ status: 'reversed' });
    expect(await cashOf(from)).toBe(1_000_00);
    expect(await poolOf()).toMatchObject({ available: 0 });
  });

  test('is given back once there is room, where an operator has ended it', async () => {
    const { id, from } = await funded();
    const came = await fill(from);
    expect((await operator.post(`/v1/operator/corporate-actions/${id}/cancel`, { reason: 'wrong' })).status).toBe(200);
    await run();
    expect(await read(id)).toMatchObject({ status: 'returning', waiting_for: 'payer_full' });
    const before = await journaled();
    await run();
    expect(await journaled()).toBe(before);
    await spend(from, came);
    await run();
    await run();
    expect(await read(id)).toMatchObject({ status: 'cancelled' });
    expect(await cashOf(from)).toBe(1_000_00);
    expect(await poolOf()).toMatchObject({ available: 0 });
  });
});

describe('a dividend that was paid', () => {
  test('is taken back from those who still have it; the rest stays named', async () => {
    const security = await listed();
    const [ann, bob] = [await holder(security, 40), await holder(security, 80)];
    const id = await declared(security);
    const from = await payer();
    await fund(id, from);
    await run();
    const spent = { id: uuidv7(), account: bob.accountId, asset: USD, amount: 1_010_01, reference: null };
    expect(await withdraw(env, { ...spent, createdAt: Date.now(), action: null })).toMatchObject({ ok: true });
    expect(await act(id, 'reverse', { reason: 'declared in error' })).toMatchObject({
      status: 200,
      body: { status: 'reversing', reason: 'declared in error' },
    });
    await Promise.all([run(), run()]);
    expect(await read(id)).toMatchObject({ status: 'reversed' });
    expect((await act(id, 'reverse', { reason: 'again' })).status).toBe(409);
    const byAccount = new Map((await entitlements(id)).map((each) => [each.account_id, each]));
    expect(byAccount.get(ann.accountId)).toMatchObject({ status: 'returned' });
    expect(byAccount.get(bob.accountId)).toMatchObject({ status: 'not_returned' });
    expect(await Promise.all([ann.accountId, bob.accountId, from].map(cashOf))).toEqual([1_000_00, 9_99, 980_00]);
    await expectRight();
  });

  test('from whose holders nothing was taken is taken back within five days of its payment, not of the try', async () => {
    const security = await listed();
    const ann = await holder(security, 40);
    const id = await declared(security);
    await fund(id, await payer());
    await run();
    await env.DB.prepare('UPDATE corporate_actions SET ended_at = ended_at - ?2 WHERE id = ?1')
      .bind(id, 5 * DAY_MS - HOUR_MS)
      .run();
    expect(await act(id, 'reverse', { reason: 'in error' })).toMatchObject({ status: 200, body: { ended_at: null } });
    expect((await operator.post(`/v1/operator/corporate-actions/${id}/cancel`, { reason: 'no' })).status).toBe(200);
    await run();
    expect(await read(id)).toMatchObject({ status: 'completed' });
    expect(await cashOf(ann.accountId)).toBe(1_010_00);
    skipTime(HOUR_MS);
    expect(await act(id, 'reverse', { reason: 'late' })).toMatchObject({
      status: 409,
      body: { error: { details: { reason: 'too_late' } } },
    });
    await expectRight();
  });

  test('in part keeps who has paid that part: nobody else is named, and gets what holders give back', async () => {
    const security = await listed();
    const [ann, bob] = [await holder(security, 40), await holder(security, 80)];
    const id = await declared(security);
    const [from, other] = [await payer(), await payer()];
    await fund(id, from);
    for (let steps = 0; steps < 10 && (await read(id)).status !== 'funded'; steps++)
      await carryOnAction(env, id, Date.now(), 1);
    // As of more holders than one part has.
    await env.DB.prepare('UPDATE corporate_action_payments SET part = 1 WHERE action = ?1 AND account = ?2')
      .bind(id, bob.accountId)
      .run();
    await carryOnAction(env, id, Date.now(), 1);
    expect(await Promise.all([ann, bob].map(({ accountId }) => cashOf(accountId)))).toEqual([1_010_00, 1_000_00]);
    const operate = (verb: string) => operator.post(`/v1/operator/corporate-actions/${id}/${verb}`, { reason: 'x' });
    expect((await operate('hold')).status).toBe(200);
    await run();
    expect(await read(id)).toMatchObject({ status: 'recorded' });
    expect(await act(id, 'payment-account', { account_id: other }, lister)).toMatchObject({
      status: 409,
      body: { error: { details: { reason: 'payer_has_paid' } } },
    });
    expect(await act(id, 'payment-account', { account_id: from, amount_max: 30 }, lister)).toMatchObject({
      status: 200,
    });
    expect((await operate('release')).status).toBe(200);
    await run();
    expect(await read(id)).toMatchObject({ status: 'completed' });
    expect((await act(id, 'reverse', { reason: 'in error' })).status).toBe(200);
    await run();
    expect(await read(id)).toMatchObject({ status: 'reversed' });
    expect(await Promise.all([from, other].map(cashOf))).toEqual([1_000_00, 1_000_00]);
    await expectRight();
  });

  test('is not taken back after five days, and not by its lister', async () => {
    const security = await listed();
    await holder(security, 40);
    const id = await declared(security);
    await fund(id, await payer());
    await run();
    expect((await act(id, 'reverse', { reason: 'mine' }, lister)).status).toBe(403);
    await env.DB.prepare('UPDATE corporate_actions SET ended_at = ended_at - ?2 WHERE id = ?1')
      .bind(id, 5 * DAY_MS)
      .run();
    skipTime(1);
    expect(await act(id, 'reverse', { reason: 'late' })).toMatchObject({
      status: 409,
      body: { error: { details: { reason: 'too_late' } } },
    });
  });
});

describe('a corporate action', () => {
  test('is cancelled while no money has moved, and never after', async () => {
    const security = await listed();
    await holder(security, 40);
    const id = await declared(security);
    const from = await payer();
    await run();
    expect(await act(id, 'cancel', { reason: 'withdrawn' })).toMatchObject({
      status: 200,
      body: { status: 'cancelled', reason: 'withdrawn' },
    });
    expect((await act(id, 'payment-account', { account_id: from }, lister)).status).toBe(409);
    await run();
    expect(await cashOf(from)).toBe(1_000_00);
    const paid = await declared(security);
    await fund(paid, from);
    await run();
    expect(await act(paid, 'cancel', { reason: 'late' })).toMatchObject({
      status: 409,
      body: { error: { details: { reason: 'wrong_state', status: 'completed' } } },
    });
  });

  test('is not paid beyond what the lister has agreed to', async () => {
    const security = await listed();
    await holder(security, 40);
    const id = await declared(security);
    const account_id = await payer();
    await act(id, 'payment-account', { account_id, amount_max: 9.99 }, lister);
    await run();
    expect(await read(id)).toMatchObject({ status: 'recorded', waiting_for: 'above_amount_max' });
    await act(id, 'payment-account', { account_id, amount_max: 10 }, lister);
    await run();
    expect(await read(id)).toMatchObject({ status: 'completed', waiting_for: null });
    expect(await cashOf(account_id)).toBe(990_00);
  });

  test('whose lister agrees to less while it is asked does not take the money', async () => {
    const security = await listed();
    await holder(security, 40);
    const id = await declared(security);
    await fund(id, await payer());
    const before = await findAction(db, id);
    if (before === null) throw new Error('the action is gone');
    await act(id, 'payment-account', { account_id: before.paymentAccount, amount_max: 1 }, lister);
    expect(await moveAction(db, before, { state: 'recorded' })).toBe(false);
  });

  test('which an operator holds stays held, whatever its lister says at the same moment, and both stand', async () => {
    const security = await listed();
    const id = await declared(security);
    const account_id = await payer();
    await act(id, 'payment-account', { account_id, amount_max: 9 }, lister);
    const read = await findAction(db, id);
    if (read === null) throw new Error('the action is gone');
    const change = (change: ActionChange['change']) =>
      changeAction(db, read, { type: 'x', change, now: Date.now() }, { id: uuidv7(), actor: 'x', requestId: 'x' });
    expect(await change({ heldReason: 'looked at' })).toBe(true);
    // Each was begun before the hold was written.
    expect(await change({ state: read.state, amountMax: 5 })).toBe(true);
    expect(await change({ state: read.state, consentedAt: 1 })).toBe(true);
    expect(await change({ state: read.state, survivorConsentedAt: 2 })).toBe(true);
    // What was read of a field that it changes is no longer so.
    expect(await change({ state: read.state, amountMax: 7 })).toBe(false);
    expect(await findAction(db, id)).toMatchObject({
      heldReason: 'looked at',
      paymentAccount: account_id,
      amountMax: 5,
      consentedAt: 1,
      survivorConsentedAt: 2,
    });
  });

  test('gives the security and its asset another name when it takes effect', async () => {
    const security = await listed();
    const terms = { action_type: 'name_change', asset_name: 'Lunar Freight Series B', description: 'New name' };
    const made = await announce({ security_id: security.id, ...terms, effective_date: at(HOUR_MS) });
    expect(made.status).toBe(201);
    const shown = async () => {
      const { body } = await lister.client.get<Record<string, unknown>>(`/v1/securities/${security.id}`);
      return [body.asset_name, body.cusip];
    };
    await run();
    const before = await shown();
    expect(before[0]).toBe('Orbital Freight Series B');
    await run(HOUR_MS + 1_000);
    expect(await shown()).toEqual(['Lunar Freight Series B', before[1]]);
    expect(await env.DB.prepare('SELECT name FROM assets WHERE id = ?1').bind(security.id).first('name')).toBe(
      'Lunar Freight Series B',
    );
    expect(await read(made.body.corporate_action_id)).toMatchObject({ status: 'completed' });
  });

  test('that is a merger is completed by its date, and moves nothing', async () => {
    const security = await listed();
    const terms = { action_type: 'merger', counterparty: 'Lunar Freight', description: 'Merger' };
    const made = await announce({ security_id: security.id, ...terms, effective_date: at(0) });
    await run();
    expect(await read(made.body.corporate_action_id)).toMatchObject({ status: 'completed' });
  });
});
