import { type BlockHeader, blockHash, GENESIS, headerFault } from './block.ts';
import type { Hash } from './bytes.ts';
import { preferencesNeeded, QUORUM } from './committee.ts';

/** The highest block that a member has voted for. Stored before the vote leaves, and kept for good. */
export interface VotedFor {
  readonly height: number;
  readonly hash: Hash;
}

/** Where a member's chain ends that cannot change any more; null before the first final block. */
export type FinalBlock = BlockHeader | null;

/** What a member has heard of others at the end of a round: by member, the block that it prefers. */
export type Preferences = ReadonlyMap<number, Hash>;

/**
 * One member of a committee as it votes on what follows a final block: pure, without keys and without a clock.
 *
 * It prefers the first chain that it is shown, and prefers another one when enough of the committee do. Once it has heard in one round that 16 of 20
 * prefer the same, it votes for that. It never votes for two blocks of which one does not stand on the other: so of two final blocks of which
 * neither stands on the other, 12 members at least have voted against this rule.
 */
export class Validator {
  readonly #final: FinalBlock;
  readonly #committee: Hash;
  /** Hashes of the blocks after the final one, up to and with each candidate. */
  readonly #candidates = new Map<Hash, readonly Hash[]>();
  #preferred: Hash | null = null;
  #voted: VotedFor | null;

  /** @param voted the last vote of this member, whatever became of it */
  constructor(committee: Hash, final: FinalBlock, voted: VotedFor | null) {
    this.#committee = committee;
    this.#final = final;
    this.#voted = voted;
  }

  get preferred(): Hash | null {
    return this.#preferred;
  }

  /** Takes part in deciding on this chain: the headers that follow the final block, the last one being voted on. Null; else why it does not. */
  consider(chain: readonly BlockHeader[]): string | null {
    if (chain.length === 0) return 'it has no block';
    let parent = this.#final;
    for (const header of chain) {
      const fault =
        header.committee === this.#committee ? headerFault(header, parent) : 'another committee votes on it';
      if (fault !== null) return fault;
      parent = header;
    }
    const hashes = chain.map(blockHash);
    if (!this.#standsOnVoted(hashes)) return 'it does not stand on what this member has voted for';
    const tip = hashes.at(-1) ?? GENESIS;
    this.#candidates.set(tip, hashes);
    this.#preferred ??= tip;
    return null;
  }

  /**
   * Ends a round.
   *
   * @param heard preferences of this round, this member's own among them
   * @returns the block to vote for; null while there is none. The vote must be stored (`voted`) before it leaves.
   */
  endRound(round: number, heard: Preferences): VotedFor | null {
    const counts = new Map<Hash, number>();
    for (const hash of heard.values()) counts.set(hash, (counts.get(hash) ?? 0) + 1);
    const [leader, count] = leaderOf(counts) ?? [null, 0];
    const chain = leader === null ? undefined : this.#candidates.get(leader);
    if (leader === null || chain === undefined || !this.#standsOnVoted(chain)) return null;
    if (this.#mayPrefer(leader, count, round, heard.size)) this.#preferred = leader;
    return count >= QUORUM && leader === this.#preferred
      ? { height: this.#finalHeight + chain.length, hash: leader }
      : null;
  }

  /** Remembers a vote as given. */
  voted(vote: VotedFor): void {
    this.#voted = vote;
  }

  /** Who has heard a quorum that is split goes by the lead alone, so that a split does not last for good. */
  #mayPrefer(leader: Hash, count: number, round: number, heard: number): boolean {
    return count >= preferencesNeeded(round) || heard >= QUORUM || leader === this.#preferred;
  }

  get #finalHeight(): number {
    return this.#final?.height ?? 0;
  }

  #standsOnVoted(chain: readonly Hash[]): boolean {
    if (this.#voted === null || this.#voted.height <= this.#finalHeight) return true;
    return chain[this.#voted.height - this.#finalHeight - 1] === this.#voted.hash;
  }
}

/** The block that most prefer; of several the one with the lowest hash, so that all who hear the same choose the same. */
function leaderOf(counts: ReadonlyMap<Hash, number>): [Hash, number] | null {
  let leader: [Hash, number] | null = null;
  for (const [hash, count] of counts) {
    if (leader === null || count > leader[1] || (count === leader[1] && hash < leader[0])) leader = [hash, count];
  }
  return leader;
}
