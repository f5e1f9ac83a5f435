import { evictDurableObject, runDurableObjectAlarm } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { uuidv7 } from 'uuidv7';
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { invalidateUser } from '../../../../application/identity/invalidate-gates.ts';
import { adjustTradeByOperator } from '../../../../application/operator/adjust-trade.ts';
import type { Database } from '../../../../data/database.ts';
import { createKeyHolder, type KeyHolder } from '../../fixtures/book-client.ts';
import { createCurrency } from '../../fixtures/create-currency.ts';
import { tokenWith } from '../../fixtures/forged-token.ts';
import { giveHolding } from '../../fixtures/give-balance.ts';
import { listedSecurity } from '../../fixtures/listed-security.ts';
import { migrate } from '../../fixtures/migrate.ts';
import { createPartner, createSecurity, type Partner } from '../../fixtures/partner-client.ts';
import { PartnerStreamSocket } from '../../fixtures/partner-stream.ts';

let db: Database;
let lister: Partner;
let follower: Partner;
let seller: KeyHolder;
let buyer: KeyHolder;

beforeAll(async () => {
  db = await migrate();
  await createCurrency(db);
  lister = await createPartner(db, 'cross_lister');
  follower = await createPartner(db, 'cross_lister');
  seller = await createKeyHolder(db);
  buyer = await createKeyHolder(db, { cash: 1_000_000_00 });
});

afterEach(() => {
  vi.useRealTimers();
});

let listings = 0;

interface Listed {
  readonly id: string;
  readonly symbol: string;
}

async function listed(): Promise<Listed> {
  listings += 1;
  const { securityId: id, market: symbol } = await listedSecurity(db, lister, `STR${listings}`);
  await env.DB.prepare('UPDATE assets SET accreditation_type = NULL, regulation = NULL WHERE id = ?1').bind(id).run();
  await giveHolding({ accountId: seller.accountId, asset: id, lots: [{ quantity: 1_000 }] });
  return { id, symbol };
}

async function order({ client }: KeyHolder, symbol: string, side: 'buy' | 'sell', size: number, price: number) {
  const body = { symbol, side, type: 'limit', size, price, time_in_force: 'GTC' };
  expect((await client.post('/v1/orders', body)).status).toBeLessThan(300);
}

const open = (path: string, as = follower) => PartnerStreamSocket.open(as, path);
const beat = ({ symbol }: Listed) => runDurableObjectAlarm(env.ORDER_BOOK.getByName(symbol));
const later = (ms: number) => vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + ms });
const ISO = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string;

interface Book {
  readonly sequence: number;
  readonly bids: readonly { readonly price: number; readonly quantity: number }[];
  readonly asks: readonly { readonly price: number; readonly quantity: number }[];
}

/** What a client has of the book after all that it was told; fails at a gap. */
function bookOf({ received }: PartnerStreamSocket): Book {
  let sequence = -1;
  const sides = { bids: new Map<number, number>(), asks: new Map<number, number>() };
  for (const message of received) {
    if (message.type !== 'book_snapshot' && message.type !== 'book_update') continue;
    if (message.type === 'book_update') expect(message.prev_sequence).toBe(sequence);
    else for (const side of Object.values(sides)) side.clear();
    ({ sequence } = message);
    for (const side of ['bids', 'asks'] as const) {
      for (const { price, quantity } of message[side])
        quantity === 0 ? sides[side].delete(price) : sides[side].set(price, quantity);
    }
  }
  const side = (levels: ReadonlyMap<number, number>, sign: 1 | -1) =>
    [...levels].map(([price, quantity]) => ({ price, quantity })).sort((a, b) => sign * (a.price - b.price));
  return { sequence, bids: side(sides.bids, -1), asks: side(sides.asks, 1) };
}

const bookNow = async (id: string, as = follower) => (await as.client.get<Book>(`/v1/securities/${id}/book`)).body;

async function expectCurrent(stream: PartnerStreamSocket, id: string): Promise<void> {
  const { sequence, bids, asks } = await bookNow(id);
  await expect.poll(() => bookOf(stream).sequence).toBe(sequence);
  expect(bookOf(stream)).toEqual({ sequence, bids, asks });
}

