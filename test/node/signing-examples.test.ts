import { execFileSync } from 'node:child_process';
import { createHash, createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { EMPTY_BODY_HASH, signedText } from '../../domain/identity/signed-text.ts';

const SECRET = 'local-only-secret';
const TIMESTAMP = '1750000000000';

/** Signatures that were worked out once and for all: a change of them breaks every client. */
const VECTORS = [
  {
    method: 'POST',
    path: '/book/v1/orders?dry=1',
    body: Buffer.from('{"symbol":"ACME-USD","side":"buy"}'),
    signature: '366df4c3871a50990c7017ffe688d33bf6fda1319103452a18187948d04a6e0c',
  },
  {
    method: 'DELETE',
    path: '/book/v1/orders/01900000-0000-7000-8000-000000000000',
    body: Buffer.alloc(0),
    signature: '2e2c24f5b3b96313d9cd891ccbe7fd51943d36f6cb831a20c464a35e7caa6844',
  },
  {
    method: 'POST',
    path: '/book/TradingService/PlaceOrder',
    body: Buffer.from([0, 255, 10, 195, 40, 128]),
    signature: '9d903c70467ed046b167a3ce169a171f0ada097a5cc9fb7ebdc5aec7b4aae3c0',
  },
];

/** Paths as they are sent, and as they are signed. */
const REWRITTEN = [
  ['/book/v1/orders?', '/book/v1/orders'],
  ["/book/v1/orders?client_order_id='a'", '/book/v1/orders?client_order_id=%27a%27'],
  ['/book/v1/orders?q="<a b>`{}|^\\', '/book/v1/orders?q=%22%3Ca%20b%3E`{}|^\\'],
  ['/book/v1/orders/client/"<a b>`{}|^~\'', "/book/v1/orders/client/%22%3Ca%20b%3E%60%7B%7D|%5E~'"],
  ['/book/v1/Ü?symbol=Ü€', '/book/v1/%C3%9C?symbol=%C3%9C%E2%82%AC'],
  ['/book/./v1/../v1/orders/..', '/book/v1/'],
  ['/book/%2E/v1/x/%2e%2E/orders/.', '/book/v1/orders/'],
  ['/../../book\\v1//orders', '/book/v1//orders'],
  ['/book/v1/orders?a=.././b&c=%2e', '/book/v1/orders?a=.././b&c=%2e'],
  ['/book/v1/orders?a=%2c+b,@;:/?&', '/book/v1/orders?a=%2c+b,@;:/?&'],
] as const;

const EXAMPLES = [
  ['shell', 'bash', 'clients/signing/sign.sh'],
  ['Python', 'python3', 'clients/signing/sign.py'],
  ['TypeScript', process.execPath, 'clients/signing/sign.ts'],
] as const;

describe('the signature of a request', () => {
  it.each(VECTORS)('of $method $path is that of its vector', ({ method, path, body, signature }) => {
    const bodyHash = createHash('sha256').update(body).digest('hex');
    const signed = signedText({ timestamp: TIMESTAMP, method, path, bodyHash });
    expect(createHmac('sha256', SECRET).update(signed).digest('hex')).toBe(signature);
  });

  it('covers the hash of nothing where there is no body', () => {
    expect(createHash('sha256').digest('hex')).toBe(EMPTY_BODY_HASH);
  });

  it.each(EXAMPLES)('is made alike by the example in %s, also of a body that is no text', (_, command, file) => {
    for (const { method, path, body, signature } of VECTORS) {
      const printed = execFileSync(command, [file, SECRET, TIMESTAMP, method, path], { input: body, encoding: 'utf8' });
      expect(printed.trim()).toBe(signature);
    }
  });

  it.each(EXAMPLES)('X-05: covers the path as the URL standard writes it, in the example in %s', (_, command, file) => {
    const bodyHash = EMPTY_BODY_HASH;
    for (const [sent, path] of REWRITTEN) {
      const printed = execFileSync(command, [file, SECRET, TIMESTAMP, 'GET', sent], { input: '', encoding: 'utf8' });
      const signed = signedText({ timestamp: TIMESTAMP, method: 'GET', path, bodyHash });
      expect(printed.trim(), sent).toBe(createHmac('sha256', SECRET).update(signed).digest('hex'));
    }
  });
});
