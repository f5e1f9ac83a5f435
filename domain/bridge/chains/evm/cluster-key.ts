import { secp256k1 } from '@noble/curves/secp256k1.js';
import type { Hex } from 'viem';

/** A point as the contracts take it. */
export interface ContractKey {
  readonly x: bigint;
  readonly isOdd: boolean;
}

/** A Schnorr signature as the contracts take it. */
export interface ContractSignature {
  readonly rx: bigint;
  readonly ry: bigint;
  readonly z: bigint;
}

/**
 * The cluster's key for a contract.
 *
 * @throws RangeError where it is no point, or its x is not below the order: one in 2^128 is not, and the ceremony is repeated
 */
export function contractKey(groupKey: string): ContractKey {
  const { x, y } = pointOf(groupKey);
  if (x >= secp256k1.Point.Fn.ORDER) throw new RangeError('the x of the key is not below the order');
  return { x, isOdd: (y & 1n) === 1n };
}

/** The same point as clusters write it. */
export function groupKeyOf({ x, isOdd }: ContractKey): string {
  return (isOdd ? '03' : '02') + x.toString(16).padStart(64, '0');
}

/** R and z of a signature of 65 bytes: R compressed, then z, as the RFC 9591 suite writes it. @throws RangeError for another form */
export function contractSignature(signature: string): ContractSignature {
  if (!/^[0-9a-f]{130}$/.test(signature)) throw new RangeError('not a signature of FROST(secp256k1, SHA-256)');
  const { x, y } = pointOf(signature.slice(0, 66));
  return { rx: x, ry: y, z: BigInt(`0x${signature.slice(66)}`) };
}

function pointOf(hex: string): { readonly x: bigint; readonly y: bigint } {
  try {
    return secp256k1.Point.fromHex(hex).toAffine();
  } catch {
    throw new RangeError('not a point of the curve');
  }
}

export function hexOf(bytes: string): Hex {
  return `0x${bytes}`;
}
