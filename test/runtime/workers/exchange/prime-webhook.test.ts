import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { runWholeAudit } from '../../../../application/audit/run-whole-audit.ts';
import { forgetPrimeEvents } from '../../../../application/prime/forget-prime-events.ts';
import { verifyWebhook } from '../../../../application/prime/receive-prime-event.ts';
import { createAsset } from '../../../../data/catalog/assets.ts';
import type { Database } from '../../../../data/database.ts';
import { VENUE_OWNER } from '../../../../domain/identity/venue.ts';
import { BOUNDARY_ACCOUNT } from '../../../../domain/ledger/boundary-accounts.ts';
import type { PrimeEvent } from '../../../../domain/prime/prime-event.ts';
import { ScriptedBroker } from '../../../../durable-objects/order-book/routing/scripted-broker.fixtures.ts';
import { balanceOf } from '../../fixtures/book-commands.ts';
import { codeOf } from '../../fixtures/call.ts';
import { USD } from '../../fixtures/create-currency.ts';
import { createPair } from '../../fixtures/create-pair.ts';
import { createTrader } from '../../fixtures/create-trader.ts';
import { signedIn } from '../../fixtures/exchange-client.ts';
import { faults } from '../../fixtures/faults.ts';
import { freshAddress } from '../../fixtures/fresh-address.ts';
import { migrate } from '../../fixtures/migrate.ts';
import { limitOrder, placed } from '../../fixtures/placing.ts';
import { webhook } from '../../fixtures/prime-webhook.ts';
import { settle } from '../../fixtures/settle.ts';
import { stopClock } from '../../fixtures/stop-clock.ts';
import { orderOf, type TradingClient, tradingClient } from '../../fixtures/trading-client.ts';

const LOT = 1_000_000;
const OTHER_SECRET = `whsec_${btoa('another secret that is not in use here')}`;

let db: Database;
let prime: ScriptedBroker;
let nextCoin = 0;
let nextEvent = 0;

beforeAll(async () => {
  db = await migrate();
  await createAsset(db, { id: USD, symbol: 'USD', name: 'US dollar', category: 'currency', scale: 4, createdAt: 0 });
});

/** An order at a prime broker that does and tells nothing by itself. */
async function atThePrime() {
  const name = `HOOK${nextCoin++}`;
  const asset = name.toLowerCase();
  await createPair(db, name, {
    asset: { category: 'crypto', rail: 'digital', scale: 8, executionRoute: 'prime' },
    market: { route: 'prime', lotSize: LOT, quantityMin: LOT, quantityMax: 1_000 * LOT, takerFeeBps: 10 },
  });
  prime = new ScriptedBroker();
  faults.broker = prime;
  const buyer = await tradingClient(db, { cash: 10_000_0000 });
  const orderId = await placed(buyer, limitOrder(asset, 'BUY', 2, 100));
  await vi.waitFor(() => expect(prime.orders.has(orderId)).toBe(true));
  return { name, asset, buyer, orderId };
}

type AtThePrime = Awaited<ReturnType<typeof atThePrime>>;

function transfer(
  { name, orderId }: Pick<AtThePrime, 'name' | 'orderId'>,
  terms: Partial<Extract<PrimeEvent, { type: 'TRANSFER' }>> = {},
) {
  const number = ++nextEvent;
  return {
    type: 'TRANSFER',
    id: `event-${number}`,
    clientOrderId: orderId,
    symbol: name,
    executionId: `execution-${number}`,
    side: 'BUY',
    quantity: '0.5',
    price: '99.5',
    executedAt: new Date().toISOString(),
    orderComplete: false,
    ...terms,
  } as const;
}

const done = ({ name, orderId }: AtThePrime, filledQuantity: string) => ({
  type: 'ORDER_DONE',
  id: `event-${++nextEvent}`,
  clientOrderId: orderId,
  symbol: name,
  reason: 'cancelled',
  filledQuantity,
  endedAt: new Date().toISOString(),
});

function becomes(client: TradingClient, orderId: string, state: Record<string, unknown>): Promise<void> {
  return vi.waitFor(async () => expect(await orderOf(client, orderId)).toMatchObject(state));
}

/** Breaks of a coin's market, as kind and order. */
async function breaksOf(name: string): Promise<(readonly [kind: string, orderId: string])[]> {
  await settle(`PRIME:${name}-USD`);
  const { results } = await env.DB.prepare('SELECT kind, order_id AS orderId FROM broker_breaks WHERE book = ?1')
    .bind(`PRIME:${name}-USD`)
    .all<{ kind: string; orderId: string }>();
  return results.map(({ kind, orderId }) => [kind, orderId] as const);
}

