import type { Vault } from './chains/chain-adapter.ts';
import { EXCHANGE_CHAIN } from './chains/chain-name.ts';
import { hasDepositAddresses } from './chains/custody/deposit-way.ts';
import type { SigningMode } from './tenant.ts';
import { CLUSTER_SIZE } from './transfer.ts';

/** Whether a tenant's signers are there: of mode `custom` all five have to be the organization's own. */
export function isConnected(mode: SigningMode, hasOwnSigners: boolean): boolean {
  return mode !== 'custom' || hasOwnSigners;
}

/** Whether a tenant of the mode moves funds by such a vault: with `custody` all external ones lie at a provider, and else none. */
export function isVaultOf(mode: SigningMode, { chain, custody }: Pick<Vault, 'chain' | 'custody'>): boolean {
  if (chain === EXCHANGE_CHAIN) return custody === undefined;
  return (custody !== undefined) === (mode === 'custody');
}

/** Why a vault cannot lie at a custody provider; null where it can, or does not. */
export function custodyFault({ chain, custody, keys, contract, token }: Vault): string | null {
  if (custody === undefined) return null;
  if (chain === EXCHANGE_CHAIN) return 'wrapped tokens lie at no custody provider';
  if (!hasDepositAddresses(chain)) return `a custody provider has no addresses of transfers on ${chain}`;
  if (keys.scheme !== 'multisig-secp256k1' || keys.signerKeys.length !== CLUSTER_SIZE)
    return 'what a custody provider pays is approved by five keys of multisig-secp256k1';
  return contract === null && token === null ? null : 'the asset at a custody provider names the token';
}
