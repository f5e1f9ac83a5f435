import { createHash } from 'node:crypto';
import { ed25519 } from '@noble/curves/ed25519.js';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import type { SigningScheme } from '../chains/chain-adapter.ts';

const DOMAIN = 'edge.bridge.tweak.v1';
/** Of a key of one signer, as `multisig-secp256k1` concatenates them. */
const COMPRESSED_DIGITS = 66;

/**
 * The scalar that is added to a cluster's secret for one transfer, as 64 hexadecimal digits, big-endian: SHA-512 of `edge.bridge.tweak.v1`, the group's key and the
 * commitment, as a number modulo the order of the scheme's group.
 *
 * @param groupKeyHex as `ClusterKeys.groupKey`; for `multisig-secp256k1` the five keys, one after another
 * @param commitmentHex 32 bytes
 */
export function transferTweak(scheme: SigningScheme, groupKeyHex: string, commitmentHex: string): string {
  if (!/^[0-9a-f]{64}$/.test(commitmentHex)) throw new RangeError('a commitment has 64 hexadecimal digits');
  const hash = createHash('sha512').update(DOMAIN);
  const wide = hash.update(Buffer.from(groupKeyHex, 'hex')).update(Buffer.from(commitmentHex, 'hex')).digest('hex');
  const { ORDER } = scheme === 'frost-ed25519' ? ed25519.Point.Fn : secp256k1.Point.Fn;
  return (BigInt(`0x${wide}`) % ORDER).toString(16).padStart(64, '0');
}

/**
 * The key P + t·G, in the form in which the scheme writes keys. An x-only key of Taproot stands for its point with an even Y. Several keys after one another
 * (`multisig-secp256k1`) are tweaked each.
 *
 * @throws RangeError where the key or the tweak is none of the scheme
 */
export function tweakedKey(scheme: SigningScheme, groupKeyHex: string, tweakHex: string): string {
  const tweak = BigInt(`0x${tweakHex}`);
  try {
    switch (scheme) {
      case 'frost-ed25519':
        return ed25519.Point.fromHex(groupKeyHex).add(ed25519.Point.BASE.multiply(tweak)).toHex();
      case 'frost-taproot':
        return plus(`02${groupKeyHex}`, tweak).slice(2);
      case 'frost-secp256k1':
        return plus(groupKeyHex, tweak);
      case 'multisig-secp256k1':
        return keysOf(groupKeyHex)
          .map((key) => plus(key, tweak))
          .join('');
    }
  } catch (cause) {
    throw new RangeError(`no key or tweak of ${scheme}`, { cause });
  }
}

function plus(compressed: string, tweak: bigint): string {
  return secp256k1.Point.fromHex(compressed).add(secp256k1.Point.BASE.multiply(tweak)).toHex(true);
}

function keysOf(concatenated: string): string[] {
  if (concatenated.length === 0 || concatenated.length % COMPRESSED_DIGITS !== 0) throw new RangeError('no keys');
  return concatenated.match(/.{66}/g) ?? [];
}
