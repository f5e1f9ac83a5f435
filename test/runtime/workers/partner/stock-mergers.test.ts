import { env } from 'cloudflare:workers';
import { uuidv7 } from 'uuidv7';
import { beforeAll, describe, expect, test } from 'vitest';
import { carryOnActions } from '../../../../application/partner/actions/carry-on-actions.ts';
import { carryOnRegisters } from '../../../../application/partner/register/change-register.ts';
import { conversionEventId } from '../../../../application/partner/register/convert-shares.ts';
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

const IDA = { holder_reference: 'H-7', holder_name: 'Ida Novak' };

/** The lister of each security, which agrees to what ends or gives its shares. */
const listers = new Map<string, Partner>();

async function createListed(by: Partner, terms: object, ...issuances: readonly object[]): Promise<Listed> {
  pairs += 1;
  const id = uuidv7();
  const { symbol } = await createPair(db, `STM${pairs}`, { asset: { id } });
  const accepted = { transferAgent: agent.organization, agentState: 'accepted' } as const;
  await createSecurity(db, by, { id, state: 'listed', market: symbol, symbol: `STM${pairs}`, ...accepted, ...terms });
  listers.set(id, by);
  for (const body of issuances) expect((await issue({ id, symbol }, body)).status).toBe(200);
  return { id, symbol };
}

/** Ann has a hundred shares, Bob seven, somebody without an account fifty. */
const ending = () =>
  createListed(
    lister,
    {},
    { account_id: ann.accountId, shares: 100, restriction_ends_at: '2027-06-30', acquired_at: '2026-01-05' },
    { account_id: bob.accountId, shares: 7 },
    { ...IDA, shares: 50 },
  );

/** Of another lister: Bob has a thousand shares, Ida Novak five. */
async function surviving(terms: object = {}): Promise<Listed> {
  const other = await createPartner(db, 'cross_lister');
  return createListed(other, terms, { account_id: bob.accountId, shares: 1_000 }, { ...IDA, shares: 5 });
}

type Action = Record<string, unknown> & { corporate_action_id: string };

/** Three of the surviving security for two. */
const announce = (security: Listed, survivor: Listed, terms: object = {}, stock: object = {}) =>
  agent.client.post<Action>('/v1/corporate-actions', {
    security_id: security.id,
    action_type: 'merger',
    effective_date: new Date().toISOString(),
    counterparty: 'Nadir Holdings',
    stock: { security_id: survivor.id, ratio_from: 2, ratio_to: 3, ...stock },
    description: 'Merger into Nadir Holdings',
    ...terms,
  });

async function announced(security: Listed, survivor: Listed, terms: object = {}, stock: object = {}): Promise<string> {
  const answer = await announce(security, survivor, terms, stock);
  expect(answer, JSON.stringify(answer.body)).toMatchObject({ status: 201 });
  const { corporate_action_id: id } = answer.body;
  for (const each of [security, survivor])
    expect((await listers.get(each.id)?.client.post(`/v1/corporate-actions/${id}/consent`, undefined))?.status).toBe(
      200,
    );
  return id;
}

const CASH = { cash_per_share: 2.505, currency: 'USD' };

/** The lister lets an account with so much cash, in cents, pay; the account. */
async function funded(action: string, cash: number): Promise<string> {
  const { accountId } = await introducedInvestor(lister, { cash });
  const path = `/v1/corporate-actions/${action}/payment-account`;
  expect((await lister.client.post(path, { account_id: accountId })).status).toBe(200);
  return accountId;
}

const carryOn = () => carryOnActions(env, Date.now());
const now = async (action: string) => (await agent.client.get<Action>(`/v1/corporate-actions/${action}`)).body;
const cancel = (action: string) => agent.client.post(`/v1/corporate-actions/${action}/cancel`, { reason: 'Withdrawn' });
const stateOf = async ({ id }: Listed) =>
  (await agent.client.get<{ status: string }>(`/v1/securities/${id}`)).body.status;
const amountOf = async (account: string, asset: string) => {
  const balance = (await ledgerOf(env).balances(account)).find((each) => each.asset === asset);
  return (balance?.available ?? 0) + (balance?.held ?? 0);
};
const sharesIn = ({ id }: Listed) =>
  Promise.all([ann.accountId, bob.accountId, 'boundary:register'].map((account) => amountOf(account, id)));
const registered = async ({ id }: Listed) =>
  env.DB.prepare(
    `SELECT h.name, r.shares FROM register_holdings r JOIN register_holders h ON h.id = r.holder
     WHERE r.security = ?1 AND r.shares > 0 AND h.account IS NULL ORDER BY h.name, r.shares`,
  )
    .bind(id)
    .all()
    .then(({ results }) => results);
