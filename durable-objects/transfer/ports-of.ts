import type { ClusterKeys, Vault } from '../../domain/bridge/chains/chain-adapter.ts';
import { signPayment } from '../../domain/bridge/signing/coordinator.ts';
import type { HostedSigner } from '../../domain/bridge/signing/hosted-signer.ts';
import { clusterKeys, type PublicCluster } from '../../domain/bridge/signing/key-share.ts';
import { CLUSTER_SIZE, CLUSTER_THRESHOLD } from '../../domain/bridge/transfer.ts';
import type { ChainCalls } from '../../protocol/bridge/chains-api.ts';
import { chainsOf } from '../bridge-chains/chains-of.ts';
import { coSignerOf } from '../bridge-chains/hardware-module.ts';
import { chainWatcherOf } from '../chain-watcher/api.ts';
import { ledgerOf } from '../ledger/api.ts';
import { signersOf } from '../signer/api.ts';
import type { SigningCluster, TransferPorts } from './ports.ts';

/** Whom a transfer asks in the product. */
export function portsOf(env: Env, organization: string): TransferPorts {
  const chains = chainsOf(env);
  return {
    chains,
    cluster: clusterOf(chains, signersOf(env, organization)),
    watcher: ({ chain, contract, token, keys, custody }: Vault) => {
      const { provider, account, asset } = custody ?? {};
      const own = custody === undefined ? [contract ?? keys.groupKey, token ?? ''] : [provider, account, asset];
      return chainWatcherOf(env, [organization, chain, ...own].join('/'));
    },
    ledger: async (movement) => {
      const outcome = await ledgerOf(env).transact(movement);
      // Signers look at D1: it shows what was done before they are asked, if it can.
      await ledgerOf(env).projected();
      return outcome;
    },
    coSign: coSignerOf(env),
  };
}

/** Five signers as one: whoever is away is left out. */
function clusterOf(chains: ChainCalls, signers: readonly HostedSigner[]): SigningCluster {
  return {
    attest: (terms) => Promise.all(signers.map((signer) => signer.attestFunds(terms).catch(() => null))),
    async sign(job, vault) {
      return signPayment({
        cluster: await agreedCluster(signers, vault.keys),
        signers,
        job,
        unsigned: await chains.build(vault, job.payment),
        newSession: () => crypto.randomUUID(),
        first: Math.floor(Math.random() * CLUSTER_SIZE),
      });
    },
  };
}

/** The public side of the vault's key as three signers have it: it says what shares are checked against, and no more. */
async function agreedCluster(signers: readonly HostedSigner[], keys: ClusterKeys): Promise<PublicCluster> {
  const heard = await Promise.all(signers.map((signer) => signer.clusters().catch(() => [])));
  const votes = new Map<string, { readonly cluster: PublicCluster; count: number }>();
  for (const clusters of heard) {
    for (const cluster of clusters) {
      if (cluster.scheme !== keys.scheme || !isKeyOf(cluster, keys)) continue;
      const text = JSON.stringify(cluster);
      const vote = votes.get(text) ?? { cluster, count: 0 };
      votes.set(text, { ...vote, count: vote.count + 1 });
    }
  }
  const agreed = [...votes.values()].find(({ count }) => count >= CLUSTER_THRESHOLD);
  if (agreed === undefined) throw new Error('fewer than three signers have the key of the vault');
  return agreed.cluster;
}

function isKeyOf(cluster: PublicCluster, { groupKey, signerKeys }: ClusterKeys): boolean {
  const own = clusterKeys(cluster);
  return own.groupKey === groupKey && own.signerKeys.join() === signerKeys.join();
}
