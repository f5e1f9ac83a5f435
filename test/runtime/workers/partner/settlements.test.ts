import { env } from 'cloudflare:workers';
import { type Schema, Validator } from '@cfworker/json-schema';
import { uuidv7 } from 'uuidv7';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { adjustTrade } from '../../../../application/ledger/adjust-trade.ts';
import { carryOnTransfers } from '../../../../application/partner/register/transfers.ts';
import { readSettlement } from '../../../../application/partner/settlements/read-settlements.ts';
import { runAudit } from '../../../../data/audit/run-audit.ts';
import type { Database } from '../../../../data/database.ts';
import { dueTransfers, moveTransfer } from '../../../../data/partner/register/transfer-instructions.ts';
import { followSettlements } from '../../../../data/partner/settlements.ts';
import { verifyEd25519 } from '../../../../domain/consensus/ed25519.ts';
import { receiptFault } from '../../../../domain/consensus/receipt.ts';
import { settlementRecordHash } from '../../../../domain/settlement/settlement-record.ts';
import type { WebhookEvent } from '../../../../domain/webhooks/webhook-event.ts';
import { ledgerOf } from '../../../../durable-objects/ledger/api.ts';
import { wakeSequencer } from '../../../../durable-objects/sequencer/api.ts';
import { ReceiptDocument } from '../../../../protocol/receipts/receipt-document.ts';
import { transactionsView, verificationView } from '../../../../workers/partner/settlements/settlement-schema.ts';
import { createKeyHolder, type KeyHolder } from '../../fixtures/book-client.ts';
import { callWorker } from '../../fixtures/call-worker.ts';
import { createCurrency } from '../../fixtures/create-currency.ts';
import { createPair } from '../../fixtures/create-pair.ts';
import { dispatchFaults } from '../../fixtures/faulty-dispatch.ts';
import { migrate } from '../../fixtures/migrate.ts';
import { createPartner, createSecurity, type Partner } from '../../fixtures/partner-client.ts';
import { settle } from '../../fixtures/settle.ts';
import { createTestEndpoint, outsideReceiver, verified } from '../../fixtures/webhook-receiver.ts';

/** Of a trade that is made now no earlier day is recorded. */
const NOW = new Date().toISOString();
const TODAY = NOW.slice(0, 10);

let db: Database;
let lister: Partner;
let agent: Partner;
let seller: KeyHolder;
let buyer: KeyHolder;

beforeAll(async () => {
  db = await migrate();
  lister = await createPartner(db, 'cross_lister');
  agent = await createPartner(db, 'transfer_agent');
  await createCurrency(db);
  seller = await createKeyHolder(db);
  buyer = await createKeyHolder(db, { cash: 100_000_00 });
});

let pairs = 0;

interface Listed {
  readonly id: string;
  readonly symbol: string;
}

/** A listed security in which the seller has a hundred shares: with its agent, or without one. */
async function listed(keeper: Partner | null, by = lister): Promise<Listed> {
  pairs += 1;
  const id = uuidv7();
  const { symbol } = await createPair(db, `STL${pairs}`, { asset: { id } });
  const registrar = keeper ?? agent;
  const registered = { transferAgent: registrar.organization, agentState: 'accepted' } as const;
  await createSecurity(db, by, { id, state: 'listed', market: symbol, symbol: `STL${pairs}`, ...registered });
  const shares = { account_id: seller.accountId, shares: 100, restriction_ends_at: null };
  expect((await registrar.client.post(`/v1/captable/${id}/issuances`, shares)).status).toBe(200);
  if (keeper === null)
    await env.DB.prepare('UPDATE securities SET transfer_agent = NULL, agent_state = NULL WHERE id = ?1')
      .bind(id)
      .run();
  return { id, symbol };
}