describe('WS /v1/ws/book/{id}', () => {
  test('begins with a snapshot, and its updates lead without a gap to what the book is', async () => {
    const { id, symbol } = await listed();
    await order(buyer, symbol, 'buy', 5, 41);
    const stream = await open(`/v1/ws/book/${id}`);
    expect(await stream.next('book_snapshot')).toEqual({
      type: 'book_snapshot',
      security_id: id,
      sequence: expect.any(Number),
      bids: [{ price: 41, quantity: 5 }],
      asks: [],
      checksum: expect.any(Number),
      timestamp: ISO,
    });
    expect(stream.received[0]).toEqual({
      type: 'subscribed',
      security_id: id,
      sequence: expect.any(Number),
      depth: 50,
    });
    for (const price of [43, 44, 42]) await order(seller, symbol, 'sell', 3, price);
    await order(buyer, symbol, 'buy', 4, 43);
    await order(seller, symbol, 'sell', 5, 41);
    await expectCurrent(stream, id);
    await evictDurableObject(env.ORDER_BOOK.getByName(symbol));
    await order(buyer, symbol, 'buy', 1, 40);
    await expectCurrent(stream, id);
    stream.close();
  });

  test('shows as many levels as were asked for, and goes on behind a sequence', async () => {
    const { id, symbol } = await listed();
    for (const price of [40, 41, 42]) await order(buyer, symbol, 'buy', 1, price);
    const first = await open(`/v1/ws/book/${id}?depth=2`);
    const { bids, sequence } = await first.next('book_snapshot');
    expect(bids.map(({ price }) => price)).toEqual([42, 41]);
    await order(buyer, symbol, 'buy', 2, 42);
    const { sequence: last } = await first.next('book_update');
    const resumed = await open(`/v1/ws/book/${id}?depth=2&resume_from=${sequence}`);
    expect(await resumed.next('book_update')).toMatchObject({
      prev_sequence: sequence,
      sequence: last,
      bids: [{ price: 42, quantity: 3 }],
    });
    expect(resumed.of('book_snapshot')).toEqual([]);
    const lost = await open(`/v1/ws/book/${id}?depth=2&resume_from=999999`);
    await lost.next('reset');
    await lost.next('book_snapshot');
    for (const depth of ['0', '1001'])
      expect((await PartnerStreamSocket.handshake(follower, `/v1/ws/book/${id}?depth=${depth}`)).status).toBe(400);
    for (const stream of [first, resumed, lost]) stream.close();
  });

  test('tells a quiet client that nothing is missing, answers its pings, and takes no orders of it', async () => {
    const security = await listed();
    const stream = await open(`/v1/ws/book/${security.id}`);
    const { sequence } = await stream.next('book_snapshot');
    stream.say({ type: 'ping', id: 7 });
    expect(await stream.next('pong')).toEqual({ type: 'pong', id: 7 });
    stream.say({ type: 'subscribe', channel: 'trades', symbol: security.symbol });
    expect(await stream.next('error')).toEqual({
      type: 'error',
      code: 'VALIDATION_ERROR',
      message: expect.any(String),
    });
    await beat(security);
    const heartbeat = { type: 'heartbeat', security_id: security.id, sequence, timestamp: ISO };
    expect(await stream.next('heartbeat')).toEqual(heartbeat);
    expect(stream.closed).toBeNull();
    stream.close();
  });
});

describe('WS /v1/ws/trades/{id}', () => {
  test('tells each trade once, in the sequence and under the id that the list has, and one that is taken back', async () => {
    const { id, symbol } = await listed();
    const stream = await open(`/v1/ws/trades/${id}`);
    expect(await stream.next('subscribed')).toEqual({ type: 'subscribed', security_id: id, sequence: 0 });
    await order(seller, symbol, 'sell', 9, 41);
    for (const size of [2, 3, 4]) await order(buyer, symbol, 'buy', size, 41);
    await stream.next('trade', ({ sequence }) => sequence === 3);
    const { trades } = (
      await follower.client.get<{ trades: { sequence: number; trade_id: string; executed_at: string }[] }>(
        `/v1/securities/${id}/trades`,
      )
    ).body;
    const told = trades.toReversed().map(({ sequence, trade_id, executed_at }) => ({
      type: 'trade',
      security_id: id,
      sequence,
      prev_sequence: sequence - 1,
      trade_id,
      price: 41,
      quantity: sequence + 1,
      side: 'buy',
      executed_at,
    }));
    expect(stream.of('trade')).toEqual(told);
    const action = { id: uuidv7(), actor: 'operator', requestId: uuidv7() };
    const busted = trades.at(-1)?.trade_id ?? '';
    const terms = { tradeId: busted, price: null, reason: 'erroneous', action };
    expect(await adjustTradeByOperator(env, terms)).toMatchObject({ ok: true });
    expect(await stream.next('trade_bust')).toEqual({
      type: 'trade_bust',
      security_id: id,
      sequence: 3,
      trade_id: busted,
      trade_sequence: 1,
      price: 41,
      quantity: 2,
      corrected_price: null,
      adjusted_at: ISO,
    });
    const resumed = await open(`/v1/ws/trades/${id}?resume_from=1`);
    await resumed.next('trade', ({ sequence }) => sequence === 3);
    expect(resumed.of('trade')).toEqual(told.slice(1));
    expect(await resumed.next('trade_bust')).toMatchObject({ trade_id: busted, trade_sequence: 1 });
    // Who has seen the last trade may have been away when one of before was taken back.
    const latest = await open(`/v1/ws/trades/${id}?resume_from=3`);
    expect(await latest.next('trade_bust')).toMatchObject({ trade_id: busted });
    for (const each of [stream, resumed, latest]) each.close();
  });
});

