import type { BlockHeader } from '../block.ts';
import type { QuorumCertificate } from '../certificate.ts';
import { type Checkpoint, checkpointHash } from './checkpoint.ts';
import type { BlsKeyPair, MlDsaKeyPair } from './checkpoint-crypto.ts';
import {
  type CheckpointVote,
  checkpointSigningFault,
  checkpointVote,
  type SignedCheckpoint,
} from './checkpoint-vote.ts';

/** What a committee is asked to sign. */
export interface CheckpointProposal {
  readonly checkpoint: Checkpoint;
  /** Null for the first. */
  readonly parent: Checkpoint | null;
  /** Those of the checkpoint. */
  readonly blocks: readonly BlockHeader[];
  /** Of the last of them; null where members know by themselves that it is final. */
  readonly certificate: QuorumCertificate | null;
}

/** A member as whoever asks for its signatures reaches it. An exception means that it is away. */
export interface CheckpointMember {
  /** @returns null where it does not sign */
  sign(proposal: CheckpointProposal): Promise<CheckpointVote | null>;
}

/** Where a member keeps the last checkpoint that it has signed. Nothing that it says leaves its place before that is on disk. */
export interface SignedCheckpointStore {
  last(): SignedCheckpoint | null;
  save(signed: SignedCheckpoint): void;
}

export interface CheckpointSignerOf {
  /** Its number in its committee. */
  readonly number: number;
  readonly pair: { readonly bls: BlsKeyPair; readonly mlDsa: MlDsaKeyPair };
  readonly signed: SignedCheckpointStore;
  /** Whether this certificate proves the block final, or the member knows that by itself. */
  provesFinal(last: BlockHeader, certificate: QuorumCertificate | null): Promise<boolean>;
}

/** One member of a committee that signs checkpoints, with its keys and its memory. */
export class CheckpointSigner implements CheckpointMember {
  readonly #of: CheckpointSignerOf;

  constructor(of: CheckpointSignerOf) {
    this.#of = of;
  }

  async sign({ checkpoint, parent, blocks, certificate }: CheckpointProposal): Promise<CheckpointVote | null> {
    const { number, pair, signed, provesFinal } = this.#of;
    const last = blocks.at(-1);
    if (last === undefined || !(await provesFinal(last, certificate))) return null;
    // Behind the last await, so that two proposals at once find what the other has signed.
    if (checkpointSigningFault(checkpoint, parent, blocks, signed.last()) !== null) return null;
    signed.save({ number: checkpoint.number, hash: checkpointHash(checkpoint) });
    return checkpointVote(checkpoint, number, pair);
  }
}
