import type { BlockHeader } from '../block.ts';
import { ByteWriter, fromHex, type Hash, toHex } from '../bytes.ts';
import { type Checkpoint, checkpointBlocksFault, checkpointFault, checkpointHash } from './checkpoint.ts';
import {
  BLS_SIGNATURE_BYTES,
  type BlsKeyPair,
  type CheckpointCrypto,
  ML_DSA_SIGNATURE_BYTES,
  type MlDsaKeyPair,
} from './checkpoint-crypto.ts';
import { type CheckpointKeys, isHex } from './checkpoint-keys.ts';

/** A member's two signatures over one checkpoint. */
export interface CheckpointVote {
  /** The member's number in its committee. */
  readonly member: number;
  readonly number: number;
  readonly hash: Hash;
  /** BLS signature over `checkpointMessage`, 96 bytes in hexadecimal. */
  readonly bls: string;
  /** ML-DSA-65 signature over the same, under the context `CHECKPOINT_CONTEXT`, 3,309 bytes in hexadecimal. */
  readonly mlDsa: string;
}

/** Context of ML-DSA signatures (FIPS 204 section 5.2): signatures of this key for anything else are not taken for these. */
export const CHECKPOINT_CONTEXT = new TextEncoder().encode('edge.checkpoint.v1');

/** What both signatures are over. */
export function checkpointMessage(checkpoint: Checkpoint): Uint8Array<ArrayBuffer> {
  const { committee, keys, number } = checkpoint;
  const writer = new ByteWriter().tag('edge.checkpoint-vote.v1').hash(committee).hash(keys).u64(number);
  return writer.hash(checkpointHash(checkpoint)).end();
}

export function checkpointVote(
  checkpoint: Checkpoint,
  member: number,
  { bls, mlDsa }: { readonly bls: BlsKeyPair; readonly mlDsa: MlDsaKeyPair },
): CheckpointVote {
  const message = checkpointMessage(checkpoint);
  return {
    member,
    number: checkpoint.number,
    hash: checkpointHash(checkpoint),
    bls: toHex(bls.sign(message)),
    mlDsa: toHex(mlDsa.sign(message, CHECKPOINT_CONTEXT)),
  };
}

/** The last checkpoint that a member has signed. Stored before its signatures leave, and kept for good. */
export interface SignedCheckpoint {
  readonly number: number;
  readonly hash: Hash;
}

/**
 * Null where a member may sign a checkpoint; else why not. It signs one of each number, which follows what it has signed, over blocks that it knows to be
 * final. So two certificates of one number share 12 members at least that have broken this rule.
 *
 * @param parent the checkpoint before, null for the first
 * @param blocks those of the checkpoint, of which the member has seen the certificate of the last
 * @param signed null before the first
 */
export function checkpointSigningFault(
  checkpoint: Checkpoint,
  parent: Checkpoint | null,
  blocks: readonly BlockHeader[],
  signed: SignedCheckpoint | null,
): string | null {
  const fault = checkpointFault(checkpoint, parent) ?? checkpointBlocksFault(checkpoint, parent, blocks);
  if (fault !== null || signed === null) return fault;
  if (checkpoint.number < signed.number) return 'the member has signed a later one';
  const stands = checkpoint.number === signed.number ? checkpointHash(checkpoint) : checkpoint.parent;
  if (checkpoint.number <= signed.number + 1 && stands !== signed.hash)
    return `the member has signed another one of number ${signed.number}`;
  return null;
}

/** Null where a vote is its member's, over this checkpoint, with the right keys; else what is wrong. */
export function checkpointVoteFault(
  vote: CheckpointVote,
  checkpoint: Checkpoint,
  keys: CheckpointKeys,
  crypto: CheckpointCrypto,
): string | null {
  const key = keys.members[vote.member];
  if (key === undefined) return `the committee has no member ${vote.member}`;
  if (vote.number !== checkpoint.number || vote.hash !== checkpointHash(checkpoint)) return 'it is over another one';
  const message = checkpointMessage(checkpoint);
  if (!isBlsOf([key.bls], message, vote.bls, crypto)) return `member ${vote.member} has not signed it with BLS`;
  if (!isMlDsaOf(key.mlDsa, message, vote.mlDsa, crypto)) return `member ${vote.member} has not signed it with ML-DSA`;
  return null;
}

/** Whether all these keys have signed, by one signature. */
export function isBlsOf(
  keys: readonly string[],
  message: Uint8Array,
  signature: string,
  { bls }: CheckpointCrypto,
): boolean {
  return (
    isHex(signature, BLS_SIGNATURE_BYTES) && bls.fastAggregateVerify(keys.map(fromHex), message, fromHex(signature))
  );
}

export function isMlDsaOf(key: string, message: Uint8Array, signature: string, { mlDsa }: CheckpointCrypto): boolean {
  return (
    isHex(signature, ML_DSA_SIGNATURE_BYTES) &&
    mlDsa.verify(fromHex(key), message, fromHex(signature), CHECKPOINT_CONTEXT)
  );
}
