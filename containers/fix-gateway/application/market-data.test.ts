import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';
import type { Field } from '../codec/fix-message.ts';
import type { Outgoing } from './application.ts';
import type { Exchange, ExchangeAnswer } from './exchange.ts';
import { FeedSocket } from './feed-socket.ts';
import { MarketData } from './market-data.ts';

const BOOK = { bids: [{ price: 9, size: 1 }], asks: [{ price: 11, size: 2 }] };

const TRADES = [
  { trade_id: 't2', price: 50, size: 1, status: 'bust', corrected_price: null },
  { trade_id: 't1', price: 100, size: 3, status: 'correction', corrected_price: 10 },
];

/** Market data of an exchange with one level a side, and one trade that stands. */
function marketData(feedUrl = new URL('ws://127.0.0.1:1'), isAway = false, trades: readonly object[] = TRADES) {
  const calls: string[] = [];
  const sent: Outgoing[] = [];
  const exchange: Exchange = {
    async call(method, path) {
      calls.push(`${method} ${path}`);
      if (isAway) return { type: 'unknown' };
      return { type: 'ok', body: path.includes('/trades/') ? { trades } : BOOK, next: null };
    },
    feedUrl,
    isHealthy: async () => true,
    close: async () => undefined,
  };
  const feed = new FeedSocket(exchange.feedUrl, () => ({}), {
    message: (message) => data.heard(message),
    resumed: () => undefined,
    ended: ({ symbol }, why) => data.ended(symbol, why),
    lost: () => undefined,
  });
  const data: MarketData = new MarketData(exchange, feed, (outgoing) => void sent.push(outgoing));
  const ask = (...fields: Field[]) => {
    const given = new Set(fields.map(([tag]) => tag));
    const usual: Field[] = [
      [262, 'md'],
      [263, '0'],
      [264, '5'],
      [267, '1'],
      [269, '0'],
      [146, '1'],
      [55, 'ACME-USD'],
    ];
    const body = [...usual.filter(([tag]) => !given.has(tag)), ...fields];
    return data.request({}, { fields: [[8, 'FIX.4.4'], [9, '0'], [35, 'V'], ...body], text: '' });
  };
  return { ask, calls, sent, feed, exchange };
}