/** What the audit says of claims that begin so. */
async function auditOf(claim: string) {
  return (await runWholeAudit(env)).checks.find((check) => check.claim.startsWith(claim));
}

describe('a TRANSFER webhook', () => {
  test('fills its order: cash and coins move once the webhook is answered, and nothing before', async () => {
    const order = await atThePrime();
    expect(await orderOf(order.buyer, order.orderId)).toMatchObject({ status: 'PENDING', filledQuantity: 0 });
    expect((await webhook(transfer(order))).status).toBe(200);
    await becomes(order.buyer, order.orderId, { status: 'PARTIALLY_FILLED', filledQuantity: 0.5 });
    expect((await webhook(transfer(order, { quantity: '1.5', orderComplete: true }))).body).toEqual({ received: true });
    await becomes(order.buyer, order.orderId, { status: 'EXECUTED', filledQuantity: 2, averagePrice: 99.5 });
    expect(await balanceOf(BOUNDARY_ACCOUNT.primeClearing, order.asset)).toEqual({ available: -2e8, held: 0 });
    expect(await balanceOf(order.buyer.accountId, 'usd')).toEqual({
      available: 10_000_0000 - 199_0000 - 1990,
      held: 0,
    });
  });

  test('that comes again, or again under another event, does nothing more', async () => {
    const order = await atThePrime();
    const first = transfer(order);
    for (let sent = 0; sent < 3; sent++) expect((await webhook(first)).status).toBe(200);
    expect((await webhook({ ...first, id: 'event-again' })).status).toBe(200);
    await becomes(order.buyer, order.orderId, { filledQuantity: 0.5 });
    await settle(`PRIME:${order.name}-USD`);
    expect(await balanceOf(order.buyer.accountId, order.asset)).toEqual({ available: 0.5e8, held: 0 });
    expect(await breaksOf(order.name)).toEqual([]);
  });

  test('that comes at the same time many times is applied once', async () => {
    const order = await atThePrime();
    const event = transfer(order);
    const answers = await Promise.all(Array.from({ length: 8 }, () => webhook(event)));
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200));
    await becomes(order.buyer, order.orderId, { filledQuantity: 0.5 });
    await settle(`PRIME:${order.name}-USD`);
    expect(await balanceOf(order.buyer.accountId, order.asset)).toEqual({ available: 0.5e8, held: 0 });
  });

  test('of an event that came with another body is 409, and changes nothing', async () => {
    const order = await atThePrime();
    const first = transfer(order);
    await webhook(first);
    const answer = await webhook({ ...first, executionId: 'another', price: '98' });
    expect([answer.status, codeOf(answer)]).toEqual([409, 'CONFLICT']);
    await becomes(order.buyer, order.orderId, { filledQuantity: 0.5, averagePrice: 99.5 });
  });

  test('after the end of its order is waited for: the end comes first, the executions follow', async () => {
    const order = await atThePrime();
    expect((await webhook(done(order, '1'))).status).toBe(200);
    expect(await orderOf(order.buyer, order.orderId)).toMatchObject({ status: 'PENDING' });
    await webhook(transfer(order));
    await webhook(transfer(order));
    await becomes(order.buyer, order.orderId, { status: 'CANCELLED', filledQuantity: 1 });
    expect(await balanceOf(order.buyer.accountId, 'usd')).toEqual({ available: 10_000_0000 - 99_5000 - 995, held: 0 });
  });

  test('of the other side than its order moves nothing and is a break', async () => {
    const order = await atThePrime();
    const event = transfer(order, { side: 'SELL' });
    expect((await webhook(event)).status).toBe(200);
    expect(await breaksOf(order.name)).toEqual([['wrong_side', order.orderId]]);
    expect(await balanceOf(order.buyer.accountId, order.asset)).toMatchObject({ available: 0 });
  });

  test.each([{ price: '99' }, { quantity: '0.4' }, { side: 'SELL' }] as const)(
    'that tells a known execution otherwise (%o) moves nothing and is a break',
    async (said) => {
      const order = await atThePrime();
      const first = transfer(order);
      await webhook(first);
      await becomes(order.buyer, order.orderId, { filledQuantity: 0.5, averagePrice: 99.5 });
      expect((await webhook({ ...first, id: crypto.randomUUID(), ...said })).status).toBe(200);
      expect(await breaksOf(order.name)).toEqual([['execution_differs', order.orderId]]);
      expect(await orderOf(order.buyer, order.orderId)).toMatchObject({ filledQuantity: 0.5, averagePrice: 99.5 });
      expect(await balanceOf(order.buyer.accountId, order.asset)).toEqual({ available: 0.5e8, held: 0 });
    },
  );

  test('of an order that nobody placed moves nothing, and the audit names it', async () => {
    const { name } = await atThePrime();
    const orderId = crypto.randomUUID();
    expect((await webhook(transfer({ name, orderId }))).status).toBe(200);
    expect(await breaksOf(name)).toEqual([['unknown_order', orderId]]);
    expect(await auditOf('what the broker has said and fits no order')).toMatchObject({ holds: false });
  });

  test('of a coin without a market, or of another type, is kept, and the audit names it', async () => {
    const stray = transfer({ name: 'NOCOIN', orderId: crypto.randomUUID() });
    expect((await webhook(stray)).status).toBe(200);
    expect((await webhook(stray)).status).toBe(200);
    expect((await webhook({ id: 'event-dividend', type: 'DIVIDEND', anything: 1 })).status).toBe(200);
    expect(await auditOf('the prime broker has told nothing')).toMatchObject({ holds: false });
    const kept = await env.DB.prepare('SELECT unclaimed, body FROM prime_events WHERE id = ?1')
      .bind(stray.id)
      .first<{ unclaimed: string; body: string }>();
    expect(kept?.unclaimed).toBe('there is no market of NOCOIN');
    expect(JSON.parse(kept?.body ?? '')).toEqual(stray);
  });

  test('whose book cannot take it is 503, and taken when it comes again', async () => {
    const order = await atThePrime();
    const event = transfer(order);
    const { ORDER_BOOK } = env;
    const away = vi.spyOn(ORDER_BOOK, 'getByName').mockImplementation(() => {
      throw new Error('network connection lost');
    });
    const answer = await webhook(event);
    away.mockRestore();
    expect([answer.status, codeOf(answer)]).toEqual([503, 'SERVICE_UNAVAILABLE']);
    expect((await webhook(event)).status).toBe(200);
    await becomes(order.buyer, order.orderId, { filledQuantity: 0.5 });
  });
});

