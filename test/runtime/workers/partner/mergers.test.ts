import { env } from 'cloudflare:workers';
import { uuidv7 } from 'uuidv7';
import { beforeAll, describe, expect, test } from 'vitest';
import { carryOnActions } from '../../../../application/partner/actions/carry-on-actions.ts';
import { carryOnRegisters } from '../../../../application/partner/register/change-register.ts';
import { mergerEventId } from '../../../../application/partner/register/end-shares.ts';
import { runAudit } from '../../../../data/audit/run-audit.ts';
import type { Database } from '../../../../data/database.ts';
import { HOUR_MS } from '../../../../domain/calendar/durations.ts';
import { ledgerOf } from '../../../../durable-objects/ledger/api.ts';
import { createKeyHolder, type KeyHolder } from '../../fixtures/book-client.ts';
import { createCurrency, USD } from '../../fixtures/create-currency.ts';
import { createPair } from '../../fixtures/create-pair.ts';
import { introducedInvestor } from '../../fixtures/introduced-investor.ts';
import { migrate } from '../../fixtures/migrate.ts';
import { createPartner, createSecurity, type Partner } from '../../fixtures/partner-client.ts';
import { settle } from '../../fixtures/settle.ts';

let db: Database;
let lister: Partner;
let agent: Partner;
let ann: KeyHolder;
let bob: KeyHolder;

beforeAll(async () => {
  db = await migrate();
  await createCurrency(db);
  lister = await createPartner(db, 'cross_lister');
  agent = await createPartner(db, 'transfer_agent');
  ann = await createKeyHolder(db);
  bob = await createKeyHolder(db, { cash: 100_000_00 });
});

let pairs = 0;

interface Listed {
  readonly id: string;
  readonly symbol: string;
}

const issue = ({ id }: Listed, body: object) =>
  agent.client.post(`/v1/captable/${id}/issuances`, { restriction_ends_at: null, ...body });

/** Ann has a hundred shares, Bob seven, somebody without an account fifty. */
async function listed(): Promise<Listed> {
  pairs += 1;
  const id = uuidv7();
  const { symbol } = await createPair(db, `MRG${pairs}`, { asset: { id } });
  const accepted = { transferAgent: agent.organization, agentState: 'accepted' } as const;
  await createSecurity(db, lister, { id, state: 'listed', market: symbol, symbol: `MRG${pairs}`, ...accepted });
  const security = { id, symbol };
  const nobody = { holder_reference: 'H-7', holder_name: 'Ida Novak', shares: 50 };
  for (const body of [{ account_id: ann.accountId, shares: 100 }, { account_id: bob.accountId, shares: 7 }, nobody])
    expect((await issue(security, body)).status).toBe(200);
  return security;
}

type Action = Record<string, unknown> & { corporate_action_id: string };

const announce = (security: Listed, terms: object = {}) =>
  agent.client.post<Action>('/v1/corporate-actions', {
    security_id: security.id,
    action_type: 'merger',
    effective_date: new Date().toISOString(),
    counterparty: 'Nadir Holdings',
    cash_per_share: 2.505,
    currency: 'USD',
    description: 'Merger into Nadir Holdings',
    ...terms,
  });

async function announced(security: Listed, terms: object = {}): Promise<string> {
  const answer = await announce(security, terms);
  expect(answer, JSON.stringify(answer.body)).toMatchObject({ status: 201 });
  const { corporate_action_id: id } = answer.body;
  expect((await lister.client.post(`/v1/corporate-actions/${id}/consent`, undefined)).status).toBe(200);
  return id;
}

/** The lister lets an account with so much cash, in cents, pay; the account. */
async function funded(action: string, cash = 1_000_00, terms: object = {}): Promise<string> {
  const { accountId } = await introducedInvestor(lister, { cash });
  const path = `/v1/corporate-actions/${action}/payment-account`;
  expect((await lister.client.post(path, { account_id: accountId, ...terms })).status).toBe(200);
  return accountId;
}

const carryOn = () => carryOnActions(env, Date.now());
const now = async (action: string) => (await lister.client.get<Action>(`/v1/corporate-actions/${action}`)).body;
const cancel = (action: string) => agent.client.post(`/v1/corporate-actions/${action}/cancel`, { reason: 'Withdrawn' });
const stateOf = async ({ id }: Listed) =>
  (await lister.client.get<{ status: string }>(`/v1/securities/${id}`)).body.status;
