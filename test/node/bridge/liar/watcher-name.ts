import type { Vault } from '../../../../domain/bridge/chains/chain-adapter.ts';

/** As the object of a transfer names whoever keeps the references of a vault (`portsOf`). */
export function watcherName({ chain, contract, token, keys }: Vault): string {
  return [chain, contract ?? keys.groupKey, token ?? ''].join('/');
}
