import { transferTweak, tweakedKey } from '../../signing/transfer-tweak.ts';
import type { Vault } from '../chain-adapter.ts';

/** An Ed25519 key of the cluster, and what is added to its secret for it (`UnsignedPayment`). */
export interface PayingKey {
  /** In hexadecimal. */
  readonly key: string;
  readonly tweak: string | null;
}

/** The cluster's own key: the vault. */
export function vaultKey({ keys }: Vault): PayingKey {
  return { key: keys.groupKey, tweak: null };
}

/** The key of one transfer: where its funds come to on chains whose payments carry no memo. */
export function transferKey({ keys }: Vault, commitment: string): PayingKey {
  const tweak = transferTweak('frost-ed25519', keys.groupKey, commitment);
  return { key: tweakedKey('frost-ed25519', keys.groupKey, tweak), tweak };
}
