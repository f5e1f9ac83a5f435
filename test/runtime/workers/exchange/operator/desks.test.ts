import { env } from 'cloudflare:workers';
import { uuidv7 } from 'uuidv7';
import { beforeAll, describe, expect, test } from 'vitest';
import { replayDead } from '../../../../../application/operator/webhook-endpoints.ts';
import { recordBrokerDifferences } from '../../../../../data/broker/broker-differences.ts';
import type { Database } from '../../../../../data/database.ts';
import { findIdentityOfUser } from '../../../../../data/onboarding/identities.ts';
import { VENUE_OWNER } from '../../../../../domain/identity/venue.ts';
import { webhookEndpointOf } from '../../../../../durable-objects/webhook-endpoint/api.ts';
import { createTestKey } from '../../../fixtures/api-key.ts';
import { createPair } from '../../../fixtures/create-pair.ts';
import { createTrader } from '../../../fixtures/create-trader.ts';
import { type Client, signedIn } from '../../../fixtures/exchange-client.ts';
import { giveHolding } from '../../../fixtures/give-balance.ts';
import { IdentityClient } from '../../../fixtures/identities.ts';
import { migrate } from '../../../fixtures/migrate.ts';
import { createPartner, type Partner } from '../../../fixtures/partner-client.ts';
import { eventually } from '../../../fixtures/patience.ts';
import { limitOrder, placed } from '../../../fixtures/placing.ts';
import { settle } from '../../../fixtures/settle.ts';
import { type TradingClient, tradingClient } from '../../../fixtures/trading-client.ts';
import { outsideReceiver } from '../../../fixtures/webhook-receiver.ts';

type Row = Readonly<Record<string, unknown>>;

let db: Database;
let operator: Client;
let operatorId: string;
let auditor: Client;
let buyer: TradingClient;
let seller: TradingClient;
let ofBuyer: Client;
let ofNobody: Client;

async function read<Data = readonly Row[]>(client: Client, path: string): Promise<Data> {
  const { status, body } = await client.get<{ data: Data }>(path);
  expect(status).toBe(200);
  return body.data;
}

const found = (client: Client, id: string) => read(client, `/v1/operator/search?id=${encodeURIComponent(id)}`);

beforeAll(async () => {
  db = await migrate();
  await createPair(db, 'DESK');
  const venueOperator = await createTrader(db, { owner: VENUE_OWNER, roles: ['operator'] });
  operatorId = venueOperator.userId;
  operator = await signedIn(venueOperator);
  auditor = await signedIn(await createTrader(db, { owner: VENUE_OWNER, roles: ['auditor'] }));
  buyer = await tradingClient(db, { owner: 'org-buyer', cash: 1_000_00 });
  seller = await tradingClient(db, { owner: 'org-seller' });
  await giveHolding({ accountId: seller.accountId, asset: 'desk', lots: [{ quantity: 10 }] });
  ofBuyer = await signedIn(await createTrader(db, { owner: 'org-buyer', roles: ['operator'] }));
  ofNobody = await signedIn(await createTrader(db, { owner: 'org-third', roles: ['operator'] }));
});

