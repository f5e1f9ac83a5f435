import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { type Schema, Validator } from '@cfworker/json-schema';
import { sql } from 'drizzle-orm';
import { uuidv7 } from 'uuidv7';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { readRecipients } from '../../../../application/partner/webhooks/read-recipients.ts';
import type { Database } from '../../../../data/database.ts';
import { sqlBatch } from '../../../../data/sql-batch.ts';
import { findEndpoint } from '../../../../data/webhooks/endpoints.ts';
import { partnerEvent } from '../../../../data/webhooks/partner-event.ts';
import { DAY_MS } from '../../../../domain/calendar/durations.ts';
import { settlementHash } from '../../../../domain/settlement/settlement-record.ts';
import {
  isSecurityEvent,
  type SecurityEvent,
  WEBHOOK_EVENTS,
  type WebhookEvent,
} from '../../../../domain/webhooks/webhook-event.ts';
import { wakeDispatch } from '../../../../durable-objects/webhook-dispatch/api.ts';
import { type EventBody, webhookEndpointOf } from '../../../../durable-objects/webhook-endpoint/api.ts';
import type { EventFacts } from '../../../../protocol/partner/events.ts';
import type { ReceivedWebhook } from '../../../node/fixtures/webhook-receiver.ts';
import { type BuyerAndSeller, createBuyerAndSeller } from '../../fixtures/buyer-and-seller.ts';
import { callWorker } from '../../fixtures/call-worker.ts';
import { dispatchFaults } from '../../fixtures/faulty-dispatch.ts';
import { endpointFaults, endpointsAsked } from '../../fixtures/faulty-webhook-endpoint.ts';
import { migrate } from '../../fixtures/migrate.ts';
import { createPartner, createSecurity, type Partner } from '../../fixtures/partner-client.ts';
import { eventually } from '../../fixtures/patience.ts';
import { settle } from '../../fixtures/settle.ts';
import { createTestEndpoint, outsideReceiver, verified } from '../../fixtures/webhook-receiver.ts';

let db: Database;
let traders: BuyerAndSeller;
let lister: Partner;
let agent: Partner;

interface Listed {
  readonly security: string;
  readonly market: string;
}

beforeAll(async () => {
  db = await migrate();
  traders = await createBuyerAndSeller(db, 'WH');
  lister = await createPartner(db, 'cross_lister', { firmName: 'Northwind ATS' });
  agent = await createPartner(db, 'transfer_agent', { firmName: 'Meridian Transfer' });
});

// An organization has ten endpoints at most, and what is told to one is no other test's.
afterEach(async () => {
  dispatchFaults.kills = [];
  endpointFaults.clear();
  await env.DB.prepare('DELETE FROM webhook_endpoints').run();
});

/** A security that trades, with its agent unless it has none. */
async function listSecurity(terms: Parameters<typeof createSecurity>[2] = {}): Promise<Listed> {
  const security = await createSecurity(db, lister, {
    state: 'listed',
    transferAgent: agent.organization,
    agentState: 'accepted',
    ...terms,
  });
  const market = await traders.freshPair({ asset: { id: security } });
  return { security, market };
}

async function trade({ market }: Listed, quantity = 10, price = 25.5): Promise<string> {
  const order = (side: string) => ({ symbol: market, side, type: 'limit', size: quantity, price });
  expect((await traders.seller.client.post('/v1/orders', order('sell'))).status).toBeLessThan(300);
  expect((await traders.buyer.client.post('/v1/orders', order('buy'))).status).toBeLessThan(300);
  await settle(market);
  const row = await env.DB.prepare('SELECT id FROM trades WHERE book = ?1 ORDER BY sequence DESC LIMIT 1')
    .bind(market)
    .first<{ id: string }>();
  return row?.id ?? '';
}

async function receiving(of: Partner, events: readonly WebhookEvent[]) {
  const receiver = outsideReceiver();
  const endpoint = await createTestEndpoint(receiver.url, { organization: of.organization, events });
  return { ...receiver, ...endpoint };
}

async function expectPublished(event: string, webhook: ReceivedWebhook): Promise<void> {
  const response = await callWorker(`http://localhost/partner/schemas/${event}.json`);
  const schema: Schema = await response.json();
  expect(new Validator(schema, '2020-12', false).validate(JSON.parse(webhook.body))).toMatchObject({ valid: true });
}

