import type { Vault } from './chains/chain-adapter.ts';
import { EXCHANGE_CHAIN } from './chains/chain-name.ts';
import { hasDepositAddresses } from './chains/custody/deposit-way.ts';
import type { SigningMode } from './tenant.ts';
import { CLUSTER_SIZE } from './transfer.ts';

/** What is known of whose a tenant's signers are. */
export interface TenantSigners {
  readonly mode: SigningMode;
  /** Five addresses are named for its organization, and none of its signers is the exchange's. */
  readonly hasOwnSigners: boolean;
  /** Operators have stated that one operator may run all five. */
  readonly isSingleOperator: boolean;
  /** In the local environment one person runs everything. */
  readonly isLocal: boolean;
}

/**
 * Why a tenant's signers are not those that it has to have; null where they are. `not_connected`: of mode `custom` all five have to be the organization's own. `single_operator`: they are the
 * exchange's, and nobody has stated that one operator may run all five.
 */
export function signersFault(signers: TenantSigners): 'not_connected' | 'single_operator' | null {
  const { mode, hasOwnSigners, isSingleOperator, isLocal } = signers;
  if (hasOwnSigners) return null;
  if (mode === 'custom') return 'not_connected';
  return isSingleOperator || isLocal ? null : 'single_operator';
}

/** Whether one operator can open what lies in a tenant's vaults, as quotes show it. */
export function isOfOneOperator({
  hasOwnSigners,
  isSingleOperator,
}: Pick<TenantSigners, 'hasOwnSigners' | 'isSingleOperator'>): boolean {
  return isSingleOperator || !hasOwnSigners;
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
