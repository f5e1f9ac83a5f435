import { type Schema, Validator } from '@cfworker/json-schema';
import { uuidv7 } from 'uuidv7';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Database } from '../../../../data/database.ts';
import { callWorker } from '../../fixtures/call-worker.ts';
import { createCurrency } from '../../fixtures/create-currency.ts';
import { createPair } from '../../fixtures/create-pair.ts';
import { introducedInvestor } from '../../fixtures/introduced-investor.ts';
import { migrate } from '../../fixtures/migrate.ts';
import { createPartner, createSecurity, type Partner } from '../../fixtures/partner-client.ts';
import { createTestEndpoint, outsideReceiver, verified } from '../../fixtures/webhook-receiver.ts';

let db: Database;
let lister: Partner;
let agent: Partner;

beforeAll(async () => {
  db = await migrate();
  lister = await createPartner(db, 'cross_lister');
  agent = await createPartner(db, 'transfer_agent');
  await createCurrency(db);
});

let pairs = 0;

interface Listed {
  readonly id: string;
  readonly symbol: string;
}

/** A listed security of the agent's, with its market. */
async function listed(terms: Parameters<typeof createSecurity>[2] = {}): Promise<Listed> {
  pairs += 1;
  const id = uuidv7();
  const { symbol } = await createPair(db, `ACT${pairs}`, { asset: { id } });
  const accepted = { transferAgent: agent.organization, agentState: 'accepted' } as const;
  const shown = { id, state: 'listed', market: symbol, symbol: `ACT${pairs}` } as const;
  await createSecurity(db, lister, { ...shown, ...accepted, ...terms });
  return { id, symbol };
}

type Action = Record<string, unknown> & { corporate_action_id: string };

const dayFrom = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

const dividendOf = (security: string, terms: object = {}) => ({
  security_id: security,
  action_type: 'dividend',
  record_date: dayFrom(2),
  payment_date: dayFrom(10),
  amount_per_share: 0.25,
  currency: 'USD',
  description: 'Quarterly dividend',
  ...terms,
});
const announce = (body: object, as = agent) => as.client.post<Action>('/v1/corporate-actions', body);

async function announced(body: object, as = agent): Promise<Action> {
  const answer = await announce(body, as);
  expect(answer, JSON.stringify(answer.body)).toMatchObject({ status: 201 });
  return answer.body;
}

