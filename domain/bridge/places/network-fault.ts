import type { Vault } from '../chains/chain-adapter.ts';

/** Why a deployment takes no vault of a network; null where it does. A machine's own chain is anybody's, and one confirmation is enough there. */
export function networkFault(network: Vault['network'], environment: string): string | null {
  return network === 'local' && environment !== 'local'
    ? 'chains of a machine’s own are for the local environment'
    : null;
}