/** The seller sells so many to the buyer, at 10 dollars; the trade's id. */
async function trade({ symbol }: Listed, quantity = 4): Promise<string> {
  const order = { symbol, type: 'limit', size: quantity, price: 10, time_in_force: 'GTC' };
  expect((await seller.client.post('/v1/orders', { ...order, side: 'sell' })).status).toBeLessThan(300);
  expect((await buyer.client.post('/v1/orders', { ...order, side: 'buy' })).status).toBeLessThan(300);
  await settle(symbol);
  await wakeSequencer(env);
  const last = 'SELECT id FROM trades WHERE book = ?1 ORDER BY sequence DESC LIMIT 1';
  return (await env.DB.prepare(last).bind(symbol).first<{ id: string }>())?.id ?? '';
}

const settlement = async (id: string, as = lister) => (await as.client.get(`/v1/settlements/${id}`)).body;
const listOf = async (as: Partner, query: string) =>
  (await as.client.get<{ settlements: { settlement_id: string }[] }>(`/v1/settlements?${query}`)).body.settlements.map(
    ({ settlement_id }) => settlement_id,
  );

/** What was told of a settlement, in order. */
async function told(id: string): Promise<unknown[]> {
  const { results } = await env.DB.prepare(
    `SELECT payload FROM domain_events WHERE type = 'settlement.finalized' AND payload ->> 'trade_id' = ?1 ORDER BY rowid`,
  )
    .bind(id)
    .all<{ payload: string }>();
  return results.map(({ payload }) => (JSON.parse(payload) as { status: unknown }).status);
}

const acknowledge = (id: string, body: object, by = agent) => by.client.post(`/v1/transfers/${id}/acknowledge`, body);
const complete = (id: string, by = agent) =>
  by.client.post(`/v1/transfers/${id}/complete`, {
    status: 'completed',
    record_date: TODAY,
    new_certificate_number: `CS-${id}`,
    legend_applied: false,
    cap_table_updated_at: NOW,
  });

async function bust(id: string, price: number | null = null): Promise<void> {
  const action = { id: uuidv7(), actor: 'operator', requestId: uuidv7() };
  const made = await adjustTrade(env, { tradeId: id, price, reason: 'erroneous', action, now: Date.now() });
  expect(made).toMatchObject({ ok: true });
  expect(await ledgerOf(env).projected()).toBe(true);
}

async function expectRight(): Promise<void> {
  await carryOnTransfers(env);
  expect(await ledgerOf(env).projected()).toBe(true);
  expect((await runAudit(db)).filter(({ holds }) => !holds)).toEqual([]);
}

