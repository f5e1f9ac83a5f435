import { env } from 'cloudflare:workers';
import { uuidv7 } from 'uuidv7';
import { beforeAll, describe, expect, test } from 'vitest';
import { carryOnActions } from '../../../../application/partner/actions/carry-on-actions.ts';
import { endAction, holdAction, releaseAction } from '../../../../application/partner/actions/operate-action.ts';
import { splitEventId } from '../../../../application/partner/actions/split-security.ts';
import { runAudit } from '../../../../data/audit/run-audit.ts';
import type { Database } from '../../../../data/database.ts';
import {
  announceEvent,
  ENDED_BY_OPERATOR,
  findRegisterEvent,
  NOT_ANNOUNCED,
  refuseEvent,
  stageEvent,
} from '../../../../data/partner/register/register-events.ts';
import { ROWS_MAX } from '../../../../data/partner/register/register-room.ts';
import { stageSplit } from '../../../../data/partner/register/split-events.ts';
import { sha256 } from '../../../../domain/ledger/journal-chain.ts';
import { tradeEventId } from '../../../../domain/partner/trade-event-id.ts';
import { ledgerOf } from '../../../../durable-objects/ledger/api.ts';
import { createKeyHolder, type KeyHolder } from '../../fixtures/book-client.ts';
import { createCurrency } from '../../fixtures/create-currency.ts';
import { createPair } from '../../fixtures/create-pair.ts';
import { migrate } from '../../fixtures/migrate.ts';
import { setFacts } from '../../fixtures/operate.ts';
import { createPartner, createSecurity, type Partner } from '../../fixtures/partner-client.ts';
import { settle } from '../../fixtures/settle.ts';

/** Of a trade that is made now no earlier day is recorded. */
const TODAY = new Date().toISOString().slice(0, 10);

let db: Database;
let lister: Partner;
let agent: Partner;
let seller: KeyHolder;
let buyer: KeyHolder;

beforeAll(async () => {
  db = await migrate();
  await createCurrency(db);
  lister = await createPartner(db, 'cross_lister');
  agent = await createPartner(db, 'transfer_agent');
  seller = await createKeyHolder(db);
  buyer = await createKeyHolder(db, { cash: 100_000_00 });
});

let pairs = 0;

interface Listed {
  readonly id: string;
  readonly symbol: string;
}

/** The seller has a hundred shares, somebody without an account fifty. */
async function listed(): Promise<Listed> {
  pairs += 1;
  const id = uuidv7();
  const { symbol } = await createPair(db, `ASP${pairs}`, { asset: { id } });
  const accepted = { transferAgent: agent.organization, agentState: 'accepted' } as const;
  await createSecurity(db, lister, { id, state: 'listed', market: symbol, symbol: `ASP${pairs}`, ...accepted });
  const nobody = { holder_reference: 'H-7', holder_name: 'Ida Novak', shares: 50 };
  for (const body of [{ account_id: seller.accountId, shares: 100, restriction_ends_at: null }, nobody])
    expect((await agent.client.post(`/v1/captable/${id}/issuances`, body)).status).toBe(200);
  return { id, symbol };
}

const place = (symbol: string, by: KeyHolder, side: 'buy' | 'sell', quantity: number) =>
  by.client.post('/v1/orders', {
    symbol,
    side,
    type: 'limit',
    size: quantity,
    price: 10,
    time_in_force: 'GTC',
  });

async function trade({ symbol }: Listed, quantity: number): Promise<string> {
  expect((await place(symbol, seller, 'sell', quantity)).status).toBeLessThan(300);
  expect((await place(symbol, buyer, 'buy', quantity)).status).toBeLessThan(300);
  await settle(symbol);
  const last = 'SELECT id FROM trades WHERE book = ?1 ORDER BY sequence DESC LIMIT 1';
  return (await env.DB.prepare(last).bind(symbol).first<{ id: string }>())?.id ?? '';
}

