import type { ClusterKeys, SigningScheme } from '../../chains/chain-adapter.ts';
import { clusterKeys, type KeyShare, tweakableKey } from '../key-share.ts';
import { statementDigest } from '../signer-identity.ts';
import type { RecordChange, SignerMemory } from './signer-memory.ts';

/** The share of a key in its last generation; null where the signer has none. */
export function findShare(memory: SignerMemory, keys: ClusterKeys): KeyShare | null {
  const own = memory.ids('key').filter((id) => id.startsWith(`${keyOf(keys)}/`));
  return own.map((id) => readShare(memory, id)).toSorted((a, b) => latest(b) - latest(a))[0] ?? null;
}

/** Of each key of a scheme, the share in its last generation. */
export function sharesOf(memory: SignerMemory, scheme: SigningScheme): readonly KeyShare[] {
  const own = memory.ids('key').filter((id) => id.startsWith(`${scheme}/`));
  const shares = own.map((id) => readShare(memory, id)).toSorted((a, b) => latest(a) - latest(b));
  return [...new Map(shares.map((share) => [keyOf(clusterKeys(share.cluster)), share])).values()];
}

/** The share takes the place of those of the same key that are older: they are destroyed. */
export function shareChanges(memory: SignerMemory, share: KeyShare): readonly RecordChange[] {
  const keys = clusterKeys(share.cluster);
  const id = `${keyOf(keys)}/${share.cluster.generation}`;
  return [
    { kind: 'key', id, text: JSON.stringify(share) },
    ...destroyChanges(memory, keys).filter((change) => change.id !== id),
  ];
}

/** Every share of a key is destroyed. */
export function destroyChanges(memory: SignerMemory, keys: ClusterKeys): readonly RecordChange[] {
  const own = memory.ids('key').filter((id) => id.startsWith(`${keyOf(keys)}/`));
  return own.map((id) => ({ kind: 'key', id, text: null }));
}

function keyOf(keys: ClusterKeys): string {
  return `${keys.scheme}/${statementDigest(['edge.bridge.key.v1', tweakableKey(keys)])}`;
}

function readShare(memory: SignerMemory, id: string): KeyShare {
  return JSON.parse(memory.read('key', id) ?? '') as KeyShare;
}

function latest({ cluster }: KeyShare): number {
  return cluster.generation;
}
