import type { BlockHeader } from '../../domain/consensus/block.ts';
import type { Hash } from '../../domain/consensus/bytes.ts';
import type { QuorumCertificate } from '../../domain/consensus/certificate.ts';
import type { Committee } from '../../domain/consensus/committee.ts';
import type { Equivocation } from '../../domain/consensus/equivocation.ts';
import type { ProvedFinality, RecordProof } from '../../domain/consensus/receipt.ts';
import type { CommitteeMembers, ShownCommittee } from '../../protocol/receipts/committees-document.ts';
import type { MemberPlaces } from '../validator/api.ts';

/** The one sequencer of the venue. */
const SEQUENCER = 'sequencer';

/** Entries of one question for their finality. */
export const FINALITIES_MAX = 1_000;

/**
 * Where a trade, or the adjustment of one, stands. `pending`: in no final block yet. `final`: 16 of 20 members have voted for its block, or for one that
 * stands on it. `checkpoint_final`: its block stands in a checkpoint that has its certificate, too.
 */
export type Finality =
  | { readonly state: 'pending' }
  | {
      readonly state: ProvedFinality;
      readonly block: Pick<BlockHeader, 'height' | 'slot'> & { readonly hash: Hash };
      /** Where the members live that have voted; null where that was not noted when their committee was formed. */
      readonly members: CommitteeMembers | null;
    };

/** Something of a final block. */
export interface FinalEntry {
  /** Of the trade, or of its adjustment. */
  readonly id: string;
  readonly tradeId: string;
  /** Of its record. */
  readonly hash: Hash;
}

/** Entries of whole blocks, in their order. */
export interface FinalEntries {
  readonly entries: readonly FinalEntry[];
  /** Of the last block that they are of; where nothing follows, what was asked after. */
  readonly height: number;
}

/** Consecutive final blocks of one committee, the last of which has this certificate. */
export interface CertifiedRun {
  readonly blocks: readonly BlockHeader[];
  readonly certificate: QuorumCertificate;
  readonly committee: Committee;
  /** Where its members were when it was the present one; null where that was not noted, and of embedded ones. */
  readonly places: MemberPlaces | null;
}

/** All of a receipt but what only D1 and the checkpointer know. */
export interface FinalityProof extends Omit<RecordProof, 'checkpoint'> {
  /** Of the record that the block has. */
  readonly recordHash: Hash;
}

export interface SequencerStatus {
  readonly epoch: number;
  /** Hash of the committee that votes on the next blocks: while that of the epoch gets none, the one of the last block. Null while there is none. */
  readonly committee: Hash | null;
  /** Why the committee of the epoch has no block yet; it tries again by itself. */
  readonly epochWaitsFor: string | null;
  /** Of the last block, and of the last final one; 0 before the first. */
  readonly height: number;
  readonly finalHeight: number;
  /** Of the last block that stands in a certified checkpoint; 0 before the first. */
  readonly checkpointHeight: number;
  /** Proofs that members have voted for two blocks of which neither stands on the other: one a member and committee, 100 at most. */
  readonly equivocations: readonly { readonly committee: Hash; readonly proof: Equivocation }[];
  /** Members that took no part in the last vote, by their numbers. With five of them nothing is final; null before this instance has asked. */
  readonly absent: readonly number[] | null;
  /** Last row of the ledger's journal that was read. */
  readonly row: number;
  /** Why it does not go on, if it does not; it tries again by itself. */
  readonly waitsFor: string | null;
}

/** Makes blocks of what the ledger has settled, and has them voted on (docs/design/consensus.md#the-sequencer). */
export interface SequencerApi {
  /** The ledger may have journaled something. Resolves once that is read, or that has failed: it is tried again then. Cheap. */
  wake(): Promise<void>;
  /** Of trades and adjustments, in their order. @throws RangeError beyond FINALITIES_MAX */
  finalities(ids: readonly string[]): Promise<Finality[]>;
  /** What proves that a trade or an adjustment is final; null while it is not. What was settled before this call is read first. */
  proof(id: string): Promise<FinalityProof | null>;
  /** What stands in the final blocks after a height: of some blocks, until nothing follows. */
  finalEntries(after: number): Promise<FinalEntries>;
  /** The blocks after a height as far as they are final, of one committee, `count` at most (CHECKPOINT_BLOCKS_MAX); null where there is none. */
  certifiedRun(after: number, count: number): Promise<CertifiedRun | null>;
  /** Blocks up to this height stand in certified checkpoints. Repeated, and for a lower height, it does nothing. */
  noteCheckpointed(height: number): Promise<void>;
  /** Committees that were formed, from an epoch on: COMMITTEES_PAGE at most, in the order of their epochs. */
  committees(from: number): Promise<ShownCommittee[]>;
  status(): Promise<SequencerStatus>;
}

interface SequencerEnv {
  /** Absent from Workers that serve nobody, such as those of scripts. */
  readonly SEQUENCER?: { getByName(name: string): unknown };
}

/** A fresh stub. After an exception a stub stays broken, so one is made for every call. */
export function sequencerOf(env: Required<SequencerEnv>): SequencerApi {
  return env.SEQUENCER.getByName(SEQUENCER) as SequencerApi;
}

/** Tells the sequencer that the ledger may have journaled something. What it does not hear it finds within five minutes. */
export async function wakeSequencer({ SEQUENCER: sequencers }: SequencerEnv): Promise<void> {
  if (sequencers !== undefined) await sequencerOf({ SEQUENCER: sequencers }).wake();
}