/** The agent records the transfer of a trade. */
async function complete(id: string): Promise<void> {
  await agent.client.get('/v1/transfers');
  const path = `/v1/transfers/${id}`;
  await agent.client.post(`${path}/acknowledge`, { acknowledged: true, record_date: TODAY });
  const completed = await agent.client.post(`${path}/complete`, {
    status: 'completed',
    record_date: TODAY,
    new_certificate_number: `CS-${id}`,
    legend_applied: false,
    cap_table_updated_at: new Date().toISOString(),
  });
  expect(completed.status).toBe(200);
}

type Action = Record<string, unknown> & { corporate_action_id: string };

async function announced(security: Listed, terms: object = {}): Promise<string> {
  const answer = await agent.client.post<Action>('/v1/corporate-actions', {
    security_id: security.id,
    action_type: 'stock_split',
    effective_date: new Date().toISOString(),
    ratio_from: 1,
    ratio_to: 3,
    description: 'Three for one',
    ...terms,
  });
  expect(answer, JSON.stringify(answer.body)).toMatchObject({ status: 201 });
  return answer.body.corporate_action_id;
}

const carryOn = () => carryOnActions(env, Date.now());
const now = async (action: string) => (await lister.client.get<Action>(`/v1/corporate-actions/${action}`)).body;
const cancel = (action: string) => agent.client.post(`/v1/corporate-actions/${action}/cancel`, { reason: 'Withdrawn' });
const stateOf = async ({ id }: Listed) =>
  (await lister.client.get<{ status: string }>(`/v1/securities/${id}`)).body.status;
const outstanding = async ({ id }: Listed) =>
  (await agent.client.get<{ shares_outstanding: number }>(`/v1/captable/${id}`)).body.shares_outstanding;
const shares = async ({ accountId }: KeyHolder, { id }: Listed) => {
  const balance = (await ledgerOf(env).balances(accountId)).find(({ asset }) => asset === id);
  return (balance?.available ?? 0) + (balance?.held ?? 0);
};

const consent = async (action: string) =>
  expect((await lister.client.post(`/v1/corporate-actions/${action}/consent`, undefined)).status).toBe(200);
const holderOf = async ({ id }: Listed, { accountId }: KeyHolder) =>
  (await env.DB.prepare('SELECT id FROM register_holders WHERE security = ?1 AND account = ?2')
    .bind(id, accountId)
    .first<string>('id')) ?? '';

/** As a run leaves an action that was lost right after its first step. */
const makeEffective = (action: string) =>
  env.DB.prepare("UPDATE corporate_actions SET state = 'effective' WHERE id = ?1").bind(action).run();

const haltMarket = async ({ id }: Listed) =>
  expect((await lister.client.post(`/v1/securities/${id}/halt`, { reason: 'Due diligence' })).status).toBe(200);

async function expectRight(): Promise<void> {
  expect(await ledgerOf(env).projected()).toBe(true);
  expect((await runAudit(db)).filter(({ holds }) => !holds)).toEqual([]);
}