describe('settlements', () => {
  test('a trade without an agent has settled at once, and says all of itself', async () => {
    const security = await listed(null);
    const id = await trade(security);
    for (let runs = 0; runs < 2; runs++) await carryOnTransfers(env);
    const party = ({ userId, accountId }: KeyHolder) => ({
      investor_id: userId,
      account_id: accountId,
      broker_dealer: { firm_name: env.VENUE_FIRM_NAME, crd_number: env.VENUE_CRD_NUMBER },
    });
    expect(await settlement(id)).toEqual({
      settlement_id: id,
      trade_id: id,
      security_id: security.id,
      status: 'SETTLED',
      settlement_type: 'bilateral',
      number_of_shares: 4,
      price_per_share: 10,
      gross_trade_amount: 40,
      settlement_currency: 'USD',
      buyer: party(buyer),
      seller: party(seller),
      executed_at: expect.stringMatching(/Z$/),
      settled_at: expect.stringMatching(/Z$/),
      reversed_at: null,
      reversal_reason: null,
      reversed_by: null,
      adjustment: null,
      finality: 'final',
      finality_members: 'embedded',
      blockchain_transaction_id: expect.stringMatching(/^0x[0-9a-f]{64}$/),
    });
    expect(await told(id)).toEqual(['SETTLED']);
    await expectRight();
  });

  test('with an agent it is pending until the transfer is completed', async () => {
    const security = await listed(agent);
    const id = await trade(security);
    await carryOnTransfers(env);
    expect(await settlement(id, agent)).toMatchObject({ status: 'pending', settled_at: null });
    expect((await acknowledge(id, { acknowledged: true, record_date: TODAY })).status).toBe(200);
    await carryOnTransfers(env);
    expect(await settlement(id)).toMatchObject({ status: 'pending' });
    expect(await told(id)).toEqual([]);
    expect((await complete(id)).status).toBe(200);
    expect(await settlement(id)).toMatchObject({ status: 'SETTLED', reversed_by: null });
    expect(await told(id)).toEqual(['SETTLED']);
    await expectRight();
    expect(await told(id)).toEqual(['SETTLED']);
  });

  test('one whose transfer the agent rejects is reversed, with who and why', async () => {
    const security = await listed(agent);
    const id = await trade(security);
    await carryOnTransfers(env);
    expect((await acknowledge(id, { acknowledged: false, notes: 'no legal opinion' })).status).toBe(200);
    await expectRight();
    expect(await settlement(id)).toMatchObject({
      status: 'REVERSED',
      settled_at: null,
      reversal_reason: 'no legal opinion',
      reversed_by: 'transfer_agent',
    });
    expect(await told(id)).toEqual(['REVERSED']);
  });

  test('one that an operator takes back is reversed, before and after it has settled', async () => {
    const open = await trade(await listed(agent));
    await bust(open);
    await expectRight();
    expect(await settlement(open)).toMatchObject({ status: 'REVERSED', settled_at: null, reversed_by: 'operator' });
    const settled = await trade(await listed(null));
    await carryOnTransfers(env);
    await bust(settled);
    await expectRight();
    expect(await settlement(settled)).toMatchObject({
      status: 'REVERSED',
      settled_at: expect.stringMatching(/Z$/),
      reversal_reason: 'erroneous',
      reversed_by: 'operator',
    });
    expect(await told(open)).toEqual(['REVERSED']);
    expect(await told(settled)).toEqual(['SETTLED', 'REVERSED']);
  });

  test('one that an operator takes back while its agent rejects the transfer is reversed by the operator', async () => {
    const id = await trade(await listed(agent));
    await carryOnTransfers(env);
    const rejecting = { state: 'rejecting', reason: 'no legal opinion', actor: 'agent' } as const;
    expect(await moveTransfer(db, id, 'pending', rejecting, agent.organization)).toBe(true);
    await bust(id);
    await followSettlements(db, [id], Date.now());
    expect(await settlement(id)).toMatchObject({
      status: 'REVERSED',
      reversal_reason: 'erroneous',
      reversed_by: 'operator',
    });
    await expectRight();
  });

  test('an agent that accepts afterwards changes nothing of what has settled', async () => {
    const security = await listed(null);
    const id = await trade(security);
    await carryOnTransfers(env);
    await env.DB.prepare(`UPDATE securities SET transfer_agent = ?2, agent_state = 'accepted' WHERE id = ?1`)
      .bind(security.id, agent.organization)
      .run();
    await carryOnTransfers(env);
    expect((await acknowledge(id, { acknowledged: true, record_date: TODAY })).status).toBe(200);
    expect((await complete(id)).status).toBe(200);
    await expectRight();
    expect(await told(id)).toEqual(['SETTLED']);
  });

  test('every trade has its settlement, those from before a reading included, and two runs at once make each once', async () => {
    const security = await listed(null);
    const ids = [await trade(security, 1), await trade(security, 2), await trade(security, 3)];
    await Promise.all([followSettlements(db, null, Date.now()), followSettlements(db, null, Date.now())]);
    await followSettlements(db, null, Date.now());
    expect(await listOf(lister, `security_id=${security.id}`)).toEqual(ids.toReversed());
    for (const id of ids) expect(await told(id)).toEqual(['SETTLED']);
    await expectRight();
  });
});

