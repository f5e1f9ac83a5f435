import { type BlockHeader, blockHash } from './block.ts';
import type { Hash } from './bytes.ts';
import { certificateFault, type QuorumCertificate } from './certificate.ts';
import type { CheckpointCrypto } from './checkpoints/checkpoint-crypto.ts';
import { type MemberCheckpointKeys, memberCheckpointKeys } from './checkpoints/checkpoint-keys.ts';
import { type CheckpointProposal, CheckpointSigner } from './checkpoints/checkpoint-member.ts';
import type { CheckpointVote, SignedCheckpoint } from './checkpoints/checkpoint-vote.ts';
import { type Committee, committeeFault, committeeHash } from './committee.ts';
import { type MemberKey, memberKey, verifyEd25519 } from './ed25519.ts';
import { handoverMessage, type PublishedCommittee, trustedCommittees } from './handover.ts';
import { Member, type Proposal, type RoundEnd } from './member.ts';
import { memberSecrets } from './member-secrets.ts';
import type { VotedFor } from './validator.ts';

/** Headers of one decision at most; the sequencer proposes half of that. */
export const DECISION_HEADERS_MAX = 256;
/** Committees with their handovers that a member looks at in one call: some 5 kB each, with up to 20 signatures that it verifies. */
export const SHOWN_COMMITTEES_MAX = 8;
/** Its secrets follow from a seed of its own for each epoch, so they need no number. */
const OWN = 0;

/** What a member must never forget. What it says leaves its place once this is on disk. */
export interface MemberMemory {
  /** 32 random bytes, the same for an epoch for good. */
  seed(epoch: number): Uint8Array;
  /** Keeps the first committee of an epoch that it meets. @returns whether it is this one */
  meets(committee: Committee): boolean;
  /** One that it has met. */
  committee(hash: Hash): Committee | null;
  /** Keeps a committee whose certificates it believes from here on. */
  believe(committee: Committee): void;
  /** Those that it believes once it has voted. */
  believed(): readonly Committee[];
  /** Whether it has voted in any committee. */
  readonly hasVoted: boolean;
  /** Its last vote in the committee of the latest epoch in which it has voted. */
  lastVote(): CommitteeVote | null;
  keepVote(committee: Hash, vote: VotedFor): void;
  /** The last checkpoint that it has signed in a committee. */
  checkpoint(committee: Hash): SignedCheckpoint | null;
  keepCheckpoint(committee: Hash, signed: SignedCheckpoint): void;
}

/** A vote, and the epoch of the committee that it was given in. */
export interface CommitteeVote extends VotedFor {
  readonly epoch: number;
}

/** A member of committees as whoever forms them and asks for its signatures reaches it, wherever it lives. An exception means that it is away. */
export interface HostedMember {
  /** Its Ed25519 public key in an epoch, hexadecimal; made when first asked for, and the same for good. */
  publicKey(epoch: number): Promise<string>;
  /**
   * As `CommitteeMember`, in a committee that has this member's key of its epoch.
   *
   * @param before the committee of the final block that is built on, where it is another one. A member that has never voted believes this; others know theirs.
   * @param shown committees with their handovers, in the order of their epochs. A member that has voted believes those that are named from one to the next from one that it believes
   * @throws Error in a committee that it is not of
   */
  consider(
    committee: Committee,
    before: Committee | null,
    proposal: Proposal,
    shown?: readonly PublishedCommittee[],
  ): Promise<Hash | null>;
  endRound(committee: Committee, round: number, heard: readonly (readonly [number, Hash])[]): Promise<RoundEnd>;
  /** What it signs checkpoints of a committee with. */
  checkpointKeys(committee: Committee): Promise<MemberCheckpointKeys>;
  /** As `CheckpointMember`. */
  signCheckpoint(committee: Committee, proposal: CheckpointProposal): Promise<CheckpointVote | null>;
  /**
   * Its signature that a committee comes after one that it is of. It names committees alone that have its own key of their epoch, and one an epoch: that in which it sits.
   *
   * @throws Error for another, or in a committee that it is not of
   */
  signHandover(committee: Committee, next: Committee): Promise<string>;
}

