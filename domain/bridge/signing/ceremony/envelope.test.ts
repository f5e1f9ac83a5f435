import { secp256k1 } from '@noble/curves/secp256k1.js';
import { expect, test, vi } from 'vitest';
import { openEnvelope, sealEnvelope } from './envelope.ts';

// A ceremony takes half a second, and several of that where everything runs at once.
vi.setConfig({ testTimeout: 400_000 });

const pair = () => {
  const { secretKey, publicKey } = secp256k1.keygen();
  return { secret: Buffer.from(secretKey).toString('hex'), key: Buffer.from(publicKey).toString('hex') };
};

test('an envelope opens for whom it is and what it is for, and is another each time', () => {
  const [own, other] = [pair(), pair()];
  const share = 'ab'.repeat(32);
  const envelope = sealEnvelope(own.key, 'context', share);
  expect(openEnvelope(own.secret, 'context', envelope)).toBe(share);
  expect(envelope).not.toContain(share);
  expect(sealEnvelope(own.key, 'context', share)).not.toBe(envelope);
  expect(() => openEnvelope(other.secret, 'context', envelope)).toThrow();
  expect(() => openEnvelope(own.secret, 'another', envelope)).toThrow();
  for (const place of [70, envelope.length - 1]) {
    const digit = envelope[place] === '0' ? '1' : '0';
    expect(() =>
      openEnvelope(own.secret, 'context', envelope.slice(0, place) + digit + envelope.slice(place + 1)),
    ).toThrow();
  }
  expect(() => openEnvelope(own.secret, 'context', '')).toThrow();
});