describe('trades of two securities', () => {
  test('get their settlements and transfers in turn, so that a busy one keeps back no other', async () => {
    await carryOnTransfers(env);
    // What tells of trades makes both as well: it is held meanwhile.
    const held = Promise.withResolvers<void>();
    dispatchFaults.waits.set('before_enqueue', held.promise);
    onTestFinished(() => {
      dispatchFaults.waits.clear();
      held.resolve();
    });
    const [busy, quiet] = [await listed(agent), await listed(agent)];
    const ids = [await trade(busy, 1), await trade(busy, 2), await trade(busy, 3)];
    const next = await trade(quiet, 1);
    expect((await dueTransfers(db, 'all', 2)).map(({ id }) => id)).toEqual([ids[0], next]);
    expect(await followSettlements(db, null, Date.now(), 2)).toMatchObject({ isFull: true });
    expect(await listOf(lister, `security_id=${busy.id}`)).toEqual([ids[0]]);
    expect(await listOf(lister, `security_id=${quiet.id}`)).toEqual([next]);
    const action = { id: uuidv7(), actor: 'operator', requestId: 'r' };
    const bust = { tradeId: next, price: null, reason: 'wrong', action, now: Date.now() };
    expect((await adjustTrade(env, bust)).ok).toBe(true);
    expect(await ledgerOf(env).projected()).toBe(true);
    await carryOnTransfers(env);
    expect(await listOf(lister, `security_id=${busy.id}`)).toEqual(ids.toReversed());
    expect(await dueTransfers(db, 'all', 2)).toEqual([]);
    // Nobody is to register what was taken back before they were told of it.
    const instructed = 'SELECT count(*) AS n FROM domain_events WHERE type = ?1 AND subject = ?2';
    const told = async (id: string) => env.DB.prepare(instructed).bind('transfer.initiated', id).first<number>('n');
    expect([await told(busy.id), await told(quiet.id)]).toEqual([3, 0]);
    expect((await agent.client.get(`/v1/transfers/${next}`)).body).toMatchObject({ status: 'reversed' });
    await expectRight();
  });

  test('get them in one run, also where they are more than one call makes', async () => {
    const security = await listed(null);
    const first = await trade(security, 1);
    await env.DB.prepare('UPDATE securities SET transfer_agent = ?2, agent_state = ?3 WHERE id = ?1')
      .bind(security.id, agent.organization, 'accepted')
      .run();
    const { results } = await env.DB.prepare("SELECT name FROM pragma_table_info('trades')").all<{ name: string }>();
    const columns = results.map(({ name }) =>
      name === 'id' ? "'more-' || n.value" : name === 'sequence' ? 'n.value' : `t.${name}`,
    );
    await env.DB.prepare(
      `INSERT INTO trades SELECT ${columns.join(', ')} FROM trades t, json_each(?1) n WHERE t.id = ?2`,
    )
      .bind(JSON.stringify(Array.from({ length: 1_100 }, (_, n) => n + 2)), first)
      .run();
    await carryOnTransfers(env);
    for (const table of ['transfer_instructions', 'partner_settlements']) {
      const made = `SELECT count(*) AS n FROM ${table} WHERE security = ?1`;
      expect(await env.DB.prepare(made).bind(security.id).first('n'), table).toBe(1_101);
    }
    for (const table of ['trades', 'transfer_instructions', 'partner_settlements'])
      await env.DB.prepare(`DELETE FROM ${table} WHERE id LIKE 'more-%'`).run();
    await expectRight();
  });
});