describe('finding by id', () => {
  let bid: string;
  let trade: string;
  beforeAll(async () => {
    await placed(seller, limitOrder('desk', 'SELL', 4, 2));
    bid = await placed(buyer, limitOrder('desk', 'BUY', 4, 2));
    await settle();
    // A read of the account follows the ledger first.
    expect((await buyer.get('/v1/core-transactions')).status).toBe(200);
    const row = await env.DB.prepare('SELECT id FROM trades WHERE buy_order = ?1').bind(bid).first<{ id: string }>();
    trade = row?.id ?? '';
  });

  test('an operator of the venue finds whatever has the id, in any case, and it says whose it is', async () => {
    expect(await found(operator, bid.toUpperCase())).toMatchObject([
      { kind: 'order', id: bid, accountId: buyer.accountId, symbol: 'DESK-USD', side: 'buy', quantity: 4, price: 2 },
    ]);
    expect(await found(auditor, trade)).toMatchObject([
      { kind: 'trade', accountId: buyer.accountId, otherAccountId: seller.accountId, quantity: 4, price: 2 },
    ]);
    expect(await found(operator, buyer.accountId)).toMatchObject([{ kind: 'account', userId: buyer.userId }]);
    expect(await found(operator, buyer.userId)).toMatchObject([{ kind: 'person', organization: 'org-buyer' }]);
    expect(await found(operator, 'org-buyer')).toMatchObject([{ kind: 'organization' }]);
    expect(await found(operator, 'desk-usd')).toMatchObject([{ kind: 'market', id: 'DESK-USD' }]);
    expect(await found(operator, 'desk')).toMatchObject([{ kind: 'asset', symbol: 'DESK' }]);
  });

  test('what is not there, and what is another organization’s, are alike unknown', async () => {
    expect(await found(operator, uuidv7())).toEqual([]);
    for (const id of [bid, trade, buyer.accountId, buyer.userId, 'org-buyer', 'desk-usd', 'desk'])
      expect(await found(ofNobody, id)).toEqual([]);
    expect(await found(ofBuyer, seller.accountId)).toEqual([]);
  });

  test('an operator of one side finds the trade without the other side', async () => {
    expect(await found(ofBuyer, bid)).toMatchObject([{ kind: 'order', accountId: buyer.accountId }]);
    expect(await found(ofBuyer, trade)).toMatchObject([
      { kind: 'trade', organization: 'org-buyer', accountId: buyer.accountId, otherAccountId: null },
    ]);
  });

  test('a key and an identity are found by whom their pages are for alone', async () => {
    const key = await createTestKey(buyer);
    const newcomer = await createTrader(db, { owner: 'org-buyer', kycStatus: 'pending' });
    await new IdentityClient(newcomer).submit({ legalName: 'Ann Review' });
    const identity = (await findIdentityOfUser(db, newcomer.userId))?.id ?? 'none';
    expect(await found(operator, key.id)).toMatchObject([{ kind: 'api_key' }]);
    expect(await found(operator, identity)).toMatchObject([{ kind: 'identity', state: null }]);
    expect(await found(auditor, key.id)).toEqual([]);
    expect(await found(auditor, identity)).toEqual([]);
    expect(await found(ofBuyer, identity)).toEqual([]);
  });

  test('nobody without the power finds anything, and an id has a length', async () => {
    expect((await buyer.get(`/v1/operator/search?id=${bid}`)).status).toBe(403);
    expect((await operator.get('/v1/operator/search')).status).toBe(400);
    expect((await operator.get(`/v1/operator/search?id=${'x'.repeat(101)}`)).status).toBe(400);
  });
});

