import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { beforeAll, expect, test } from 'vitest';
import { carryOnTransfers } from '../../../../application/partner/register/transfers.ts';
import type { Database } from '../../../../data/database.ts';
import { setConsent } from '../../../../data/partner/register/consents.ts';
import { ledgerOf } from '../../../../durable-objects/ledger/api.ts';
import { createCurrency } from '../../fixtures/create-currency.ts';
import { type IntroducedInvestor, introducedInvestor } from '../../fixtures/introduced-investor.ts';
import { listedSecurity } from '../../fixtures/listed-security.ts';
import { migrate } from '../../fixtures/migrate.ts';
import { createPartner, type Partner } from '../../fixtures/partner-client.ts';
import { eventually } from '../../fixtures/patience.ts';
import { settle } from '../../fixtures/settle.ts';
import { skipTime } from '../../fixtures/skip-time.ts';
import { createTestEndpoint, outsideReceiver, verified } from '../../fixtures/webhook-receiver.ts';

let db: Database;
let lister: Partner;
let agent: Partner;
let ofBuyer: Partner;
let ofSeller: Partner;
let stranger: Partner;
let buyer: IntroducedInvestor;
let seller: IntroducedInvestor;

beforeAll(async () => {
  db = await migrate();
  await createCurrency(db);
  lister = await createPartner(db, 'cross_lister');
  agent = await createPartner(db, 'transfer_agent');
  ofBuyer = await createPartner(db, 'cross_lister');
  ofSeller = await createPartner(db, 'cross_lister');
  stranger = await createPartner(db, 'cross_lister');
  buyer = await introducedInvestor(ofBuyer, { cash: 1_000_000_00 });
  seller = await introducedInvestor(ofSeller);
  await setConsent(db, seller.accountId, true, Date.now());
});

let traded = 0;

/** The seller's four shares go to the buyer at 40 dollars. */
async function trade() {
  traded += 1;
  const { securityId, market } = await listedSecurity(db, lister, `PTY${traded}`, {
    transferAgent: agent.organization,
    agentState: 'accepted',
  });
  const shares = { account_id: seller.accountId, shares: 4, restriction_ends_at: null };
  expect((await agent.client.post(`/v1/captable/${securityId}/issuances`, shares)).status).toBe(200);
  const place = async (by: Partner, { investorId, accountId }: IntroducedInvestor, side: 'buy' | 'sell') => {
    skipTime(200);
    const placed = await by.client.post<{ order_id: string }>('/v1/orders', {
      security_id: securityId,
      side,
      order_type: 'limit',
      quantity: 4,
      price: 40,
      time_in_force: 'gtc',
      investor_id: investorId,
      account_id: accountId,
      broker_dealer: { firm_name: 'Juniper Securities LLC', crd_number: '111' },
    });
    expect(placed.status, JSON.stringify(placed.body)).toBe(201);
    return placed.body.order_id;
  };
  const [sold, bought] = [await place(ofSeller, seller, 'sell'), await place(ofBuyer, buyer, 'buy')];
  await settle(market);
  const last = 'SELECT id FROM trades WHERE book = ?1';
  const id = (await env.DB.prepare(last).bind(market).first<{ id: string }>())?.id ?? '';
  await carryOnTransfers(env);
  return { id, sold, bought, securityId };
}

const now = () => new Date().toISOString();

