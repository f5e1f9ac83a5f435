import type { ClusterKeys } from '../chains/chain-adapter.ts';
import { CLUSTER_THRESHOLD } from '../transfer.ts';
import { hasSharesOfItsKey } from './ceremony/polynomial.ts';
import { clusterKeys, type PublicCluster } from './key-share.ts';

/**
 * The public side of a key as three signers have it: it says what shares are checked against, and no more. A signer has one vote for a cluster, however often it says it, and a cluster whose verifying shares do not follow from
 * its commitments is none: honest signers would be named for shares that are right.
 *
 * @param told what each signer says that it has
 * @throws Error where fewer than three have the key
 */
export function agreedCluster(told: readonly (readonly PublicCluster[])[], keys: ClusterKeys): PublicCluster {
  const votes = new Map<string, { readonly cluster: PublicCluster; readonly count: number }>();
  for (const clusters of told) {
    const own = new Map(clusters.filter((cluster) => isOf(cluster, keys)).map((each) => [JSON.stringify(each), each]));
    for (const [text, cluster] of own) votes.set(text, { cluster, count: (votes.get(text)?.count ?? 0) + 1 });
  }
  // Two that lie may stand behind two generations: most of the honest are behind the one with most votes.
  const agreed = [...votes.values()]
    .filter(({ cluster, count }) => count >= CLUSTER_THRESHOLD && hasSharesOfItsKey(cluster))
    .toSorted((one, other) => other.count - one.count || other.cluster.generation - one.cluster.generation)
    .at(0);
  if (agreed === undefined) throw new Error('fewer than three signers have the key of the vault');
  return agreed.cluster;
}

function isOf(cluster: PublicCluster, { scheme, groupKey, signerKeys }: ClusterKeys): boolean {
  if (cluster.scheme !== scheme) return false;
  const own = clusterKeys(cluster);
  return own.groupKey === groupKey && own.signerKeys.join() === signerKeys.join();
}
