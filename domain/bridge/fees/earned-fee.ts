import type { Vault } from '../chains/chain-adapter.ts';
import { EXCHANGE_CHAIN } from '../chains/chain-name.ts';
import { isEvmChain } from '../chains/evm/evm-chains.ts';
import type { TransferPlaces } from '../places/transfer-places.ts';
import type { TransferTerms } from '../transfer-terms.ts';
import { isOfFees } from './fee-terms.ts';

/**
 * Whether a signer can know by itself what fees have left in a vault: it is a contract whose payments cost it nothing but what they pay. Everywhere else the chain takes its fees out of the vault, and a provider takes its own.
 */
export function earnsFees({ chain, contract, custody }: Pick<Vault, 'chain' | 'contract' | 'custody'>): boolean {
  return isEvmChain(chain) && chain !== EXCHANGE_CHAIN && contract !== null && custody === undefined;
}

/** The vault that keeps the fee of a transfer; null where it has none, or is of a vault whose fees nobody counts. */
export function earningVault(
  terms: Pick<TransferTerms, 'source' | 'fee'>,
  { source, destination }: Pick<TransferPlaces, 'source' | 'destination'>,
): Vault | null {
  // What pays fees out earns none.
  if (terms.fee === 0 || isOfFees(terms)) return null;
  return [source, destination].find((vault) => vault !== null && earnsFees(vault)) ?? null;
}

/** What a fee leaves there, in the vault's own units: rounded down, so that no more is counted than lies there. */
export function earnedUnits({ fee }: Pick<TransferTerms, 'fee'>, decimals: number, scale: number): bigint {
  return (BigInt(fee) * 10n ** BigInt(decimals)) / 10n ** BigInt(scale);
}
