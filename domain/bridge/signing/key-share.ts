import type { FrostPublic, FrostSecret } from '@noble/curves/abstract/frost.js';
import type { ClusterKeys, SigningScheme } from '../chains/chain-adapter.ts';
import { CLUSTER_SIZE, CLUSTER_THRESHOLD } from '../transfer.ts';
import { type FrostScheme, groupOfScheme, suiteOf } from './suites.ts';
import { tweakedKey } from './transfer-tweak.ts';

/** What everybody may know of a cluster's keys. Hexadecimal; points are compressed. */
export interface PublicCluster {
  readonly scheme: SigningScheme;
  readonly generation: number;
  /** Of the polynomial that the shares lie on: the first is the group's key. Of a key of Taproot its Y is even. None for `multisig-secp256k1`. */
  readonly commitments: readonly string[];
  /** What each signer's share is checked against, by number; for `multisig-secp256k1` the signers' keys. */
  readonly verifyingShares: readonly string[];
}

/** One signer's secret, and the cluster that it is of. */
export interface KeyShare {
  readonly cluster: PublicCluster;
  readonly signer: number;
  /** A scalar in the group's own byte order. */
  readonly secret: string;
}

/** The keys as chains know them. */
export function clusterKeys({ scheme, commitments: [first = ''], verifyingShares }: PublicCluster): ClusterKeys {
  if (scheme === 'multisig-secp256k1') return { scheme, groupKey: '', signerKeys: verifyingShares };
  return { scheme, groupKey: scheme === 'frost-taproot' ? first.slice(2) : first, signerKeys: [] };
}

/** What `transferTweak` and `tweakedKey` take as the group's key. */
export function tweakableKey({ groupKey, signerKeys }: ClusterKeys): string {
  return groupKey === '' ? signerKeys.join('') : groupKey;
}

/** The cluster whose secret is t more. */
export function tweakedCluster(cluster: PublicCluster, tweak: string | null): PublicCluster {
  if (tweak === null) return cluster;
  const { scheme } = cluster;
  if (scheme === 'multisig-secp256k1') {
    const verifyingShares = cluster.verifyingShares.map((key) => tweakedKey(scheme, key, tweak));
    return { ...cluster, verifyingShares };
  }
  const { base, point } = groupOfScheme(scheme);
  const difference = base.multiplyUnsafe(BigInt(`0x${tweak}`));
  const plus = (hex: string) => point(hex).add(difference).toHex();
  const [first = '', ...others] = cluster.commitments;
  return evenCluster({
    ...cluster,
    commitments: [plus(first), ...others],
    verifyingShares: cluster.verifyingShares.map(plus),
  });
}

/** The share in that cluster. */
export function tweakedShare(share: KeyShare, tweak: string | null): KeyShare {
  if (tweak === null) return share;
  const { order, scalar, scalarHex } = groupOfScheme(share.cluster.scheme);
  const sum = (scalar(share.secret) + BigInt(`0x${tweak}`)) % order;
  const [first = ''] = share.cluster.commitments;
  const { base, point } = groupOfScheme(share.cluster.scheme);
  const isOdd =
    share.cluster.scheme === 'frost-taproot' &&
    isOddPoint(
      point(first)
        .add(base.multiply(BigInt(`0x${tweak}`)))
        .toHex(),
    );
  return {
    ...share,
    cluster: tweakedCluster(share.cluster, tweak),
    secret: scalarHex(isOdd ? order - sum : sum),
  };
}

/** A key of Taproot has no Y: the one whose Y is even is meant, and everything goes by that. */
export function evenShare(share: KeyShare): KeyShare {
  const [first = ''] = share.cluster.commitments;
  if (share.cluster.scheme !== 'frost-taproot' || !isOddPoint(first)) return share;
  const { order, scalar, scalarHex } = groupOfScheme(share.cluster.scheme);
  return { ...share, cluster: evenCluster(share.cluster), secret: scalarHex(order - scalar(share.secret)) };
}

function evenCluster(cluster: PublicCluster): PublicCluster {
  if (cluster.scheme !== 'frost-taproot' || !isOddPoint(cluster.commitments[0] ?? '')) return cluster;
  const negated = (hex: string) => groupOfScheme(cluster.scheme).point(hex).negate().toHex();
  return {
    ...cluster,
    commitments: cluster.commitments.map(negated),
    verifyingShares: cluster.verifyingShares.map(negated),
  };
}

function isOddPoint(compressed: string): boolean {
  return compressed.startsWith('03');
}

/** As @noble/curves takes it. Signers count from 0, its participants from 1. */
export function frostPublic(cluster: PublicCluster): FrostPublic {
  return {
    signers: { min: CLUSTER_THRESHOLD, max: CLUSTER_SIZE },
    commitments: cluster.commitments.map(bytes),
    verifyingShares: Object.fromEntries(
      cluster.verifyingShares.map((share, signer) => [frostIdentifier(cluster.scheme, signer), bytes(share)]),
    ),
  };
}

export function frostSecret({ cluster, signer, secret }: KeyShare): FrostSecret {
  return { identifier: frostIdentifier(cluster.scheme, signer), signingShare: bytes(secret) };
}

export function frostIdentifier(scheme: SigningScheme, signer: number): string {
  return suiteOf(scheme as FrostScheme).frost.Identifier.fromNumber(signer + 1);
}

function bytes(hex: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(Buffer.from(hex, 'hex'));
}