const amountOf = async (account: string, asset: string) => {
  const balance = (await ledgerOf(env).balances(account)).find((each) => each.asset === asset);
  return (balance?.available ?? 0) + (balance?.held ?? 0);
};
const sharesIn = ({ id }: Listed) =>
  Promise.all([ann.accountId, bob.accountId, 'boundary:register'].map((account) => amountOf(account, id)));
const outstanding = async ({ id }: Listed) =>
  (await env.DB.prepare('SELECT sum(shares) AS n FROM register_holdings WHERE security = ?1').bind(id).first('n')) ?? 0;
const place = (symbol: string, by: KeyHolder, side: 'buy' | 'sell', size: number) =>
  by.client.post('/v1/orders', { symbol, side, type: 'limit', size, price: 10, time_in_force: 'GTC' });
const payments = async (action: string) =>
  (await agent.client.get<{ payments: Action[] }>(`/v1/corporate-actions/${action}/payments`)).body.payments;

async function expectRight(): Promise<void> {
  expect(await ledgerOf(env).projected()).toBe(true);
  expect((await runAudit(db)).filter(({ holds }) => !holds)).toEqual([]);
}

describe('a merger for cash', () => {
  test('ends every share, pays who had them, and delists the security', async () => {
    const security = await listed();
    expect((await place(security.symbol, ann, 'sell', 5)).status).toBeLessThan(300);
    const before = await Promise.all([ann.accountId, bob.accountId].map((account) => amountOf(account, USD)));
    const action = await announced(security);
    const payer = await funded(action);
    await carryOn();
    expect(await now(action)).toMatchObject({
      status: 'completed',
      waiting_for: null,
      counterparty: 'Nadir Holdings',
      cash_per_share: 2.505,
      currency: 'USD',
      total_amount: 268.03,
      external_amount: 125.25,
    });
    expect([await sharesIn(security), await outstanding(security)]).toEqual([[0, 0, 0], 0]);
    const after = await Promise.all([ann.accountId, bob.accountId].map((account) => amountOf(account, USD)));
    expect(after.map((cash, at) => cash - (before[at] as number))).toEqual([250_50, 17_53]);
    expect(await amountOf(payer, USD)).toBe(1_000_00 - 268_03);
    expect((await payments(action)).map(({ shares, amount, status }) => [shares, amount, status]).sort()).toEqual(
      [
        [100, 250.5, 'paid'],
        [50, 125.25, 'external'],
        [7, 17.53, 'paid'],
      ].sort(),
    );
    expect(await stateOf(security)).toBe('delisted');
    const orders = await env.DB.prepare('SELECT status FROM orders WHERE book = ?1').bind(security.symbol).all();
    expect(orders.results).toEqual([{ status: 'cancelled' }]);
    const lots = await env.DB.prepare('SELECT count(*) AS n FROM lots WHERE asset = ?1 AND quantity > 0')
      .bind(security.id)
      .first('n');
    expect(lots).toBe(0);
    const history = await agent.client.get<{ events: Action[] }>(`/v1/captable/${security.id}/history`);
    expect(history.body.events.at(-1)).toMatchObject({ event_type: 'merger', sequence: 4 });
    await expectRight();
  });

  test('moves nothing before its date, nor while nobody pays, and is cancelled meanwhile', async () => {
    const security = await listed();
    const action = await announced(security, { effective_date: new Date(Date.now() + HOUR_MS).toISOString() });
    await carryOn();
    expect(await stateOf(security)).toBe('listed');
    await carryOnActions(env, Date.now() + 2 * HOUR_MS);
    expect(await now(action)).toMatchObject({ status: 'announced', waiting_for: 'payment_account' });
    expect(await stateOf(security)).toBe('halted');
    expect(await sharesIn(security)).toEqual([100, 7, 50]);
    expect(await cancel(action)).toMatchObject({ status: 200, body: { status: 'cancelled' } });
    expect(await stateOf(security)).toBe('listed');
    expect((await issue(security, { account_id: ann.accountId, shares: 1 })).status).toBe(200);
    await expectRight();
  });

  test('asks no payer for more than the lister has agreed to, or than it has', async () => {
    const security = await listed();
    const action = await announced(security);
    await funded(action, 1_000_00, { amount_max: 268 });
    await carryOn();
    expect(await now(action)).toMatchObject({ status: 'announced', waiting_for: 'above_amount_max' });
    await funded(action, 200_00);
    await carryOn();
    expect(await now(action)).toMatchObject({ status: 'announced', waiting_for: 'insufficient_funds' });
    expect(await sharesIn(security)).toEqual([100, 7, 50]);
    await funded(action);
    await carryOn();
    expect(await now(action)).toMatchObject({ status: 'completed', total_amount: 268.03 });
    await expectRight();
  });

  test('lets shares go again where the ledger finds the payer short by a cent', async () => {
    const security = await listed();
    const action = await announced(security);
    // The bound before anything is held leaves a cent for each account's rounding.
    await funded(action, 268_02);
    await carryOn();
    expect(await now(action)).toMatchObject({
      status: 'announced',
      waiting_for: 'insufficient_funds',
      total_amount: null,
    });
    expect(await payments(action)).toEqual([]);
    expect((await issue(security, { account_id: bob.accountId, shares: 1 })).status).toBe(200);
    await funded(action);
    await carryOn();
    expect(await now(action)).toMatchObject({ status: 'completed', total_amount: 270.54 });
    expect([await sharesIn(security), await outstanding(security)]).toEqual([[0, 0, 0], 0]);
    await expectRight();
  });

  test('waits until the transfers of its trades are recorded', async () => {
    const security = await listed();
    await place(security.symbol, ann, 'sell', 10);
    await place(security.symbol, bob, 'buy', 10);
    await settle(security.symbol);
    await agent.client.get('/v1/transfers');
    const action = await announced(security);
    await funded(action);
    await carryOn();
    expect(await now(action)).toMatchObject({ status: 'announced', waiting_for: 'open_transfers' });
    expect(await sharesIn(security)).toEqual([90, 17, 50]);
  });

  test.each(['effective', 'recorded', 'funding', 'funded'])(
    'that was cut short when it was %s goes on, keeps shares where they are meanwhile, and is not cancelled',
    async (state) => {
      const security = await listed();
      const action = await announced(security);
      const payer = await funded(action);
      // As if it were lost behind the step: the statement that would end it is refused.
      const next = { effective: 'recorded', recorded: 'funding', funding: 'funded', funded: 'completed' }[state];
      await env.DB.exec(
        `CREATE TRIGGER cut BEFORE UPDATE ON corporate_actions WHEN NEW.state = '${next}' AND NEW.id = '${action}' BEGIN SELECT RAISE(ABORT, 'cut'); END`,
      );
      await expect(carryOn()).rejects.toThrow();
      await env.DB.exec('DROP TRIGGER cut');
      expect(await now(action)).toMatchObject({ status: state });
      expect((await cancel(action)).status).toBe(409);
      if (state !== 'funded') {
        expect((await issue(security, { account_id: ann.accountId, shares: 1 })).status).toBe(503);
        await carryOnRegisters(env, Date.now() + HOUR_MS);
        expect(await sharesIn(security)).toEqual([100, 7, 50]);
      }
      await Promise.all([carryOn(), carryOn()]);
      await carryOn();
      expect(await now(action)).toMatchObject({ status: 'completed', total_amount: 268.03 });
      expect([await sharesIn(security), await outstanding(security)]).toEqual([[0, 0, 0], 0]);
      expect(await amountOf(payer, USD)).toBe(1_000_00 - 268_03);
      await expectRight();
    },
  );

  /** A merger whose payer has paid, cut short before any share has ended: as if that write had landed, and its run were lost behind it. */
  async function paidFor(security: Listed): Promise<{ readonly action: string; readonly payer: string }> {
    const action = await announced(security);
    const payer = await funded(action);
    await env.DB.exec(
      `CREATE TRIGGER cut BEFORE UPDATE ON corporate_actions WHEN NEW.state = 'funded' AND NEW.id = '${action}' BEGIN SELECT RAISE(ABORT, 'cut'); END`,
    );
    await expect(carryOn()).rejects.toThrow();
    await env.DB.exec('DROP TRIGGER cut');
    const land = "UPDATE corporate_actions SET state = 'funded', funded_at = ?2 WHERE id = ?1 AND state = 'funding'";
    await env.DB.prepare(land).bind(action, Date.now()).run();
    return { action, payer };
  }

  test('that is funded, and was cut short before shares have ended, keeps them from the job of registers', async () => {
    const security = await listed();
    const { action } = await paidFor(security);
    await carryOnRegisters(env, Date.now() + HOUR_MS);
    expect(await sharesIn(security)).toEqual([100, 7, 50]);
    expect((await issue(security, { account_id: ann.accountId, shares: 1 })).status).toBe(503);
    await carryOn();
    expect(await now(action)).toMatchObject({ status: 'completed', total_amount: 268.03 });
    await expectRight();
  });

  test('gives back to its payer what a holder cannot be paid', async () => {
    const { action, payer } = await paidFor(await listed());
    const before = await amountOf(bob.accountId, USD);
    // As the ledger leaves out a holder who has no room for another asset.
    const leftOut = "UPDATE corporate_action_payments SET state = 'unpaid' WHERE action = ?1 AND account = ?2";
    await env.DB.prepare(leftOut).bind(action, bob.accountId).run();
    await carryOn();
    expect(await now(action)).toMatchObject({ status: 'completed', total_amount: 268.03 });
    expect(await amountOf(bob.accountId, USD)).toBe(before);
    expect(await amountOf(payer, USD)).toBe(1_000_00 - 250_50);
    await expectRight();
  });

  test('that was given up between two writes leaves no shares held', async () => {
    const security = await listed();
    const action = await announced(security);
    await funded(action, 268_02);
    const event = mergerEventId({ id: action, attempt: 1 });
    await env.DB.exec(
      `CREATE TRIGGER cut BEFORE UPDATE ON register_events WHEN NEW.state = 'refused' AND NEW.id = '${event}' BEGIN SELECT RAISE(ABORT, 'cut'); END`,
    );
    await expect(carryOn()).rejects.toThrow();
    await env.DB.exec('DROP TRIGGER cut');
    expect(await now(action)).toMatchObject({ status: 'announced', waiting_for: 'insufficient_funds' });
    await carryOnRegisters(env, Date.now() + HOUR_MS);
    expect((await issue(security, { account_id: bob.accountId, shares: 1 })).status).toBe(200);
  });

  test('asks no payer for a cent more than the lister has agreed to, however the parts are cut off', async () => {
    const security = await listed();
    const action = await announced(security);
    await funded(action, 1_000_00, { amount_max: 268.02 });
    await carryOn();
    expect(await now(action)).toMatchObject({ status: 'announced', waiting_for: 'above_amount_max' });
    expect(await sharesIn(security)).toEqual([100, 7, 50]);
    expect((await cancel(action)).status).toBe(200);
  });

  test('is the only one of a security that is announced, also where two are at the same moment', async () => {
    const security = await listed();
    const answers = await Promise.all([announce(security), announce(security), announce(security)]);
    const [first, ...others] = answers.toSorted((one, other) => one.status - other.status);
    expect(first?.status).toBe(201);
    const details = { reason: 'merger_announced', corporate_action_id: first?.body.corporate_action_id };
    for (const answer of others) expect(answer).toMatchObject({ status: 409, body: { error: { details } } });
    await cancel(first?.body.corporate_action_id ?? '');
    await cancel(await announced(security));
  });

  test('is the only one that ends its shares, until it is cancelled', async () => {
    const security = await listed();
    const action = await announced(security);
    expect(await announce(security, { cash_per_share: 3 })).toMatchObject({
      status: 409,
      body: { error: { code: 'CONFLICT', details: { reason: 'merger_announced', corporate_action_id: action } } },
    });
    expect((await announce(security, { cash_per_share: undefined, currency: undefined })).status).toBe(201);
    expect((await cancel(action)).status).toBe(200);
    expect((await announce(security, { cash_per_share: 3 })).status).toBe(201);
  });

  test('names its currency with its amount', async () => {
    const security = await listed();
    for (const terms of [{ currency: undefined }, { cash_per_share: undefined }, { currency: 'XXQ' }])
      expect((await announce(security, terms)).status, JSON.stringify(terms)).toBe(400);
  });
});
