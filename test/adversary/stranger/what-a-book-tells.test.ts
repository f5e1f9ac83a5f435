import { describe, expect, it } from 'vitest';
import type { BookMarket } from '../../../domain/markets/market.ts';
import { BookState } from '../../../durable-objects/order-book/cycle/book-state.ts';
import { BookFeed } from '../../../durable-objects/order-book/feed/book-feed.ts';
import type { JournalEntry } from '../../../durable-objects/order-book/journal/journal-entry.ts';
import { BOOK_DEPTHS, type Topic, topicKey } from '../../../protocol/feeds/topic.ts';

const MARKET: BookMarket = {
  symbol: 'ACME-USD',
  baseAsset: 'acme',
  quoteAsset: 'usd',
  priceScale: 2,
  quantityScale: 0,
  quoteScale: 2,
  tracksLots: false,
};

type Change = Partial<Extract<JournalEntry['commands'][number], { type: 'place' }>['order']['terms']>;

function placing() {
  let count = 0;
  return (change: Change): JournalEntry => {
    count += 1;
    const terms = {
      type: 'place' as const,
      orderId: `o-${count}`,
      account: 'a',
      keyId: null,
      side: 'buy' as const,
      orderType: 'limit' as const,
      timeInForce: 'GTC' as const,
      quantity: 5,
      price: 10_000,
      stopPrice: 0,
      expiresAt: 0,
      selfTradePrevention: 'cancel_newest' as const,
      hidden: false,
      displayQuantity: 0,
      attributes: 0,
      requires: 0,
      ...change,
    };
    const order = {
      terms,
      price: terms.price,
      makerFeeBps: 0,
      takerFeeBps: 0,
      allowanceAsset: null,
      positionAsset: null,
      restricted: false,
      lots: [],
    };
    return { time: 1_000 + count, batch: count, commands: [{ type: 'place', order }] };
  };
}

/** A book's feed, and what its hub is told; a topic is followed from its opening until it is left. */
function book() {
  const state = new BookState(MARKET);
  const followed = new Set<string>();
  const told: [key: string, texts: readonly string[]][] = [];
  const hub = {
    get topics() {
      return followed.values();
    },
    get isEmpty() {
      return followed.size === 0;
    },
    follows: (key: string) => followed.has(key),
    publish: (key: string, texts: readonly string[]) => {
      told.push([key, texts]);
    },
  };
  const storage = { kv: { put: () => {}, get: () => undefined } };
  const config = { market: { status: 'open', bandBps: 0, referencePrice: null, tickSize: 1 }, venueHalted: false };
  const feed = new BookFeed({ storage: storage as never, book: async () => state, config: () => config as never });
  feed.attach(hub as never);
  feed.begin(state);
  return {
    told,
    run: (entry: JournalEntry) => feed.publish(state.run(entry)),
    heartbeat: (topic: Topic) => feed.heartbeat(topic, 5_000),
    async open(topic: Topic, resumeFrom: number | null = null) {
      let opening: readonly string[] = [];
      const error = await feed.open(topic, resumeFrom, (messages) => {
        opening = messages;
        followed.add(topicKey(topic));
      });
      expect(error).toBeNull();
      return opening;
    },
    leave(topic: Topic) {
      followed.delete(topicKey(topic));
      feed.close(topic);
    },
  };
}

const depths = Array.from(
  { length: 1_000 },
  (_, at): Topic => ({
    channel: 'orderbook',
    symbol: MARKET.symbol,
    depth: at + 1,
  }),
);

