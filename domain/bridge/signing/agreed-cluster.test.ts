import { beforeAll, expect, test, vi } from 'vitest';
import type { SigningScheme } from '../chains/chain-adapter.ts';
import { agreedCluster } from './agreed-cluster.ts';
import { clusterKeys, type PublicCluster } from './key-share.ts';
import { testCluster } from './signing.fixtures.ts';

// Key ceremonies are slow on a busy machine.
vi.setConfig({ testTimeout: 400_000, hookTimeout: 400_000 });

const SCHEMES = ['frost-secp256k1', 'frost-taproot', 'frost-ed25519', 'multisig-secp256k1'] as const;
const made = new Map<SigningScheme, PublicCluster>();

beforeAll(async () => {
  for (const scheme of SCHEMES) made.set(scheme, (await testCluster(scheme)).cluster);
});

const ofScheme = (scheme: SigningScheme) => made.get(scheme) as PublicCluster;
/** The key of the group, with shares that others have. */
const madeUp = (cluster: PublicCluster): PublicCluster => ({
  ...cluster,
  verifyingShares: cluster.verifyingShares.toReversed(),
});

test.each(SCHEMES)('three signers say of %s what shares are checked against', (scheme) => {
  const cluster = ofScheme(scheme);
  const keys = clusterKeys(cluster);
  expect(agreedCluster([[], [cluster], [cluster], [], [cluster]], keys)).toEqual(cluster);
  expect(() => agreedCluster([[], [cluster], [cluster], [], []], keys)).toThrow('fewer than three');
});

test.each([0, 1, 2, 3, 4])('what signer %i says three times has one vote', (liar) => {
  const cluster = ofScheme('frost-secp256k1');
  const lie = madeUp(cluster);
  const told = Array.from({ length: 5 }, (_, signer) => (signer === liar ? [lie, lie, lie] : [cluster]));
  expect(agreedCluster(told, clusterKeys(cluster))).toEqual(cluster);
});

test.each(['frost-secp256k1', 'frost-taproot', 'frost-ed25519'] as const)(
  'shares of %s that do not follow from the commitments are agreed by nobody',
  (scheme) => {
    const cluster = ofScheme(scheme);
    const keys = clusterKeys(cluster);
    const [first = '', second = '', third = ''] = cluster.commitments;
    for (const lie of [
      madeUp(cluster),
      { ...cluster, commitments: [first, third, second] },
      { ...cluster, commitments: [first, second] },
      { ...cluster, commitments: [first, second, 'ff'.repeat(33)] },
    ])
      expect(() => agreedCluster([[lie], [lie], [lie], [cluster], [cluster]], keys)).toThrow('fewer than three');
  },
);

test('of two generations that two liars stand behind, most of the honest have the one that counts', () => {
  const cluster = ofScheme('frost-ed25519');
  const later = { ...cluster, generation: cluster.generation + 1 };
  const both = [cluster, later];
  expect(agreedCluster([both, both, [cluster], [later], [later]], clusterKeys(cluster))).toEqual(later);
  expect(agreedCluster([both, both, [cluster], [cluster], [later]], clusterKeys(cluster))).toEqual(cluster);
});

test('another key is none of the vault’s, whoever has it', () => {
  const cluster = ofScheme('frost-secp256k1');
  const keys = clusterKeys(cluster);
  const told = Array.from({ length: 5 }, () => [cluster, ofScheme('frost-ed25519')]);
  expect(agreedCluster(told, keys)).toEqual(cluster);
  expect(() => agreedCluster(told, { ...keys, groupKey: keys.groupKey.replace(/^../, '00') })).toThrow('fewer than');
  expect(() => agreedCluster(told, { ...keys, scheme: 'frost-taproot' })).toThrow('fewer than three');
});