async function write<Type extends Exclude<SecurityEvent, 'trade.executed'>>(
  type: Type,
  securityId: string,
  facts: EventFacts<Type>,
): Promise<string> {
  const id = uuidv7();
  await sqlBatch(db, [partnerEvent({ id, type, securityId, facts, createdAt: Date.now(), when: sql`true` })]);
  await wakeDispatch(env);
  return id;
}

const dispatchedAt = async (id: string) =>
  (
    await env.DB.prepare('SELECT dispatched_at FROM domain_events WHERE id = ?1')
      .bind(id)
      .first<{ dispatched_at: number | null }>()
  )?.dispatched_at;

const untilDispatched = (id: string): Promise<number> =>
  eventually(
    () => dispatchedAt(id),
    () => `${id} was not dispatched`,
  );

describe('trade.executed', () => {
  test('reaches the lister with its full payload, signed, as its schema publishes it', async () => {
    const listed = await listSecurity({ cusip: '037833100', agentRestrictions: { lockUpExpiryDate: '2027-01-31' } });
    const endpoint = await receiving(lister, ['trade.executed']);
    const id = await trade(listed);
    const [webhook] = await endpoint.receives(1);
    if (webhook === undefined) return;
    await expectPublished('trade.executed', webhook);
    const payload = verified(endpoint.secret, webhook);
    expect(webhook.headers['webhook-id']).toBe(id);
    const row = await env.DB.prepare('SELECT * FROM trades WHERE id = ?1')
      .bind(id)
      .first<Record<string, number & string>>();
    const party = ({ userId, accountId }: { userId: string; accountId: string }) => ({
      investor_id: userId,
      account_id: accountId,
      account_type: 'individual',
      broker_dealer: { firm_name: env.VENUE_FIRM_NAME, crd_number: env.VENUE_CRD_NUMBER, finra_member: true },
      compliance_ref: { endpoint: `/v1/investors/${userId}/compliance`, description: expect.any(String) },
    });
    const commission = {
      firm_name: env.VENUE_FIRM_NAME,
      crd_number: env.VENUE_CRD_NUMBER,
      commission_type: 'flat_fee',
      commission_rate: null,
      commission_amount: 0,
      currency: 'USD',
    };
    expect(payload).toEqual({
      webhook_event: {
        event_id: id,
        event_type: 'trade.executed',
        endpoint: endpoint.url,
        timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        version: '2.0.0',
        transaction_type: 'secondary_market_transfer',
        blockchain_transaction_id: settlementHash(env.SETTLEMENT_SALT_KEY, {
          tradeId: id,
          assetId: listed.security,
          currency: row?.quote_asset ?? '',
          quantity: 10,
          price: 2_550,
          notional: row?.notional ?? 0,
          buyer: traders.buyer.accountId,
          seller: traders.seller.accountId,
          executedAt: row?.executed_at ?? 0,
        }),
        recipients: [
          { role: 'transfer_agent', recipient_id: agent.organization, name: 'Meridian Transfer' },
          { role: 'cross_lister', recipient_id: lister.organization, name: 'Northwind ATS' },
        ].map((recipient) => ({ ...recipient, delivered_at: null, delivery_status: 'pending' })),
      },
      transaction: {
        transaction_id: id,
        transaction_type: 'secondary_market_transfer',
        status: 'pending_compliance_clearance',
        initiated_at: new Date(row?.executed_at ?? 0).toISOString(),
        description: 'Transfer of 10 of Orbital Freight Series B at 25.5 USD',
        security: {
          asset_id: listed.security,
          asset_name: 'Orbital Freight Series B',
          asset_type: 'private_security',
          security_class: 'Preferred Stock',
          share_class: 'Series B',
          cusip: '037833100',
          isin: null,
          issuer_id: 'orbital-freight',
          issuer_name: 'Orbital Freight, Inc.',
          issuer_type: 'Private Corporation',
          number_of_shares: 10,
          price_per_share: 25.5,
          gross_trade_amount: 255,
          accrued_interest: 0,
          net_trade_amount: 255,
          bid_price: null,
          ask_price: null,
          currency: 'USD',
          trade_execution_datetime: new Date(row?.executed_at ?? 0).toISOString(),
          price_determination_method: 'order_book',
          last_valuation_price: 42.5,
          last_valuation_date: '2026-06-30',
          commissions: { buyer_broker_dealer: commission, seller_broker_dealer: commission, total_commissions: 0 },
        },
        settlement: {
          settlement_date: new Date(row?.executed_at ?? 0).toISOString(),
          settlement_type: 'bilateral',
          settlement_status: 'pending',
          settlement_currency: 'USD',
        },
        restrictions: {
          legend_required: true,
          rule_144_holding_period_met: false,
          transfer_restrictions: 'Right of first refusal of the issuer',
          lock_up_expiry_date: '2027-01-31',
        },
      },
      buyer: party(traders.buyer),
      seller: party(traders.seller),
      transfer_agent: {
        firm_name: 'Meridian Transfer',
        sec_registered: true,
        sec_registration_number: '84-01234',
        acknowledgment: {
          acknowledged: false,
          acknowledged_at: null,
          transfer_instruction_id: id,
          record_date: null,
          units_to_transfer: 10,
          status: 'pending_acknowledgment',
        },
      },
    });
  });

  test('says of its recipients that they wait, and its delivery who has taken it by the time that it is read', async () => {
    const listed = await listSecurity();
    const endpoint = await receiving(lister, ['trade.executed']);
    const id = await trade(listed);
    const [webhook] = await endpoint.receives(1);
    expect(JSON.parse(webhook?.body ?? '')).toMatchObject({
      webhook_event: { recipients: [{ delivery_status: 'pending' }, { delivery_status: 'pending' }] },
    });
    const path = `/v1/webhooks/${endpoint.id}/deliveries`;
    type Log = { readonly deliveries: readonly { readonly delivery_id: string; readonly status: string }[] };
    const delivered = await eventually(
      async () => {
        const { body } = await lister.client.get<Log>(`${path}?event_id=${id}&status=delivered`);
        return body.deliveries[0];
      },
      () => 'it is not delivered',
    );
    type Now = { readonly ended_at: string; readonly recipients: readonly Record<string, unknown>[] };
    const { body: now } = await lister.client.get<Now>(`${path}/${delivered.delivery_id}`);
    expect(now.recipients).toEqual([
      {
        ...{ recipient_id: agent.organization, name: 'Meridian Transfer', role: 'transfer_agent' },
        ...{ delivery_status: 'pending', delivered_at: null },
      },
      {
        ...{ recipient_id: lister.organization, name: 'Northwind ATS', role: 'cross_lister' },
        ...{ delivery_status: 'delivered', delivered_at: now.ended_at },
      },
    ]);
  });

  test('says what the book quotes, and no agent where none has accepted', async () => {
    const listed = await listSecurity({ agentState: 'proposed' });
    const endpoint = await receiving(lister, ['trade.executed']);
    const resting = { symbol: listed.market, type: 'limit', size: 1 };
    await traders.buyer.client.post('/v1/orders', { ...resting, side: 'buy', price: 20.25 });
    await traders.seller.client.post('/v1/orders', { ...resting, side: 'sell', price: 30 });
    await trade(listed);
    const [webhook] = await endpoint.receives(1);
    expect(JSON.parse(webhook?.body ?? '')).toMatchObject({
      transaction: { security: { bid_price: 20.25, ask_price: 30 } },
      transfer_agent: null,
      webhook_event: { recipients: [{ role: 'cross_lister' }] },
    });
  });

  test('reaches nobody whose security it is not, nor who has not asked for it', async () => {
    const stranger = await receiving(await createPartner(db, 'cross_lister'), ['trade.executed']);
    const other = await receiving(lister, ['settlement.finalized']);
    const own = await receiving(lister, ['trade.executed']);
    await trade(await listSecurity());
    await own.receives(1);
    expect(await stranger.received()).toEqual([]);
    expect(await other.received()).toEqual([]);
  });

  test('of a security that no partner has listed is told to nobody, and done with', async () => {
    const market = await traders.freshPair();
    expect(await untilDispatched(await trade({ market, security: '' }))).toBeGreaterThan(0);
  });
});