describe('T-01: a change of a book', () => {
  it('is worked out for the depths that somebody follows at the time, whatever was followed before', async () => {
    const { told, run, open, leave } = book();
    const place = placing();
    for (const topic of depths) {
      await open(topic);
      leave(topic);
    }
    const last = depths[49] as Topic;
    await open(last);
    run(place({ price: 9_000 }));
    expect(told.map(([key]) => key)).toEqual([topicKey(last)]);
  });

  it('is worked out at most eighteen times, whatever depths are followed at once', async () => {
    const { told, run, open } = book();
    const place = placing();
    for (const topic of depths) await open(topic);
    run(place({ price: 9_000 }));
    expect(BOOK_DEPTHS).toHaveLength(18);
    expect(told).toHaveLength(18);
  });

  it('is told in the next depth that there is, which the opening names', async () => {
    const { run, open } = book();
    const place = placing();
    for (let at = 0; at < 40; at++) run(place({ price: 9_000 + at }));
    for (const [asked, served] of [
      [7, 7],
      [11, 20],
      [26, 50],
      [50, 50],
      [999, 1_000],
    ] as const) {
      const [subscribed, snapshot] = (await open(depths[asked - 1] as Topic)).map((text) => JSON.parse(text));
      expect(subscribed).toMatchObject({ type: 'subscribed', depth: served });
      expect(snapshot.bids).toHaveLength(Math.min(served, 40));
    }
  });

  it('that a client has missed is told in one update, as is every one after it', async () => {
    const { run, open, leave } = book();
    const place = placing();
    const topic = depths[1] as Topic;
    run(place({ price: 9_000 }));
    const [, snapshot] = await open(topic);
    leave(topic);
    for (const price of [9_001, 9_002, 9_001]) run(place({ price }));
    const { sequence } = JSON.parse(snapshot ?? '');
    const [subscribed, missed, ...more] = (await open(topic, sequence)).map((text) => JSON.parse(text));
    expect(more).toEqual([]);
    expect(missed).toMatchObject({
      type: 'orderbook_update',
      prev_sequence: sequence,
      sequence: subscribed.sequence,
      bids: [
        [90.02, 5],
        [90.01, 10],
        [90, 0],
      ],
    });
    expect((await open(topic, 77)).map((text) => JSON.parse(text).type)).toEqual([
      'subscribed',
      'reset',
      'orderbook_snapshot',
    ]);
  });
});

describe('T-16: hidden orders and stops that nothing has triggered', () => {
  const TOPICS: readonly Topic[] = [
    { channel: 'orderbook', symbol: MARKET.symbol, depth: 50 },
    { channel: 'ticker', symbol: MARKET.symbol },
    { channel: 'status', symbol: MARKET.symbol },
    { channel: 'trades', symbol: MARKET.symbol },
    { channel: 'candles', symbol: MARKET.symbol, interval: '1m' },
    { channel: 'orders', symbol: MARKET.symbol, account: 'onlooker' },
  ];
  const hidden: Change[] = [
    { orderId: 'h-1', hidden: true, side: 'sell', price: 10_100 },
    { orderId: 'h-2', hidden: true, price: 8_000 },
    { orderId: 's-1', side: 'sell', orderType: 'stop_loss_limit', stopPrice: 5_000, price: 4_900 },
    { orderId: 's-2', orderType: 'stop_loss_limit', stopPrice: 20_000, price: 20_100 },
  ];

  /** All that is public of a day: openings, what followers hear, heartbeats, and what is opened at its end. */
  async function publicOf(between: readonly Change[]) {
    const { told, run, heartbeat, open, leave } = book();
    const place = placing();
    const at = (time: number, entry: JournalEntry): JournalEntry => ({ ...entry, time });
    const said: unknown[] = [];
    run(at(1_001, place({ orderId: 'bid', price: 9_000 })));
    for (const topic of TOPICS) said.push(await open(topic));
    for (const [after, change] of between.entries()) run(at(1_010 + after, place(change)));
    for (const topic of TOPICS) {
      said.push(heartbeat(topic));
      leave(topic);
      said.push(await open(topic));
    }
    run(at(1_100, place({ orderId: 'ask', account: 'b', side: 'sell', price: 9_000, quantity: 2 })));
    run(at(1_200, place({ orderId: 'more', account: 'c', price: 9_100 })));
    const own = topicKey(TOPICS[5] as Topic);
    said.push(...told.filter(([key]) => key !== own));
    return JSON.stringify(said).replaceAll(/(timestamp[^0-9]*)1[0-9]{12}/g, '$1now');
  }

  it('change nothing that is public, numbers and times included', async () => {
    const without = await publicOf([]);
    expect(without).toContain('orderbook_update');
    expect(await publicOf(hidden)).toEqual(without);
  });
});