describe('a split that is due', () => {
  test('waits while rounding up gives too much to many holders of little, and halts nothing for that', async () => {
    const security = await listed();
    const path = `/v1/captable/${security.id}`;
    for (const n of [1, 2, 3]) {
      const small = { holder_reference: `S-${n}`, holder_name: `Small ${n}`, shares: 1 };
      expect((await agent.client.post(`${path}/issuances`, small)).status).toBe(200);
    }
    const action = await announced(security, { ratio_from: 10, ratio_to: 1 });
    expect((await lister.client.post(`/v1/corporate-actions/${action}/consent`, undefined)).status).toBe(200);
    await carryOn();
    expect(await now(action)).toMatchObject({ status: 'announced', waiting_for: 'fractions' });
    expect(await stateOf(security)).toBe('listed');
    expect(await outstanding(security)).toBe(153);
    const { body } = await agent.client.get<{ holders: { holder_id: string; shares: number }[] }>(`${path}/holders`);
    for (const { holder_id, shares: held } of body.holders.filter((each) => each.shares === 1))
      expect((await agent.client.post(`${path}/cancellations`, { holder_id, shares: held })).status).toBe(200);
    await carryOn();
    expect(await now(action)).toMatchObject({ status: 'completed' });
    expect(await outstanding(security)).toBe(15);
    await expectRight();
  });

  test('looks at fractions once more when nothing changes the register any longer', async () => {
    const security = await listed();
    const action = await announced(security, { ratio_from: 100, ratio_to: 1 });
    expect((await lister.client.post(`/v1/corporate-actions/${action}/consent`, undefined)).status).toBe(200);
    for (const n of [1, 2, 3]) {
      const small = { holder_reference: `S-${n}`, holder_name: `Small ${n}`, shares: 1 };
      expect((await agent.client.post(`/v1/captable/${security.id}/issuances`, small)).status).toBe(200);
    }
    // As a run leaves it that has looked before these came.
    await makeEffective(action);
    const ratio = { from: 100, to: 1, fractions: 'round_up', action } as const;
    const event = { id: splitEventId(action), security: security.id };
    const staged = {
      ...event,
      hash: sha256('split', security.id, '100:1', 'round_up'),
      actor: 'a',
      createdAt: Date.now(),
    };
    await stageSplit(db, { ...staged, type: 'split', ratio });
    await haltMarket(security);
    expect(await announceEvent(db, event, { action })).toBe(true);
    await carryOn();
    expect(await now(action)).toMatchObject({ status: 'announced', waiting_for: 'fractions' });
    expect(await outstanding(security)).toBe(153);
    await expectRight();
  });

  test('cancels the orders of its security, splits every holding, and lets it trade again', async () => {
    const security = await listed();
    expect((await place(security.symbol, seller, 'sell', 5)).status).toBeLessThan(300);
    const action = await announced(security);
    await carryOn();
    expect(await now(action)).toMatchObject({ status: 'completed', waiting_for: null, ratio_from: 1, ratio_to: 3 });
    expect([await shares(seller, security), await outstanding(security)]).toEqual([300, 450]);
    const orders = await env.DB.prepare('SELECT status FROM orders WHERE book = ?1').bind(security.symbol).all();
    expect(orders.results).toEqual([{ status: 'cancelled' }]);
    expect(await stateOf(security)).toBe('listed');
    await trade(security, 30);
    expect(await shares(buyer, security)).toBe(30);
    await expectRight();
  });

  test('waits, halted, until transfers are recorded; its lister does not lift that halt', async () => {
    const security = await listed();
    const sold = await trade(security, 10);
    await agent.client.get('/v1/transfers');
    const action = await announced(security);
    await carryOn();
    expect(await now(action)).toMatchObject({ status: 'announced', waiting_for: 'open_transfers' });
    expect(await stateOf(security)).toBe('halted');
    expect(await lister.client.post(`/v1/securities/${security.id}/lift`, { reason: 'Mine' })).toMatchObject({
      status: 409,
      body: { error: { details: { reason: 'halted_by_action' } } },
    });
    await complete(sold);
    await carryOn();
    expect(await now(action)).toMatchObject({ status: 'completed', waiting_for: null });
    expect([await shares(seller, security), await shares(buyer, security)]).toEqual([270, 30]);
    expect(await stateOf(security)).toBe('listed');
    await expectRight();
  });

  test('is cancelled while it waits, and its security trades again at once', async () => {
    const security = await listed();
    await trade(security, 10);
    await agent.client.get('/v1/transfers');
    const action = await announced(security);
    await carryOn();
    expect(await stateOf(security)).toBe('halted');
    expect(await cancel(action)).toMatchObject({ status: 200, body: { status: 'cancelled' } });
    expect(await stateOf(security)).toBe('listed');
    await carryOn();
    expect([await shares(seller, security), await outstanding(security)]).toEqual([90, 150]);
  });

  test.each(['cancelled', 'tried again'])(
    'that a lost run has begun in the ledger after it was given up holds nothing still once it is %s',
    async (what) => {
      const security = await listed();
      const sold = await trade(security, 10);
      await agent.client.get('/v1/transfers');
      const action = await announced(security);
      await carryOn();
      expect(await now(action)).toMatchObject({ status: 'announced', waiting_for: 'open_transfers' });
      const event = splitEventId(action);
      const ratio = { from: 1, to: 3, fractions: 'round_up' } as const;
      const terms = { id: event, security: security.id, hash: sha256('split', security.id, '1:3', 'round_up') };
      await stageSplit(db, { ...terms, type: 'split', ratio, actor: 'a', createdAt: Date.now() });
      const staged = { id: event, state: 'staged' } as const;
      expect(await refuseEvent(db, staged, NOT_ANNOUNCED)).toBe(true);
      const begin = { type: 'begin', ...ratio, register: { from: 50, to: 150 }, books: [security.symbol] } as const;
      const split = { kind: 'split', id: uuidv7(), split: event, asset: security.id, createdAt: Date.now() } as const;
      expect(await ledgerOf(env).transact({ ...split, step: begin })).toMatchObject({ type: 'done' });
      const reject = () =>
        agent.client.post(`/v1/transfers/${sold}/acknowledge`, { acknowledged: false, notes: 'no legal opinion' });
      expect((await reject()).status).toBe(409);
      if (what === 'cancelled') expect((await cancel(action)).status).toBe(200);
      else await carryOn();
      expect(await reject()).toMatchObject({ status: 200, body: { status: 'rejected' } });
      expect(await shares(seller, security)).toBe(100);
      await expectRight();
    },
  );

  test('leaves a security halted that its lister has halted', async () => {
    const security = await listed();
    const halted = await lister.client.post(`/v1/securities/${security.id}/halt`, { reason: 'Due diligence' });
    expect(halted.status).toBe(200);
    const action = await announced(security);
    await carryOn();
    expect(await now(action)).toMatchObject({ status: 'completed' });
    expect(await stateOf(security)).toBe('halted');
    expect((await lister.client.post(`/v1/securities/${security.id}/lift`, { reason: 'Done' })).status).toBe(200);
  });

  test('that was begun is not cancelled, and splits once however often it is carried on', async () => {
    const security = await listed();
    const action = await announced(security);
    await carryOn();
    for (let n = 0; n < 2; n++) {
      // As if nothing had been written after the register had recorded it.
      await env.DB.prepare(`UPDATE corporate_actions SET state = 'effective', ended_at = NULL WHERE id = ?1`)
        .bind(action)
        .run();
      expect((await cancel(action)).status).toBe(409);
      await Promise.all([carryOn(), carryOn()]);
      expect(await now(action)).toMatchObject({ status: 'completed' });
    }
    expect([await shares(seller, security), await outstanding(security)]).toEqual([300, 450]);
    await expectRight();
  });

  test('waits for its effective date', async () => {
    const security = await listed();
    const action = await announced(security, { effective_date: new Date(Date.now() + 3_600_000).toISOString() });
    await carryOn();
    expect(await now(action)).toMatchObject({ status: 'announced', waiting_for: null });
    expect(await stateOf(security)).toBe('listed');
    await carryOnActions(env, Date.now() + 3_601_000);
    expect(await now(action)).toMatchObject({ status: 'completed' });
  });

  test('changes nothing of a dividend whose record date was before it, also where holders are recorded after it', async () => {
    const security = await listed();
    const at = new Date().toISOString();
    await scheduler.wait(3);
    const action = await announced(security);
    await carryOn();
    expect(await now(action)).toMatchObject({ status: 'completed' });
    const dividend = {
      action_type: 'dividend',
      record_date: at,
      payment_date: at,
      amount_per_share: 0.25,
      currency: 'USD',
    };
    const { body } = await agent.client.post<Action>('/v1/corporate-actions', {
      security_id: security.id,
      description: 'Quarterly dividend',
      ...dividend,
    });
    await carryOn();
    expect(await now(body.corporate_action_id)).toMatchObject({
      waiting_for: 'payment_account',
      total_amount: 25,
      external_amount: 12.5,
    });
  });
});

