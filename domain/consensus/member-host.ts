import { type BlockHeader, blockHash } from './block.ts';
import type { Hash } from './bytes.ts';
import { certificateFault, type QuorumCertificate } from './certificate.ts';
import type { CheckpointCrypto } from './checkpoints/checkpoint-crypto.ts';
import { type MemberCheckpointKeys, memberCheckpointKeys } from './checkpoints/checkpoint-keys.ts';
import { type CheckpointProposal, CheckpointSigner } from './checkpoints/checkpoint-member.ts';
import type { CheckpointVote, SignedCheckpoint } from './checkpoints/checkpoint-vote.ts';
import {
  COMMITTEE_SIZE,
  type Committee,
  committeeFault,
  committeeHash,
  EPOCHS_AHEAD_MAX,
  QUORUM,
} from './committee.ts';
import { type MemberKey, memberKey, verifyEd25519 } from './ed25519.ts';
import {
  handoverMessage,
  type PublishedCommittee,
  type Successor,
  strangersOf,
  successorMessage,
  trustedCommittees,
} from './handover.ts';
import { DECISION_HEADERS_MAX, Member, type Proposal, type RoundEnd } from './member.ts';
import { memberSecrets } from './member-secrets.ts';
import type { VotedFor } from './validator.ts';

/** Committees with their handovers that a member looks at in one call: some 5 kB each, with up to 20 signatures that it verifies. */
export const SHOWN_COMMITTEES_MAX = 8;
/** Members of a committee that may be strangers to those of the ones before, in any `STRANGERS_DAYS`. */
export const STRANGERS_MAX = COMMITTEE_SIZE - QUORUM;
/** Time in which whoever is put out of a committee, or reads who is in it, can say so before more follow. */
export const STRANGERS_DAYS = 7;
const STRANGERS_MS = STRANGERS_DAYS * 86_400_000;
/** Epochs in which a member that has never voted makes keys: it has no reason to refuse any, and keeps each key for good. */
export const FIRST_EPOCHS_MAX = 128;
/** Seats and keys that an instance has at hand; the others are made again where they are wanted. */
const AT_HAND_MAX = 64;
/** Its secrets follow from a seed of its own for each epoch, so they need no number. */
const OWN = 0;

/** What a member must never forget. What it says leaves its place once this is on disk. */
export interface MemberMemory {
  /** 32 random bytes of an epoch, the same for good; null where none are made. */
  seed(epoch: number): Uint8Array | null;
  makeSeed(epoch: number): Uint8Array;
  /** How many seeds there are. */
  readonly seeds: number;
  /** Keeps the first committee of an epoch that it has a part in. @returns whether it is this one */
  meets(committee: Committee): boolean;
  /** Keeps a committee whose certificates it believes from here on, or believes again. */
  believe(step: BelievedCommittee): void;
  /** Those that it believes. */
  believed(): readonly BelievedCommittee[];
  /** Keeps what it names, or names again: the last count of strangers, and the first time. */
  keepNamed(named: NamedCommittee): void;
  /** The committees that it has named after this one. */
  namedAfter(before: Hash): readonly NamedCommittee[];
  /** Whether it has voted in any committee. */
  readonly hasVoted: boolean;
  /** Its last vote in the committee of the latest epoch in which it has voted. */
  lastVote(): CommitteeVote | null;
  keepVote(committee: Hash, vote: VotedFor): void;
  /** The last checkpoint that it has signed in a committee. */
  checkpoint(committee: Hash): SignedCheckpoint | null;
  keepCheckpoint(committee: Hash, signed: SignedCheckpoint): void;
}

/** A committee that a member believes, and why. */
export interface BelievedCommittee {
  readonly committee: Committee;
  /** The one that has named it; null where the member has begun with it. */
  readonly before: Hash | null;
  /** When it was first believed; where the member has voted in it, or in one after it, when it first did. Unix ms by the member's own clock. */
  readonly at: number;
}

/** A committee that a member has named after another one: by both, since two may name the same one. */
export interface NamedCommittee {
  readonly before: Hash;
  readonly next: Hash;
  /** Members of whom the one before does not know. */
  readonly strangers: number;
  /** When it was first named, Unix ms by the member's own clock. */
  readonly at: number;
}

/** A vote, and the epoch of the committee that it was given in. */
export interface CommitteeVote extends VotedFor {
  readonly epoch: number;
}