describe('every other event', () => {
  const PARTY = { investor_id: expect.any(String), account_id: expect.any(String) };

  test('reaches those of its security who receive it, as its schema publishes it', async () => {
    const listed = await listSecurity();
    const id = await trade(listed);
    await untilDispatched(id);
    const ofLister = await receiving(lister, ['settlement.recorded', 'settlement.finalized', 'transfer.completed']);
    const ofAgent = await receiving(agent, [
      'transfer.initiated',
      'settlement.finalized',
      'dividend.declared',
      'corporate_action.announced',
      'transfer.completed',
    ]);
    const hash = `0x${'ab'.repeat(32)}`;
    const at = new Date().toISOString();
    await write('settlement.recorded', listed.security, { trade_id: id, tx_hash: hash, block_number: 7 });
    await write('settlement.finalized', listed.security, { trade_id: id, status: 'SETTLED', tx_hash: null });
    await write('transfer.initiated', listed.security, { transfer_instruction_id: 'instruction-1', trade_id: id });
    await write('transfer.completed', listed.security, {
      transfer_instruction_id: 'instruction-1',
      trade_id: id,
      units: 10,
      status: 'completed',
      record_date: at,
      new_certificate_number: 'C-0001',
      legend_applied: true,
      cap_table_updated_at: at,
    });
    await write('dividend.declared', listed.security, {
      corporate_action_id: 'action-1',
      record_date: at,
      payment_date: at,
      amount_per_share: 0.25,
      currency: 'USD',
      description: 'Second quarter',
    });
    await write('corporate_action.announced', listed.security, {
      corporate_action_id: 'action-2',
      action_type: 'stock_split',
      effective_date: at,
      ratio_from: 2,
      ratio_to: 3,
      counterparty: null,
      cash_per_share: null,
      currency: null,
      surviving_security_id: null,
      asset_name: null,
      cusip: null,
      isin: null,
      description: '3 for 2',
    });
    const toAgent = await ofAgent.receives(5);
    const toLister = await ofLister.receives(3);
    const typesOf = (webhooks: readonly ReceivedWebhook[]) =>
      webhooks.map(
        ({ body }) => (JSON.parse(body) as { webhook_event: { event_type: WebhookEvent } }).webhook_event.event_type,
      );
    expect(typesOf(toLister)).toEqual(['settlement.recorded', 'settlement.finalized', 'transfer.completed']);
    expect(typesOf(toAgent)).toEqual([
      'settlement.finalized',
      'transfer.initiated',
      'transfer.completed',
      'dividend.declared',
      'corporate_action.announced',
    ]);
    const all = [...toLister, ...toAgent];
    const types = typesOf(all);
    for (const [at, webhook] of all.entries()) await expectPublished(types[at] ?? '', webhook);
    expect(new Set([...types, 'trade.executed'])).toEqual(new Set(WEBHOOK_EVENTS.filter(isSecurityEvent)));
    for (const webhook of toLister) verified(ofLister.secret, webhook);
    expect(JSON.parse(toAgent[1]?.body ?? '')).toMatchObject({
      transfer_instruction_id: 'instruction-1',
      buyer: PARTY,
      seller: PARTY,
      units: 10,
      security: { security_id: listed.security, issuer_name: 'Orbital Freight, Inc.' },
      transfer_agent: {
        firm_name: 'Meridian Transfer',
        acknowledgment: { acknowledged: false, transfer_instruction_id: 'instruction-1', units_to_transfer: 10 },
      },
    });
    expect(JSON.parse(toAgent[3]?.body ?? '')).toMatchObject({ security_id: listed.security, amount_per_share: 0.25 });
  });

  test('of a settlement says who has taken its trade by then', async () => {
    const listed = await listSecurity();
    const endpoint = await receiving(lister, ['trade.executed', 'settlement.recorded']);
    const unasked = await receiving(lister, ['settlement.recorded']);
    const id = await trade(listed);
    const object = webhookEndpointOf(env, endpoint.id);
    const at = await eventually(
      async () => (await object.deliveredAt([id])).get(id),
      () => `${id} was not taken`,
    );
    await write('settlement.recorded', listed.security, {
      trade_id: id,
      tx_hash: `0x${'ab'.repeat(32)}`,
      block_number: 7,
    });
    const [, settlement] = await endpoint.receives(2);
    expect(endpointsAsked, 'it never had the trade').not.toContain(unasked.id);
    expect(verified(endpoint.secret, settlement as ReceivedWebhook)).toMatchObject({
      webhook_event: {
        recipients: [
          { recipient_id: agent.organization, role: 'transfer_agent', delivered_at: null, delivery_status: 'pending' },
          {
            recipient_id: lister.organization,
            role: 'cross_lister',
            delivered_at: new Date(at).toISOString(),
            delivery_status: 'delivered',
          },
        ],
      },
    });
    const log = await object.deliveries({ state: null, eventId: null, before: null, limit: 1 });
    const kept = await object.delivery(log[0]?.id ?? '');
    expect(await readRecipients(env, kept as EventBody, Date.now()), 'as it stands when the log is read').toMatchObject(
      [
        { role: 'transfer_agent', delivery_status: 'pending' },
        { role: 'cross_lister', delivery_status: 'delivered' },
      ],
    );
  });

  test('that is told together with one of another partner reaches the partner of its security alone', async () => {
    const other = await createPartner(db, 'cross_lister');
    const own = { security: await createSecurity(db, lister, { state: 'listed' }), trade: uuidv7(), last: uuidv7() };
    const theirs = { security: await createSecurity(db, other, { state: 'listed' }), trade: uuidv7(), last: uuidv7() };
    const receivers = [
      [own, await receiving(lister, ['settlement.finalized'])],
      [theirs, await receiving(other, ['settlement.finalized'])],
    ] as const;
    const settled = (trade: string) => ({ trade_id: trade, status: 'SETTLED', tx_hash: null }) as const;
    const events = [own, theirs].map(({ security: securityId, trade }) => {
      const told = { id: uuidv7(), type: 'settlement.finalized', securityId, facts: settled(trade) } as const;
      return partnerEvent({ ...told, createdAt: Date.now(), when: sql`true` });
    });
    await sqlBatch(db, events);
    await wakeDispatch(env);
    // What comes last says that nothing is on its way before it.
    for (const { security, last } of [own, theirs]) await write('settlement.finalized', security, settled(last));
    for (const [{ trade, last }, receiver] of receivers) {
      const bodies = (await receiver.receives(2)).map(({ body }) => JSON.parse(body) as { trade_id: string });
      expect(bodies.map(({ trade_id }) => trade_id)).toEqual([trade, last]);
    }
  });

  test('reaches an endpoint that asks for single securities of these alone', async () => {
    const [wanted, other] = [await listSecurity(), await listSecurity()];
    const receiver = outsideReceiver();
    const events = ['settlement.finalized'] as const;
    const { organization } = lister;
    await createTestEndpoint(receiver.url, { organization, events, securityIds: [wanted.security], ordering: 'none' });
    const told = (of: Listed) =>
      write('settlement.finalized', of.security, { trade_id: uuidv7(), status: 'SETTLED', tx_hash: null });
    const first = await told(wanted);
    await untilDispatched(await told(other));
    const last = await told(wanted);
    const received = await receiver.receives(2);
    expect(received.map(({ headers }) => headers['webhook-id']).toSorted()).toEqual([first, last].toSorted());
  });

  test('is kept for a replay where its endpoint was disabled within a month, and not where before', async () => {
    const { security } = await listSecurity();
    const [enabled, lately, before] = [
      await receiving(agent, ['settlement.finalized']),
      await receiving(agent, ['settlement.finalized']),
      await receiving(agent, ['settlement.finalized']),
    ];
    for (const [{ id }, days] of [[lately, 29] as const, [before, 31] as const])
      await env.DB.prepare(`UPDATE webhook_endpoints SET disabled_reason = 'owner', disabled_at = ?2 WHERE id = ?1`)
        .bind(id, Date.now() - days * DAY_MS)
        .run();
    await untilDispatched(
      await write('settlement.finalized', security, { trade_id: uuidv7(), status: 'SETTLED', tx_hash: null }),
    );
    await enabled.receives(1);
    const query = { state: null, eventId: null, before: null, limit: 10 };
    expect(await webhookEndpointOf(env, lately.id).deliveries(query)).toHaveLength(1);
    expect(await webhookEndpointOf(env, before.id).deliveries(query)).toEqual([]);
    expect(await lately.received()).toEqual([]);
  });

  test('that cannot be told is put aside, and delays no other', async () => {
    const listed = await listSecurity();
    const endpoint = await receiving(agent, ['transfer.initiated', 'settlement.finalized']);
    const broken = await write('transfer.initiated', listed.security, {
      transfer_instruction_id: 'instruction-2',
      trade_id: uuidv7(),
    });
    const right = await write('settlement.finalized', listed.security, {
      trade_id: uuidv7(),
      status: 'FAILED',
      tx_hash: null,
    });
    expect((await endpoint.receives(1))[0]?.headers['webhook-id']).toBe(right);
    expect(await untilDispatched(broken)).toBe(-1);
  });
});

