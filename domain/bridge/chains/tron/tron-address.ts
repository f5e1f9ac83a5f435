import { createHash } from 'node:crypto';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { hexToBytes } from '@noble/curves/utils.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { createBase58check } from '@scure/base';
import type { Vault } from '../chain-adapter.ts';
import { isKeyless } from '../payees/is-keyless.ts';

/** 21 bytes, as nodes write an address: 41 and the last 20 of Keccak-256 of a key. */
export const TRON_HEX = /^41[0-9a-f]{40}$/;

/** `T` and 33 more of base58, in which four bytes are the checksum. */
const ADDRESS = /^T[1-9A-HJ-NP-Za-km-z]{33}$/;

const base58 = createBase58check((data: Uint8Array) => Uint8Array.from(createHash('sha256').update(data).digest()));

/** An address as nodes write it; null for another text. All networks write the same. */
export function tronHex(text: string): string | null {
  if (!ADDRESS.test(text)) return null;
  try {
    const hex = Buffer.from(base58.decode(text)).toString('hex');
    return TRON_HEX.test(hex) ? hex : null;
  } catch {
    return null;
  }
}

/** An address of somebody, as nodes write it; null for another text. */
export function tronPayee(text: string, network: Vault['network']): string | null {
  const hex = tronHex(text);
  return hex === null || isKeyless({ chain: 'tron', network }, { text, bytes: hexToBytes(hex.slice(2)) }) ? null : hex;
}

/** @throws RangeError where it is no address */
export function requireTronHex(text: string | null): string {
  const hex = text === null ? null : tronHex(text);
  if (hex === null) throw new RangeError('no address of Tron');
  return hex;
}

/** An address as people write it. */
export function tronAddressOf(hex: string): string {
  return base58.encode(hexToBytes(hex));
}

/** The address of a compressed secp256k1 key, as nodes write it. */
export function tronHexOfKey(key: string): string {
  const point = secp256k1.Point.fromHex(key).toBytes(false).subarray(1);
  return `41${Buffer.from(keccak_256(point).subarray(-20)).toString('hex')}`;
}