describe('GET /v1/settlements', () => {
  test('lists those of the reader’s securities, newest first, in pages, by security, status and day', async () => {
    const [first, second] = [await listed(null), await listed(agent)];
    const ids = [await trade(first, 1), await trade(second, 1), await trade(first, 1)];
    await carryOnTransfers(env);
    const all = await listOf(lister, 'limit=100');
    expect(all.filter((id) => ids.includes(id))).toEqual(ids.toReversed());
    const page = await lister.client.get<{ settlements: { settlement_id: string }[] }>('/v1/settlements?limit=2');
    expect(page.body.settlements.map(({ settlement_id }) => settlement_id)).toEqual(all.slice(0, 2));
    expect(page.headers.get('link')).toContain(`cursor=${all[1]}`);
    expect(await listOf(lister, `limit=2&cursor=${all[1]}`)).toEqual(all.slice(2, 4));
    expect(await listOf(lister, `security_id=${first.id}&status=SETTLED`)).toEqual([ids[2], ids[0]]);
    expect(await listOf(lister, `security_id=${second.id}&status=SETTLED`)).toEqual([]);
    expect(await listOf(lister, `security_id=${second.id}&status=pending`)).toEqual([ids[1]]);
    const today = new Date().toISOString().slice(0, 10);
    expect(await listOf(lister, `security_id=${first.id}&from=${today}&to=${today}`)).toHaveLength(2);
    expect(await listOf(lister, `security_id=${first.id}&to=2026-01-01`)).toEqual([]);
    expect(await listOf(lister, `security_id=${first.id}&from=2099-01-01`)).toEqual([]);
    expect(await listOf(agent, `security_id=${first.id}`)).toEqual([]);
    expect(await listOf(agent, `security_id=${second.id}`)).toEqual([ids[1]]);
  });

  test('refuses days that run backwards', async () => {
    expect(await lister.client.get('/v1/settlements?from=2026-02-01&to=2026-01-31')).toMatchObject({
      status: 400,
      body: { error: { details: { field: 'to' } } },
    });
  });

  test('others’ settlements are not there, on any of its paths', async () => {
    const security = await listed(agent);
    const id = await trade(security);
    await carryOnTransfers(env);
    const strangers = [await createPartner(db, 'cross_lister'), await createPartner(db, 'transfer_agent')];
    for (const stranger of strangers) {
      for (const path of ['', '/txs', '/verify', '/receipt'])
        expect((await stranger.client.get(`/v1/settlements/${id}${path}`)).status, path).toBe(404);
      expect(await listOf(stranger, `security_id=${security.id}`)).toEqual([]);
    }
    await env.DB.prepare(`UPDATE securities SET agent_state = 'proposed' WHERE id = ?1`).bind(security.id).run();
    expect((await agent.client.get(`/v1/settlements/${id}`)).status).toBe(404);
  });
});

test('GET /v1/settlements/{id}/txs and /verify say that nothing stands on chain', async () => {
  const id = await trade(await listed(null));
  await carryOnTransfers(env);
  const shown = (await settlement(id)) as { blockchain_transaction_id: string };
  expect((await lister.client.get(`/v1/settlements/${id}/txs`)).body).toEqual({ settlement_id: id, transactions: [] });
  expect((await lister.client.get(`/v1/settlements/${id}/verify`)).body).toEqual({
    settlement_id: id,
    blockchain_transaction_id: shown.blockchain_transaction_id,
    status: 'not_recorded',
    settlement_status: 'SETTLED',
    adjustment: null,
    finality: 'final',
    finality_members: 'embedded',
    block: {
      height: expect.any(Number),
      hash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
      slot: expect.stringMatching(/Z$/),
    },
    registry_address: env.REGISTRY_ADDRESS === '' ? null : env.REGISTRY_ADDRESS,
    explorer_links: [],
  });
});

test('GET /v1/settlements/{id}/receipt proves the settlement with both of its sides, under the hash that partners are told', async () => {
  const security = await listed(null);
  const id = await trade(security);
  await carryOnTransfers(env);
  const shown = (await settlement(id)) as { blockchain_transaction_id: string };
  const { status, body } = await lister.client.get<ReceiptDocument>(`/v1/settlements/${id}/receipt`);
  expect(status).toBe(200);
  const receipt = ReceiptDocument.parse(body);
  expect(await receiptFault(receipt, verifyEd25519)).toBeNull();
  expect(`0x${settlementRecordHash(receipt.settlement)}`).toBe(shown.blockchain_transaction_id);
  expect(receipt.settlement).toMatchObject({ tradeId: id, assetId: security.id, quantity: 4 });
  expect(receipt.parties).toMatchObject([
    { party: 'buyer', account: buyer.accountId },
    { party: 'seller', account: seller.accountId },
  ]);
});