describe('webhooks of every organization', () => {
  let partner: Partner;
  let webhook: string;
  let receiver: ReturnType<typeof outsideReceiver>;
  beforeAll(async () => {
    partner = await createPartner(db, 'cross_lister');
    receiver = outsideReceiver();
    const body = { url: receiver.url, events: ['settlement.finalized'] };
    webhook = (await partner.client.post<{ webhook_id: string }>('/v1/webhooks', body)).body.webhook_id;
  });

  const switched = (enabled: boolean) => partner.client.patch(`/v1/webhooks/${webhook}`, { enabled });
  const replay = (delivery: unknown, key: string = uuidv7(), as = operator) =>
    as.post<{ data: Row }>(
      `/v1/operator/webhooks/${webhook}/deliveries/${delivery}/replay`,
      { reason: 'the desk asked' },
      { 'idempotency-key': key },
    );
  const deliveries = (status: string) => read(operator, `/v1/operator/webhooks/${webhook}/deliveries?status=${status}`);

  test('stand in one list with their circuits, and without paths, secrets and bodies', async () => {
    const listed = await read(operator, `/v1/operator/webhooks?organization=${partner.organization}`);
    expect(listed).toMatchObject([
      { webhookId: webhook, destination: new URL(receiver.url).origin, backlog: { circuit: 'closed', waiting: 0 } },
    ]);
    expect(JSON.stringify(listed)).not.toContain(new URL(receiver.url).pathname);
    expect(JSON.stringify(listed)).not.toContain('whsec_');
    expect(await read(operator, '/v1/operator/webhooks?status=disabled&organization=org-third')).toEqual([]);
    expect((await ofBuyer.get('/v1/operator/webhooks')).status).toBe(403);
  });

  test('a message that was given up is sent again once, by who may, and once its owner has it switched on', async () => {
    await switched(false);
    const message = { eventId: 'dead-1', type: 'settlement.finalized', payload: '{"of":"dead-1"}', line: '' };
    await webhookEndpointOf(env, webhook).enqueue([message]);
    const dead = await eventually(
      async () =>
        (
          await webhookEndpointOf(env, webhook).deliveries({ state: 'dead', eventId: 'dead-1', before: null, limit: 1 })
        )[0] ?? null,
      () => 'the message is not given up',
    );
    expect(await deliveries('dead')).toMatchObject([{ deliveryId: dead.id, status: 'dead', reason: 'owner' }]);
    expect(await replay(dead.id)).toMatchObject({ status: 409, body: { error: { details: { reason: 'owner' } } } });
    expect((await replay(dead.id, uuidv7(), auditor)).status).toBe(403);
    expect((await replay(uuidv7())).status).toBe(404);

    await switched(true);
    const key = uuidv7();
    const first = await replay(dead.id, key);
    expect(first).toMatchObject({ status: 200, body: { data: { replayOf: dead.id, eventId: 'dead-1' } } });
    expect(JSON.stringify(first.body)).not.toContain('{\\"of\\"');
    const again = await replay(dead.id, key);
    expect(again.body.data.deliveryId).toBe(first.body.data.deliveryId);
    // Somebody else, and its owner has switched it off and on meanwhile.
    expect(await replay(dead.id)).toMatchObject({
      status: 409,
      body: { error: { details: { delivery: first.body.data.deliveryId } } },
    });
    const received = await receiver.receives(1);
    expect(received.map(({ headers }) => headers['webhook-id'])).toEqual(['dead-1']);
    await eventually(
      async () => ((await deliveries('delivered')).length > 0 ? true : null),
      () => 'it is not delivered',
    );
    expect((await replay(first.body.data.deliveryId)).status).toBe(409);
    expect(await read(operator, `/v1/operator/audit-trail?subject=${webhook}`)).toMatchObject([
      { type: 'operator.delivery_replay_ordered', details: { reason: 'the desk asked', delivery: dead.id } },
    ]);
    expect(await deliveries('dead')).toMatchObject([
      { deliveryId: dead.id, sentAgain: { deliveryId: first.body.data.deliveryId, status: 'delivered' } },
    ]);
  });

  test('of two who send a message again at once one does, the trail says what failed, and who did it is answered as before', async () => {
    const action = () => ({ id: uuidv7(), actor: operatorId, requestId: 'replay' });
    await switched(false);
    const message = { eventId: 'dead-2', type: 'settlement.finalized', payload: '{"of":"dead-2"}', line: '' };
    await webhookEndpointOf(env, webhook).enqueue([message]);
    const buried = await eventually(
      async () => (await deliveries('dead')).find(({ eventId }) => eventId === 'dead-2') ?? null,
      () => 'the message is not given up',
    );
    await switched(true);
    const [one, other] = [action(), action()];
    const order = { id: webhook, deliveryId: String(buried.deliveryId), reason: 'asked twice' };
    const outcomes = await Promise.all([replayDead(env, order, one), replayDead(env, order, other)]);
    expect(outcomes.map(({ ok }) => ok).toSorted()).toEqual([false, true]);
    const done = outcomes[0]?.ok ? one : other;
    await switched(false);
    expect(await replayDead(env, order, done)).toMatchObject({ ok: true, value: { id: done.id } });
    expect(await replayDead(env, order, done === one ? other : one)).toMatchObject({ ok: false });
    const trail = await read(operator, `/v1/operator/audit-trail?subject=${webhook}`);
    const written = (type: string) =>
      trail.filter((entry) => entry.type === type && JSON.stringify(entry.details).includes(String(buried.deliveryId)));
    const failed = written('operator.delivery_replay_failed');
    expect(written('operator.delivery_replay_ordered')).toHaveLength(failed.length + 1);
    for (const { after } of failed) expect(after).toMatchObject({ code: 'CONFLICT', details: { delivery: done.id } });
  });
});