describe('a corporate action', () => {
  test('is announced by the agent of the security, and read by its lister and its agent', async () => {
    const { id } = await listed();
    const body = dividendOf(id);
    const action = await announced(body);
    expect(action).toMatchObject({ ...body, status: 'announced', waiting_for: null, effective_date: null });
    for (const reader of [lister, agent]) {
      const path = `/v1/corporate-actions/${action.corporate_action_id}`;
      expect((await reader.client.get(path)).body).toEqual(action);
      const list = await reader.client.get<{ corporate_actions: Action[] }>(`/v1/corporate-actions?security_id=${id}`);
      expect(list.body.corporate_actions).toEqual([action]);
      expect((await reader.client.get(`${path}/payments`)).body).toEqual({ payments: [] });
    }
  });

  test('may be a split, a merger or another name, with its effective date', async () => {
    const { id } = await listed();
    const base = { security_id: id, effective_date: dayFrom(3), description: 'Resolved by the board' };
    const bodies = [
      { ...base, action_type: 'stock_split', ratio_from: 1, ratio_to: 3 },
      { ...base, action_type: 'merger', counterparty: 'Nadir Holdings' },
      { ...base, action_type: 'name_change', asset_name: 'Orbital Logistics Series B' },
    ];
    for (const body of bodies) expect(await announced(body)).toMatchObject({ ...body, status: 'announced' });
    const list = await agent.client.get<{ corporate_actions: Action[] }>(
      `/v1/corporate-actions?security_id=${id}&limit=2`,
    );
    expect(list.body.corporate_actions.map(({ action_type }) => action_type)).toEqual(['name_change', 'merger']);
    const next = await agent.client.get<{ corporate_actions: Action[] }>(
      `/v1/corporate-actions?security_id=${id}&limit=2&cursor=${list.body.corporate_actions[1]?.corporate_action_id}`,
    );
    expect(next.body.corporate_actions.map(({ action_type }) => action_type)).toEqual(['stock_split']);
  });

  test('says of a date without its offset what it has to be', async () => {
    const { id } = await listed();
    const body = { ...dividendOf(id), record_date: `${dayFrom(2)}T00:00:00` };
    expect(await agent.client.post('/v1/corporate-actions', body)).toMatchObject({
      status: 400,
      body: {
        error: {
          details: { issues: [{ path: ['record_date'], message: expect.stringContaining('with its offset') }] },
        },
      },
    });
  });

  test('is announced once for its Idempotency-Key', async () => {
    const { id } = await listed();
    const headers = { 'Idempotency-Key': uuidv7() };
    const [first, again] = [
      await agent.client.post<Action>('/v1/corporate-actions', dividendOf(id), headers),
      await agent.client.post<Action>('/v1/corporate-actions', dividendOf(id), headers),
    ];
    expect(again.body).toEqual(first.body);
    const list = await agent.client.get<{ corporate_actions: Action[] }>(`/v1/corporate-actions?security_id=${id}`);
    expect(list.body.corporate_actions).toHaveLength(1);
  });

  test('is refused to whoever is not the accepted agent, and of what is not listed', async () => {
    const { id } = await listed();
    expect((await announce(dividendOf(id), lister)).status).toBe(403);
    expect((await announce(dividendOf(id), await createPartner(db, 'transfer_agent'))).status).toBe(404);
    const { id: proposed } = await listed({ agentState: 'proposed' });
    expect(await announce(dividendOf(proposed))).toMatchObject({
      status: 409,
      body: { error: { details: { reason: 'not_accepted' } } },
    });
    const { id: submitted } = await listed({ state: 'submitted' });
    expect(await announce(dividendOf(submitted))).toMatchObject({
      status: 409,
      body: { error: { details: { reason: 'not_listed' } } },
    });
  });

  test.each([
    ['a record date before today', { record_date: '2026-01-01' }],
    ['a payment before the record date', { record_date: dayFrom(4), payment_date: dayFrom(3) }],
    ['a date more than two years ahead', { payment_date: dayFrom(800) }],
    ['a currency that the venue does not have', { currency: 'XXX' }],
    ['more decimals than an amount per share has', { amount_per_share: 0.123456789 }],
    ['an amount of nothing', { amount_per_share: 0 }],
    ['a field of another type', { ratio_from: 2 }],
  ])('is refused with %s', async (_, terms) => {
    const { id } = await listed();
    expect((await announce(dividendOf(id, terms))).status).toBe(400);
  });

  test('is refused with a date that is none, in one issue', async () => {
    const { id } = await listed();
    expect(await announce(dividendOf(id, { record_date: '2026-02-30' }))).toMatchObject({
      status: 400,
      body: {
        error: {
          details: {
            issues: [{ path: ['record_date'], message: 'is neither a day YYYY-MM-DD nor a moment with its offset' }],
          },
        },
      },
    });
  });

  test.each([
    ['a ratio that changes nothing', { action_type: 'stock_split', ratio_from: 2, ratio_to: 2 }],
    ['a name change without a name', { action_type: 'name_change' }],
    ['a CUSIP that is none', { action_type: 'name_change', cusip: '037833101' }],
  ])('is refused with %s', async (_, terms) => {
    const { id } = await listed();
    const base = { security_id: id, effective_date: dayFrom(3), description: 'Resolved by the board' };
    expect((await announce({ ...base, ...terms })).status).toBe(400);
  });

  test('is one of twenty at most that are open of a security', async () => {
    const { id } = await listed();
    const actions: Action[] = [];
    for (let n = 0; n < 20; n++) actions.push(await announced(dividendOf(id)));
    expect(await announce(dividendOf(id))).toMatchObject({ status: 409, body: { error: { details: { limit: 20 } } } });
    await agent.client.post(`/v1/corporate-actions/${actions[0]?.corporate_action_id}/cancel`, { reason: 'Withdrawn' });
    await announced(dividendOf(id));
  });

  test('is cancelled by its agent before anything has moved, once', async () => {
    const { id } = await listed();
    const { corporate_action_id: action } = await announced(dividendOf(id));
    const path = `/v1/corporate-actions/${action}/cancel`;
    expect((await lister.client.post(path, { reason: 'No' })).status).toBe(403);
    expect(await agent.client.post(path, { reason: 'Withdrawn' })).toMatchObject({
      status: 200,
      body: { status: 'cancelled', reason: 'Withdrawn' },
    });
    expect(await agent.client.post(path, { reason: 'Withdrawn' })).toMatchObject({
      status: 409,
      body: { error: { details: { status: 'cancelled' } } },
    });
  });

  test('is told to the agent: dividend.declared of a dividend, corporate_action.announced of anything else', async () => {
    const own = await createPartner(db, 'transfer_agent');
    const { id } = await listed({ transferAgent: own.organization });
    const receiver = outsideReceiver();
    const { secret } = await createTestEndpoint(receiver.url, {
      organization: own.organization,
      events: ['dividend.declared', 'corporate_action.announced'],
    });
    const dividend = await announced(dividendOf(id), own);
    const split = await announced(
      {
        security_id: id,
        action_type: 'stock_split',
        effective_date: dayFrom(3),
        ratio_from: 1,
        ratio_to: 3,
        description: 'Three for one',
      },
      own,
    );
    const survivor = await listed({ transferAgent: own.organization });
    const base = { security_id: id, effective_date: dayFrom(3), description: 'Resolved' };
    const merger = { ...base, action_type: 'merger', counterparty: 'Nadir Inc.' };
    await announced({ ...base, action_type: 'name_change', asset_name: 'Nadir Preferred' }, own);
    await announced(
      {
        ...merger,
        cash_per_share: 1.5,
        currency: 'USD',
        stock: { security_id: survivor.id, ratio_from: 3, ratio_to: 2 },
      },
      own,
    );
    const [declared, told, renamed, merged] = (await receiver.receives(4)).map((each) => verified(secret, each));
    expect(declared).toMatchObject({
      webhook_event: { event_type: 'dividend.declared' },
      corporate_action_id: dividend.corporate_action_id,
      security_id: id,
      record_date: dividendOf(id).record_date,
      payment_date: dividendOf(id).payment_date,
      amount_per_share: 0.25,
      currency: 'USD',
      description: 'Quarterly dividend',
    });
    expect(told).toMatchObject({
      webhook_event: { event_type: 'corporate_action.announced' },
      corporate_action_id: split.corporate_action_id,
      security_id: id,
      action_type: 'stock_split',
      effective_date: dayFrom(3),
      ratio_from: 1,
      ratio_to: 3,
      counterparty: null,
      asset_name: null,
    });
    expect(renamed).toMatchObject({
      action_type: 'name_change',
      asset_name: 'Nadir Preferred',
      cusip: null,
      isin: null,
    });
    expect(merged).toMatchObject({
      action_type: 'merger',
      counterparty: 'Nadir Inc.',
      cash_per_share: 1.5,
      currency: 'USD',
      surviving_security_id: survivor.id,
      ratio_from: 3,
      ratio_to: 2,
    });
    for (const [event, message] of [
      ['dividend.declared', declared],
      ['corporate_action.announced', told],
      ['corporate_action.announced', renamed],
      ['corporate_action.announced', merged],
    ] as const) {
      const schema = (await (await callWorker(`http://localhost/partner/schemas/${event}.json`)).json()) as Schema;
      expect(new Validator(schema, '2020-12', false).validate(message)).toMatchObject({ valid: true });
    }
  });
});