/** Its part in one committee. */
interface Seat {
  readonly number: number;
  readonly hash: Hash;
  readonly key: MemberKey;
  readonly member: Member;
}

/** One member of committees in a place of its own, with keys that it has made. It believes nobody that a block is final: it sees the certificate of a committee that it has reason to believe. */
export class MemberHost implements HostedMember {
  readonly #memory: MemberMemory;
  readonly #suites: () => CheckpointCrypto;
  readonly #keys = new Map<number, Promise<MemberKey>>();
  readonly #seats = new Map<Hash, Promise<Seat>>();
  /** The committee of before as the sequencer says, until the first vote. */
  #toldBefore: Committee | null = null;

  /** @param suites asked for with the first checkpoint */
  constructor(memory: MemberMemory, suites: () => CheckpointCrypto) {
    this.#memory = memory;
    this.#suites = suites;
  }

  async publicKey(epoch: number): Promise<string> {
    return (await this.#key(epoch)).publicKey;
  }

  async consider(
    committee: Committee,
    before: Committee | null,
    proposal: Proposal,
    shown: readonly PublishedCommittee[] = [],
  ): Promise<Hash | null> {
    if (shown.length > SHOWN_COMMITTEES_MAX) throw new RangeError(`more than ${SHOWN_COMMITTEES_MAX} committees`);
    if (proposal.chain.length > DECISION_HEADERS_MAX) throw new RangeError(`more than ${DECISION_HEADERS_MAX} headers`);
    const { member } = await this.#seat(committee);
    const isBefore = before !== null && committeeFault(before) === null && before.epoch < committee.epoch;
    if (isBefore && !this.#memory.hasVoted) {
      this.#memory.meets(before);
      this.#toldBefore = before;
    }
    if (this.#memory.hasVoted) await this.#believeNamed(shown);
    return member.consider(proposal);
  }

  async endRound(committee: Committee, round: number, heard: readonly (readonly [number, Hash])[]): Promise<RoundEnd> {
    return (await this.#seat(committee)).member.endRound(round, heard);
  }

  async checkpointKeys(committee: Committee): Promise<MemberCheckpointKeys> {
    const { hash, number, key: ed25519 } = await this.#seat(committee);
    return memberCheckpointKeys(hash, number, { ...this.#checkpointPair(committee.epoch), ed25519 });
  }

  async signCheckpoint(committee: Committee, proposal: CheckpointProposal): Promise<CheckpointVote | null> {
    const { hash, number } = await this.#seat(committee);
    const signed = {
      last: () => this.#memory.checkpoint(hash),
      save: (last: SignedCheckpoint) => this.#memory.keepCheckpoint(hash, last),
    };
    const pair = this.#checkpointPair(committee.epoch);
    return new CheckpointSigner({ number, pair, signed, provesFinal: this.#provesMet }).sign(proposal);
  }

  async signHandover(committee: Committee, next: Committee): Promise<string> {
    const { hash, key } = await this.#seat(committee);
    const fault = committeeFault(next);
    if (fault !== null) throw new Error(`no committee: ${fault}`);
    if (next.epoch <= committee.epoch) throw new Error('the epoch of the next committee is not later');
    if (!next.keys.includes(await this.publicKey(next.epoch)))
      throw new Error('this member is not of the next committee');
    if (!this.#memory.meets(next)) throw new Error(`this member is of another committee of epoch ${next.epoch}`);
    return key.sign(handoverMessage(hash, committeeHash(next)));
  }

  /** Its place in a committee, which it takes once an epoch: calls that come together have one. */
  #seat(committee: Committee): Promise<Seat> {
    const hash = committeeHash(committee);
    const known = this.#seats.get(hash);
    if (known !== undefined) return known;
    const taken = this.#takeSeat(committee, hash);
    this.#seats.set(hash, taken);
    taken.catch(() => this.#seats.delete(hash));
    return taken;
  }

  async #takeSeat(committee: Committee, hash: Hash): Promise<Seat> {
    const fault = committeeFault(committee);
    if (fault !== null) throw new Error(`no committee: ${fault}`);
    const key = await this.#key(committee.epoch);
    const number = committee.keys.indexOf(key.publicKey);
    if (number === -1) throw new Error('this member is not of the committee');
    if (!this.#memory.meets(committee))
      throw new Error(`this member is of another committee of epoch ${committee.epoch}`);
    const votes = {
      last: () => this.#memory.lastVote(),
      save: (vote: VotedFor) => {
        if ((this.#memory.lastVote()?.epoch ?? 0) > committee.epoch)
          throw new Error('this member has voted in a later epoch');
        if (!this.#memory.hasVoted) this.#believeFirst(committee);
        this.#memory.keepVote(hash, vote);
      },
    };
    const member = new Member({ number, committee: hash, key, votes, provesFinal: this.#provesFinal });
    return { number, hash, key, member };
  }

  /** With its first vote a member takes the sequencer's word for the committees that it starts from. */
  #believeFirst(committee: Committee): void {
    if (this.#toldBefore !== null) this.#memory.believe(this.#toldBefore);
    this.#memory.believe(committee);
  }

  /** Believes the committees that are named, from one to the next, from one that it believes. */
  async #believeNamed(shown: readonly PublishedCommittee[]): Promise<void> {
    const believed = this.#memory.believed();
    const known = new Set(believed.map(committeeHash));
    if (shown.every(({ epoch, keys }) => known.has(committeeHash({ epoch, keys })))) return;
    const trusted = await trustedCommittees(shown, [...known], verifyEd25519);
    for (const { epoch, keys } of shown) {
      const hash = committeeHash({ epoch, keys });
      if (trusted.has(hash) && !known.has(hash)) this.#memory.believe({ epoch, keys });
    }
  }

  /** Frees it from its last vote: so not every committee that it sits in can prove this, since that may be made of its key and of invented ones. */
  readonly #provesFinal = async (final: BlockHeader, certificate: QuorumCertificate | null): Promise<boolean> => {
    if (!this.#memory.hasVoted) return this.#provesMet(final, certificate);
    const committee = this.#memory.believed().find((each) => committeeHash(each) === final.committee) ?? null;
    return isProved(final, certificate, committee);
  };

  /** Checkpoints of a committee count for it alone, and free nobody from a vote. */
  readonly #provesMet = async (final: BlockHeader, certificate: QuorumCertificate | null): Promise<boolean> =>
    isProved(final, certificate, this.#memory.committee(final.committee));

  #key(epoch: number): Promise<MemberKey> {
    const known = this.#keys.get(epoch);
    if (known !== undefined) return known;
    const made = memberKey(memberSecrets(this.#memory.seed(epoch), epoch, OWN).ed25519);
    this.#keys.set(epoch, made);
    made.catch(() => this.#keys.delete(epoch));
    return made;
  }

  #checkpointPair(epoch: number) {
    const suites = this.#suites();
    const { bls, mlDsa } = memberSecrets(this.#memory.seed(epoch), epoch, OWN);
    return { bls: suites.bls.keyPair(bls), mlDsa: suites.mlDsa.keyPair(mlDsa) };
  }
}

async function isProved(
  final: BlockHeader,
  certificate: QuorumCertificate | null,
  committee: Committee | null,
): Promise<boolean> {
  if (committee === null || certificate === null) return false;
  if (certificate.height !== final.height || certificate.hash !== blockHash(final)) return false;
  return (await certificateFault(certificate, committee, verifyEd25519)) === null;
}