/** A member of committees as whoever forms them and asks for its signatures reaches it, wherever it lives. An exception means that it is away. */
export interface HostedMember {
  /** Its Ed25519 public key in an epoch, hexadecimal; made when first asked for, and the same for good. @throws Error for an epoch that is too far off */
  publicKey(epoch: number): Promise<string>;
  /**
   * Whether it would vote in this committee on what follows a block, once that is final: asked before a block names the committee, since it has to be made final by it then.
   *
   * @param last null before the first block
   * @param before the committee of that block, where it is another one
   * @throws Error in a committee that it is not of
   */
  wouldVote(
    committee: Committee,
    last: BlockHeader | null,
    before: Committee | null,
    shown: readonly PublishedCommittee[],
  ): Promise<boolean>;
  /**
   * As `CommitteeMember`, in a committee that has this member's key of its epoch. One that has voted takes part in committees alone that it believes.
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
  /** As `CheckpointMember`, in a committee that it believes. */
  signCheckpoint(committee: Committee, proposal: CheckpointProposal): Promise<CheckpointVote | null>;
  /** Its key in a later epoch, signed by that of this committee and by itself. @throws Error in a committee that it is not of */
  signSuccessor(committee: Committee, epoch: number): Promise<Omit<Successor, 'member'>>;
  /**
   * Its signature that a committee comes after one that it is of, and believes. It has its last vote in that one, and names committees alone that have its own key of their epoch, one an epoch, and few strangers in some days.
   *
   * @param successors by member, ascending: who of the committee before goes on in the next
   * @throws Error for another, or in a committee that it is not of
   */
  signHandover(committee: Committee, next: Committee, successors: readonly Successor[]): Promise<string>;
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
  readonly #now: () => number;
  readonly #keys = new Map<number, Promise<MemberKey>>();
  readonly #seats = new Map<Hash, Promise<Seat>>();
  /** The committee of before as the sequencer says, until the first vote. */
  #toldBefore: Committee | null = null;

  /**
   * @param suites asked for with the first checkpoint
   * @param now Unix ms
   */
  constructor(memory: MemberMemory, suites: () => CheckpointCrypto, now: () => number) {
    this.#memory = memory;
    this.#suites = suites;
    this.#now = now;
  }

