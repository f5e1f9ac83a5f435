import type { Vault } from './chain-adapter.ts';
import type { ChainName } from './chain-name.ts';

const CHAINS: readonly ChainName[] = ['near', 'polkadot', 'aptos', 'sui', 'tezos'];

/**
 * Whether each transfer has an account of its own there, with a key that follows from the cluster's, while payouts come from the vault's account alone: what is paid in has to be brought into that before it can be paid out
 * (docs/design/bridge/signing.md#sweeps). A custody provider has one account.
 */
export function sweepsDeposits({ chain, custody }: Pick<Vault, 'chain' | 'custody'>): boolean {
  return custody === undefined && CHAINS.includes(chain);
}
