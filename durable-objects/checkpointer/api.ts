import type { Checkpoint } from '../../domain/consensus/checkpoints/checkpoint.ts';
import type { CheckpointProof } from '../../domain/consensus/checkpoints/checkpoint-proof.ts';
import type { Committee } from '../../domain/consensus/committee.ts';
import type { MemberPlaces } from '../validator/api.ts';

/** The one checkpointer of the venue. */
const CHECKPOINTER = 'checkpointer';

/** Checkpoints of one answer to who wants all of them. */
export const CHECKPOINTS_PAGE = 50;

export interface CheckpointerStatus {
  /** Of the last checkpoint that is certified, and of its last block; 0 before the first. */
  readonly number: number;
  readonly lastHeight: number;
  /** Why it does not go on, if it does not; it tries again by itself. */
  readonly waitsFor: string | null;
}

/** Has the committee sign final blocks as checkpoints (docs/design/consensus.md#the-checkpointer). */
export interface CheckpointerApi {
  /** Blocks may have become final. Returns at once. */
  wake(): Promise<void>;
  /** Asks all members of a committee that is being formed, where they are, for their keys, and keeps them. @throws Error where one has none, or is away */
  meet(committee: Committee, places: MemberPlaces): Promise<void>;
  /** What proves that a final block stands in a certified checkpoint, which is made for it where the last one is not of this moment; null while there is none. */
  proof(height: number): Promise<CheckpointProof | null>;
  /** Certified checkpoints after a number, in their order, CHECKPOINTS_PAGE at most. */
  checkpoints(after: number): Promise<Checkpoint[]>;
  status(): Promise<CheckpointerStatus>;
}

interface CheckpointerEnv {
  /** Absent from Workers that serve nobody, such as those of scripts. */
  readonly CHECKPOINTER?: { getByName(name: string): unknown };
}

/** A fresh stub. After an exception a stub stays broken, so one is made for every call. */
export function checkpointerOf(env: Required<CheckpointerEnv>): CheckpointerApi {
  return env.CHECKPOINTER.getByName(CHECKPOINTER) as CheckpointerApi;
}

/** Tells the checkpointer that blocks may have become final. What it does not hear it finds within five minutes. */
export async function wakeCheckpointer({ CHECKPOINTER: checkpointers }: CheckpointerEnv): Promise<void> {
  if (checkpointers !== undefined) await checkpointerOf({ CHECKPOINTER: checkpointers }).wake();
}
