import { mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compile, install, packedFolder, said } from './packed.ts';

const packed = packedFolder('ccxt');

beforeAll(() => {
  install('ccxt', packed);
  for (const name of ['ccxt', '@noble/hashes']) {
    mkdirSync(dirname(join(packed.modules, name)), { recursive: true });
    symlinkSync(join(import.meta.dirname, '..', '..', 'node_modules', name), join(packed.modules, name));
  }
});
afterAll(() => rmSync(packed.folder, { recursive: true }));

describe('the package of the driver for ccxt', () => {
  it('needs ccxt beside it, and brings what it takes of the client library', () => {
    const { name, dependencies, peerDependencies } = JSON.parse(
      readFileSync(join(packed.installed, 'package.json'), 'utf8'),
    );
    expect([name, Object.keys(dependencies), peerDependencies]).toEqual([
      '@edge-exchange/ccxt',
      ['@noble/hashes'],
      { ccxt: '^4.5.0' },
    ]);
  });

  it('is imported from its tarball, and signs a call', () => {
    const source = `import ccxt from 'ccxt';
import { EdgeExchange } from '@edge-exchange/ccxt';
import { makeMarket } from '@edge-exchange/ccxt/market-maker';
const base = 'http://exchange.example/book';
const exchange = new EdgeExchange({ apiKey: 'k', secret: 's', urls: { api: { public: base, private: base } } });
const { url, headers } = exchange.sign('v1/orders', 'private', 'GET', { status: 'open' });
console.log(JSON.stringify({ url, signed: headers['x-api-signature'].length, isOfCcxt: exchange instanceof ccxt.Exchange, makes: typeof makeMarket }));
`;
    expect(said(packed, source)).toEqual({
      url: 'http://exchange.example/book/v1/orders?status=open',
      signed: 64,
      isOfCcxt: true,
      makes: 'function',
    });
  });

  it('brings its types, by which the example of its page compiles', () => {
    const page = readFileSync('clients/ccxt/README.md', 'utf8');
    const example = /^```ts\n(.*?)^```$/ms.exec(page)?.[1] ?? '';
    expect(example).toContain("'@edge-exchange/ccxt'");
    // ccxt's own types need those of Node.
    const compiled = (source: string) => compile(packed, source, ['--skipLibCheck']);
    expect(compiled(example)).toBe('');
    expect(compiled(`${example}\nawait exchange.unWatchOrderBook(3);`)).toContain('number');
  });
});
