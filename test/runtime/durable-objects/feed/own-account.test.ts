import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../../../data/database.ts';
import type { OwnBalance, OwnFillMessage, OwnOrderMessage } from '../../../../protocol/feeds/server-message.ts';
import { createKeyHolder, type KeyHolder } from '../../fixtures/book-client.ts';
import { createCurrency } from '../../fixtures/create-currency.ts';
import { createPair } from '../../fixtures/create-pair.ts';
import { FeedSocket } from '../../fixtures/feed-socket.ts';
import { giveBalance, giveHolding } from '../../fixtures/give-balance.ts';
import { migrate } from '../../fixtures/migrate.ts';

let db: Database;
let seller: KeyHolder;
let pairs = 0;

async function freshPair(): Promise<string> {
  pairs += 1;
  const { symbol, baseAsset } = await createPair(db, `OA${pairs}`);
  await giveHolding({ accountId: seller.accountId, asset: baseAsset, lots: [{ quantity: 100_000 }] });
  return symbol;
}

const freshHolder = (): Promise<KeyHolder> => createKeyHolder(db, { cash: 100_000_00 });

beforeAll(async () => {
  db = await migrate();
  await createCurrency(db);
  seller = await createKeyHolder(db);
});

async function place(
  holder: KeyHolder,
  symbol: string,
  side: 'buy' | 'sell',
  size: number,
  price: number,
  more: Readonly<Record<string, unknown>> = {},
): Promise<string> {
  const answer = await holder.client.post('/v1/orders', { symbol, side, type: 'limit', size, price, ...more });
  expect(answer.status).toBe(200);
  return String(answer.body.order_id);
}

async function follow(holder: KeyHolder, channel: string, detail: Readonly<Record<string, unknown>> = {}) {
  const feed = await FeedSocket.open('/v1/ws', holder.headers);
  feed.say({ type: 'subscribe', channel, ...detail });
  await feed.next('subscribed');
  return feed;
}

/** What a follower has of its account: the snapshot, then what came, message by message. */
function heldBy(feed: FeedSocket) {
  const orders = new Map<string, { filled_size: number; status: string }>();
  const balances = new Map<string, OwnBalance>();
  for (const message of feed.received) {
    if (message.type === 'reset') orders.clear();
    if (message.type === 'orders_snapshot') for (const order of message.orders) orders.set(order.order_id, order);
    if (message.type === 'balances_snapshot')
      for (const balance of message.balances) balances.set(balance.asset, balance);
    if (message.type === 'order') {
      if (['open', 'partially_filled', 'pending_trigger'].includes(message.status))
        orders.set(message.order_id, message);
      else orders.delete(message.order_id);
    }
    if (message.type === 'balance') balances.set(message.asset, message);
  }
  return { orders, balances };
}