test('B-11: the receipt of a settlement that its agent rejects, or an operator takes back, names that with its proof', async () => {
  const [rejected, busted] = [await trade(await listed(agent)), await trade(await listed(null))];
  await carryOnTransfers(env);
  const receiptNow = async (id: string) => {
    const { status, body } = await lister.client.get<ReceiptDocument>(`/v1/settlements/${id}/receipt`);
    expect(status).toBe(200);
    const receipt = ReceiptDocument.parse(body);
    expect(await receiptFault(receipt, verifyEd25519)).toBeNull();
    return receipt;
  };
  for (const id of [rejected, busted]) expect((await receiptNow(id)).adjustment).toBeUndefined();
  expect((await acknowledge(rejected, { acknowledged: false, notes: 'no legal opinion' })).status).toBe(200);
  await bust(busted);
  for (const id of [rejected, busted])
    expect((await receiptNow(id)).adjustment?.record).toMatchObject({ tradeId: id, price: 0, notional: 0 });
});

test('R-01: a settlement, its list and its comparison with the chain say what was made of the trade, whichever way it was changed', async () => {
  const [rejected, busted, corrected, late, stands] = [
    await trade(await listed(agent)),
    await trade(await listed(null)),
    await trade(await listed(null)),
    await trade(await listed(agent)),
    await trade(await listed(null)),
  ];
  await carryOnTransfers(env);
  const read = async (id: string) => {
    const own = (await settlement(id)) as { adjustment: object | null; status: string };
    const { body: verified } = await lister.client.get<{ adjustment: object | null; settlement_status: string }>(
      `/v1/settlements/${id}/verify`,
    );
    expect(verified.settlement_status).toBe(own.status);
    expect(verified.adjustment).toEqual(own.adjustment === null ? null : { ...own.adjustment, status: 'not_recorded' });
    const { body } = await lister.client.get<{ settlements: { settlement_id: string; adjustment: object | null }[] }>(
      '/v1/settlements?limit=100',
    );
    const listed = body.settlements.find((each) => each.settlement_id === id);
    expect(listed?.adjustment).toEqual(own.adjustment);
    return [own.status, own.adjustment];
  };
  expect(await read(rejected)).toEqual(['pending', null]);
  expect((await acknowledge(rejected, { acknowledged: false, notes: 'no legal opinion' })).status).toBe(200);
  expect((await acknowledge(late, { acknowledged: true, record_date: TODAY })).status).toBe(200);
  expect((await complete(late)).status).toBe(200);
  await bust(busted);
  await bust(corrected, 9);
  await bust(late);
  await carryOnTransfers(env);
  const gone = {
    type: 'bust',
    price_per_share: null,
    gross_trade_amount: null,
    adjusted_at: expect.stringMatching(/Z$/),
  };
  expect(await read(rejected)).toEqual(['REVERSED', { ...gone, reason: 'no legal opinion' }]);
  expect(await read(busted)).toEqual(['REVERSED', { ...gone, reason: 'erroneous' }]);
  expect(await read(late)).toEqual(['REVERSED', { ...gone, reason: 'erroneous' }]);
  const other = { type: 'correction', price_per_share: 9, gross_trade_amount: 36 };
  expect(await read(corrected)).toEqual(['SETTLED', { ...gone, ...other, reason: 'erroneous' }]);
  expect(await read(stands)).toEqual(['SETTLED', null]);
});

