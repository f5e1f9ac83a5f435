import type { BlockHeader } from '../block.ts';
import type { Hash } from '../bytes.ts';
import { type Committee, committeeHash } from '../committee.ts';
import type { VerifySignature } from '../vote.ts';
import { type Checkpoint, checkpointFormFault, isInCheckpoint } from './checkpoint.ts';
import { type CheckpointCertificate, checkpointCertificateFault } from './checkpoint-certificate.ts';
import type { CheckpointCrypto } from './checkpoint-crypto.ts';
import { type CheckpointKeys, checkpointKeysFault } from './checkpoint-keys.ts';

/** Proof that a block stands in a certified checkpoint. */
export interface CheckpointProof {
  readonly checkpoint: Checkpoint;
  /** The way from the block to the checkpoint's root. */
  readonly path: readonly Hash[];
  readonly certificate: CheckpointCertificate;
  readonly keys: CheckpointKeys;
}

/** Null where it proves that of this block of this committee, which is one; else why not. */
export async function checkpointProofFault(
  { checkpoint, path, certificate, keys }: CheckpointProof,
  block: BlockHeader,
  committee: Committee,
  crypto: CheckpointCrypto,
  verify: VerifySignature,
): Promise<string | null> {
  const wrong = checkpointFormFault(checkpoint);
  if (wrong !== null) return `checkpoint: ${wrong}`;
  if (checkpoint.committee !== committeeHash(committee)) return 'checkpoint: it is of another committee';
  if (!isInCheckpoint(checkpoint, block, path)) return `checkpoint: block ${block.height} does not stand in it`;
  const unsigned = checkpointCertificateFault(certificate, checkpoint, keys, crypto);
  if (unsigned !== null) return `checkpoint certificate: ${unsigned}`;
  const unproved = await checkpointKeysFault(keys, committee, crypto, verify);
  return unproved === null ? null : `checkpoint keys: ${unproved}`;
}