describe('what the prime broker did not send', () => {
  test.each([
    ['signed with another secret', { secret: OTHER_SECRET }],
    ['six minutes old', { at_ms: Date.now() - 360_000 }],
    ['of in six minutes', { at_ms: Date.now() + 360_000 }],
    ['signed for another time', { headers: { 'webhook-timestamp': String(Math.floor(Date.now() / 1_000) - 1) } }],
    ['signed for another id', { headers: { 'webhook-id': 'event-other' } }],
    ['of another version', { headers: { 'webhook-signature': 'v2,AAAA' } }],
    ['signed with nonsense', { headers: { 'webhook-signature': 'v1,%%%' } }],
    ['without a signature', { headers: { 'webhook-signature': '' } }],
    ['without a time', { headers: { 'webhook-timestamp': '' } }],
  ])('is 401 where it is %s, and nothing is kept', async (_, terms) => {
    const event = transfer({ name: 'NOBODY', orderId: 'nobody' });
    const answer = await webhook(event, terms);
    expect([answer.status, codeOf(answer)]).toEqual([401, 'UNAUTHORIZED']);
    expect(await env.DB.prepare('SELECT 1 FROM prime_events WHERE id = ?1').bind(event.id).first()).toBeNull();
  });

  test('is 401 where the body is another than was signed, whatever it is', async () => {
    const event = transfer({ name: 'NOBODY', orderId: 'nobody' });
    for (const body of [JSON.stringify({ ...event, price: '1' }), `${JSON.stringify(event)} `, 'no JSON'])
      expect((await webhook(event, { body })).status).toBe(401);
  });

  test('is bounded by its address: 429', async () => {
    const address = freshAddress();
    const event = transfer({ name: 'NOBODY', orderId: 'nobody' });
    const terms = { secret: OTHER_SECRET, address };
    stopClock();
    for (let sent = 0; sent < 100; sent++) await webhook(event, terms);
    expect((await webhook(event, terms)).status).toBe(429);
  });
});

test('what is signed is not bounded by an address', async () => {
  const address = freshAddress();
  const event = transfer({ name: 'NOCOIN', orderId: 'nobody' });
  for (let sent = 0; sent < 105; sent++) expect((await webhook(event, { address })).status).toBe(200);
});