test('settlement.finalized tells of a correction once, after the status that stays, with what the trade stands at', async () => {
  const own = await createPartner(db, 'cross_lister');
  const receiver = outsideReceiver();
  const endpoint = await createTestEndpoint(receiver.url, {
    organization: own.organization,
    events: ['settlement.finalized'],
  });
  const id = await trade(await listed(null, own));
  await receiver.receives(1);
  await bust(id, 9);
  for (let run = 0; run < 3; run++) await carryOnTransfers(env);
  expect(await told(id)).toEqual(['SETTLED', 'SETTLED']);
  const sent = (await receiver.receives(2)).map((message) => verified(endpoint.secret, message));
  const corrected = sent.find((message) => 'adjustment' in message);
  expect(corrected).toMatchObject({
    trade_id: id,
    status: 'SETTLED',
    adjustment: { type: 'correction', price_per_share: 9, gross_trade_amount: 36, reason: 'erroneous' },
  });
  const schema = (await (
    await callWorker('http://localhost/partner/schemas/settlement.finalized.json')
  ).json()) as Schema;
  expect(new Validator(schema, '2020-12', false).validate(corrected)).toMatchObject({ valid: true });
  // One that waits for its transfer is told of once that has been made.
  const open = await trade(await listed(agent));
  await carryOnTransfers(env);
  await bust(open, 9);
  await carryOnTransfers(env);
  expect(await told(open)).toEqual([]);
  expect((await acknowledge(open, { acknowledged: true, record_date: TODAY })).status).toBe(200);
  expect((await complete(open)).status).toBe(200);
  await carryOnTransfers(env);
  expect(await told(open)).toEqual(['SETTLED', 'SETTLED']);
});

test('settlement.finalized reaches the lister by itself, under the hash of the trade’s message, as its schema publishes it', async () => {
  const own = await createPartner(db, 'cross_lister');
  const receiver = outsideReceiver();
  const events = ['trade.executed', 'settlement.finalized'] as const;
  const endpoint = await createTestEndpoint(receiver.url, { organization: own.organization, events });
  const id = await trade(await listed(null, own));
  const [executed, finalized] = await receiver.receives(2);
  if (executed === undefined || finalized === undefined) throw new Error('two messages');
  const schema = (await (
    await callWorker('http://localhost/partner/schemas/settlement.finalized.json')
  ).json()) as Schema;
  expect(new Validator(schema, '2020-12', false).validate(JSON.parse(finalized.body))).toMatchObject({ valid: true });
  expect(verified(endpoint.secret, finalized)).toMatchObject({
    webhook_event: { event_type: 'settlement.finalized' },
    trade_id: id,
    status: 'SETTLED',
    tx_hash: null,
  });
  const { webhook_event } = verified(endpoint.secret, executed) as {
    webhook_event: { blockchain_transaction_id: string };
  };
  expect(await settlement(id, own)).toMatchObject({
    blockchain_transaction_id: webhook_event.blockchain_transaction_id,
  });
});

/** An endpoint of the organization for the events. */
async function receiving({ organization }: Partner, events: readonly WebhookEvent[]) {
  const receiver = outsideReceiver();
  const { secret } = await createTestEndpoint(receiver.url, { organization, events });
  return {
    /** So many messages by their events, each as its schema publishes it. */
    receives: async (count: number): Promise<Readonly<Record<string, unknown>>> => {
      const webhooks = (await receiver.receives(count)).map((webhook) => verified(secret, webhook));
      expect(webhooks).toHaveLength(count);
      const told = webhooks.map((payload): [string, unknown] => [
        (payload as { webhook_event: { event_type: string } }).webhook_event.event_type,
        payload,
      ]);
      for (const [event, payload] of told) {
        const schema: Schema = await (await callWorker(`http://localhost/partner/schemas/${event}.json`)).json();
        expect(new Validator(schema, '2020-12', false).validate(payload), event).toMatchObject({ valid: true });
      }
      return Object.fromEntries(told);
    },
  };
}

