import { isDeepStrictEqual } from 'node:util';
import type { Vault } from '../chains/chain-adapter.ts';

/**
 * Whether one statement of a vault may take the place of another at once: they are alike but for the keys of a contract. Which key a contract answers to it says itself, and signers
 * sign by none that is not theirs; where the key is the vault, another key is another vault.
 */
export function isSameVault(one: Vault, other: Vault): boolean {
  return isDeepStrictEqual(told(one), told(other));
}

function told(vault: Vault): unknown {
  return JSON.parse(JSON.stringify(vault.contract === null ? vault : { ...vault, keys: null }));
}

/** Whether funds of both lie in the same place: such two stand for no two assets, or one would be paid out of the other's. */
export function isSameFunds(one: Vault, other: Vault): boolean {
  return isDeepStrictEqual(fundsOf(one), fundsOf(other));
}

/** Addresses of some chains are the same in capitals. */
function fundsOf({ chain, keys, contract, token, custody }: Vault): unknown {
  const holder =
    custody === undefined
      ? (contract?.toLowerCase() ?? [keys.scheme, keys.groupKey, ...keys.signerKeys])
      : [custody.provider, custody.account, custody.asset];
  return [chain, holder, token?.toLowerCase() ?? null];
}
