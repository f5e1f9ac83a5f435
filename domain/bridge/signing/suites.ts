import type { FROST } from '@noble/curves/abstract/frost.js';
import { ed25519, ed25519_FROST } from '@noble/curves/ed25519.js';
import { schnorr_FROST, secp256k1, secp256k1_FROST } from '@noble/curves/secp256k1.js';
import type { SigningScheme } from '../chains/chain-adapter.ts';

export type FrostScheme = Exclude<SigningScheme, 'multisig-secp256k1'>;

/** A point of either group, as far as shares and keys need it. Hexadecimal is the group's own compressed form. */
export interface GroupPoint {
  add(other: GroupPoint): GroupPoint;
  negate(): GroupPoint;
  /** In constant time, as secrets want it. */
  multiply(scalar: bigint): GroupPoint;
  /** Several times as fast, for what everybody knows. */
  multiplyUnsafe(scalar: bigint): GroupPoint;
  toHex(): string;
}

/** A group of prime order, and the threshold signature of RFC 9591 in it. */
export interface SigningSuite {
  readonly frost: FROST;
  readonly order: bigint;
  readonly base: GroupPoint;
  /** @throws Error where it is no point of the group other than its zero */
  point(hex: string): GroupPoint;
  /** Scalars are kept in the group's own byte order. @throws Error where it is none, or zero */
  scalar(hex: string): bigint;
  scalarHex(scalar: bigint): string;
}

const SECP256K1 = groupOf(secp256k1.Point);
const ED25519 = groupOf(ed25519.Point);

/** The suites that the schemes name; for Taproot that is FROST(secp256k1, SHA-256-TR), whose signatures are those of BIP-340. */
export function suiteOf(scheme: FrostScheme): SigningSuite {
  switch (scheme) {
    case 'frost-secp256k1':
      return { frost: secp256k1_FROST, ...SECP256K1 };
    case 'frost-taproot':
      return { frost: schnorr_FROST, ...SECP256K1 };
    case 'frost-ed25519':
      return { frost: ed25519_FROST, ...ED25519 };
  }
}

/** The group alone, of any scheme. */
export function groupOfScheme(scheme: SigningScheme): Omit<SigningSuite, 'frost'> {
  return scheme === 'frost-ed25519' ? ED25519 : SECP256K1;
}

interface CurveScalars {
  readonly ORDER: bigint;
  fromBytes(bytes: Uint8Array): bigint;
  toBytes(scalar: bigint): Uint8Array;
  is0(scalar: bigint): boolean;
}

function groupOf(Point: typeof secp256k1.Point | typeof ed25519.Point): Omit<SigningSuite, 'frost'> {
  const scalars: CurveScalars = Point.Fn;
  return {
    order: scalars.ORDER,
    base: Point.BASE as GroupPoint,
    point(hex) {
      const point = Point.fromHex(hex);
      point.assertValidity();
      if (point.is0() || !point.isTorsionFree()) throw new Error('no point of the group');
      return point as GroupPoint;
    },
    scalar(hex) {
      const scalar = scalars.fromBytes(Buffer.from(hex, 'hex'));
      if (scalars.is0(scalar)) throw new Error('a scalar is zero');
      return scalar;
    },
    scalarHex: (scalar) => Buffer.from(scalars.toBytes(scalar)).toString('hex'),
  };
}
