import { env } from 'cloudflare:workers';
import { uuidv7 } from 'uuidv7';
import { beforeAll, describe, expect, test } from 'vitest';
import { carryOnActions } from '../../../../application/partner/actions/carry-on-actions.ts';
import { changeRegister } from '../../../../application/partner/register/change-register.ts';
import { carryOnTransfers } from '../../../../application/partner/register/transfers.ts';
import type { Database } from '../../../../data/database.ts';
import {
  findRegisterEvent,
  type RegisterLine,
  type StagedEvent,
} from '../../../../data/partner/register/register-events.ts';
import { moveTransfer } from '../../../../data/partner/register/transfer-instructions.ts';
import { ledgerOf } from '../../../../durable-objects/ledger/api.ts';
import { createKeyHolder, type KeyHolder } from '../../fixtures/book-client.ts';
import { createCurrency } from '../../fixtures/create-currency.ts';
import { createPair } from '../../fixtures/create-pair.ts';
import { venueOperator } from '../../fixtures/cross-list.ts';
import type { Client } from '../../fixtures/exchange-client.ts';
import { migrate } from '../../fixtures/migrate.ts';
import { createPartner, createSecurity, type Partner } from '../../fixtures/partner-client.ts';
import { settle } from '../../fixtures/settle.ts';

let db: Database;
let lister: Partner;
let agent: Partner;
let operator: Client;
let holder: KeyHolder;

beforeAll(async () => {
  db = await migrate();
  await createCurrency(db);
  lister = await createPartner(db, 'cross_lister');
  agent = await createPartner(db, 'transfer_agent');
  operator = await venueOperator(db);
  holder = await createKeyHolder(db);
});

let pairs = 0;
async function listed() {
  pairs += 1;
  const id = uuidv7();
  const { symbol } = await createPair(db, `FND${pairs}`, { asset: { id } });
  const accepted = { transferAgent: agent.organization, agentState: 'accepted' } as const;
  await createSecurity(db, lister, { id, state: 'listed', market: symbol, symbol: `FND${pairs}`, ...accepted });
  return { id, symbol };
}
const issue = (id: string, body: object) => agent.client.post(`/v1/captable/${id}/issuances`, body);
const shares = async (id: string) => {
  const balance = (await ledgerOf(env).balances(holder.accountId)).find(({ asset }) => asset === id);
  return (balance?.available ?? 0) + (balance?.held ?? 0);
};
const DAY = 86_400_000;

describe('M-01: what a transfer agent announced', () => {
  test('does not take effect after an operator has released it', async () => {
    const security = await listed();
    expect(
      (await issue(security.id, { account_id: holder.accountId, shares: 1000, restriction_ends_at: null })).status,
    ).toBe(200);
    const due = new Date(Date.now() + DAY).toISOString();
    const said = await agent.client.post<{ corporate_action_id: string }>('/v1/corporate-actions', {
      security_id: security.id,
      action_type: 'stock_split',
      effective_date: due,
      ratio_from: 1000,
      ratio_to: 1,
      description: 'One for a thousand',
    });
    expect(said.status).toBe(201);
    const action = said.body.corporate_action_id;
    await operator.post(`/v1/operator/securities/${security.id}/release-agent`, { reason: 'fraud' });
    await carryOnActions(env, Date.now() + 2 * DAY);
    const row = await env.DB.prepare('SELECT state, waiting FROM corporate_actions WHERE id = ?1').bind(action).first();
    expect(row?.state).toBe('cancelled');
    expect(await shares(security.id)).toBe(1000);
  });
  test('does not take effect while its partner is suspended', async () => {
    const security = await listed();
    expect(
      (await issue(security.id, { account_id: holder.accountId, shares: 1000, restriction_ends_at: null })).status,
    ).toBe(200);
    const due = new Date(Date.now() + DAY).toISOString();
    const said = await agent.client.post<{ corporate_action_id: string }>('/v1/corporate-actions', {
      security_id: security.id,
      action_type: 'stock_split',
      effective_date: due,
      ratio_from: 1000,
      ratio_to: 1,
      description: 'One for a thousand',
    });
    const action = said.body.corporate_action_id;
    await env.DB.prepare("UPDATE partner_organizations SET state = 'suspended' WHERE organization = ?1")
      .bind(agent.organization)
      .run();
    await carryOnActions(env, Date.now() + 2 * DAY);
    const row = await env.DB.prepare('SELECT state, waiting FROM corporate_actions WHERE id = ?1').bind(action).first();
    await env.DB.prepare("UPDATE partner_organizations SET state = 'active' WHERE organization = ?1")
      .bind(agent.organization)
      .run();
    expect(row?.state).not.toBe('completed');
    expect(await shares(security.id)).toBe(1000);
  });
  test.each(['halt', 'delist'])(
    'does not convert its shares into those of another security, once an operator has released it and chosen to %s',
    async (decision) => {
      const [mine, shell] = [await listed(), await listed()];
      expect(
        (await issue(mine.id, { account_id: holder.accountId, shares: 1000, restriction_ends_at: null })).status,
      ).toBe(200);
      expect((await issue(shell.id, { holder_reference: 'S', holder_name: 'Shell', shares: 1 })).status).toBe(200);
      const due = new Date(Date.now() + DAY).toISOString();
      const said = await agent.client.post<{ corporate_action_id: string }>('/v1/corporate-actions', {
        security_id: mine.id,
        action_type: 'merger',
        effective_date: due,
        counterparty: 'Shell',
        stock: { security_id: shell.id, ratio_from: 1000, ratio_to: 1 },
        description: 'Merger',
      });
      const action = said.body.corporate_action_id;
      await operator.post(`/v1/operator/securities/${mine.id}/release-agent`, { reason: 'fraud' });
      await operator.post(`/v1/operator/securities/${mine.id}/${decision}`, { reason: 'fraud' });
      for (let n = 0; n < 3; n++) await carryOnActions(env, Date.now() + 2 * DAY);
      const row = await env.DB.prepare('SELECT state, waiting FROM corporate_actions WHERE id = ?1')
        .bind(action)
        .first();
      expect(row?.state).not.toBe('completed');
      expect(await shares(mine.id)).toBe(1000);
    },
  );
});