describe('one subscription to an account', () => {
  it('tells orders, fills and balances of every market, also of one that opens later, without a symbol', async () => {
    const [first, second] = [await freshPair(), await freshPair()];
    const buyer = await freshHolder();
    const resting = await place(buyer, first, 'buy', 5, 90, { client_order_id: 'resting' });
    const feed = await follow(buyer, 'account');
    const snapshot = await feed.next('orders_snapshot');
    expect(snapshot).toMatchObject({ channel: 'account', symbol: '*', more: false });
    expect(snapshot.orders).toEqual([
      {
        symbol: first,
        order_id: resting,
        client_order_id: 'resting',
        side: 'buy',
        order_type: 'limit',
        time_in_force: 'GTC',
        price: 90,
        stop_price: null,
        size: 5,
        filled_size: 0,
        remaining_size: 5,
        average_price: null,
        status: 'open',
        reason: null,
        expires_at: null,
      },
    ]);
    const owned = await feed.next('balances_snapshot');
    expect(owned.balances).toContainEqual({ asset: 'USD', free: 100_000 - 450, locked: 450 });

    const third = await freshPair();
    for (const symbol of [second, third]) {
      await place(seller, symbol, 'sell', 2, 100);
      await place(seller, symbol, 'sell', 2, 101);
      await place(buyer, symbol, 'buy', 5, 101, { client_order_id: `own-${symbol}` });
      const fill = (await feed.next(
        'fill',
        (message) => message.symbol === symbol && message.price === 101,
      )) as OwnFillMessage;
      expect(fill).toMatchObject({
        channel: 'account',
        client_order_id: `own-${symbol}`,
        order_type: 'limit',
        side: 'buy',
        size: 2,
        liquidity: 'taker',
        order_size: 5,
        filled_size: 4,
        remaining_size: 1,
        average_price: 100.5,
      });
      const order = await feed.next(
        'order',
        (message) => message.symbol === symbol && message.status === 'partially_filled',
      );
      expect(order).toMatchObject({
        client_order_id: `own-${symbol}`,
        order_type: 'limit',
        filled_size: 4,
        remaining_size: 1,
        average_price: 100.5,
      });
      await feed.next('balance', (message) => message.asset === symbol.split('-')[0] && message.free === 4);
    }
    await buyer.client.delete(`/v1/orders/${resting}`);
    expect(await feed.next('order', ({ status }) => status === 'cancelled')).toMatchObject({
      order_id: resting,
      reason: 'user',
      remaining_size: 0,
    });
    feed.close();
  });

  it('tells with a fill what is left of its order, less what self-trade prevention took off', async () => {
    const symbol = await freshPair();
    const buyer = await freshHolder();
    await place(buyer, symbol, 'buy', 5, 90);
    await giveHolding({
      accountId: buyer.accountId,
      asset: symbol.split('-')[0]?.toLowerCase() ?? '',
      lots: [{ quantity: 1 }],
    });
    await place(buyer, symbol, 'sell', 1, 90, { self_trade_prevention: 'decrement' });
    const feed = await follow(buyer, 'fills');
    await place(seller, symbol, 'sell', 3, 90);
    await place(seller, symbol, 'sell', 1, 90);
    expect(await feed.next('fill', ({ size }) => size === 3)).toMatchObject({ filled_size: 3, remaining_size: 1 });
    expect(await feed.next('fill', ({ size }) => size === 1)).toMatchObject({ filled_size: 4, remaining_size: 0 });
    feed.close();
  });

  it('numbers what it says, each message naming the one before, and ends with what REST reads', async () => {
    const symbol = await freshPair();
    const buyer = await freshHolder();
    const feed = await follow(buyer, 'account');
    await feed.next('balances_snapshot');
    for (let price = 100; price < 106; price++) await place(seller, symbol, 'sell', 3, price);
    await Promise.all([101, 102, 99, 98, 104, 97].map((price) => place(buyer, symbol, 'buy', 4, price)));
    await buyer.client.delete('/v1/orders');
    await giveBalance({ accountId: buyer.accountId, asset: 'usd', amount: 7_00 });
    await expect.poll(() => [...heldBy(feed).orders.values()]).toEqual([]);
    const { balances } = (await buyer.client.get('/v1/account/balances')).body as { balances: OwnBalance[] };
    await expect
      .poll(() =>
        [...heldBy(feed).balances.values()].map(({ asset, free, locked }) => ({ asset, free, locked })).sort(byAsset),
      )
      .toEqual(balances);
    let last = (await feed.next('balances_snapshot')).sequence;
    for (const message of feed.received) {
      if (message.type !== 'order' && message.type !== 'fill' && message.type !== 'balance') continue;
      const { sequence, prev_sequence } = message as OwnOrderMessage;
      expect(prev_sequence).toBe(last);
      expect(sequence).toBeGreaterThan(last);
      last = sequence;
    }
    const fills = ((await buyer.client.get('/v1/fills')).body as { fills: { trade_id: string }[] }).fills;
    expect(new Set(feed.of('fill').map(({ trade_id }) => trade_id))).toEqual(
      new Set(fills.map(({ trade_id }) => trade_id)),
    );
    feed.close();
  });

  it('tells of an amended trigger', async () => {
    const symbol = await freshPair();
    const buyer = await freshHolder();
    const feed = await follow(buyer, 'orders');
    const stop = { type: 'stop_loss_limit', price: 120, stop_price: 110 };
    const id = await place(buyer, symbol, 'buy', 1, 120, stop);
    expect(await feed.next('order')).toMatchObject({ order_id: id, status: 'pending_trigger', stop_price: 110 });
    expect((await buyer.client.patch(`/v1/orders/${id}`, { stop_price: 115 })).status).toBe(200);
    await feed.next('order', (message) => 'stop_price' in message && message.stop_price === 115);
    feed.close();
  });

  it('tells of an order that order entry refused and kept', async () => {
    const symbol = await freshPair();
    const buyer = await freshHolder();
    const feed = await follow(buyer, 'orders');
    await feed.next('orders_snapshot');
    const refused = await buyer.client.post('/v1/orders', {
      symbol,
      side: 'buy',
      type: 'limit',
      size: 1_000_000,
      price: 100,
      client_order_id: 'too-much',
    });
    expect(refused.status).toBe(400);
    expect(await feed.next('order')).toMatchObject({
      client_order_id: 'too-much',
      status: 'rejected',
      reason: 'INSUFFICIENT_BALANCE',
    });
    feed.close();
  });

  it('says on orders, fills and balances what is theirs, and nothing of another account', async () => {
    const symbol = await freshPair();
    const [buyer, other] = [await freshHolder(), await freshHolder()];
    const feeds = {
      orders: await follow(buyer, 'orders'),
      fills: await follow(buyer, 'fills'),
      balances: await follow(buyer, 'balances'),
    };
    const others = await follow(other, 'account');
    await others.next('balances_snapshot');
    const heard = others.received.length;
    await place(seller, symbol, 'sell', 1, 100);
    await place(buyer, symbol, 'buy', 1, 100);
    await feeds.orders.next('order', ({ status }) => status === 'filled');
    await feeds.fills.next('fill');
    await feeds.balances.next('balance', ({ free }) => free === 1);
    const kinds = (feed: FeedSocket) => new Set(feed.received.map(({ type }) => type));
    expect(kinds(feeds.orders)).toEqual(new Set(['subscribed', 'orders_snapshot', 'order', 'fill']));
    expect(kinds(feeds.fills)).toEqual(new Set(['subscribed', 'fill']));
    expect(kinds(feeds.balances)).toEqual(new Set(['subscribed', 'balances_snapshot', 'balance']));
    expect(others.received.length).toBe(heard);
    for (const feed of [...Object.values(feeds), others]) feed.close();
  });

  it('goes on from resume_from without a gap or a repetition, or says reset and begins anew', async () => {
    const symbol = await freshPair();
    const buyer = await freshHolder();
    const before = await follow(buyer, 'account');
    await before.next('balances_snapshot');
    await place(buyer, symbol, 'buy', 1, 90);
    const seen = (await before.next('balance')).sequence;
    before.close();
    const missed = await place(buyer, symbol, 'buy', 2, 91, { client_order_id: 'missed' });
    const after = await follow(buyer, 'account', { resume_from: seen });
    expect(await after.next('order')).toMatchObject({ order_id: missed, prev_sequence: seen });
    expect(after.of('orders_snapshot')).toEqual([]);
    after.close();

    const tooOld = await follow(buyer, 'account', { resume_from: 1 });
    await tooOld.next('reset');
    expect((await tooOld.next('orders_snapshot')).orders).toHaveLength(2);
    tooOld.close();
  });

  it('asks for a credential that may read the account, and for no symbol', async () => {
    const anyone = await FeedSocket.open();
    for (const channel of ['account', 'orders', 'fills', 'balances']) {
      const heard = anyone.received.length;
      anyone.say({ type: 'subscribe', channel });
      await anyone.next('error', ({ code }) => code === 'UNAUTHORIZED', heard);
    }
    anyone.say({ type: 'subscribe', channel: 'trades' });
    await anyone.next('error', ({ code }) => code === 'INVALID_SYMBOL');
    anyone.close();
    const trading = await createKeyHolder(db, {}, { scopes: ['trade'] });
    const blind = await FeedSocket.open('/v1/ws', trading.headers);
    blind.say({ type: 'subscribe', channel: 'account' });
    await blind.next('error', ({ code }) => code === 'FORBIDDEN');
    blind.close();
    const holder = await freshHolder();
    const one = await FeedSocket.open('/v1/ws', holder.headers);
    one.say({ type: 'subscribe', channel: 'balances', symbol: await freshPair() });
    await one.next('error', ({ code }) => code === 'VALIDATION_ERROR');
    one.close();
  });
});

describe('a follower of an account', () => {
  it('keeps its connection when the ledger is lost: reset, a fresh snapshot, and what follows', async () => {
    const symbol = await freshPair();
    const buyer = await freshHolder();
    await place(buyer, symbol, 'buy', 1, 90);
    const feed = await follow(buyer, 'account');
    await feed.next('balances_snapshot');
    await runInDurableObject(env.LEDGER.getByName('ledger:0'), (_, state) => state.abort('killed by a test')).catch(
      () => undefined,
    );
    await feed.next('reset');
    await expect.poll(() => feed.of('orders_snapshot').length).toBe(2);
    const id = await place(buyer, symbol, 'buy', 1, 91);
    await feed.next('order', ({ order_id }) => order_id === id);
    expect(feed.closed).toBeNull();
    feed.close();
  });
});

const byAsset = (one: { asset: string }, other: { asset: string }) => (one.asset < other.asset ? -1 : 1);
