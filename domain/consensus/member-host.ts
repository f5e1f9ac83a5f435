import { type BlockHeader, blockHash } from './block.ts';
import type { Hash } from './bytes.ts';
import { certificateFault, type QuorumCertificate } from './certificate.ts';
import type { CheckpointCrypto } from './checkpoints/checkpoint-crypto.ts';
import { type MemberCheckpointKeys, memberCheckpointKeys } from './checkpoints/checkpoint-keys.ts';
import { type CheckpointProposal, CheckpointSigner } from './checkpoints/checkpoint-member.ts';
import type { CheckpointVote, SignedCheckpoint } from './checkpoints/checkpoint-vote.ts';
import { type Committee, committeeFault, committeeHash } from './committee.ts';
import { type MemberKey, memberKey, verifyEd25519 } from './ed25519.ts';
import { handoverMessage } from './handover.ts';
import { Member, type Proposal, type RoundEnd } from './member.ts';
import { memberSecrets } from './member-secrets.ts';
import type { VotedFor } from './validator.ts';

/** Headers of one decision at most; the sequencer proposes half of that. */
export const DECISION_HEADERS_MAX = 256;
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
   * @throws Error in a committee that it is not of
   */
  consider(committee: Committee, before: Committee | null, proposal: Proposal): Promise<Hash | null>;
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

/** One member of committees in a place of its own, with keys that it has made. It believes nobody that a block is final: it sees the certificate of a committee that it has met. */
export class MemberHost implements HostedMember {
  readonly #memory: MemberMemory;
  readonly #suites: () => CheckpointCrypto;
  readonly #keys = new Map<number, Promise<MemberKey>>();
  readonly #seats = new Map<Hash, Promise<Seat>>();

  /** @param suites asked for with the first checkpoint */
  constructor(memory: MemberMemory, suites: () => CheckpointCrypto) {
    this.#memory = memory;
    this.#suites = suites;
  }

  async publicKey(epoch: number): Promise<string> {
    return (await this.#key(epoch)).publicKey;
  }

  async consider(committee: Committee, before: Committee | null, proposal: Proposal): Promise<Hash | null> {
    if (proposal.chain.length > DECISION_HEADERS_MAX) throw new RangeError(`more than ${DECISION_HEADERS_MAX} headers`);
    const { member } = await this.#seat(committee);
    const isBefore = before !== null && committeeFault(before) === null && before.epoch < committee.epoch;
    if (isBefore && !this.#memory.hasVoted) this.#memory.meets(before);
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
    return new CheckpointSigner({ number, pair, signed, provesFinal: this.#provesFinal }).sign(proposal);
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
        this.#memory.keepVote(hash, vote);
      },
    };
    const member = new Member({ number, committee: hash, key, votes, provesFinal: this.#provesFinal });
    return { number, hash, key, member };
  }

  readonly #provesFinal = async (final: BlockHeader, certificate: QuorumCertificate | null): Promise<boolean> => {
    if (certificate === null || certificate.height !== final.height || certificate.hash !== blockHash(final))
      return false;
    const committee = this.#memory.committee(final.committee);
    return committee !== null && (await certificateFault(certificate, committee, verifyEd25519)) === null;
  };

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
