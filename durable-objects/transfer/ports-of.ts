import { chainsOf } from '../bridge-chains/chains-of.ts';
import { coSignerOf } from '../bridge-chains/hardware-module.ts';
import { clusterOf } from '../bridge-chains/signing-cluster.ts';
import { chainWatcherOf } from '../chain-watcher/api.ts';
import { ledgerOf } from '../ledger/api.ts';
import { signersOf } from '../signer/api.ts';
import type { TransferPorts } from './ports.ts';

/** Whom a transfer asks in the product. */
export function portsOf(env: Env, organization: string): TransferPorts {
  const chains = chainsOf(env);
  return {
    chains,
    cluster: clusterOf(chains, signersOf(env, organization)),
    watcher: async (vault) => chainWatcherOf(env, `${organization}/${await chains.referencesOf(vault)}`),
    ledger: async (movement) => {
      const outcome = await ledgerOf(env).transact(movement);
      // Signers look at D1: it shows what was done before they are asked, if it can.
      await ledgerOf(env).projected();
      return outcome;
    },
    coSign: coSignerOf(env),
  };
}
