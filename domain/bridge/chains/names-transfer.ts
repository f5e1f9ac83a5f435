import type { Vault } from './chain-adapter.ts';
import type { ChainName } from './chain-name.ts';

/**
 * Chains whose transactions have no room for whose payment they are. On Stellar and the Cosmos Hub there is room in a memo alone, and a payee's own may be any: also what names another transfer.
 */
const NAMELESS: readonly ChainName[] = ['near', 'polkadot', 'aptos', 'tezos', 'stellar', 'cosmos'];

/** Whether the bytes of a vault's payments say whose they are, whatever their payees ask for (docs/design/bridge/references.md). Else those of two transfers may be the same, and one transaction would settle both. */
export function namesTransfer({ chain, custody }: Pick<Vault, 'chain' | 'custody'>): boolean {
  // A provider is given an id that follows from the transfer.
  return custody !== undefined || !NAMELESS.includes(chain);
}
