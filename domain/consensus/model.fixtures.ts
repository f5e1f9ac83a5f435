import { type BlockHeader, blockHash, GENESIS } from './block.ts';
import type { Hash } from './bytes.ts';
import { COMMITTEE_SIZE, QUORUM, ROUNDS_MAX } from './committee.ts';
import { type Preferences, Validator, type VotedFor } from './validator.ts';

/** What happens to a committee in one run of the model. */
export interface Adversity {
  readonly seed: number;
  /** Members that say and sign whatever lets two blocks become final. */
  readonly equivocators: number;
  /** Members that are away for the whole run. */
  readonly crashed: number;
  /** Blocks that are proposed side by side at each height. */
  readonly forks: number;
  /** Of 100 messages, how many are lost, or come after their round has ended. */
  readonly lost: number;
  /** Of 100 members, how many start again after a round: what they have not stored is gone. */
  readonly restarted: number;
  readonly heights: number;
  readonly attempts: number;
}

export interface ModelRun {
  /** Tips that 16 members have signed. */
  readonly certified: readonly BlockHeader[];
  /** Two of them of which neither stands on the other. */
  readonly isForked: boolean;
  readonly messages: number;
}

const COMMITTEE: Hash = 'c'.repeat(64);

/** A generator of numbers from 0 to below 1 (mulberry32). */
function randomBy(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

interface Member {
  voted: VotedFor | null;
  /** Where its chain is final, as far as it has heard. */
  final: readonly BlockHeader[];
}

/** A committee whose messages are lost, late and out of order, whose members crash and lie, and whose proposer proposes several blocks at a height. */
export class CommitteeModel {
  readonly #adversity: Adversity;
  readonly #random: () => number;
  readonly #members: Member[];
  readonly #headers = new Map<Hash, BlockHeader>();
  readonly #signers = new Map<Hash, Set<number>>();
  #messages = 0;

  constructor(adversity: Adversity) {
    this.#adversity = adversity;
    this.#random = randomBy(adversity.seed);
    this.#members = Array.from({ length: COMMITTEE_SIZE - adversity.equivocators }, () => ({ voted: null, final: [] }));
  }

  run(): ModelRun {
    let ends: (readonly BlockHeader[])[] = [[]];
    for (let height = 1; height <= this.#adversity.heights; height++) {
      const chains = this.#proposals(ends, height);
      for (let attempt = 0; attempt < this.#adversity.attempts; attempt++) this.#attempt(chains);
      ends = chains;
    }
    const certified = [...this.#signers].flatMap(([hash]) => {
      const header = this.#headers.get(hash);
      return header !== undefined && this.#isCertified(hash) ? [header] : [];
    });
    const isForked = certified.some((one) =>
      certified.some((other) => !this.#stands(one, other) && !this.#stands(other, one)),
    );
    return { certified, isForked, messages: this.#messages };
  }

  /** Every proposal stands on any of the last ones, wherever that leads. */
  #proposals(ends: readonly (readonly BlockHeader[])[], height: number): (readonly BlockHeader[])[] {
    return Array.from({ length: this.#adversity.forks }, (_, fork) => {
      const chain = ends[this.#below(ends.length)] ?? [];
      const parent = chain.at(-1) ?? null;
      const header: BlockHeader = {
        committee: COMMITTEE,
        height,
        parent: parent === null ? GENESIS : blockHash(parent),
        slot: height * 10 + fork,
        firstRow: height,
        lastRow: height,
        journalHash: String(fork).repeat(64),
        settlements: 1,
        settlementsRoot: 'a'.repeat(64),
        booksRoot: 'b'.repeat(64),
      };
      this.#headers.set(blockHash(header), header);
      return [...chain, header];
    });
  }

  /** One attempt at the blocks of a height, in up to ten rounds, each member in its own time. */
  #attempt(chains: readonly (readonly BlockHeader[])[]): void {
    const { crashed } = this.#adversity;
    const present = this.#members.slice(Math.min(crashed, this.#members.length));
    const validators = new Map(present.map((member) => [member, this.#started(member, chains)]));
    // To each honest member the equivocators praise what it is to be led to.
    const praised = new Map(present.map((member) => [member, this.#tip(chains[this.#below(chains.length)] ?? [])]));
    for (let round = 0; round < ROUNDS_MAX; round++) {
      const preferences = present.map((member) => validators.get(member)?.preferred ?? null);
      for (const [at, member] of present.entries()) {
        const heard = this.#heard(preferences, at, praised.get(member) ?? GENESIS);
        const vote = validators.get(member)?.endRound(round, heard) ?? null;
        if (vote !== null) this.#sign(member, vote, validators.get(member));
      }
      for (const member of present) {
        if (this.#chance(this.#adversity.restarted)) validators.set(member, this.#started(member, chains));
      }
      for (const member of present) this.#learnFinal(member, chains);
    }
  }

  #started(member: Member, chains: readonly (readonly BlockHeader[])[]): Validator {
    const validator = new Validator(COMMITTEE, member.final.at(-1) ?? null, member.voted);
    const from = this.#below(chains.length);
    for (const chain of [...chains.slice(from), ...chains.slice(0, from)]) {
      if (this.#chance(this.#adversity.lost)) continue;
      const end = member.final.at(-1);
      const isOnFinal = end === undefined || chain.some((header) => blockHash(header) === blockHash(end));
      if (isOnFinal) validator.consider(chain.slice(member.final.length));
    }
    return validator;
  }

  #heard(preferences: readonly (Hash | null)[], own: number, praised: Hash): Preferences {
    const heard = new Map<number, Hash>();
    for (const [member, preference] of preferences.entries()) {
      this.#messages += 1;
      if (preference !== null && (member === own || !this.#chance(this.#adversity.lost))) heard.set(member, preference);
    }
    for (let liar = 0; liar < this.#adversity.equivocators; liar++) heard.set(COMMITTEE_SIZE - 1 - liar, praised);
    return heard;
  }

  #sign(member: Member, vote: VotedFor, validator: Validator | undefined): void {
    member.voted = vote;
    validator?.voted(vote);
    const signers = this.#signers.get(vote.hash) ?? new Set();
    signers.add(this.#members.indexOf(member));
    this.#signers.set(vote.hash, signers);
  }

  /** Some members hear of a certificate, others do not. */
  #learnFinal(member: Member, chains: readonly (readonly BlockHeader[])[]): void {
    for (const chain of chains) {
      if (
        chain.length > member.final.length &&
        this.#isCertified(this.#tip(chain)) &&
        !this.#chance(this.#adversity.lost)
      )
        member.final = chain;
    }
  }

  #isCertified(hash: Hash): boolean {
    return (this.#signers.get(hash)?.size ?? 0) + this.#adversity.equivocators >= QUORUM;
  }

  /** Whether the second block is the first, or stands on it. */
  #stands(first: BlockHeader, second: BlockHeader): boolean {
    let at: BlockHeader | undefined = second;
    while (at !== undefined && at.height > first.height) at = this.#headers.get(at.parent);
    return at !== undefined && blockHash(at) === blockHash(first);
  }

  #tip(chain: readonly BlockHeader[]): Hash {
    const tip = chain.at(-1);
    return tip === undefined ? GENESIS : blockHash(tip);
  }

  #below(bound: number): number {
    return Math.floor(this.#random() * bound);
  }

  #chance(percent: number): boolean {
    return this.#random() * 100 < percent;
  }
}