test('a signed body that is no event, or of another id than its header, is 400, and one beyond 64 KiB 413', async () => {
  const malformed = await webhook({ ...transfer({ name: 'NOCOIN', orderId: 'nobody' }), quantity: 0.5 });
  expect([malformed.status, codeOf(malformed)]).toEqual([400, 'VALIDATION_ERROR']);
  const stray = transfer({ name: 'NOCOIN', orderId: 'nobody' });
  const otherId = await webhook(stray, { id: 'event-of-another-id' });
  expect([otherId.status, codeOf(otherId)]).toEqual([400, 'VALIDATION_ERROR']);
  expect((await webhook({ id: 'event-large', more: 'x'.repeat(65_536) })).status).toBe(413);
});

test('an event that no book took is closed by an operator with a reason, and is known from then on', async () => {
  const operator = await signedIn(await createTrader(db, { owner: VENUE_OWNER, roles: ['operator'] }));
  const stray = transfer({ name: 'CLOSED', orderId: 'nobody' });
  await webhook(stray);
  const listed = await operator.get<{ data: { id: string; reason: string }[] }>('/v1/operator/prime-events');
  expect(listed.body.data).toContainEqual(
    expect.objectContaining({ id: stray.id, reason: 'there is no market of CLOSED', body: JSON.stringify(stray) }),
  );
  const path = `/v1/operator/prime-events/${stray.id}/resolve`;
  const trader = await tradingClient(db);
  expect((await trader.post(path, { reason: 'mine' })).status).toBe(403);
  expect((await operator.post(path, { reason: 'not ours' }, { 'idempotency-key': 'close-stray' })).status).toBe(200);
  expect((await operator.post(path, { reason: 'again' })).status).toBe(404);
  const left = await operator.get<{ data: { id: string }[] }>('/v1/operator/prime-events');
  expect(left.body.data.map(({ id }) => id)).not.toContain(stray.id);
  const trail = await env.DB.prepare(`SELECT count(*) AS told FROM domain_events WHERE subject = ?1`)
    .bind(stray.id)
    .first();
  expect(trail).toEqual({ told: 1 });
  expect((await webhook(stray)).status).toBe(200);
  expect((await operator.get<{ data: { id: string }[] }>('/v1/operator/prime-events')).body).toEqual(left.body);
});

test('events are known for thirty days; those that no book took stay', async () => {
  const [known, kept] = [crypto.randomUUID(), crypto.randomUUID()];
  for (const [id, unclaimed] of [
    [known, null],
    [kept, 'there is no market of X'],
  ] as const)
    await env.DB.prepare('INSERT INTO prime_events (id, digest, received_at, unclaimed) VALUES (?1, ?2, 0, ?3)')
      .bind(id, 'digest', unclaimed)
      .run();
  const there = async () => {
    const { results } = await env.DB.prepare('SELECT id FROM prime_events WHERE received_at = 0').all<{ id: string }>();
    return results.map(({ id }) => id);
  };
  await forgetPrimeEvents(env, 30 * 86_400_000);
  expect((await there()).sort()).toEqual([known, kept].sort());
  await forgetPrimeEvents(env, 30 * 86_400_000 + 1);
  expect(await there()).toEqual([kept]);
});

test('while a secret is rotated both are taken, and a sender may sign with both', async () => {
  const secrets = { PRIME_WEBHOOK_SECRETS: `${OTHER_SECRET} ${env.PRIME_WEBHOOK_SECRETS}` };
  const sent = await signedParts();
  expect(await verifyWebhook(secrets, sent)).toEqual({ ok: true, value: null });
  expect(await verifyWebhook({ PRIME_WEBHOOK_SECRETS: OTHER_SECRET }, sent)).toMatchObject({ ok: false });
  const two = { ...sent, headers: { ...sent.headers, signature: `v1,AAAA ${sent.headers.signature}` } };
  expect(await verifyWebhook(env, two)).toEqual({ ok: true, value: null });
  expect(await verifyWebhook({ PRIME_WEBHOOK_SECRETS: '' }, sent)).toMatchObject({ ok: false });
});

async function signedParts() {
  const { signWebhook } = await import('../../../../durable-objects/broker/webhook-hmac.ts');
  const body = new TextEncoder().encode('{}');
  const timestamp = String(Math.floor(Date.now() / 1_000));
  const signature = `v1,${await signWebhook(env.PRIME_WEBHOOK_SECRETS, `an-id.${timestamp}.`, body)}`;
  return { headers: { id: 'an-id', timestamp, signature }, body: body.buffer as ArrayBuffer };
}
