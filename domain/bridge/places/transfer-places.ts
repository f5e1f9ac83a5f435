import { createHash } from 'node:crypto';
import type { Vault } from '../chains/chain-adapter.ts';

/** Where the funds of a transfer come and go, and who guards it. */
export interface TransferPlaces {
  /** Null for an account. */
  readonly source: Vault | null;
  readonly destination: Vault | null;
  /** Address on the exchange's chain. */
  readonly guard: string;
}

/**
 * 32 bytes in hexadecimal that are the same for the same places: SHA-256 over their fields as a JSON array. Of a contract the key is left out, which it says itself, and addresses are the same
 * in capitals.
 */
export function placesDigest({ source, destination, guard }: TransferPlaces): string {
  const fields = ['edge.bridge.places.v1', vaultFields(source), vaultFields(destination), guard.toLowerCase()];
  return createHash('sha256').update(JSON.stringify(fields)).digest('hex');
}

function vaultFields(vault: Vault | null): unknown {
  if (vault === null) return null;
  const { chain, network, keys, contract, token, decimals, custody } = vault;
  const key = contract === null ? [keys.scheme, keys.groupKey, ...keys.signerKeys] : null;
  const account = custody === undefined ? null : [custody.provider, custody.account, custody.asset];
  return [chain, network, contract?.toLowerCase() ?? null, token?.toLowerCase() ?? null, decimals, key, account];
}
