import type { Vault } from './chain-adapter.ts';
import type { ChainName } from './chain-name.ts';

const CHAINS: ReadonlySet<ChainName> = new Set([
  'bitcoin-taproot',
  'bitcoin-segwit',
  'bitcoin-legacy',
  'litecoin',
  'dogecoin',
  'bitcoin-cash',
  'cardano',
  'near',
  'aptos',
  'polkadot',
  'tezos',
  'sui',
]);

/**
 * Whether a refund is paid out of the very deposit: its output, or an account of the transfer's own. Nothing else of the vault waits for it, and once it is cancelled, nothing is left to
 * give back from. A custody provider pays refunds out of one account.
 */
export function refundsFromDeposit({ chain, custody }: Pick<Vault, 'chain' | 'custody'>): boolean {
  return custody === undefined && CHAINS.has(chain);
}
