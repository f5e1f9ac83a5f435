import { type BlockHeader, blockHash } from './block.ts';
import type { Hash } from './bytes.ts';
import type { QuorumCertificate } from './certificate.ts';
import type { MemberKey } from './ed25519.ts';
import { type FinalBlock, Validator, type VotedFor } from './validator.ts';
import { type Vote, voteMessage } from './vote.ts';

/** Headers of one decision at most; the sequencer proposes half of that. */
export const DECISION_HEADERS_MAX = 256;

/** What a committee decides on. */
export interface Proposal {
  /** The last final block, and what proves it so; both null before the first. */
  readonly final: FinalBlock;
  readonly certificate: QuorumCertificate | null;
  /** The headers that follow it. The last one is voted on. */
  readonly chain: readonly BlockHeader[];
}

/** What a member says at the end of a round. */
export interface RoundEnd {
  readonly preferred: Hash | null;
  readonly vote: Vote | null;
}

/** A member as whoever asks for its vote reaches it. An exception means that it is away. */
export interface CommitteeMember {
  /** Takes part in deciding. @returns the block that it prefers; null where it takes no part */
  consider(proposal: Proposal): Promise<Hash | null>;
  /** @param heard what members prefer in this round, each with its number */
  endRound(round: number, heard: readonly (readonly [member: number, hash: Hash])[]): Promise<RoundEnd>;
}

/** Where a member keeps its last vote, in whichever committee it was. Nothing that the member says leaves its place before that is on disk. */
export interface VoteStore {
  last(): VotedFor | null;
  save(vote: VotedFor): void;
}

export interface MemberOf {
  /** Its number in its committee. */
  readonly number: number;
  readonly committee: Hash;
  readonly key: MemberKey;
  readonly votes: VoteStore;
  /** Whether this certificate proves the block final, or the member knows that by itself. */
  provesFinal(final: BlockHeader, certificate: QuorumCertificate | null): Promise<boolean>;
}

/** One member of a committee, with its key and its memory. */
export class Member implements CommitteeMember {
  readonly #of: MemberOf;
  #validator: Validator | null = null;
  /** The last vote as the validator knows it. */
  #voted: VotedFor | null = null;
  /** The highest block that was proved final to this instance. */
  #provedHeight = 0;

  constructor(of: MemberOf) {
    this.#of = of;
  }

  async consider({ final, certificate, chain }: Proposal): Promise<Hash | null> {
    const { committee, votes } = this.#of;
    if (chain.length > DECISION_HEADERS_MAX) return null;
    // What stands on its own last vote it may vote for, whether that is final or not: one decision above what is proved, so that nobody leads it further from the chain.
    const isOwn = final !== null && votes.last()?.hash === blockHash(final);
    const isNear = (final?.height ?? 0) + chain.length <= this.#provedHeight + DECISION_HEADERS_MAX;
    if (final !== null && !(isOwn && isNear)) {
      if (!(await this.#of.provesFinal(final, certificate))) return null;
      this.#provedHeight = Math.max(this.#provedHeight, final.height);
    }
    const voted = votes.last();
    const validator = new Validator(committee, final, voted);
    if (validator.consider(chain) !== null) return null;
    this.#validator = validator;
    this.#voted = voted;
    return validator.preferred;
  }

  async endRound(round: number, heard: readonly (readonly [number, Hash])[]): Promise<RoundEnd> {
    const validator = this.#validator;
    // It may have voted in another committee since it was asked to consider this.
    if (validator === null || this.#of.votes.last()?.hash !== this.#voted?.hash) return { preferred: null, vote: null };
    const voted = validator.endRound(round, new Map(heard));
    if (voted === null) return { preferred: validator.preferred, vote: null };
    this.#of.votes.save(voted);
    validator.voted(voted);
    this.#voted = voted;
    const { number, committee, key } = this.#of;
    const signature = await key.sign(voteMessage(committee, voted.height, voted.hash));
    return { preferred: validator.preferred, vote: { member: number, ...voted, signature } };
  }
}