describe('a MarketDataRequest', () => {
  it.each<[string, Field[], string, string]>([
    ['orders one by one', [[266, 'N']], '7', 'AggregatedBook(266)=N is not offered'],
    [
      'whole books at each change',
      [
        [263, '1'],
        [265, '0'],
      ],
      '6',
      'MDUpdateType(265)=0 is not offered: refreshes are incremental',
    ],
    ['a book deeper than it is told', [[264, '1001']], '5', 'MarketDepth must be 0 to 1000'],
    ['an opening price', [[269, '4']], '8', 'MDEntryType must be 0, 1 or 2'],
    [
      'a trading session',
      [
        [386, '1'],
        [336, 'DAY'],
      ],
      '9',
      'NoTradingSessions(386)=1 is not offered',
    ],
    ['an id that each refresh would repeat', [[262, 'x'.repeat(257)]], '0', 'MDReqID has at most 256 characters'],
    ['a scope', [[546, '1']], 'A', 'Scope(546)=1 is not offered'],
    ['levels that go untold', [[547, 'Y']], 'C', 'MDImplicitDelete(547)=Y is not offered'],
    [
      'more symbols than a request may name',
      Array(101).fill([55, 'ACME-USD']),
      '2',
      'a request names at most 100 symbols',
    ],
  ])('for %s is rejected with its reason', async (_, fields, reason, text) => {
    const { ask, calls } = marketData();
    const [answer] = await ask(...fields);
    expect([answer?.type, answer?.body]).toEqual([
      'Y',
      [
        [262, fields.find(([tag]) => tag === 262)?.[1] ?? 'md'],
        [281, reason],
        [58, text],
      ],
    ]);
    expect(calls).toEqual([]);
  });

  it('for a snapshot of trades is answered with the last one that stands, at what it stands at', async () => {
    const { ask } = marketData();
    const [answer] = await ask([269, '0'], [269, '2']);
    const fields = answer?.body.filter(([tag]) => tag >= 268 && tag <= 271).map(([, value]) => value);
    expect(fields).toEqual(['2', '0', '9', '1', '2', '10', '3']);
  });

  it('that the exchange is too far away to answer is told apart from one for an unknown symbol', async () => {
    const { ask } = marketData(undefined, true);
    const [answer] = await ask();
    // BusinessRejectReason, RefMsgType, BusinessRejectRefID
    expect([answer?.type, ...[380, 372, 379].map((tag) => answer?.body.find(([of]) => of === tag)?.[1])]).toEqual([
      'j',
      '4',
      'V',
      'md',
    ]);
  });

  it.each([
    ['RATE_LIMIT_EXCEEDED', 'j', 'RATE_LIMIT_EXCEEDED: no: ask again in 7 s'],
    ['UNAUTHORIZED', 'j', 'UNAUTHORIZED: no'],
    ['INVALID_SYMBOL', 'Y', 'ACME-USD: no'],
  ])('that is refused with %s is answered by %s', async (code, type, text) => {
    const details = code === 'RATE_LIMIT_EXCEEDED' ? { retry_after: 7 } : {};
    const refusal: ExchangeAnswer = { type: 'refused', status: 429, code, message: 'no', details, remaining: 0 };
    const of = async (answer: (path: string) => ExchangeAnswer) => {
      const { ask, exchange } = marketData();
      exchange.call = async (_method, path) => answer(path);
      const [said] = await ask([269, '0'], [269, '2']);
      return [said?.type, said?.body.find(([tag]) => tag === 58)?.[1]];
    };
    expect(await of(() => refusal)).toEqual([type, text]);
    const afterTheBook = await of((path) =>
      path.includes('/trades/') ? refusal : { type: 'ok', body: BOOK, next: null },
    );
    if (code !== 'INVALID_SYMBOL') expect(afterTheBook).toEqual([type, text]);
  });
});

