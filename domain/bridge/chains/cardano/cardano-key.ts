import { createHash } from 'node:crypto';
import { type PayingKey, transferKey, vaultKey } from '../accounts/paying-key.ts';
import type { Vault } from '../chain-adapter.ts';
import { addressOfKey } from './cardano-address.ts';

const DOMAIN = 'edge.bridge.cardano.token.v1';

/**
 * The key of a transfer's funds, or the vault's own for null. The vault of a token has another than that of the coin, by a tweak that follows from the token: an output of one
 * asset's vault is never spent by a payment of another's.
 */
export function cardanoKey(vault: Vault, commitment: string | null): PayingKey {
  if (commitment !== null) return transferKey(vault, commitment);
  if (vault.token === null) return vaultKey(vault);
  return transferKey(vault, createHash('sha256').update(`${DOMAIN}:${vault.token}`).digest('hex'));
}

/** Where funds of a transfer come in; null for the vault's own address. */
export function cardanoAddress(vault: Vault, commitment: string | null): string {
  return addressOfKey(cardanoKey(vault, commitment).key, vault.network);
}
