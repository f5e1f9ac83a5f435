import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compile, install, packedFolder, said } from './packed.ts';

const ENTRIES = ['', '/partner', '/events', '/bridge', '/feeds', '/algorithms', '/decimal', '/file-store'];

const packed = packedFolder('sdk');

beforeAll(() => install('sdk', packed));
afterAll(() => rmSync(packed.folder, { recursive: true }));

describe('the package of the client library', () => {
  it('has no dependency at run time', () => {
    const { name, dependencies } = JSON.parse(readFileSync(join(packed.installed, 'package.json'), 'utf8'));
    expect([name, dependencies]).toEqual(['@edge-exchange/sdk', undefined]);
  });

  it('is imported from its tarball, and signs, reads a book and starts an algorithm', () => {
    const source = `${ENTRIES.map((entry, place) => `import * as m${place} from '@edge-exchange/sdk${entry}';`).join('\n')}
const { BookClient, keyCredentials } = m0;
const sent = [];
const fetch = async (url, init) => {
  sent.push([url, init.method, init.headers.get('x-api-key'), init.headers.get('x-api-signature').length, init.body]);
  return new Response('{"order_id":"o","price":20.10}', { headers: { 'content-type': 'application/json' } });
};
const book = new BookClient({ baseUrl: 'http://exchange.example/book', credentials: keyCredentials({ key: 'k', secret: 's' }), seams: { fetch } });
const order = await book.placeOrder({ client_order_id: 'mine', symbol: 'ACME-USD', side: 'buy', type: 'limit', price: '20.10', size: '1' });
const terms = { symbol: 'ACME-USD', side: 'buy', quantity: '10', limitPrice: '20', lotSize: '1', sizeMin: '1', sliceSize: '4', jitterPercent: 0 };
const commands = m5.commandsOf(m5.startIceberg('run', terms));
console.log(JSON.stringify({ sent, price: order.price, commands, sum: m6.add('1.10', '2.20'), names: [m1, m2, m3, m4].map((m) => Object.keys(m).length > 0) }));
`;
    expect(said(packed, source)).toEqual({
      sent: [
        [
          'http://exchange.example/book/v1/orders',
          'POST',
          'k',
          64,
          '{"client_order_id":"mine","symbol":"ACME-USD","side":"buy","type":"limit","price":20.10,"size":1}',
        ],
      ],
      price: '20.10',
      commands: [
        {
          type: 'place',
          clientOrderId: 'run-1',
          symbol: 'ACME-USD',
          side: 'buy',
          price: '20',
          size: '4',
          timeInForce: 'GTC',
        },
      ],
      sum: '3.30',
      names: [true, true, true, true],
    });
  });

  describe('brings its types', () => {
    const head = `import { BookClient } from '@edge-exchange/sdk';
const book = new BookClient({ baseUrl: 'http://exchange.example/book' });\n`;
    it('so that a wrong field of a call does not compile', () => {
      expect(
        compile(
          packed,
          `${head}const { bids } = await book.get('/v1/orderbook/{symbol}', { path: { symbol: 'ACME-USD' }, query: { depth: 5 } });
const price: string | undefined = bids[0]?.price;
for await (const order of book.orders({ status: 'open' })) console.log(order.client_order_id, price);`,
        ),
      ).toBe('');
      expect(
        compile(packed, `${head}await book.get('/v1/orderbook/{symbol}', { path: { pair: 'ACME-USD' } });`),
      ).toContain("'pair'");
    });

    it('and the examples of the page compile', () => {
      const page = readFileSync('docs/rest.md', 'utf8');
      const examples = [...page.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, example = '']) => example);
      expect(examples.length).toBeGreaterThanOrEqual(4);
      for (const example of examples) expect(compile(packed, example)).toBe('');
    });
  });
});
