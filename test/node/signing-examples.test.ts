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
});
