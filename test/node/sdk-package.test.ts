import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const SDK = join(import.meta.dirname, '..', '..', 'clients', 'sdk');
const ENTRIES = ['', '/partner', '/events', '/bridge', '/feeds', '/algorithms', '/decimal'];

/** A folder that has the tarball and nothing else of ours. */
const folder = mkdtempSync(join(tmpdir(), 'sdk-package-'));
const installed = join(folder, 'node_modules', '@edge-exchange', 'sdk');

beforeAll(() => {
  execFileSync('npm', ['pack', '--silent', '--pack-destination', folder], { cwd: SDK });
  const tarball = readdirSync(folder).find((name) => name.endsWith('.tgz'))!;
  mkdirSync(installed, { recursive: true });
  execFileSync('tar', ['-xzf', join(folder, tarball), '-C', installed, '--strip-components=1']);
});
afterAll(() => rmSync(folder, { recursive: true }));

/** What the page's programs take of Node, whose types the package does not need. */
const NODE_FS = [
  'export function existsSync(path: string): boolean;',
  "export function readFileSync(path: string, encoding: 'utf8'): string;",
  'export function renameSync(from: string, to: string): void;',
  'export function writeFileSync(path: string, text: string, options: { flush: boolean }): void;',
];

describe('the package of the client library', () => {
  it('has no dependency at run time', () => {
    const { name, dependencies } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'));
    expect([name, dependencies]).toEqual(['@edge-exchange/sdk', undefined]);
  });

  it('is imported from its tarball, and signs, reads a book and starts an algorithm', () => {
    writeFileSync(
      join(folder, 'use.mjs'),
      `${ENTRIES.map((entry, place) => `import * as m${place} from '@edge-exchange/sdk${entry}';`).join('\n')}
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
`,
    );
    const said = JSON.parse(execFileSync(process.execPath, ['use.mjs'], { cwd: folder, encoding: 'utf8' }));
    expect(said).toEqual({
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
    const typescript = dirname(createRequire(import.meta.url).resolve('typescript/package.json'));
    const compile = (source: string): string => {
      writeFileSync(join(folder, 'use.mts'), source);
      const options = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2022', '--lib', 'es2023,dom'];
      try {
        execFileSync(process.execPath, [join(typescript, 'bin', 'tsc'), ...options, 'use.mts'], { cwd: folder });
        return '';
      } catch (error) {
        return String((error as { stdout: Buffer }).stdout);
      }
    };
    const head = `import { BookClient } from '@edge-exchange/sdk';
const book = new BookClient({ baseUrl: 'http://exchange.example/book' });\n`;
    it('so that a wrong field of a call does not compile', () => {
      expect(
        compile(`${head}const { bids } = await book.get('/v1/orderbook/{symbol}', { path: { symbol: 'ACME-USD' }, query: { depth: 5 } });
const price: string | undefined = bids[0]?.price;
for await (const order of book.orders({ status: 'open' })) console.log(order.client_order_id, price);`),
      ).toBe('');
      expect(compile(`${head}await book.get('/v1/orderbook/{symbol}', { path: { pair: 'ACME-USD' } });`)).toContain(
        "'pair'",
      );
    });

    it('and the examples of the page compile', () => {
      const page = readFileSync('docs/rest.md', 'utf8');
      const examples = [...page.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, example = '']) => example);
      expect(examples.length).toBeGreaterThanOrEqual(4);
      const node = `declare module 'node:fs' { ${NODE_FS.join(' ')} }\n`;
      writeFileSync(join(folder, 'node.d.mts'), node);
      for (const example of examples) expect(compile(`/// <reference path="node.d.mts" />\n${example}`)).toBe('');
    });
  });
});
