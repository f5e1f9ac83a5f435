import { type ChainName, EXCHANGE_CHAIN } from './chains/chain-name.ts';
import type { TransferTerms } from './transfer-terms.ts';

/** The external chain of a transfer. @throws Error where both sides are the exchange's */
export function externalChain({ source, destination }: Pick<TransferTerms, 'source' | 'destination'>): ChainName {
  for (const place of [source, destination])
    if (place.kind === 'chain' && place.chain !== EXCHANGE_CHAIN) return place.chain;
  throw new Error('neither side of the transfer is on another chain');
}