describe('an endpoint whose object', () => {
  test.each(['hangs', 'throws'] as const)(
    '%s keeps no event from other endpoints, and gets its own in order once it answers',
    async (fault) => {
      const { security } = await listSecurity();
      const sick = await receiving(agent, ['settlement.finalized']);
      const healthy = await receiving(agent, ['settlement.finalized']);
      endpointFaults.set(sick.id, fault);
      const ids: string[] = [];
      const tell = async () => {
        const facts = { trade_id: uuidv7(), status: 'SETTLED', tx_hash: null } as const;
        ids.push(await write('settlement.finalized', security, facts));
      };
      for (let count = 1; count <= 3; count++) {
        if (count === 2) dispatchFaults.kills = ['before_mark'];
        await tell();
        await healthy.receives(count);
        while ((await dispatchedAt(ids.at(-1) ?? '')) === null) {
          await wakeDispatch(env).catch(() => undefined);
          await new Promise((resolve) => setTimeout(resolve, 50));
        }
      }
      expect(await sick.received()).toEqual([]);
      endpointFaults.clear();
      await tell();
      for (const { receives } of [sick, healthy])
        expect((await receives(4)).map(({ headers }) => headers['webhook-id'])).toEqual(ids);
    },
  );
});

describe('an endpoint for which as much is held as may be', () => {
  const HELD_MAX = 10_000;
  const held = (statement: string, ...values: (string | number)[]) =>
    runInDurableObject(
      env.WEBHOOK_DISPATCH.getByName('dispatcher'),
      (_, { storage }) => void storage.sql.exec(statement, ...values),
    );

  test('is given up with the next message, and not before', async () => {
    const { security } = await listSecurity();
    const sick = await receiving(agent, ['settlement.finalized']);
    const tell = async () => {
      const facts = { trade_id: uuidv7(), status: 'SETTLED', tx_hash: null } as const;
      await untilDispatched(await write('settlement.finalized', security, facts));
      return (await findEndpoint(db, sick.id))?.disabledReason;
    };
    endpointFaults.set(sick.id, 'throws');
    await tell();
    await held('UPDATE silent SET next_try_at = ? WHERE endpoint = ?', Date.now() + DAY_MS, sick.id);
    await held(
      `WITH RECURSIVE numbers (number) AS (SELECT 3 UNION ALL SELECT number + 1 FROM numbers WHERE number < ?2)
       INSERT INTO held (endpoint, event_id, type, payload, held_at) SELECT ?1, 'held ' || number, 'settlement.finalized', '{}', 0 FROM numbers`,
      sick.id,
      HELD_MAX,
    );
    expect(await tell()).toBeNull();
    expect(await tell()).toBe('overflow');
    for (const table of ['held', 'silent']) await held(`DELETE FROM ${table} WHERE endpoint = ?`, sick.id);
  });
});

describe('crashes', () => {
  test.each(['before_enqueue', 'before_mark', 'after_mark'] as const)(
    'killed %s, the dispatcher tells each event once, with one id, in order',
    async (point) => {
      const listed = await listSecurity();
      const endpoint = await receiving(lister, ['trade.executed']);
      dispatchFaults.kills = [point, point, point];
      const ids: string[] = [];
      for (let count = 0; count < 4; count++) ids.push(await trade(listed, 1 + count));
      // What its alarm does not repeat soon is found when it is next called.
      for (const id of ids) {
        while ((await dispatchedAt(id)) === null) {
          await wakeDispatch(env).catch(() => undefined);
          await new Promise((resolve) => setTimeout(resolve, 50));
        }
      }
      const received = await endpoint.receives(4);
      expect(received.map(({ headers }) => headers['webhook-id'])).toEqual(ids);
      expect(dispatchFaults.kills.length).toBeLessThan(3);
    },
  );
});
