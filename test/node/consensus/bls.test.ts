import { bls12_381 } from '@noble/curves/bls12-381.js';
import { expect, test } from 'vitest';
import { loadCheckpointCrypto } from '../../../containers/validator/load-checkpoint-crypto.ts';
import { fromHex, toHex } from '../../../domain/consensus/bytes.ts';
import { nobleBls } from '../../../domain/consensus/checkpoints/bls-noble.ts';
import type { BlsSuite } from '../../../domain/consensus/checkpoints/checkpoint-crypto.ts';
import { memberSecrets } from '../../../domain/consensus/member-secrets.ts';

const { bls: wasmBls } = loadCheckpointCrypto();
const SUITES: readonly [string, BlsSuite][] = [
  ['bls-eth-wasm', wasmBls],
  ['@noble/curves', nobleBls],
];
const MESSAGE = new TextEncoder().encode('a checkpoint');
const SECRETS = Array.from({ length: 4 }, (_, member) => memberSecrets(new Uint8Array(32).fill(7), 1, member).bls);
/** The group's order less a secret: its key is the secret's key, negated. */
const ORDER = 0x73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001n;
const IDENTITY_G1 = Uint8Array.from({ length: 48 }, (_, at) => (at === 0 ? 0xc0 : 0));
const IDENTITY_G2 = Uint8Array.from({ length: 96 }, (_, at) => (at === 0 ? 0xc0 : 0));

const pairs = SECRETS.map((secret) => wasmBls.keyPair(secret));
const keys = pairs.map(({ publicKey }) => publicKey);
const [key = IDENTITY_G1] = keys;
const proof = pairs[0]?.prove() ?? IDENTITY_G2;
const aggregate = wasmBls.aggregate(pairs.map((pair) => pair.sign(MESSAGE))) ?? IDENTITY_G2;

test('both libraries make the same keys, signatures, proofs and aggregates', () => {
  const others = SECRETS.map((secret) => nobleBls.keyPair(secret));
  expect(others.map(({ publicKey }) => toHex(publicKey))).toEqual(keys.map(toHex));
  expect(others.map((pair) => toHex(pair.prove()))).toEqual(pairs.map((pair) => toHex(pair.prove())));
  const signatures = others.map((pair) => pair.sign(MESSAGE));
  expect(signatures.map(toHex)).toEqual(pairs.map((pair) => toHex(pair.sign(MESSAGE))));
  expect(toHex(nobleBls.aggregate(signatures) ?? IDENTITY_G2)).toBe(toHex(aggregate));
});

test.each(SUITES)(
  '%s: the test vectors of Ethereum’s consensus specification, sign and fast_aggregate_verify',
  (_, bls) => {
    const secret = fromHex('263dbd792f5b1be47ed85f8938c0f29586af0d3ac7b977f21c278fe1462040e3');
    const signature =
      'b6ed936746e01f8ecf281f020953fbf1f01debd5657c4a383940b020b26507f6076334f91e2366c96e9ab279fb5158090352ea1c5b0c9274504f4f0e7053af24802e51e4568d164fe986834f41e55c8e850ce1f98458c0cfc9ab380b55285a55';
    const pair = bls.keyPair(secret);
    expect(toHex(pair.sign(new Uint8Array(32)))).toBe(signature);
    expect(bls.fastAggregateVerify([pair.publicKey], new Uint8Array(32), fromHex(signature))).toBe(true);
  },
);

test.each(SUITES)('%s: an aggregate is of all its keys, over its message, and of no others', (_, bls) => {
  expect(bls.fastAggregateVerify(keys, MESSAGE, aggregate)).toBe(true);
  expect(bls.fastAggregateVerify(keys.slice(1), MESSAGE, aggregate)).toBe(false);
  expect(bls.fastAggregateVerify([...keys, key], MESSAGE, aggregate)).toBe(false);
  expect(bls.fastAggregateVerify(keys, new TextEncoder().encode('another'), aggregate)).toBe(false);
  expect(bls.fastAggregateVerify([], MESSAGE, aggregate)).toBe(false);
  expect(bls.fastAggregateVerify([], MESSAGE, IDENTITY_G2)).toBe(false);
  expect(bls.aggregate([])).toBeNull();
});

test.each(SUITES)('%s: a proof is of its key, and no signature is one', (_, bls) => {
  expect(bls.isProved(key, proof)).toBe(true);
  expect(bls.isProved(keys[1] ?? key, proof)).toBe(false);
  expect(bls.isProved(key, pairs[0]?.sign(key) ?? proof)).toBe(false);
  expect(bls.fastAggregateVerify([key], key, proof)).toBe(false);
});

test.each(SUITES)('%s: the identity is no key, and keys that cancel out sign nothing', (_, bls) => {
  expect(bls.isProved(IDENTITY_G1, IDENTITY_G2)).toBe(false);
  expect(bls.fastAggregateVerify([IDENTITY_G1], MESSAGE, IDENTITY_G2)).toBe(false);
  expect(bls.fastAggregateVerify([...keys, IDENTITY_G1], MESSAGE, aggregate)).toBe(false);
  const negated = fromHex((ORDER - BigInt(`0x${toHex(SECRETS[0] ?? key)}`)).toString(16).padStart(64, '0'));
  expect(bls.fastAggregateVerify([key, bls.keyPair(negated).publicKey], MESSAGE, IDENTITY_G2)).toBe(false);
});