const outstanding = async ({ id }: Listed) =>
  (await env.DB.prepare('SELECT sum(shares) AS n FROM register_holdings WHERE security = ?1').bind(id).first('n')) ?? 0;
const lastEvent = async ({ id }: Listed) =>
  (await agent.client.get<{ events: Action[] }>(`/v1/captable/${id}/history`)).body.events.at(-1);
const place = (symbol: string, by: KeyHolder, side: 'buy' | 'sell', size: number) =>
  by.client.post('/v1/orders', { symbol, side, type: 'limit', size, price: 10, time_in_force: 'GTC' });

async function expectRight(): Promise<void> {
  expect(await ledgerOf(env).projected()).toBe(true);
  expect((await runAudit(db)).filter(({ holds }) => !holds)).toEqual([]);
}

const BEFORE = [
  [100, 7, 50],
  [0, 1_000, 5],
];
/** Of a hundred come 150, of seven 10.5, of fifty 75. */
const AFTER = [
  [0, 0, 0],
  [150, 1_011, 80],
];

const both = (security: Listed, survivor: Listed) => Promise.all([sharesIn(security), sharesIn(survivor)]);

describe('a merger for stock', () => {
  test('gives every holder the shares of the other security, rounded up, in both registers, and delists', async () => {
    const [security, survivor] = [await ending(), await surviving()];
    expect((await place(security.symbol, bob, 'sell', 5)).status).toBeLessThan(300);
    const action = await announced(security, survivor);
    expect(await now(action)).toMatchObject({
      cash_per_share: null,
      currency: null,
      stock: { security_id: survivor.id, ratio_from: 2, ratio_to: 3, restriction_ends_at: null },
    });
    const body = { account_id: (await introducedInvestor(lister, { cash: 1 })).accountId };
    expect((await lister.client.post(`/v1/corporate-actions/${action}/payment-account`, body)).status).toBe(409);
    await carryOn();
    expect(await now(action)).toMatchObject({ status: 'completed', waiting_for: null, total_amount: 0 });
    expect(await both(security, survivor)).toEqual(AFTER);
    expect([await outstanding(security), await outstanding(survivor)]).toEqual([0, 1_241]);
    expect(await registered(survivor)).toEqual([{ name: 'Ida Novak', shares: 80 }]);
    expect([await stateOf(security), await stateOf(survivor)]).toEqual(['delisted', 'listed']);
    expect(await lastEvent(security)).toMatchObject({ event_type: 'merger', sequence: 4 });
    expect(await lastEvent(survivor)).toMatchObject({ event_type: 'conversion', sequence: 3 });
    await expectRight();
  });

  test('keeps the day and the end of the restriction of each lot, and binds none before a stated end', async () => {
    const lots = ({ id }: Listed) =>
      env.DB.prepare(
        'SELECT quantity, acquired_at, restriction_ends_at FROM lots WHERE asset = ?1 AND account = ?2 AND quantity > 0',
      )
        .bind(id, ann.accountId)
        .all<Record<string, number>>()
        .then(({ results }) => results);
    const NEW_YEAR = '2028-01-01T05:00:00Z';
    for (const end of [null, NEW_YEAR, '2028-01-01']) {
      const [security, survivor] = [await ending(), await surviving()];
      expect(await ledgerOf(env).projected()).toBe(true);
      const [before] = await lots(security);
      expect(before?.restriction_ends_at).toBeGreaterThan(0);
      await announced(security, survivor, {}, { restriction_ends_at: end });
      await carryOn();
      expect(await ledgerOf(env).projected()).toBe(true);
      const ends = end === null ? before?.restriction_ends_at : Date.parse(NEW_YEAR);
      expect(await lots(survivor)).toEqual([{ ...before, quantity: 150, restriction_ends_at: ends }]);
      expect(await lots(security)).toEqual([]);
    }
  });

  test('takes a holder without an account for another one where the reference is somebody else there', async () => {
    const security = await ending();
    const other = await createPartner(db, 'cross_lister');
    const survivor = await createListed(other, {}, { holder_reference: 'H-7', holder_name: 'Jon Weiss', shares: 3 });
    await announced(security, survivor);
    await carryOn();
    expect(await registered(survivor)).toEqual([
      { name: 'Ida Novak', shares: 75 },
      { name: 'Jon Weiss', shares: 3 },
    ]);
    await expectRight();
  });

  test('and cash gives both, once the payer has paid', async () => {
    const [security, survivor] = [await ending(), await surviving()];
    const before = await Promise.all([ann.accountId, bob.accountId].map((account) => amountOf(account, USD)));
    const action = await announced(security, survivor, CASH);
    await carryOn();
    expect(await now(action)).toMatchObject({ status: 'announced', waiting_for: 'payment_account' });
    // A cent less than it comes to: the ledger finds out.
    await funded(action, 268_02);
    await carryOn();
    expect(await now(action)).toMatchObject({ status: 'announced', waiting_for: 'insufficient_funds' });
    expect(await both(security, survivor)).toEqual(BEFORE);
    for (const each of [security, survivor])
      expect((await issue(each, { holder_reference: 'H-9', holder_name: 'Ola Berg', shares: 2 })).status).toBe(200);
    const payer = await funded(action, 1_000_00);
    await carryOn();
    expect(await now(action)).toMatchObject({ status: 'completed', total_amount: 268.03, external_amount: 130.26 });
    expect(await both(security, survivor)).toEqual([
      [0, 0, 0],
      [150, 1_011, 85],
    ]);
    const after = await Promise.all([ann.accountId, bob.accountId].map((account) => amountOf(account, USD)));
    expect(after.map((cash, at) => cash - (before[at] as number))).toEqual([250_50, 17_53]);
    expect(await amountOf(payer, USD)).toBe(1_000_00 - 268_03);
    await expectRight();
  });

  test('is no matter for shares that are not of its agent, are the same, or are not listed', async () => {
    const [security, survivor] = [await ending(), await surviving()];
    const foreign = await createPartner(db, 'transfer_agent');
    const others = await surviving();
    await env.DB.prepare('UPDATE securities SET transfer_agent = ?2 WHERE id = ?1')
      .bind(others.id, foreign.organization)
      .run();
    const proposed = await surviving();
    await env.DB.prepare(`UPDATE securities SET agent_state = 'proposed' WHERE id = ?1`).bind(proposed.id).run();
    const gone = await surviving();
    await env.DB.prepare(`UPDATE securities SET state = 'delisted' WHERE id = ?1`).bind(gone.id).run();
    const finer = await surviving();
    await env.DB.prepare('UPDATE assets SET scale = scale + 1 WHERE id = ?1').bind(finer.id).run();
    for (const [other, status, reason] of [
      [others, 404, 'survivor_not_found'],
      [{ ...others, id: uuidv7() }, 404, 'survivor_not_found'],
      [security, 400, 'survivor_is_same'],
      [proposed, 409, 'survivor_not_accepted'],
      [gone, 409, 'survivor_not_listed'],
      [finer, 409, 'survivor_scale_differs'],
    ] as const) {
      const answer = await announce(security, other);
      expect([answer.status, JSON.stringify(answer.body)]).toEqual([status, expect.stringContaining(reason)]);
    }
    for (const ratio of [
      { ratio_from: 3, ratio_to: 3 },
      { ratio_to: 0 },
      { ratio_to: 1_000_000_001 },
      { ratio_from: 0.5 },
    ])
      expect((await announce(security, survivor, {}, ratio)).status, JSON.stringify(ratio)).toBe(400);
    expect((await announce(security, survivor, {}, { ratio_from: 1, ratio_to: 1 })).status).toBe(201);
  });

  test('waits while the surviving security is delisted, and is cancelled', async () => {
    const [security, survivor] = [await ending(), await surviving()];
    const action = await announced(security, survivor);
    await env.DB.prepare(`UPDATE securities SET state = 'delisted' WHERE id = ?1`).bind(survivor.id).run();
    await carryOn();
    expect(await now(action)).toMatchObject({ status: 'announced', waiting_for: 'surviving_security' });
    expect(await stateOf(security)).toBe('listed');
    expect(await both(security, survivor)).toEqual(BEFORE);
    expect(await cancel(action)).toMatchObject({ status: 200, body: { status: 'cancelled' } });
    expect(await stateOf(security)).toBe('listed');
    expect((await issue(security, { account_id: ann.accountId, shares: 1 })).status).toBe(200);
  });

  test('waits for nothing of the surviving security: it trades on, with orders and transfers that are open', async () => {
    const [security, survivor] = [await ending(), await surviving()];
    await place(survivor.symbol, bob, 'sell', 10);
    await place(survivor.symbol, ann, 'buy', 10);
    await settle(survivor.symbol);
    expect((await place(survivor.symbol, bob, 'sell', 20)).status).toBeLessThan(300);
    await agent.client.get('/v1/transfers');
    const action = await announced(security, survivor);
    await carryOn();
    expect(await now(action)).toMatchObject({ status: 'completed' });
    expect(await sharesIn(survivor)).toEqual([160, 1_001, 80]);
    const order = await env.DB.prepare('SELECT status FROM orders WHERE book = ?1 AND quantity = 20')
      .bind(survivor.symbol)
      .first('status');
    expect(order).toBe('open');
    await expectRight();
  });

  test('waits while another event of the surviving security is under way', async () => {
    const [security, survivor] = [await ending(), await surviving()];
    const action = await announced(security, survivor);
    await env.DB.prepare(
      `INSERT INTO register_events (id, security, type, state, hash, actor, created_at) VALUES ('x${survivor.id}', ?1, 'issuance', 'announced', '', 'a', ?2)`,
    )
      .bind(survivor.id, Date.now())
      .run();
    await carryOn();
    expect(await now(action)).toMatchObject({ status: 'announced', waiting_for: 'not_current' });
    expect((await issue(security, { account_id: ann.accountId, shares: 2 })).status).toBe(200);
    await env.DB.prepare(
      `UPDATE register_events SET state = 'refused', refusal = 'a test' WHERE id = 'x${survivor.id}'`,
    ).run();
    await carryOn();
    expect(await now(action)).toMatchObject({ status: 'completed' });
    expect(await sharesIn(survivor)).toEqual([153, 1_011, 80]);
    await expectRight();
  });

  const CUTS: readonly (readonly [what: string, table: string, when: string, isHeld: boolean])[] = [
    ['recorded who ends', 'corporate_actions', `NEW.state = 'recorded'`, true],
    ['was funded', 'corporate_actions', `NEW.state = 'funded'`, true],
    [
      'announced the event of the surviving security',
      'register_events',
      `NEW.state = 'announced' AND NEW.type = 'conversion'`,
      true,
    ],
    ['recorded that shares end', 'register_events', `NEW.state = 'recorded' AND NEW.type = 'merger'`, false],
    ['recorded what they became', 'register_events', `NEW.state = 'recorded' AND NEW.type = 'conversion'`, false],
    ['was completed', 'corporate_actions', `NEW.state = 'completed'`, false],
  ];

  test.each(CUTS)('that was cut short before it %s goes on, and is not cancelled', async (_, table, when, isHeld) => {
    const [security, survivor] = [await ending(), await surviving()];
    const action = await announced(security, survivor);
    await env.DB.exec(
      `CREATE TRIGGER cut BEFORE UPDATE ON ${table} WHEN ${when} BEGIN SELECT RAISE(ABORT, 'cut'); END`,
    );
    await expect(carryOn()).rejects.toThrow();
    await env.DB.exec('DROP TRIGGER cut');
    expect((await cancel(action)).status).toBe(409);
    await carryOnRegisters(env, Date.now() + HOUR_MS);
    expect(await both(security, survivor)).toEqual(isHeld ? BEFORE : AFTER);
    await Promise.all([carryOn(), carryOn()]);
    await carryOn();
    expect(await now(action)).toMatchObject({ status: 'completed' });
    expect(await both(security, survivor)).toEqual(AFTER);
    expect([await outstanding(security), await outstanding(survivor)]).toEqual([0, 1_241]);
    expect(await stateOf(security)).toBe('delisted');
    await expectRight();
  });

  test.each(['merger', 'conversion'])(
    'whose %s was given up between two writes leaves neither register held',
    async (type) => {
      const [security, survivor] = [await ending(), await surviving()];
      const action = await announced(security, survivor, CASH);
      await funded(action, 268_02);
      await env.DB.exec(
        `CREATE TRIGGER cut BEFORE UPDATE ON register_events WHEN NEW.state = 'refused' AND NEW.type = '${type}' BEGIN SELECT RAISE(ABORT, 'cut'); END`,
      );
      await expect(carryOn()).rejects.toThrow();
      await env.DB.exec('DROP TRIGGER cut');
      expect(await now(action)).toMatchObject({ status: 'announced', waiting_for: 'insufficient_funds' });
      await carryOnRegisters(env, Date.now() + HOUR_MS);
      for (const each of [security, survivor])
        expect((await issue(each, { account_id: bob.accountId, shares: 1 })).status).toBe(200);
      const event = conversionEventId({ id: action, attempt: 1 });
      expect(await env.DB.prepare('SELECT state FROM register_events WHERE id = ?1').bind(event).first('state')).toBe(
        'refused',
      );
      await expectRight();
    },
  );
});