test('R-02: the partners of both sides are told what becomes of their trade and may read it, and nobody else', async () => {
  const told = [lister, ofBuyer, ofSeller, stranger].map(async ({ organization }) => {
    const receiver = outsideReceiver();
    return {
      ...receiver,
      ...(await createTestEndpoint(receiver.url, { organization, events: ['settlement.finalized'] })),
    };
  });
  const [toLister, toBuyer, toSeller, toStranger] = await Promise.all(told);
  const rejected = await trade();
  const completed = await trade();
  const reading = (by: Partner, path: string) => by.client.get<Record<string, unknown>>(path);
  for (const by of [lister, agent, ofBuyer, ofSeller])
    expect((await reading(by, `/v1/settlements/${rejected.id}`)).body).toMatchObject({ status: 'pending' });

  const refusal = await agent.client.post(`/v1/transfers/${rejected.id}/acknowledge`, {
    acknowledged: false,
    notes: 'Not known to the issuer',
  });
  expect(refusal.status).toBe(200);
  const accepted = { acknowledged: true, record_date: now() };
  expect((await agent.client.post(`/v1/transfers/${completed.id}/acknowledge`, accepted)).status).toBe(200);
  const done = await agent.client.post(`/v1/transfers/${completed.id}/complete`, {
    status: 'completed',
    record_date: now(),
    new_certificate_number: `CS-${completed.id}`,
    legend_applied: false,
    cap_table_updated_at: now(),
  });
  expect(done.status, JSON.stringify(done.body)).toBe(200);
  expect(await ledgerOf(env).projected()).toBe(true);

  for (const endpoint of [toLister, toBuyer, toSeller]) {
    if (endpoint === undefined) throw new Error('no endpoint');
    const received = await endpoint.receives(2);
    const said = received
      .map((each) => verified(endpoint.secret, each))
      .map(({ trade_id, status }) => [trade_id, status]);
    expect(said).toEqual([
      [rejected.id, 'REVERSED'],
      [completed.id, 'SETTLED'],
    ]);
  }
  expect(await toStranger?.received()).toEqual([]);

  for (const path of ['', '/txs', '/verify'])
    for (const by of [lister, agent, ofBuyer, ofSeller])
      expect((await reading(by, `/v1/settlements/${rejected.id}${path}`)).status, path).toBe(200);
  for (const by of [ofBuyer, ofSeller])
    expect((await reading(by, `/v1/settlements/${rejected.id}`)).body).toMatchObject({ status: 'REVERSED' });
  for (const path of ['', '/txs', '/verify', '/receipt'])
    expect((await reading(stranger, `/v1/settlements/${rejected.id}${path}`)).status).toBe(404);
  // The list stays one of a lister's own securities.
  expect((await reading(ofBuyer, '/v1/settlements')).body).toEqual({ settlements: [] });

  const orders = [
    [ofSeller, rejected.sold, 4],
    [ofBuyer, rejected.bought, 4],
    [ofSeller, completed.sold, undefined],
    [ofBuyer, completed.bought, undefined],
  ] as const;
  for (const [by, order] of orders)
    expect((await reading(by, `/v1/orders/${order}`)).body).toMatchObject({ status: 'filled', filled_quantity: 4 });
  for (const [by, order, units] of orders)
    expect((await reading(by, `/v1/orders/${order}`)).body.taken_back_quantity).toBe(units);
  const listed = (
    await ofBuyer.client.get<{ orders: { order_id: string; taken_back_quantity?: number }[] }>('/v1/orders')
  ).body;
  expect(listed.orders.map((each) => [each.order_id, each.taken_back_quantity])).toEqual([
    [completed.bought, undefined],
    [rejected.bought, 4],
  ]);
});

test('R-14: an id in capital letters names the same object, in a path, in a query, in a body and in a row', async () => {
  const { id, sold, securityId } = await trade();
  const asked = [
    [lister, '/v1/securities/', securityId],
    [lister, '/v1/captable/', securityId],
    [lister, '/v1/settlements/', id],
    [lister, '/v1/settlements?security_id=', securityId],
    [ofSeller, '/v1/orders/', sold],
    [ofSeller, '/v1/orders?security_id=', securityId],
    [ofSeller, '/v1/investors/', seller.investorId],
    [agent, '/v1/transfers/', id],
    [agent, '/v1/transfers?security_id=', securityId],
    [agent, '/v1/reports/shareholder-register?security_id=', securityId],
  ] as const;
  for (const [by, path, named] of asked) {
    const lower = await by.client.get(`${path}${named}`);
    const upper = await by.client.get(`${path}${named.toUpperCase()}`);
    expect([path, lower.status], JSON.stringify(lower.body)).toEqual([path, 200]);
    expect([path, upper.status, upper.body]).toEqual([path, lower.status, lower.body]);
  }
  const captable = `/v1/captable/${securityId.toUpperCase()}`;
  const account_id = seller.accountId.toUpperCase();
  expect((await agent.client.post(`${captable}/issuances`, { account_id, shares: 1 })).status).toBe(200);
  const holders = [{ account_id, shares: 1 }];
  expect((await agent.client.post(`${captable}/import?dry_run=true`, { holders })).status).toBe(200);
  const refused = await agent.client.post(`/v1/transfers/${id.toUpperCase()}/acknowledge`, {
    acknowledged: false,
    transfer_instruction_id: id.toUpperCase(),
    notes: 'Unknown',
  });
  expect(refused.status, JSON.stringify(refused.body)).toBe(200);
});

test('R-13: a suspended lister is told nothing of others’ investors; what has waited goes out once it is reinstated', async () => {
  const receiver = outsideReceiver();
  const { organization } = lister;
  const endpoint = await createTestEndpoint(receiver.url, { organization, events: ['trade.executed'] });
  const object = env.WEBHOOK_ENDPOINT.getByName(endpoint.id);
  const state = (to: string) =>
    env.DB.prepare('UPDATE partner_organizations SET state = ?1 WHERE organization = ?2').bind(to, organization).run();
  await state('suspended');
  const { id } = await trade();
  const waiting = { state: null, eventId: id, before: null, limit: 1 } as const;
  await eventually(
    async () => ((await object.deliveries(waiting)).length > 0 ? true : null),
    () => 'nothing waits',
  );
  await object.changed();
  await runInDurableObject(object, (instance) => instance.alarm());
  expect(await object.backlog()).toMatchObject({ failingSince: null });
  expect(await object.deliveries(waiting)).toMatchObject([{ state: 'waiting', tries: 0 }]);
  expect(await receiver.received()).toEqual([]);
  await state('active');
  await object.changed();
  const isTold = async () => (await receiver.received()).some(({ headers }) => headers['webhook-id'] === id);
  await eventually(
    async () => ((await isTold()) ? true : null),
    () => 'it is not told',
  );
});
