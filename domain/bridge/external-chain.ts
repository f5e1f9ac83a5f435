import { type ChainName, EXCHANGE_CHAIN } from './chains/chain-name.ts';
import type { Place, TransferTerms } from './transfer-terms.ts';

/** Whether a transfer is between the exchange and one other chain: between two chains it would have the limits of one, and be paid out of the vault of the other. */
export function hasOneExternalSide({ source, destination }: Pick<TransferTerms, 'source' | 'destination'>): boolean {
  return isExternal(source) !== isExternal(destination);
}

/** The external chain of a transfer. @throws Error where both sides are the exchange's */
export function externalChain({ source, destination }: Pick<TransferTerms, 'source' | 'destination'>): ChainName {
  for (const place of [source, destination]) if (isExternal(place)) return place.chain;
  throw new Error('neither side of the transfer is on another chain');
}

function isExternal(place: Place): place is Extract<Place, { kind: 'chain' }> {
  return place.kind === 'chain' && place.chain !== EXCHANGE_CHAIN;
}
