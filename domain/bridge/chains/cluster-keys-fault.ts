import { ed25519 } from '@noble/curves/ed25519.js';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import type { ClusterKeys, SigningScheme } from './chain-adapter.ts';

/** Why keys are none that a cluster of their scheme could have; null where they may be. */
export function clusterKeysFault({ scheme, groupKey, signerKeys }: ClusterKeys): string | null {
  const keys = scheme === 'multisig-secp256k1' ? signerKeys : [groupKey];
  if (!keys.every((key) => isPoint(scheme, key))) return `a key is no point of ${scheme}`;
  return new Set(keys).size === keys.length ? null : 'two signers have the same key';
}

/** A point of small order is everybody's key. */
function isPoint(scheme: SigningScheme, key: string): boolean {
  try {
    if (scheme === 'frost-ed25519') {
      const point = ed25519.Point.fromHex(key);
      return !point.isSmallOrder() && point.isTorsionFree();
    }
    const compressed = scheme === 'frost-taproot' ? `02${key}` : key;
    return compressed.length === 66 && !secp256k1.Point.fromHex(compressed).is0();
  } catch {
    return false;
  }
}