  async publicKey(epoch: number): Promise<string> {
    return (await this.#key(epoch)).publicKey;
  }

  async wouldVote(
    committee: Committee,
    last: BlockHeader | null,
    before: Committee | null,
    shown: readonly PublishedCommittee[],
  ): Promise<boolean> {
    const { hash } = await this.#seat(committee);
    if (!this.#memory.hasVoted) return before === null || isNext(before, committee);
    await this.#believeNamed(shown);
    const lastVote = this.#memory.lastVote();
    if (!this.#believes(hash) || (lastVote?.epoch ?? 0) > committee.epoch || last === null) return false;
    const of = this.#believed(last.committee)?.committee ?? null;
    return lastVote?.hash === blockHash(last) || (of !== null && this.#mayFree(of, last));
  }

  async consider(
    committee: Committee,
    before: Committee | null,
    proposal: Proposal,
    shown: readonly PublishedCommittee[] = [],
  ): Promise<Hash | null> {
    if (proposal.chain.length > DECISION_HEADERS_MAX) throw new RangeError(`more than ${DECISION_HEADERS_MAX} headers`);
    const { member, hash } = await this.#seat(committee);
    if (this.#memory.hasVoted) {
      await this.#believeNamed(shown);
      if (!this.#believes(hash)) return null;
    } else if (before !== null) {
      if (!isNext(before, committee)) return null;
      this.#toldBefore = before;
    }
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
    if (!this.#believes(hash)) return null;
    const signed = {
      last: () => this.#memory.checkpoint(hash),
      save: (last: SignedCheckpoint) => this.#memory.keepCheckpoint(hash, last),
    };
    const pair = this.#checkpointPair(committee.epoch);
    const provesFinal = this.#proofBy(() => [committee]);
    return new CheckpointSigner({ number, pair, signed, provesFinal }).sign(proposal);
  }

  async signSuccessor(committee: Committee, epoch: number): Promise<Omit<Successor, 'member'>> {
    const { hash, key } = await this.#seat(committee);
    const later = await this.#key(epoch);
    const message = successorMessage(hash, epoch, { from: key.publicKey, to: later.publicKey });
    return { key: later.publicKey, signature: await key.sign(message), proof: await later.sign(message) };
  }

  async signHandover(committee: Committee, next: Committee, successors: readonly Successor[]): Promise<string> {
    const { hash, key } = await this.#seat(committee);
    const fault = committeeFault(next);
    if (fault !== null) throw new Error(`no committee: ${fault}`);
    if (!this.#believes(hash)) throw new Error('this member does not believe the committee before');
    if (next.epoch <= committee.epoch) throw new Error('the epoch of the next committee is not later');
    if (!isNext(committee, next)) throw new Error(`the epoch is more than ${EPOCHS_AHEAD_MAX} later`);
    if (!next.keys.includes(await this.publicKey(next.epoch)))
      throw new Error('this member is not of the next committee');
    const strangers = await strangersOf(successors, committee, next, verifyEd25519);
    if (!strangers.ok) throw new Error(strangers.error);
    // It may have voted elsewhere since it was asked.
    if (this.#memory.lastVote()?.epoch !== committee.epoch)
      throw new Error('the last vote of this member is of another epoch');
    const named = committeeHash(next);
    const allowed = STRANGERS_MAX - this.#strangersUpTo(hash) - this.#strangersBeside(hash, named);
    if (strangers.value > allowed)
      throw new Error(`it has ${strangers.value} members of whom no committee before knows, and may have ${allowed}`);
    if (!this.#memory.meets(next)) throw new Error(`this member is of another committee of epoch ${next.epoch}`);
    const believed = this.#believed(named);
    if (believed !== null && believed.before !== hash) throw new Error('another committee has named it');
    this.#memory.keepNamed({ before: hash, next: named, strangers: strangers.value, at: this.#now() });
    return key.sign(handoverMessage(hash, named));
  }

  /** Its place in a committee: calls that come together have one. */
  #seat(committee: Committee): Promise<Seat> {
    return atHand(this.#seats, committeeHash(committee), (hash) => this.#takeSeat(committee, hash));
  }

  async #takeSeat(committee: Committee, hash: Hash): Promise<Seat> {
    const fault = committeeFault(committee);
    if (fault !== null) throw new Error(`no committee: ${fault}`);
    const key = await this.#key(committee.epoch);
    const number = committee.keys.indexOf(key.publicKey);
    if (number === -1) throw new Error('this member is not of the committee');
    const votes = {
      last: () => this.#memory.lastVote(),
      save: (vote: VotedFor) => this.#keepVote(committee, hash, vote),
    };
    const provesFinal = this.#proofBy((final) =>
      this.#memory.hasVoted
        ? this.#believedCommittees().filter((each) => this.#mayFree(each, final))
        : [committee, ...(this.#toldBefore === null ? [] : [this.#toldBefore])],
    );
    const member = new Member({ number, committee: hash, key, votes, provesFinal });
    return { number, hash, key, member };
  }

  #keepVote(committee: Committee, hash: Hash, vote: VotedFor): void {
    if ((this.#memory.lastVote()?.epoch ?? 0) > committee.epoch)
      throw new Error('this member has voted in a later epoch');
    if (this.#memory.hasVoted && !this.#believes(hash)) throw new Error('this member does not believe the committee');
    if (!this.#memory.meets(committee))
      throw new Error(`this member is of another committee of epoch ${committee.epoch}`);
    if (!this.#memory.hasVoted) this.#believeFirst(committee);
    else this.#believeFromNow(hash);
    this.#memory.keepVote(hash, vote);
  }

  /** With its first vote a member takes the sequencer's word for the committees that it starts from. */
  #believeFirst(committee: Committee): void {
    const at = this.#now();
    for (const each of [committee, this.#toldBefore])
      if (each !== null) this.#memory.believe({ committee: each, before: null, at });
  }

  /** What committees were named with counts from its first vote in them, or beyond them: they may have been named long before, and put aside. */
  #believeFromNow(hash: Hash): void {
    const at = this.#now();
    const votedIn = this.#memory.lastVote()?.epoch ?? 0;
    for (let of: Hash | null = hash; of !== null; ) {
      const step: BelievedCommittee | null = this.#believed(of);
      if (step === null || step.committee.epoch <= votedIn) return;
      this.#memory.believe({ ...step, at });
      of = step.before;
    }
  }

  #believed(hash: Hash): BelievedCommittee | null {
    return this.#memory.believed().find(({ committee }) => committeeHash(committee) === hash) ?? null;
  }

  #believedCommittees(): Committee[] {
    return this.#memory.believed().map(({ committee }) => committee);
  }

  /** Whether a committee may free it from its last vote: one of an earlier epoch has no block as high as that, unless its keys are in other hands by now. */
  #mayFree({ epoch }: Committee, { height }: BlockHeader): boolean {
    const lastVote = this.#memory.lastVote();
    return lastVote === null || epoch >= lastVote.epoch || height < lastVote.height;
  }

  #believes(hash: Hash): boolean {
    return this.#believed(hash) !== null;
  }

  /** Believes the committees that are named, from one to the next, from one that it believes. */
  async #believeNamed(shown: readonly PublishedCommittee[]): Promise<void> {
    if (shown.length > SHOWN_COMMITTEES_MAX) throw new RangeError(`more than ${SHOWN_COMMITTEES_MAX} committees`);
    const known = this.#memory.believed().map(({ committee }) => committeeHash(committee));
    const others = shown.filter(({ epoch, keys }) => !known.includes(committeeHash({ epoch, keys })));
    if (others.length === 0) return;
    const trusted = await trustedCommittees(shown, known, verifyEd25519);
    const at = this.#now();
    for (const { handover, epoch, keys } of others) {
      const committee = { epoch, keys };
      if (trusted.has(committeeHash(committee)))
        this.#memory.believe({ committee, before: handover?.before ?? null, at });
    }
  }

  /** Strangers of the last days on the way to a committee that it believes. Of a committee that others have named they are as many as there may be. */
  #strangersUpTo(hash: Hash): number {
    const since = this.#now() - STRANGERS_MS;
    this.#takeAsNow();
    const steps = new Map(this.#memory.believed().map((step) => [committeeHash(step.committee), step]));
    let strangers = 0;
    for (let of: Hash | null = hash; of !== null; ) {
      const step: BelievedCommittee | undefined = steps.get(of);
      // Each step is walked once, whatever they say of one another.
      steps.delete(of);
      if (step === undefined || step.before === null) break;
      const next = of;
      const named = this.#memory.namedAfter(step.before).find((each) => each.next === next);
      if (step.at > since) strangers += named?.strangers ?? STRANGERS_MAX;
      of = step.before;
    }
    return strangers;
  }

  /** Strangers of the last days in other committees that it has named after the same one: votes may go from one of them to the next. */
  #strangersBeside(before: Hash, next: Hash): number {
    const now = this.#now();
    // One that was named by a clock that was ahead is named from now on.
    const others = this.#memory.namedAfter(before).filter((named) => named.next !== next);
    for (const named of others) if (named.at > now) this.#memory.keepNamed({ ...named, at: now });
    return others.filter(({ at }) => at > now - STRANGERS_MS).reduce((sum, { strangers }) => sum + strangers, 0);
  }

  /** What is believed since a time that is still to come, by a clock that was ahead, is believed from now on: it would count for as long else. */
  #takeAsNow(): void {
    const now = this.#now();
    for (const step of this.#memory.believed()) if (step.at > now) this.#memory.believe({ ...step, at: now });
  }

  /** Whether a certificate proves a block final to it: one of these committees. What frees it from its last vote is no committee for having it as a member: a liar makes that of its key and of invented ones. */
  #proofBy(committees: (final: BlockHeader) => readonly Committee[]) {
    return async (final: BlockHeader, certificate: QuorumCertificate | null): Promise<boolean> => {
      const committee = committees(final).find((each) => committeeHash(each) === final.committee) ?? null;
      return isProved(final, certificate, committee);
    };
  }

  #key(epoch: number): Promise<MemberKey> {
    return atHand(this.#keys, epoch, () => memberKey(this.#secrets(epoch).ed25519));
  }

  /** Of an epoch that may be: whoever can ask does not fill the memory, and keys of later epochs are not made before they are wanted. */
  #secrets(epoch: number) {
    const { hasVoted, seeds } = this.#memory;
    const kept = this.#memory.seed(epoch);
    if (kept === null && hasVoted) {
      const latest = Math.max(0, ...this.#memory.believed().map(({ committee }) => committee.epoch));
      if (epoch > latest + EPOCHS_AHEAD_MAX) throw new Error(`epoch ${epoch} is more than ${EPOCHS_AHEAD_MAX} ahead`);
    }
    if (kept === null && !hasVoted && seeds >= FIRST_EPOCHS_MAX)
      throw new Error(`this member has never voted, and has keys of ${seeds} epochs`);
    return memberSecrets(kept ?? this.#memory.makeSeed(epoch), epoch, OWN);
  }

  #checkpointPair(epoch: number) {
    const suites = this.#suites();
    const { bls, mlDsa } = this.#secrets(epoch);
    return { bls: suites.bls.keyPair(bls), mlDsa: suites.mlDsa.keyPair(mlDsa) };
  }
}

/** Whether a committee may come after another one by its epoch. */
function isNext(before: Committee, next: Committee): boolean {
  if (committeeFault(before) !== null) return false;
  return next.epoch > before.epoch && next.epoch <= before.epoch + EPOCHS_AHEAD_MAX;
}

/** One that is at hand, or is made; what fails is made again, and the oldest gives way. */
function atHand<Key, Made>(made: Map<Key, Promise<Made>>, key: Key, make: (key: Key) => Promise<Made>): Promise<Made> {
  const known = made.get(key);
  if (known !== undefined) return known;
  const [oldest] = made.keys();
  if (made.size >= AT_HAND_MAX && oldest !== undefined) made.delete(oldest);
  const one = make(key);
  made.set(key, one);
  one.catch(() => made.delete(key));
  return one;
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
