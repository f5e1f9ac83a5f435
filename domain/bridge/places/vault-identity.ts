import { isDeepStrictEqual } from 'node:util';
import type { Vault } from '../chains/chain-adapter.ts';
import { EXCHANGE_CHAIN } from '../chains/chain-name.ts';

/**
 * Whether one statement of a vault may take the place of another without notice: they are alike but for the keys of a contract. Which key a contract answers to it says itself, and signers
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

/**
 * Whether both have one key on two networks of a chain. Not all chains name the network in what is signed: what a rehearsal has signed would count where the coins are worth something, once the
 * key's account there is so far.
 */
export function isKeyOfTwoNetworks(one: Vault, other: Vault): boolean {
  return one.chain === other.chain && one.network !== other.network && isDeepStrictEqual(keyOf(one), keyOf(other));
}

function keyOf({ keys }: Vault): unknown {
  return [keys.scheme, keys.groupKey, ...keys.signerKeys].map((text) => text.toLowerCase());
}

function fundsOf({ chain, keys, contract, token, custody }: Vault): unknown {
  // A wrapped token is itself what it holds.
  const held = chain === EXCHANGE_CHAIN ? null : oneForm(token);
  const account = custody && [custody.provider, custody.account, custody.asset];
  return [chain, account ?? oneForm(contract) ?? [keys.scheme, keys.groupKey, ...keys.signerKeys], held];
}

/** An address in one of the forms that chains take for the same: capitals, and zeros in front. Of nothing but zeros it is the chain's own coin. */
function oneForm(address: string | null): string | null {
  const text = address?.toLowerCase().replace(/^0x0*/, '0x') ?? '0x';
  return text === '0x' ? null : text;
}
