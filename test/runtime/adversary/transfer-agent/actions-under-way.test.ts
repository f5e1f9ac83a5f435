import { env } from 'cloudflare:workers';
import { uuidv7 } from 'uuidv7';
import { beforeAll, describe, expect, test } from 'vitest';
import { carryOnAction, carryOnActions } from '../../../../application/partner/actions/carry-on-actions.ts';
import { runAudit } from '../../../../data/audit/run-audit.ts';
import type { Database } from '../../../../data/database.ts';
import { ledgerOf } from '../../../../durable-objects/ledger/api.ts';
import { createKeyHolder, type KeyHolder } from '../../fixtures/book-client.ts';
import { createCurrency, USD } from '../../fixtures/create-currency.ts';
import { createPair } from '../../fixtures/create-pair.ts';
import { venueOperator } from '../../fixtures/cross-list.ts';
import type { Client, ErrorBody } from '../../fixtures/exchange-client.ts';
import { introducedInvestor } from '../../fixtures/introduced-investor.ts';
import { migrate } from '../../fixtures/migrate.ts';
import { createPartner, createSecurity, type Partner } from '../../fixtures/partner-client.ts';

let db: Database;
let lister: Partner;
let operator: Client;
let ann: KeyHolder;

beforeAll(async () => {
  db = await migrate();
  await createCurrency(db);
  lister = await createPartner(db, 'cross_lister');
  operator = await venueOperator(db);
  ann = await createKeyHolder(db);
});

let pairs = 0;

interface Listed {
  readonly id: string;
  readonly agent: Partner;
}

/** Ann has a hundred shares, somebody without an account fifty. */
async function listed(agent: Partner): Promise<Listed> {
  pairs += 1;
  const id = uuidv7();
  const { symbol } = await createPair(db, `UWY${pairs}`, { asset: { id } });
  const accepted = { transferAgent: agent.organization, agentState: 'accepted' } as const;
  await createSecurity(db, lister, { id, state: 'listed', market: symbol, symbol: `UWY${pairs}`, ...accepted });
  for (const to of [
    { account_id: ann.accountId, shares: 100 },
    { holder_reference: 'H', holder_name: 'Ida', shares: 50 },
  ])
    expect((await agent.client.post(`/v1/captable/${id}/issuances`, { restriction_ends_at: null, ...to })).status).toBe(
      200,
    );
  return { id, agent };
}

type Kind = 'stock_split' | 'cash_merger' | 'stock_merger';

const CASH = { action_type: 'merger', counterparty: 'Nadir', cash_per_share: 2.5, currency: 'USD' };
const SPLIT = { action_type: 'stock_split', ratio_from: 1, ratio_to: 2 };

const announce = ({ id, agent }: Listed, terms: object) =>
  agent.client.post<ErrorBody & { corporate_action_id: string }>('/v1/corporate-actions', {
    security_id: id,
    effective_date: new Date().toISOString(),
    description: 'an action',
    ...terms,
  });

const stateOf = async (action: string) =>
  env.DB.prepare('SELECT state, waiting FROM corporate_actions WHERE id = ?1')
    .bind(action)
    .first<{ state: string; waiting: string | null }>();

const amountOf = async (account: string, asset: string) =>
  (await ledgerOf(env).balances(account)).find((each) => each.asset === asset)?.available ?? 0;

async function expectRight(): Promise<void> {
  expect(await ledgerOf(env).projected()).toBe(true);
  expect((await runAudit(db)).filter(({ holds }) => !holds)).toEqual([]);
}

/** An action that has come to a state, and takes its next step when somebody lets it. */
async function underWay(kind: Kind, state: string) {
  const agent = await createPartner(db, 'transfer_agent');
  const security = await listed(agent);
  const survivor = kind === 'stock_merger' ? await listed(agent) : null;
  const stock = { security_id: survivor?.id, ratio_from: 1, ratio_to: 1 };
  const made = await announce(
    security,
    kind === 'stock_split'
      ? SPLIT
      : kind === 'cash_merger'
        ? CASH
        : { ...CASH, cash_per_share: undefined, currency: undefined, stock },
  );
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  const { corporate_action_id: id } = made.body;
  if (kind !== 'stock_split')
    expect((await lister.client.post(`/v1/corporate-actions/${id}/consent`, undefined)).status).toBe(200);
  let payer: string | null = null;
  if (kind === 'cash_merger') {
    payer = (await introducedInvestor(lister, { cash: 1_000_00 })).accountId;
    const path = `/v1/corporate-actions/${id}/payment-account`;
    expect((await lister.client.post(path, { account_id: payer })).status).toBe(200);
  }
  for (let steps = 0; steps < 10 && (await stateOf(id))?.state !== state; steps++)
    await carryOnAction(env, id, Date.now(), 1);
  expect(await stateOf(id)).toMatchObject({ state });
  return { id, security, agent, payer };
}

type UnderWay = Awaited<ReturnType<typeof underWay>>;