describe('M-01: what a transfer agent was asking for when it was released', () => {
  const event = (security: string): StagedEvent => ({
    ...{ id: uuidv7(), security, type: 'import', hash: 'h', recordDate: null, notes: null, actor: 'a' },
    ...{ agent: agent.organization, createdAt: Date.now() },
  });
  const lines: readonly RegisterLine[] = [
    {
      holder: { id: uuidv7(), account: null, reference: 'S', kind: 'individual', name: 'Sal', country: null },
      shares: 7,
      cost: 0,
      acquiredAt: 1,
      restrictionEndsAt: null,
      offeringType: null,
      certificate: null,
      legend: false,
    },
  ];
  const release = async (id: string) =>
    expect((await operator.post(`/v1/operator/securities/${id}/release-agent`, { reason: 'fraud' })).status).toBe(200);
  const accept = (id: string, by: Partner) =>
    env.DB.prepare("UPDATE securities SET transfer_agent = ?2, agent_state = 'accepted' WHERE id = ?1")
      .bind(id, by.organization)
      .run();

  test('is not begun, with no agent and with another one', async () => {
    const [kept, left, passed] = [await listed(), await listed(), await listed()];
    expect(await changeRegister(env, event(kept.id), lines)).toMatchObject({ ok: true });
    await release(left.id);
    await release(passed.id);
    await accept(passed.id, await createPartner(db, 'transfer_agent'));
    for (const { id } of [left, passed]) {
      const asked = event(id);
      expect(await changeRegister(env, asked, lines)).toEqual({ ok: false, error: { reason: 'busy' } });
      expect(await findRegisterEvent(db, asked.id)).toBeNull();
    }
  });

  describe('is a rejection', () => {
    async function rejecting() {
      const security = await listed();
      const [seller, buyer] = [await createKeyHolder(db), await createKeyHolder(db, { cash: 1_000_00 })];
      await issue(security.id, { account_id: seller.accountId, shares: 10, restriction_ends_at: null });
      const order = { symbol: security.symbol, type: 'limit', size: 4, price: 10, time_in_force: 'GTC' };
      await seller.client.post('/v1/orders', { ...order, side: 'sell' });
      await buyer.client.post('/v1/orders', { ...order, side: 'buy' });
      await settle(security.symbol);
      await carryOnTransfers(env);
      const last = 'SELECT id FROM trades WHERE book = ?1';
      const id = (await env.DB.prepare(last).bind(security.symbol).first<string>('id')) ?? '';
      const change = { state: 'rejecting', reason: 'mine', actor: 'agent' } as const;
      expect(await moveTransfer(db, id, 'pending', change, agent.organization)).toBe(true);
      const stands = () =>
        env.DB.prepare('SELECT state, agent, reason FROM transfer_instructions WHERE id = ?1').bind(id).first();
      const bought = async () =>
        (await ledgerOf(env).balances(buyer.accountId)).find(({ asset }) => asset === security.id)?.available ?? 0;
      return { security, id, stands, bought };
    }

    test('which is given up: the trade stands, and who keeps the register next decides', async () => {
      const { security, stands, bought } = await rejecting();
      await release(security.id);
      await carryOnTransfers(env);
      expect(await stands()).toMatchObject({ state: 'pending', reason: null });
      expect(await bought()).toBe(4);
      const next = await createPartner(db, 'transfer_agent');
      await accept(security.id, next);
      await carryOnTransfers(env);
      expect(await stands()).toEqual({ state: 'pending', agent: next.organization, reason: null });
      expect(await bought()).toBe(4);
    });

    test('which another agent that is there at once does not inherit', async () => {
      const { security, stands, bought } = await rejecting();
      const next = await createPartner(db, 'transfer_agent');
      await accept(security.id, next);
      await carryOnTransfers(env);
      expect(await stands()).toEqual({ state: 'pending', agent: next.organization, reason: null });
      expect(await bought()).toBe(4);
    });

    test('which waits while the agent is suspended, and goes to its end afterwards', async () => {
      const { id, stands, bought } = await rejecting();
      const state = (to: string) =>
        env.DB.prepare('UPDATE partner_organizations SET state = ?2 WHERE organization = ?1')
          .bind(agent.organization, to)
          .run();
      await state('suspended');
      await carryOnTransfers(env);
      expect([(await stands())?.state, await bought()]).toEqual(['rejecting', 4]);
      await state('active');
      await carryOnTransfers(env);
      expect([id.length, (await stands())?.state, await bought()]).toEqual([36, 'rejected', 0]);
    });
  });
});