describe('a subscription', () => {
  let server: WebSocketServer;
  const feedUrl = async (): Promise<URL> => {
    server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
    await once(server, 'listening');
    return new URL(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`);
  };
  afterEach(() => {
    for (const socket of server.clients) socket.terminate();
    server.close();
  });

  /** Follows a pair as MDReqID `md`, and another as `other`. */
  async function subscribed(entryType: string) {
    const made = marketData(await feedUrl());
    made.feed.wake();
    const connected = once(server, 'connection');
    await made.ask([262, 'md'], [263, '1'], [265, '1'], [269, entryType]);
    await made.ask([262, 'other'], [263, '1'], [265, '1'], [269, entryType], [55, 'COIN-USD']);
    const [socket] = (await connected) as [WebSocket];
    const channel = entryType === '2' ? 'trades' : 'orderbook';
    const say = (message: object) => socket.send(JSON.stringify({ channel, symbol: 'ACME-USD', ...message }));
    const fields = ({ type, body }: Outgoing, ...tags: number[]) => [
      type,
      ...tags.map((tag) => body.find(([of]) => of === tag)?.[1]),
    ];
    return { ...made, say, fields };
  }

  it('to a pair that its peer may see no more ends with a rejection; others go on', async () => {
    const { say, sent, fields, feed } = await subscribed('0');
    const message = 'trading pair unsupported: ACME-USD';
    say({ type: 'error', code: 'INVALID_SYMBOL', message });
    say({ type: 'unsubscribed' });
    const place = { sequence: 1, checksum: 0, timestamp: 1 };
    for (const symbol of ['ACME-USD', 'COIN-USD'])
      say({ type: 'orderbook_snapshot', symbol, bids: [[9, 1]], asks: [], ...place });
    await vi.waitUntil(() => sent.length >= 2);
    expect(fields(sent[0] as Outgoing, 262, 281, 58)).toEqual(['Y', 'md', '0', message]);
    expect(fields(sent[1] as Outgoing, 262, 55)).toEqual(['W', 'other', 'COIN-USD']);
    expect(sent).toHaveLength(2);
    feed.rest();
  });

  it('to trades is told which were taken back, and what others stand at', async () => {
    const { say, sent, fields, feed } = await subscribed('2');
    const adjusted = { sequence: 7, trade_id: 't1', trade_sequence: 3, price: 50, size: 2, timestamp: 1 };
    say({ type: 'trade_bust', ...adjusted, corrected_price: null });
    say({ type: 'trade_correction', ...adjusted, corrected_price: 5 });
    await vi.waitUntil(() => sent.length >= 2);
    // MDUpdateAction, MDEntryID, MDEntryPx, MDEntrySize
    expect(sent.map((outgoing) => fields(outgoing, 262, 279, 278, 270, 271))).toEqual([
      ['X', 'md', '2', 't1', '50', undefined],
      ['X', 'md', '1', 't1', '5', '2'],
    ]);
    feed.rest();
  });

  const BOOKS = { bids: [[9, 1]], asks: [[11, 2]], sequence: 1, checksum: 0, timestamp: 1 };
  const entriesOf = ({ body }: Outgoing) => body.filter(([tag]) => tag >= 268 && tag <= 271).map(([, value]) => value);

  it.each([
    ['bids', ['0'], TRADES],
    ['both sides', ['0', '1'], TRADES],
    ['trades', ['2'], TRADES],
    ['all', ['0', '1', '2'], TRADES],
    ['trades of a pair that has none', ['2'], []],
    ['all of a pair that has no trade', ['0', '1', '2'], []],
  ])('X-06: begins for each symbol with the entries that a snapshot has: %s', async (_, types, trades) => {
    const made = marketData(await feedUrl(), false, trades);
    made.feed.wake();
    const asked: Field[] = [...types.map((type): Field => [269, type]), [55, 'ACME-USD'], [55, 'COIN-USD']];
    const snapshots = await made.ask([262, 'once'], ...asked);
    const connected = once(server, 'connection');
    const answer = await made.ask([262, 'md'], [263, '1'], [265, '1'], ...asked);
    const [socket] = (await connected) as [WebSocket];
    if (types.some((type) => type !== '2'))
      for (const symbol of ['ACME-USD', 'COIN-USD'])
        socket.send(JSON.stringify({ type: 'orderbook_snapshot', channel: 'orderbook', symbol, ...BOOKS }));
    await vi.waitUntil(() => answer.length + made.sent.length >= 2);
    const told = [...answer, ...made.sent];
    expect(told.map(({ type }) => type)).toEqual(['W', 'W']);
    expect(told.map(entriesOf)).toEqual(snapshots.map(entriesOf));
    made.feed.rest();
  });

  it('to a book that is not known yet is told of no change to it', async () => {
    const { say, sent, fields, feed } = await subscribed('0');
    const place = { prev_sequence: 1, sequence: 2, checksum: 0, timestamp: 1 };
    // Of the same pair's subscription before, which the feed has yet to end.
    say({ type: 'orderbook_update', bids: [[8, 3]], asks: [], ...place });
    say({ type: 'orderbook_snapshot', ...BOOKS });
    say({ type: 'orderbook_update', bids: [[8, 4]], asks: [], ...place });
    await vi.waitUntil(() => sent.length >= 2);
    expect(sent.map((outgoing) => fields(outgoing, 262, 279, 271))).toEqual([
      ['W', 'md', undefined, '1'],
      ['X', 'md', '0', '4'],
    ]);
    feed.rest();
  });

  /** What an `X` says: MDUpdateAction, side, MDEntryPx and MDEntrySize of each entry. */
  const changesOf = ({ body }: Outgoing) => {
    const told = body.filter(([tag]) => [279, 269, 270, 271].includes(tag));
    return told
      .map(([tag, value]) => (tag === 279 ? `;${value}` : value))
      .join(' ')
      .slice(1)
      .split(' ;');
  };
  const bidsDown = (count: number) => Array.from({ length: count }, (_, index): [number, number] => [100 - index, 1]);

  it('X-06: to a depth that the feed does not tell is told which levels come up into its own, and which leave them', async () => {
    const made = marketData(await feedUrl());
    made.feed.wake();
    const connected = once(server, 'connection');
    await made.ask([262, 'md'], [263, '1'], [265, '1'], [264, '12'], [269, '0'], [269, '1']);
    const [socket] = (await connected) as [WebSocket];
    const [asked] = (await once(socket, 'message')) as [Buffer];
    expect(JSON.parse(String(asked))).toMatchObject({ channel: 'orderbook', depth: 20 });
    const say = (message: object) =>
      socket.send(JSON.stringify({ channel: 'orderbook', symbol: 'ACME-USD', ...message }));
    const place = { checksum: 0, timestamp: 1 };
    say({ type: 'orderbook_snapshot', bids: bidsDown(20), asks: [], sequence: 1, ...place });
    // The best level goes, and the thirteenth comes up; one beyond changes, which is no news; a new best one pushes the twelfth out.
    say({ type: 'orderbook_update', bids: [[100, 0]], asks: [[101, 4]], sequence: 2, prev_sequence: 1, ...place });
    say({ type: 'orderbook_update', bids: [[82, 9]], asks: [], sequence: 3, prev_sequence: 2, ...place });
    say({ type: 'orderbook_update', bids: [[100.5, 2]], asks: [], sequence: 4, prev_sequence: 3, ...place });
    say({ type: 'orderbook_update', bids: [[95, 7]], asks: [[101, 0]], sequence: 5, prev_sequence: 4, ...place });
    await vi.waitUntil(() => made.sent.length >= 4);
    expect(made.sent.map(({ type }) => type)).toEqual(['W', 'X', 'X', 'X']);
    expect(entriesOf(made.sent[0] as Outgoing)[0]).toBe('12');
    expect(made.sent.slice(1).map(changesOf)).toEqual([
      ['2 0 100', '0 0 88 1', '0 1 101 4'],
      ['2 0 88', '0 0 100.5 2'],
      ['1 0 95 7', '2 1 101'],
    ]);
    made.feed.rest();
  });

  it('X-06: to a pair that is followed deeper is told the changes within its own depth alone', async () => {
    const { say, sent, fields, feed, ask } = await subscribed('0');
    say({ type: 'orderbook_snapshot', ...BOOKS, bids: bidsDown(5) });
    await vi.waitUntil(() => sent.length >= 1);
    await ask([262, 'best'], [263, '1'], [265, '1'], [264, '1'], [269, '0']);
    const place = { checksum: 0, timestamp: 1, asks: [] };
    say({ type: 'orderbook_update', bids: [[98, 3]], sequence: 2, prev_sequence: 1, ...place });
    say({ type: 'orderbook_update', bids: [[100, 0]], sequence: 3, prev_sequence: 2, ...place });
    await vi.waitUntil(() => sent.length >= 5);
    expect(sent.map((outgoing) => fields(outgoing, 262)[1])).toEqual(['md', 'best', 'md', 'md', 'best']);
    expect(changesOf(sent[4] as Outgoing)).toEqual(['2 0 100', '0 0 99 1']);
    feed.rest();
  });

  it('X-06: to a book that is followed already, and not known yet, waits for it', async () => {
    const { say, sent, feed, ask } = await subscribed('0');
    expect(await ask([262, 'third'], [263, '1'], [265, '1'], [269, '0'])).toEqual([]);
    expect(sent).toEqual([]);
    say({ type: 'orderbook_snapshot', ...BOOKS });
    await vi.waitUntil(() => sent.length >= 2);
    expect(sent.map(entriesOf)).toEqual([
      ['1', '0', '9', '1'],
      ['1', '0', '9', '1'],
    ]);
    feed.rest();
  });
});