describe('the account that pays a dividend', () => {
  test('is named by the lister, and is one of its own investors', async () => {
    const { id } = await listed();
    const { corporate_action_id: action } = await announced(dividendOf(id));
    const path = `/v1/corporate-actions/${action}/payment-account`;
    const { accountId } = await introducedInvestor(lister);
    const stranger = await introducedInvestor(await createPartner(db, 'cross_lister'));
    expect((await agent.client.post(path, { account_id: accountId })).status).toBe(403);
    expect((await lister.client.post(path, { account_id: stranger.accountId })).status).toBe(404);
    expect(await lister.client.post(path, { account_id: accountId, amount_max: 100.5 })).toMatchObject({
      status: 200,
      body: { payment_account_id: accountId, amount_max: 100.5 },
    });
    expect((await lister.client.post(path, { account_id: accountId, amount_max: 0.001 })).status).toBe(400);
  });

  test('is none of a split', async () => {
    const { id } = await listed();
    const base = { security_id: id, effective_date: dayFrom(3), description: 'Merger' };
    const { corporate_action_id: action } = await announced({ ...base, action_type: 'merger', counterparty: 'Nadir' });
    const { accountId } = await introducedInvestor(lister);
    const answer = await lister.client.post(`/v1/corporate-actions/${action}/payment-account`, {
      account_id: accountId,
    });
    expect(answer).toMatchObject({ status: 409, body: { error: { details: { reason: 'wrong_type' } } } });
    expect(await agent.client.post(`/v1/corporate-actions/${action}/reverse`, { reason: 'No' })).toMatchObject({
      status: 409,
      body: { error: { details: { reason: 'wrong_type', action_type: 'merger' } } },
    });
  });
});
