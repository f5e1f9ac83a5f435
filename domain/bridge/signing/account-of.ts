import { secp256k1 } from '@noble/curves/secp256k1.js';
import { publicKeyToAddress } from 'viem/utils';

/** The address that a compressed secp256k1 key has on EVM chains: what a signer stakes by, and what `ecrecover` finds. */
export function accountOf(identity: string): string {
  return publicKeyToAddress(`0x${secp256k1.Point.fromHex(identity).toHex(false)}`);
}
