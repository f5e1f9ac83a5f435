import { createPrivateKey, createPublicKey, sign, verify } from 'node:crypto';
import { expect, test } from 'vitest';
import {
  ML_DSA_PUBLIC_KEY_BYTES,
  ML_DSA_SIGNATURE_BYTES,
} from '../../../domain/consensus/checkpoints/checkpoint-crypto.ts';
import { nobleMlDsa } from '../../../domain/consensus/checkpoints/ml-dsa-noble.ts';

/** RFC 9881: SubjectPublicKeyInfo of an ML-DSA-65 key without the key, and PKCS #8 of one without its seed. */
const SPKI_HEAD = Buffer.from('308207b2300b0609608648016503040312038207a100', 'hex');
const PKCS8_HEAD = Buffer.from('3034020100300b060960864801650304031204228020', 'hex');

const SEED = new Uint8Array(32).fill(9);
const MESSAGE = new TextEncoder().encode('a checkpoint');
const CONTEXT = new TextEncoder().encode('edge.checkpoint.v1');
/** What the types of Node do not know of `sign` and `verify`. */
const UNDER: object = { context: CONTEXT };
const pair = nobleMlDsa.keyPair(SEED);
const signature = pair.sign(MESSAGE, CONTEXT);

test('ML-DSA-65 has the sizes of FIPS 204, and the same message the same signature', () => {
  expect([pair.publicKey.length, signature.length]).toEqual([ML_DSA_PUBLIC_KEY_BYTES, ML_DSA_SIGNATURE_BYTES]);
  expect(nobleMlDsa.keyPair(SEED).sign(MESSAGE, CONTEXT)).toEqual(signature);
  expect(() => nobleMlDsa.keyPair(SEED.slice(1))).toThrow();
});

test('OpenSSL makes the same key of a seed, and each verifies what the other has signed', () => {
  const spki = Buffer.concat([SPKI_HEAD, pair.publicKey]);
  const privateKey = createPrivateKey({ key: Buffer.concat([PKCS8_HEAD, SEED]), format: 'der', type: 'pkcs8' });
  expect(createPublicKey(privateKey).export({ format: 'der', type: 'spki' })).toEqual(spki);
  const publicKey = createPublicKey({ key: spki, format: 'der', type: 'spki' });
  expect(verify(null, MESSAGE, { key: publicKey, ...UNDER }, signature)).toBe(true);
  const others = new Uint8Array(sign(null, MESSAGE, { key: privateKey, ...UNDER }));
  expect(nobleMlDsa.verify(pair.publicKey, MESSAGE, others, CONTEXT)).toBe(true);
});

test('a signature is of its key, message and context', () => {
  const other = nobleMlDsa.keyPair(SEED.with(0, 1)).publicKey;
  const another = new TextEncoder().encode('another');
  expect(nobleMlDsa.verify(pair.publicKey, MESSAGE, signature, CONTEXT)).toBe(true);
  expect(nobleMlDsa.verify(other, MESSAGE, signature, CONTEXT)).toBe(false);
  expect(nobleMlDsa.verify(pair.publicKey, another, signature, CONTEXT)).toBe(false);
  expect(nobleMlDsa.verify(pair.publicKey, MESSAGE, signature, another)).toBe(false);
  expect(nobleMlDsa.verify(pair.publicKey, MESSAGE, signature, new Uint8Array())).toBe(false);
  expect(nobleMlDsa.verify(pair.publicKey, MESSAGE, signature.slice(1), CONTEXT)).toBe(false);
  expect(nobleMlDsa.verify(pair.publicKey.slice(1), MESSAGE, signature, CONTEXT)).toBe(false);
});

test('each changed byte of a signature is found', () => {
  for (let at = 0; at < signature.length; at += 7) {
    const changed = signature.with(at, (signature[at] ?? 0) ^ 1);
    expect(nobleMlDsa.verify(pair.publicKey, MESSAGE, changed, CONTEXT), `byte ${at}`).toBe(false);
  }
});