/** The lister has agreed that the seller gives so many back. */
async function cancellation(security: Listed, count: number, terms: object = {}): Promise<string> {
  const none = { ratio_from: undefined, ratio_to: undefined };
  const holder_id = await holderOf(security, seller);
  const action = await announced(security, {
    action_type: 'share_cancellation',
    holder_id,
    shares: count,
    ...none,
    ...terms,
  });
  await consent(action);
  // It looks for the holder's shares in D1.
  expect(await ledgerOf(env).projected()).toBe(true);
  return action;
}

describe('what counts shares', () => {
  test.each([
    ['share_cancellation', (security: Listed, at: string) => cancellation(security, 10, { effective_date: at })],
    [
      'merger',
      (security: Listed, effective_date: string) => {
        const cash = { cash_per_share: 2.5, currency: 'USD', counterparty: 'Nadir Holdings' };
        const terms = { action_type: 'merger', effective_date, ratio_from: undefined, ratio_to: undefined, ...cash };
        return announced(security, terms);
      },
    ],
  ])(
    'means shares of the day of its announcement: after a split a %s takes no step, until it is announced anew',
    async (_, announce) => {
      const security = await listed();
      const later = Date.now() + 3_600_000;
      const counted = await announce(security, new Date(later).toISOString());
      const split = await announced(security, { ratio_from: 10, ratio_to: 1 });
      await consent(split);
      await carryOn();
      expect(await now(split)).toMatchObject({ status: 'completed' });
      await carryOnActions(env, later + 1_000);
      expect(await now(counted)).toMatchObject({ status: 'announced', waiting_for: 'shares_split' });
      // One from before says no splits: those of after its announcement count.
      const forgets =
        "UPDATE corporate_actions SET terms = json_remove(terms, '$.splits'), state = ?2, waiting = NULL WHERE id = ?1";
      await env.DB.prepare(forgets).bind(counted, 'effective').run();
      await carryOnActions(env, later + 1_000);
      expect(await now(counted)).toMatchObject({ status: 'announced', waiting_for: 'shares_split' });
      expect([await shares(seller, security), await outstanding(security)]).toEqual([10, 15]);
      expect((await cancel(counted)).status).toBe(200);
      expect(await stateOf(security)).toBe('listed');
      const anew = await cancellation(security, 4);
      await carryOn();
      expect(await now(anew)).toMatchObject({ status: 'completed' });
      expect([await shares(seller, security), await outstanding(security)]).toEqual([6, 11]);
      await expectRight();
    },
  );

  test('is told from a split that moves while it is announced', async () => {
    const security = await listed();
    const split = await announced(security);
    await carryOn();
    await env.DB.prepare("UPDATE corporate_actions SET state = 'effective', ended_at = NULL WHERE id = ?1")
      .bind(split)
      .run();
    const counted = await cancellation(security, 10);
    await carryOn();
    await carryOn();
    expect([await now(split), await now(counted)]).toMatchObject([
      { status: 'completed' },
      { waiting_for: 'shares_split' },
    ]);
  });
});