describe('a stream', () => {
  test('is opened with a credential of an active partner alone, for what it follows', async () => {
    const { id } = await listed();
    const unlisted = await createSecurity(db, lister);
    const suspended = await createPartner(db, 'cross_lister', { state: 'suspended' });
    for (const kind of ['book', 'trades']) {
      const status = async (as: Pick<Partner, 'headers'>, security: string) =>
        (await PartnerStreamSocket.handshake(as, `/v1/ws/${kind}/${security}`)).status;
      expect(await status({ headers: {} }, id)).toBe(401);
      expect(await status({ headers: buyer.headers }, id)).toBe(401);
      expect(await status(suspended, id)).toBe(403);
      expect(await status(follower, uuidv7())).toBe(404);
      expect(await status(follower, unlisted)).toBe(404);
      expect(await status(lister, unlisted)).toBe(409);
      expect((await follower.client.get(`/v1/ws/${kind}/${id}`)).status).toBe(400);
    }
  });

  test('ends at the next beat once its organization is suspended, and others go on', async () => {
    const security = await listed();
    const partner = await createPartner(db, 'transfer_agent');
    const ending = [
      await open(`/v1/ws/book/${security.id}`, partner),
      await open(`/v1/ws/trades/${security.id}`, partner),
    ];
    const staying = await open(`/v1/ws/book/${security.id}`);
    for (const stream of [...ending, staying]) await stream.next('subscribed');
    await env.DB.prepare(`UPDATE partner_organizations SET state = 'suspended' WHERE organization = ?1`)
      .bind(partner.organization)
      .run();
    await beat(security);
    for (const stream of ending)
      expect(await stream.untilClosed()).toEqual({
        code: 1008,
        reason: 'the organization may not follow the security',
      });
    await staying.next('heartbeat');
    expect(staying.closed).toBeNull();
    staying.close();
  });

  test('ends at the next beat once its security is delisted, but for its lister', async () => {
    const security = await listed();
    const [ending, staying] = [
      await open(`/v1/ws/book/${security.id}`),
      await open(`/v1/ws/book/${security.id}`, lister),
    ];
    for (const stream of [ending, staying]) await stream.next('book_snapshot');
    await env.DB.prepare(`UPDATE securities SET state = 'delisted' WHERE id = ?1`).bind(security.id).run();
    await beat(security);
    expect(await ending.untilClosed()).toMatchObject({ code: 1008 });
    await staying.next('heartbeat');
    expect(staying.closed).toBeNull();
    staying.close();
  });

  test('ends at the next beat once its token has ended', async () => {
    const security = await listed();
    const token = await tokenWith({ subject: follower.userId, owner: follower.organization, expiresIn: 30 });
    const ending = await open(`/v1/ws/book/${security.id}`, {
      ...follower,
      headers: { authorization: `Bearer ${token}` },
    });
    const staying = await open(`/v1/ws/book/${security.id}`);
    for (const stream of [ending, staying]) await stream.next('book_snapshot');
    later(31_000);
    await beat(security);
    vi.useRealTimers();
    expect(await ending.untilClosed()).toEqual({ code: 1008, reason: 'the credential holds no longer' });
    expect(staying.closed).toBeNull();
    staying.close();
  });

  test('ends at once when its user loses the role', async () => {
    const security = await listed();
    const partner = await createPartner(db, 'cross_lister');
    const stream = await open(`/v1/ws/book/${security.id}`, partner);
    await stream.next('book_snapshot');
    await env.DB.prepare(`UPDATE users SET roles = '[]' WHERE id = ?1`).bind(partner.userId).run();
    await invalidateUser(env, partner.userId);
    expect(await stream.untilClosed()).toMatchObject({ code: 1008 });
  });

  test('is one of five of its organization on one book, and one that ends makes room', async () => {
    const [{ id }, another] = [await listed(), await listed()];
    const partner = await createPartner(db, 'cross_lister');
    const streams = await Promise.all(
      ['book', 'book', 'book', 'trades', 'trades'].map((kind) => open(`/v1/ws/${kind}/${id}`, partner)),
    );
    const refused = await PartnerStreamSocket.handshake(partner, `/v1/ws/book/${id}`);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '60']);
    expect(await refused.json()).toMatchObject({ error: { details: { connections: 5 } } });
    for (const elsewhere of [await open(`/v1/ws/book/${another.id}`, partner), await open(`/v1/ws/book/${id}`)])
      elsewhere.close();
    streams[0]?.close();
    const again = async () => (await PartnerStreamSocket.handshake(partner, `/v1/ws/book/${id}`)).status;
    await expect.poll(again).toBe(101);
  });

  test('takes one of a hundred places of its organization, whichever user opens it', async () => {
    const { id } = await listed();
    const partner = await createPartner(db, 'cross_lister');
    const gate = env.GATE.getByName(`organization:${partner.organization}`);
    for (let place = 0; place < 99; place++) expect(await gate.acquireConnection(`place ${place}`)).toBe(true);
    const last = await open(`/v1/ws/trades/${id}`, partner);
    const refused = await PartnerStreamSocket.handshake(partner, `/v1/ws/book/${id}`);
    expect(refused.status).toBe(429);
    expect(await refused.json()).toMatchObject({ error: { details: { connections: 100 } } });
    const other = await open(`/v1/ws/book/${id}`);
    last.close();
    await expect.poll(() => gate.acquireConnection('freed')).toBe(true);
    other.close();
  });
});