test.each(SUITES)('%s: a point of the curve outside the group is neither key nor signature', (_, bls) => {
  const [outsideG1, outsideG2] = [pointOutside(48), pointOutside(96)];
  expect(bls.isProved(outsideG1, proof)).toBe(false);
  expect(bls.fastAggregateVerify([outsideG1, ...keys], MESSAGE, aggregate)).toBe(false);
  expect(bls.fastAggregateVerify(keys, MESSAGE, outsideG2)).toBe(false);
  expect(bls.aggregate([outsideG2])).toBeNull();
});

test.each(SUITES)(
  '%s: a key to which a point outside the group is added would verify the same, and is none',
  (_, bls) => {
    const { Point } = bls12_381.G1;
    const { Fp } = bls12_381.fields;
    const x = 4n;
    const outside = Point.fromAffine({ x, y: Fp.sqrt(x ** 3n + 4n) });
    const small = outside.multiplyUnsafe(ORDER - 1n).add(outside);
    const other = compressed(Point.fromBytes(key).add(small).toAffine());
    const signature = pairs[0]?.sign(MESSAGE) ?? proof;
    expect(small.is0()).toBe(false);
    expect(bls.fastAggregateVerify([key], MESSAGE, signature)).toBe(true);
    expect(bls.fastAggregateVerify([other], MESSAGE, signature)).toBe(false);
  },
);

test.each(SUITES)(
  '%s: bytes that are too few, too many or none of a point are not valid, and no secret is taken',
  (_, bls) => {
    expect(bls.fastAggregateVerify(keys, MESSAGE, aggregate.slice(1))).toBe(false);
    expect(bls.fastAggregateVerify(keys, MESSAGE, Uint8Array.from([...aggregate, 0]))).toBe(false);
    expect(bls.fastAggregateVerify([key.slice(1)], MESSAGE, aggregate)).toBe(false);
    expect(bls.isProved(new Uint8Array(48), proof)).toBe(false);
    expect(bls.isProved(new Uint8Array(), new Uint8Array())).toBe(false);
    const order = fromHex(ORDER.toString(16));
    for (const secret of [new Uint8Array(32), order, new Uint8Array(31).fill(1), new Uint8Array(33).fill(1)])
      expect(() => bls.keyPair(secret)).toThrow();
  },
);

test('each changed bit of a signature and of a key is found', () => {
  for (let bit = 0; bit < 96 * 8; bit++)
    expect(wasmBls.fastAggregateVerify(keys, MESSAGE, flipped(aggregate, bit)), `bit ${bit}`).toBe(false);
  for (let bit = 0; bit < 48 * 8; bit++) expect(wasmBls.isProved(flipped(key, bit), proof), `bit ${bit}`).toBe(false);
});

test('a thousand calls leave the module’s stack where it was', () => {
  for (let call = 0; call < 1_000; call++)
    expect(wasmBls.fastAggregateVerify(keys, MESSAGE, new Uint8Array(95))).toBe(false);
  expect(wasmBls.fastAggregateVerify(keys, MESSAGE, aggregate)).toBe(true);
  const many = Array.from({ length: 2_000 }, () => key);
  expect(wasmBls.fastAggregateVerify(many, MESSAGE, aggregate)).toBe(false);
  expect(wasmBls.fastAggregateVerify(keys, MESSAGE, aggregate)).toBe(true);
});

function flipped(bytes: Uint8Array, bit: number): Uint8Array {
  const at = bit >> 3;
  return bytes.with(at, (bytes[at] ?? 0) ^ (1 << (bit & 7)));
}

/** As public keys are written, of any point of the curve of G1. */
function compressed({ x, y }: { readonly x: bigint; readonly y: bigint }): Uint8Array {
  const bytes = fromHex(x.toString(16).padStart(96, '0'));
  return bytes.with(0, (bytes[0] ?? 0) | (y > bls12_381.fields.Fp.ORDER / 2n ? 0xa0 : 0x80));
}

/** The smallest x that is on the curve, compressed. One such point in 2^125 is of the group, in G2 one in 2^507. */
function pointOutside(length: 48 | 96): Uint8Array {
  const { Fp, Fp2 } = bls12_381.fields;
  const isOnCurve = (x: bigint) => {
    const inG2 = Fp2.create({ c0: x, c1: 0n });
    const square = length === 48 ? Fp.create(x ** 3n + 4n) : Fp2.add(Fp2.pow(inG2, 3n), Fp2.create({ c0: 4n, c1: 4n }));
    try {
      return typeof square === 'bigint' ? Fp.sqrt(square) !== 0n : !Fp2.is0(Fp2.sqrt(square));
    } catch {
      return false;
    }
  };
  const x = Array.from({ length: 100 }, (_, at) => at + 1).find((each) => isOnCurve(BigInt(each)));
  if (x === undefined) throw new Error('no such point');
  return new Uint8Array(length).with(length - 1, x).with(0, 0x80);
}