test('takes nothing of a frozen account, at once or by an action, until it is free again', async () => {
  const security = await listed();
  const frozen = await createKeyHolder(db);
  const path = `/v1/captable/${security.id}`;
  const issued = { account_id: frozen.accountId, shares: 10, restriction_ends_at: null };
  expect((await agent.client.post(`${path}/issuances`, issued)).status).toBe(200);
  const holder_id = await holderOf(security, frozen);
  const action = await cancellation(security, 4, { holder_id });
  await setFacts(frozen.accountId, { frozen: true });
  expect((await agent.client.post(`${path}/cancellations`, { holder_id, shares: 1 })).status).toBe(409);
  await carryOn();
  expect(await now(action)).toMatchObject({ status: 'announced', waiting_for: 'shares_held' });
  expect(await shares(frozen, security)).toBe(10);
  await setFacts(frozen.accountId, { frozen: false });
  expect(await ledgerOf(env).projected()).toBe(true);
  await carryOn();
  expect(await now(action)).toMatchObject({ status: 'completed' });
  expect(await shares(frozen, security)).toBe(6);
});

describe('a cancellation of shares that has begun and moved nothing', () => {
  const eventOf = (action: string, attempt: number) =>
    findRegisterEvent(db, tradeEventId(action, `cancellation.${attempt}`));
  const setAgent = (state: string) =>
    env.DB.prepare('UPDATE partner_organizations SET state = ?2 WHERE organization = ?1')
      .bind(agent.organization, state)
      .run();

  test('waits as it was announced while its agent is suspended', async () => {
    const security = await listed();
    const action = await cancellation(security, 10);
    await makeEffective(action);
    await setAgent('suspended');
    await carryOn();
    await setAgent('active');
    expect(await now(action)).toMatchObject({ status: 'announced', waiting_for: 'agent_suspended' });
    await carryOn();
    expect(await now(action)).toMatchObject({ status: 'completed' });
    expect(await shares(seller, security)).toBe(90);
    await expectRight();
  });

  test('waits as it was announced while no event of it fits, and is held and ended by an operator', async () => {
    const security = await listed();
    const action = await cancellation(security, 10);
    const full = `INSERT INTO register_row_counts (scope, day, lines) VALUES (?1, 0, ?2)`;
    const scope = `agent:${agent.organization}`;
    await env.DB.prepare(full).bind(scope, ROWS_MAX.agent).run();
    await carryOn();
    expect(await now(action)).toMatchObject({ status: 'announced', waiting_for: 'not_current' });
    await makeEffective(action);
    const by = () => ({ id: uuidv7(), actor: 'operator', requestId: 'r' });
    expect(await holdAction(env, { id: action, reason: 'asked' }, by())).toMatchObject({
      ok: true,
      value: { state: 'announced' },
    });
    await env.DB.prepare('DELETE FROM register_row_counts WHERE scope = ?1 AND day = 0').bind(scope).run();
    await carryOn();
    expect(await now(action)).toMatchObject({ status: 'announced', waiting_for: 'held_by_operator' });
    expect(await releaseAction(env, action, by())).toMatchObject({ ok: true });
    expect(await now(action)).toMatchObject({ status: 'completed' });
    const other = await cancellation(security, 10);
    await makeEffective(other);
    expect(await endAction(env, { id: other, reason: 'asked' }, by())).toMatchObject({
      ok: true,
      value: { state: 'cancelled' },
    });
    expect(await shares(seller, security)).toBe(90);
    await expectRight();
  });

  test('is announced with the moving of its shares, of its own attempt alone, and held once an operator has ended that', async () => {
    const security = await listed();
    const action = await cancellation(security, 10);
    await makeEffective(action);
    const holder = {
      id: await holderOf(security, seller),
      account: seller.accountId,
      reference: `account:${seller.accountId}`,
      kind: 'individual',
      name: 'Seller',
      country: null,
    } as const;
    const line = {
      holder,
      shares: -10,
      cost: 0,
      acquiredAt: null,
      restrictionEndsAt: null,
      offeringType: null,
      certificate: null,
      legend: false,
    };
    const event = { id: tradeEventId(action, 'cancellation.1'), security: security.id };
    const hash = sha256('cancellation', security.id, holder.id, '10', '', 'Three for one');
    const terms = { recordDate: null, notes: 'Three for one', actor: 'a', createdAt: Date.now() };
    await stageEvent(db, { ...event, ...terms, type: 'cancellation', hash }, [line]);
    expect(await announceEvent(db, event, { moving: { id: action, attempt: 2 } })).toBe(false);
    const moving = () =>
      env.DB.prepare('SELECT moving_at FROM corporate_actions WHERE id = ?1').bind(action).first('moving_at');
    expect(await moving()).toBeNull();
    expect(await announceEvent(db, event, { moving: { id: action, attempt: 1 } })).toBe(true);
    expect(await moving()).toBeGreaterThan(0);
    expect(
      await holdAction(env, { id: action, reason: 'late' }, { id: uuidv7(), actor: 'operator', requestId: 'r' }),
    ).toMatchObject({ ok: false, error: { reason: 'shares_move' } });
    expect(await refuseEvent(db, { id: event.id, state: 'announced' }, ENDED_BY_OPERATOR)).toBe(true);
    await carryOn();
    await carryOn();
    expect(await now(action)).toMatchObject({ status: 'announced', waiting_for: 'held_by_operator' });
    expect([await moving(), await eventOf(action, 2), await shares(seller, security)]).toEqual([null, null, 100]);
    await expectRight();
  });
});
