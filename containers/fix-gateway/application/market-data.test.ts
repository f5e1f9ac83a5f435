import { describe, expect, it } from 'vitest';
import type { Field } from '../codec/fix-message.ts';
import type { Exchange } from './exchange.ts';
import { FeedSocket } from './feed-socket.ts';
import { MarketData } from './market-data.ts';

const BOOK = { bids: [{ price: 9, size: 1 }], asks: [{ price: 11, size: 2 }] };

/** Market data of an exchange with one level a side and one trade. */
function marketData() {
  const calls: string[] = [];
  const exchange: Exchange = {
    async call(method, path) {
      calls.push(`${method} ${path}`);
      return { type: 'ok', body: path.includes('/trades/') ? { trades: [{ price: 10, size: 3 }] } : BOOK, next: null };
    },
    feedUrl: new URL('ws://127.0.0.1:1'),
    isHealthy: async () => true,
    close: async () => undefined,
  };
  const feed = new FeedSocket(exchange.feedUrl, () => ({}), {
    message: () => undefined,
    resumed: () => undefined,
    lost: () => undefined,
  });
  const data = new MarketData(exchange, feed, () => undefined);
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
  return { ask, calls };
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
        [262, 'md'],
        [281, reason],
        [58, text],
      ],
    ]);
    expect(calls).toEqual([]);
  });

  it('for a snapshot of trades is answered with the last one', async () => {
    const { ask } = marketData();
    const [answer] = await ask([269, '0'], [269, '2']);
    const fields = answer?.body.filter(([tag]) => tag >= 268 && tag <= 271).map(([, value]) => value);
    expect(fields).toEqual(['2', '0', '9', '1', '2', '10', '3']);
  });
});
