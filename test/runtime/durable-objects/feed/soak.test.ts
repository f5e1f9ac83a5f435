import { env } from 'cloudflare:workers';
import { beforeAll, expect, it } from 'vitest';
import type { Database } from '../../../../data/database.ts';
import { type BookDepth, orderBookOf } from '../../../../durable-objects/order-book/api.ts';
import { createKeyHolder, type KeyHolder } from '../../fixtures/book-client.ts';
import { createCurrency } from '../../fixtures/create-currency.ts';
import { createPair } from '../../fixtures/create-pair.ts';
import { FeedSocket } from '../../fixtures/feed-socket.ts';
import { giveHolding } from '../../fixtures/give-balance.ts';
import { migrate } from '../../fixtures/migrate.ts';
import { patience } from '../../fixtures/patience.ts';

const ORDERS = 300;
const DROPPED = 0.1;

let db: Database;
let traders: KeyHolder[];
let symbol: string;

beforeAll(async () => {
  db = await migrate();
  await createCurrency(db);
  const pair = await createPair(db, 'SOAK');
  symbol = pair.symbol;
  traders = await Promise.all(Array.from({ length: 4 }, () => createKeyHolder(db, { cash: 100_000_000_00 })));
  for (const { accountId } of traders)
    await giveHolding({ accountId, asset: pair.baseAsset, lots: [{ quantity: 100_000 }] });
});

/** A number below `n`, the same on every run. */
let state = 42;
const random = (n: number): number => {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
  return Math.floor((state / 2 ** 32) * n);
};

async function tradeAtRandom(): Promise<void> {
  const trader = traders[random(traders.length)] as KeyHolder;
  const side = random(2) === 0 ? 'buy' : 'sell';
  const price = 100 + (side === 'buy' ? 3 : -3) - random(12) * (side === 'buy' ? 1 : -1);
  if (random(12) === 0) await trader.client.delete('/v1/orders', { symbol });
  else {
    const order = { symbol, side, type: 'limit', size: 1 + random(20), price };
    const answer = await trader.client.post('/v1/orders', order);
    expect(answer.status).toBe(200);
  }
}

it.each([3, 50])(
  'a reference client of depth %i that loses messages has the book of the server at every sequence it has reached',
  async (depth) => {
    const book = orderBookOf(env, symbol);
    // A subscription after each loss is more than a stranger may ask for.
    const feed = await FeedSocket.open('/v1/ws', traders[0]?.headers);
    let lost = -1;
    feed.drop = (text) => {
      const isUpdate = text.includes('"type":"orderbook_update"');
      const isDropped = (isUpdate || text.includes('"type":"trade"')) && random(100) < DROPPED * 100;
      if (isDropped && isUpdate) lost = (JSON.parse(text) as { sequence: number }).sequence;
      return isDropped;
    };
    const local = feed.client.followBook(symbol, depth);
    await feed.next('orderbook_snapshot');
    const expectSame = ({ sequence, bids, asks }: BookDepth) => {
      const wire = (levels: BookDepth['bids']) => levels.map(([price, quantity]) => [price / 100, quantity]);
      expect({ sequence, bids: local.bids, asks: local.asks }).toEqual({
        sequence,
        bids: wire(bids),
        asks: wire(asks),
      });
    };
    let compared = 0;
    for (let i = 0; i < ORDERS; i++) {
      await tradeAtRandom();
      const server = await book.depth(depth);
      for (const isOver = patience(); ![local.sequence, lost].includes(server.sequence) && !isOver(); )
        await new Promise((resolve) => setTimeout(resolve, 1));
      // One whose last message was lost learns of it by the next.
      if (local.sequence !== server.sequence) continue;
      expectSame(server);
      compared += 1;
    }
    expect(compared).toBeGreaterThan(ORDERS / 2);
    expect(feed.client.resyncs).toBeGreaterThan(3);
    feed.drop = () => false;
    await tradeAtRandom();
    const server = await book.depth(depth);
    await expect.poll(() => local.sequence).toBe(server.sequence);
    expectSame(server);
    feed.close();
  },
);