const operate = (id: string, what: string) =>
  operator.post(`/v1/operator/corporate-actions/${id}/${what}`, { reason: 'x' });
const suspended = (agent: Partner, state: string) =>
  env.DB.prepare('UPDATE partner_organizations SET state = ?2 WHERE organization = ?1')
    .bind(agent.organization, state)
    .run();
const run = async () => {
  for (let n = 0; n < 3; n++) await carryOnActions(env, Date.now());
};

/** Nobody has lost shares or money, and register and ledger change again. */
async function expectLetGo({ security, payer }: UnderWay): Promise<void> {
  await expectRight();
  expect(await amountOf(ann.accountId, security.id)).toBe(100);
  if (payer !== null) expect(await amountOf(payer, USD)).toBe(1_000_00);
  const agent = await createPartner(db, 'transfer_agent');
  await env.DB.prepare("UPDATE securities SET transfer_agent = ?2, agent_state = 'accepted' WHERE id = ?1")
    .bind(security.id, agent.organization)
    .run();
  const row = { holder_reference: 'K', holder_name: 'Kim', shares: 1 };
  expect((await agent.client.post(`/v1/captable/${security.id}/issuances`, row)).status).toBe(200);
}

const STATES: readonly (readonly [Kind, string])[] = [
  ['stock_split', 'effective'],
  ['cash_merger', 'recorded'],
  ['cash_merger', 'funded'],
  ['stock_merger', 'funded'],
];

describe.each(STATES)('M-01: a %s that is %s', (kind, state) => {
  test('is given up while an operator holds it, and goes to its end when it is let go on', async () => {
    const action = await underWay(kind, state);
    expect((await operate(action.id, 'hold')).status).toBe(200);
    await run();
    expect(await stateOf(action.id)).toEqual({ state: 'announced', waiting: 'held_by_operator' });
    await expectRight();
    expect((await operate(action.id, 'release')).status).toBe(200);
    await run();
    expect(await stateOf(action.id)).toEqual({ state: 'completed', waiting: null });
    expect((await operate(action.id, 'hold')).status).toBe(409);
    await expectRight();
  });

  test('is given up, once, where an operator ends it', async () => {
    const action = await underWay(kind, state);
    expect((await operate(action.id, 'cancel')).status).toBe(200);
    await run();
    expect(await stateOf(action.id)).toMatchObject({ state: 'cancelled' });
    await expectLetGo(action);
  });

  test('is given up and ends where its agent is released', async () => {
    const action = await underWay(kind, state);
    expect(
      (await operator.post(`/v1/operator/securities/${action.security.id}/release-agent`, { reason: 'x' })).status,
    ).toBe(200);
    await run();
    expect(await stateOf(action.id)).toMatchObject({ state: 'cancelled' });
    await expectLetGo(action);
  });

  test('is given up while its agent is suspended', async () => {
    const action = await underWay(kind, state);
    await suspended(action.agent, 'suspended');
    await run();
    expect(await stateOf(action.id)).toEqual({ state: 'announced', waiting: 'agent_suspended' });
    await expectLetGo(action);
  });
});

test('M-01: a merger whose shares move is neither held nor ended, and goes to its end though its agent is released', async () => {
  const action = await underWay('cash_merger', 'funded');
  await carryOnAction(env, action.id, Date.now(), 1);
  for (const what of ['hold', 'cancel']) expect((await operate(action.id, what)).status).toBe(409);
  await env.DB.prepare("UPDATE securities SET agent_state = 'released' WHERE id = ?1").bind(action.security.id).run();
  await run();
  expect(await stateOf(action.id)).toEqual({ state: 'completed', waiting: null });
  expect(await amountOf(ann.accountId, action.security.id)).toBe(0);
  await expectRight();
});

describe('M-01: an action', () => {
  test.each([
    ['a split', { ...SPLIT, ratio_from: 2, ratio_to: 1 }],
    ['a merger', CASH],
  ] as const)('(%s) to which its lister has not agreed waits, and nothing is halted', async (_, terms) => {
    const security = await listed(await createPartner(db, 'transfer_agent'));
    const { body } = await announce(security, terms);
    await run();
    expect(await stateOf(body.corporate_action_id)).toEqual({ state: 'announced', waiting: 'lister_consent' });
    const { body: shown } = await lister.client.get<{ status: string }>(`/v1/securities/${security.id}`);
    expect(shown.status).toBe('listed');
  });

  test('is not announced for a date that leaves less than the notice of the venue', async () => {
    const set = (sharesHours: number) =>
      operator.put('/v1/operator/corporate-actions/notice', { sharesHours, otherHours: 0 });
    const security = await listed(await createPartner(db, 'transfer_agent'));
    expect((await set(48)).status).toBe(200);
    const refused = await announce(security, SPLIT);
    const late = await announce(security, {
      ...SPLIT,
      effective_date: new Date(Date.now() + 49 * 3_600_000).toISOString(),
    });
    await set(0);
    expect([refused.status, refused.body.error.code, late.status]).toEqual([400, 'VALIDATION_ERROR', 201]);
  });
});