test('differences of the last comparison are listed market by market, page by page', async () => {
  const differ = (market: string, ...ids: string[]) =>
    recordBrokerDifferences(
      db,
      market,
      ids.map((orderId) => ({ kind: 'open_here' as const, orderId, detail: 'open here, not at the broker' })),
      Date.now(),
    );
  await differ('AAA-USD', 'one', 'two');
  await differ('BBB-USD', 'three');
  const first = await operator.get<{ data: readonly Row[] }>('/v1/operator/broker-differences?limit=2');
  expect(first.body.data.map(({ orderId }) => orderId)).toEqual(['one', 'two']);
  const next = /<([^>]+)>; rel="next"/.exec(first.headers.get('link') ?? '')?.[1] ?? '';
  expect(await read(operator, next.slice(next.indexOf('/v1/')))).toMatchObject([
    { symbol: 'BBB-USD', orderId: 'three', isBreak: false },
  ]);
  await differ('BBB-USD', 'three');
  expect(await read(auditor, '/v1/operator/broker-differences?symbol=BBB-USD')).toMatchObject([{ orderId: 'three' }]);
  expect((await ofBuyer.get('/v1/operator/broker-differences')).status).toBe(403);
});

test('assets are found by symbol, name and kind in any state, and read one by one', async () => {
  await createPair(db, 'DESKTWO', { asset: { name: 'Second of the desks', status: 'PENDING' } });
  const symbols = async (query: string) =>
    (await read(operator, `/v1/operator/assets?${query}`)).map(({ symbol }) => symbol);
  expect(await symbols('search=desk')).toEqual(['DESK', 'DESKTWO']);
  expect(await symbols('search=second%20of')).toEqual(['DESKTWO']);
  await createPair(db, 'DESKSEA', { asset: { name: 'Übersee AG' } });
  for (const words of ['übersee', 'ÜBERSEE', 'Übersee ag'])
    expect(await symbols(`search=${encodeURIComponent(words)}`)).toEqual(['DESKSEA']);
  expect(await symbols('search=desk&status=PENDING')).toEqual(['DESKTWO']);
  expect(await symbols('search=desk&category=crypto')).toEqual([]);
  expect(await read<Row>(operator, '/v1/operator/assets/desktwo')).toMatchObject({ status: 'PENDING' });
  expect((await operator.get('/v1/operator/assets/usd')).status).toBe(404);
  expect(await read(operator, '/v1/operator/assets/desk/listing-events')).toEqual([]);
  expect((await ofBuyer.get('/v1/operator/assets/desk')).status).toBe(403);
});

test('bridges of all organizations are listed, with their tenants and transfers', async () => {
  await createTrader(db, { owner: 'org-bridged' });
  const now = Date.now();
  await env.DB.prepare(
    `INSERT INTO bridge_tenants (hostname, organization, name, signing_mode, chains, branding, created_at, updated_at)
     VALUES ('bridge.example.com', 'org-bridged', 'Bridged', 'native', '["ethereum"]', '{}', ?1, ?1)`,
  )
    .bind(now)
    .run();
  expect(await read(operator, '/v1/operator/bridge/organizations')).toContainEqual(
    expect.objectContaining({ organization: 'org-bridged', tenants: 1, vaults: 0, feeBps: null }),
  );
  expect(await read<Row>(operator, '/v1/operator/bridge/organizations/org-bridged/tenants')).toMatchObject({
    tenants: [{ hostname: 'bridge.example.com', chains: ['ethereum'], isEnabled: true }],
    keys: [],
  });
  expect(await read(operator, '/v1/operator/bridge/transfers?organization=org-bridged')).toEqual([]);
  expect((await operator.get(`/v1/operator/bridge/transfers/${uuidv7()}`)).status).toBe(404);
  expect((await ofBuyer.get('/v1/operator/bridge/organizations')).status).toBe(403);
});