test('what becomes of a transfer reaches its agent and its lister, as its schemas publish it', async () => {
  const own = await createPartner(db, 'cross_lister');
  const keeper = await createPartner(db, 'transfer_agent', { firmName: 'Meridian Transfer' });
  const toAgent = await receiving(keeper, ['transfer.initiated', 'transfer.completed', 'settlement.finalized']);
  const toLister = await receiving(own, ['trade.executed', 'transfer.completed', 'settlement.finalized']);
  const { id: security, symbol } = await listed(keeper, own);
  // Told by what tells the trade: no job is waited for.
  const id = await trade({ id: security, symbol });
  const party = ({ userId, accountId }: KeyHolder) => ({ investor_id: userId, account_id: accountId });
  expect(await toAgent.receives(1)).toMatchObject({
    'transfer.initiated': {
      transfer_instruction_id: id,
      units: 4,
      buyer: party(buyer),
      seller: party(seller),
      security: { security_id: security },
      transfer_agent: {
        firm_name: 'Meridian Transfer',
        sec_registered: true,
        sec_registration_number: expect.any(String),
        acknowledgment: {
          acknowledged: false,
          acknowledged_at: null,
          transfer_instruction_id: id,
          units_to_transfer: 4,
        },
      },
    },
  });
  expect((await acknowledge(id, { acknowledged: true, record_date: TODAY }, keeper)).status).toBe(200);
  expect((await complete(id, keeper)).status).toBe(200);
  const ended = {
    'transfer.completed': {
      transfer_instruction_id: id,
      trade_id: id,
      units: 4,
      status: 'completed',
      new_certificate_number: `CS-${id}`,
    },
    'settlement.finalized': { trade_id: id, status: 'SETTLED' },
  };
  expect(await toAgent.receives(3)).toMatchObject(ended);
  expect(await toLister.receives(3)).toMatchObject({
    ...ended,
    'trade.executed': { transaction: { transaction_id: id } },
  });
});

test('an agent that takes a security over is told of each of its open transfers, once', async () => {
  const next = await createPartner(db, 'transfer_agent');
  const toNext = await receiving(next, ['transfer.initiated']);
  const { id: security, symbol } = await listed(agent);
  const [done, open] = [await trade({ id: security, symbol }, 1), await trade({ id: security, symbol }, 2)];
  await carryOnTransfers(env);
  expect((await acknowledge(done, { acknowledged: true, record_date: TODAY })).status).toBe(200);
  expect((await complete(done)).status).toBe(200);
  const untold = 'SELECT count(*) AS n FROM domain_events WHERE subject = ?1 AND dispatched_at IS NULL';
  await expect.poll(() => env.DB.prepare(untold).bind(security).first('n')).toBe(0);
  await env.DB.prepare(`UPDATE securities SET transfer_agent = ?2 WHERE id = ?1`)
    .bind(security, next.organization)
    .run();
  await carryOnTransfers(env);
  await carryOnTransfers(env);
  expect(await toNext.receives(1)).toMatchObject({ 'transfer.initiated': { transfer_instruction_id: open, units: 2 } });
  expect((await next.client.get(`/v1/transfers/${open}`)).status).toBe(200);
  const events = `SELECT count(*) AS n FROM domain_events WHERE type = 'transfer.initiated' AND subject = ?1`;
  expect(await env.DB.prepare(events).bind(security).first('n')).toBe(3);
});

test('C-08: with an explorer, each transaction on chain has its link; without one it has none', async () => {
  const id = await trade(await listed(null));
  await carryOnTransfers(env);
  const shown = await readSettlement(env, { organization: lister.organization, role: 'cross_lister' }, id);
  if (shown === null) throw new Error('no settlement');
  const transactions = ['0xaa', '0xbb'].map((hash) => ({
    transaction: hash as `0x${string}`,
    blockNumber: 7,
    recordedAt: 1,
  }));
  const reading = { status: 'verified', transactions } as const;
  const linksBy = (template: string) => {
    const chain = { REGISTRY_ADDRESS: '0x01', EXPLORER_TRANSACTION_URL: template } as unknown as Env;
    return [
      verificationView(chain, shown, reading).explorer_links,
      transactionsView(chain, shown, reading).transactions.map((each) => each.explorer_link),
    ];
  };
  const links = ['https://explorer.example/tx/0xaa', 'https://explorer.example/tx/0xbb'];
  expect(linksBy('https://explorer.example/tx/{hash}')).toEqual([links, links]);
  expect(linksBy('')).toEqual([[], [null, null]]);
});
