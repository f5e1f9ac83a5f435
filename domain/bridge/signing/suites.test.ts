import { expect, test, vi } from 'vitest';
import { RFC_9591_VECTORS } from './suites.fixtures.ts';
import { suiteOf } from './suites.ts';
import { verifySignature } from './verify-signature.ts';

// A ceremony takes half a second, and several of that where everything runs at once.
vi.setConfig({ testTimeout: 400_000 });

const bytes = (hex: string) => Uint8Array.from(Buffer.from(hex, 'hex'));
const hex = (value: Uint8Array) => Buffer.from(value).toString('hex');

test.each(RFC_9591_VECTORS)('$scheme gives what RFC 9591 publishes', (vector) => {
  const { frost, base, scalar } = suiteOf(vector.scheme);
  const idOf = (number: number) => frost.Identifier.fromNumber(number);
  const pub = {
    signers: { min: 2, max: 3 },
    commitments: [vector.groupSecret, vector.coefficient].map((c) => bytes(base.multiply(scalar(c)).toHex())),
    verifyingShares: Object.fromEntries(
      vector.signers.map((s) => [idOf(s.identifier), bytes(base.multiply(scalar(s.share)).toHex())]),
    ),
  };
  expect(hex(pub.commitments[0] ?? new Uint8Array())).toBe(vector.groupKey);
  const offers = vector.signers.map(({ identifier, share, hidingRandomness, bindingRandomness, hidingNonce }) => {
    const secret = { identifier: idOf(identifier), signingShare: bytes(share) };
    const random = [bytes(hidingRandomness), bytes(bindingRandomness)];
    const offer = frost.commit(secret, () => random.shift() ?? new Uint8Array());
    expect(hex(offer.nonces.hiding)).toBe(hidingNonce);
    return { secret, ...offer };
  });
  const list = offers.map(({ commitments }) => commitments);
  const shares = offers.map(({ secret, nonces }, index) => {
    const share = frost.signShare(secret, pub, nonces, list, bytes(vector.message));
    const published = vector.signers[index]?.signatureShare;
    if (published !== null) expect(hex(share)).toBe(published);
    return [secret.identifier, share] as const;
  });
  const signature = frost.aggregate(pub, list, bytes(vector.message), Object.fromEntries(shares));
  expect(hex(signature)).toBe(vector.signature);
  expect(verifySignature(vector.scheme, vector.groupKey, vector.message, vector.signature)).toBe(true);
  expect(verifySignature(vector.scheme, vector.groupKey, '74657375', vector.signature)).toBe(false);
});

test.each(['frost-secp256k1', 'frost-taproot', 'frost-ed25519'] as const)(
  '%s takes no zero for a key or a share',
  (scheme) => {
    const { point, scalar } = suiteOf(scheme);
    expect(() => scalar('00'.repeat(32))).toThrow();
    const zero = scheme === 'frost-ed25519' ? `01${'00'.repeat(31)}` : '00';
    expect(() => point(zero)).toThrow();
  },
);
