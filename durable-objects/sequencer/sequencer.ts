import { DurableObject } from 'cloudflare:workers';
import { GrowingPause } from '../../domain/calendar/growing-pause.ts';
import { PausedTries } from '../../domain/calendar/paused-tries.ts';
import { type BlockHeader, blockHash } from '../../domain/consensus/block.ts';
import { BlockMaker, type MadeBlock } from '../../domain/consensus/block-maker.ts';
import type { Hash } from '../../domain/consensus/bytes.ts';
import type { QuorumCertificate } from '../../domain/consensus/certificate.ts';
import { CHECKPOINT_BLOCKS_MAX } from '../../domain/consensus/checkpoints/checkpoint.ts';
import {
  COMMITTEE_SIZE,
  type Committee,
  committeeFault,
  committeeHash,
  EPOCHS_AHEAD_MAX,
  QUORUM,
} from '../../domain/consensus/committee.ts';
import { decide } from '../../domain/consensus/decide.ts';
import { verifyEd25519 } from '../../domain/consensus/ed25519.ts';
import { findEquivocation } from '../../domain/consensus/equivocation.ts';
import {
  type Handover,
  handoverFault,
  handoverMessage,
  type Successor,
  strangersOf,
} from '../../domain/consensus/handover.ts';
import type { CommitteeMember } from '../../domain/consensus/member.ts';
import { SHOWN_COMMITTEES_MAX } from '../../domain/consensus/member-host.ts';
import { inclusionPath } from '../../domain/consensus/merkle-tree.ts';
import type { Vote } from '../../domain/consensus/vote.ts';
import { JournalBroken, type StoredRow } from '../../domain/ledger/journal-chain.ts';
import { segmentRows } from '../../domain/ledger/journal-source.ts';
import { COMMITTEES_PAGE, type ShownCommittee } from '../../protocol/receipts/committees-document.ts';
import { checkpointerOf, wakeCheckpointer } from '../checkpointer/api.ts';
import { ledgerOf } from '../ledger/api.ts';
import { log } from '../log/log.ts';
import { wakeRecorder } from '../recorder/api.ts';
import {
  areMembersHosted,
  hostedHandover,
  hostedMember,
  hostedMembers,
  hostedPlaces,
  hostedSuccessors,
  hostedWilling,
  inTime,
  isMemberAt,
  type MemberPlaces,
  memberPlaces,
  placeName,
  type Willingness,
} from '../validator/api.ts';
import {
  type CertifiedRun,
  FINALITIES_MAX,
  type FinalEntries,
  type Finality,
  type FinalityProof,
  type SequencerApi,
  type SequencerStatus,
} from './api.ts';
import { BlockStore } from './block-store.ts';
import { type EmbeddedCommittee, embeddedCommittee } from './embedded-committee.ts';

/** Blocks of one vote: what a receipt shows of those that stand on its own is at most so many headers. */
const WINDOW_BLOCKS_MAX = 128;
/** Blocks of one answer to who wants all entries. One has some thousands of them at most. */
const ENTRY_BLOCKS_MAX = 16;
/** Until it tries again by itself what has failed, or what a crash has left: each try may read a part of the journal and ask all members. */
const RETRY_MS = 5_000;
const RETRY_MS_MAX = 300_000;
/** Until members whose votes are missing are asked again, whoever calls: who comes back is heard within a minute. */
const VOTES_RETRY_MS_MAX = 60_000;
/** Who forms a committee asks each of its members twice, and goes on without it where one hangs. */
const FORM_WAIT_MS = 30_000;
/** Parts of the journal that are read at one go; an alarm goes on with the next. */
const PARTS_MAX = 50;
const MEMBERS = Array.from({ length: COMMITTEE_SIZE }, (_, member) => member);
/** Headers of a proof that a member has voted twice. */
const EQUIVOCATION_HEADERS_MAX = 1_000;
const EQUIVOCATIONS_SHOWN = 100;
/** Between two lines of the log that name absent members: a slow one may be absent from every other vote. */
const ABSENT_LOG_MS = 60_000;
/** Until committees are asked again to name those after them, and members whether they have moved. */
const HANDOVER_RETRY_MS = 300_000;
const HANDOVER_RETRY_MS_MAX = 3_600_000;
/** Committees that are asked for at one go: each may take as long as a member that does not answer. */
const HANDOVERS_MAX = 8;
/** How long a proof waits for what was settled before it was asked for, and a list of committees for the handovers that are asked for. */
const PROOF_WAIT_MS = 2_000;

/** Where the sequencer can be killed; tests kill it at each. */
export type SequencerPoint = 'before_append' | 'before_vote' | 'before_finalize' | 'after_finalize';

/** Members are not asked again yet: that is neither news nor a reason to try sooner. */
class AskedLater extends Error {}

/** Members of a committee as they are reached, and what checks their votes. */
type ReachedMembers = Pick<EmbeddedCommittee, 'verify'> & { readonly members: readonly CommitteeMember[] };

/** Makes blocks of what the ledger's journal settles, one after another, and has a committee make them final. */
export class Sequencer extends DurableObject<Env> implements SequencerApi {
  readonly #store = new BlockStore(this.ctx.storage);
  readonly #committees = new Map<number, Promise<EmbeddedCommittee>>();
  #advancing: Promise<void> | null = null;
  /** Whether somebody has called since the journal was last asked. */
  #hasNews = false;
  #waitsFor: string | null = null;
  /** Members that took no part in the last vote. */
  #absent: readonly number[] | null = null;
  #absentLogged = { members: '', at: 0 };
  #alarmAt = Number.NEGATIVE_INFINITY;
  /** Height of the last final block that this instance has told of. */
  #toldHeight = 0;
  readonly #pause = new GrowingPause(RETRY_MS, RETRY_MS_MAX);
  /** Votes that are missing. */
  readonly #votes = new PausedTries(RETRY_MS, VOTES_RETRY_MS_MAX);
  /** The committee of a new epoch, which is formed, named and asked before it has a block. */
  readonly #change = new PausedTries(RETRY_MS, RETRY_MS_MAX);
  /** The committee of the last block, which is asked whether it goes on meanwhile. */
  readonly #goingOn = new PausedTries(RETRY_MS, VOTES_RETRY_MS_MAX);
  /** When committees are asked next to name those after them. */
  #handoverAt = 0;
  readonly #handoverPause = new GrowingPause(HANDOVER_RETRY_MS, HANDOVER_RETRY_MS_MAX);
  /** When it is asked next whether members are where the deployment says. */
  #movedAt = 0;
  /** One at a time: members are asked by each for a part of it. */
  #handingOver: Promise<void> | null = null;

  async wake(): Promise<void> {
    this.#pause.end();
    await this.#ensureAlarm(Date.now() + RETRY_MS);
    await this.#goOn();
  }

  async finalities(ids: readonly string[]): Promise<Finality[]> {
    if (ids.length > FINALITIES_MAX) throw new RangeError(`more than ${FINALITIES_MAX} entries in one question`);
    return ids.map((id) => this.#finality(id));
  }

  async proof(id: string): Promise<FinalityProof | null> {
    if (this.#finality(id).state === 'pending') await this.#inTime(this.wake());
    const place = this.#store.place(id);
    const certificate = place === null ? null : this.#store.certificateOver(place.height);
    if (place === null || certificate === null) return null;
    const { height, index, hash } = place;
    const headers = this.#store.headers(height, certificate.height);
    const committee = this.#keptCommittee(headers[0]);
    const path = inclusionPath(this.#store.hashes(height), index);
    return { recordHash: hash, inclusion: { index, path }, headers, certificate, committee };
  }

  async finalEntries(after: number): Promise<FinalEntries> {
    return this.#store.finalEntries(after, ENTRY_BLOCKS_MAX);
  }

  async certifiedRun(after: number, count: number): Promise<CertifiedRun | null> {
    if (count > CHECKPOINT_BLOCKS_MAX) throw new RangeError(`more than ${CHECKPOINT_BLOCKS_MAX} blocks at once`);
    const found = this.#store.certifiedAfter(after, count);
    if (found === null) return null;
    const committee = this.#keptCommittee(found.blocks[0]);
    return { ...found, committee, places: this.#store.placesOf(committeeHash(committee)) };
  }

  async committees(from: number): Promise<ShownCommittee[]> {
    if (this.#handingOver !== null) await this.#inTime(this.#handingOver);
    return this.#store.committeesFrom(from, COMMITTEES_PAGE);
  }

  async noteCheckpointed(height: number): Promise<void> {
    this.#store.noteCheckpointed(height);
  }

  async status(): Promise<SequencerStatus> {
    const { last } = this.#store;
    const isLastOnes = last !== null && this.#change.reason !== null;
    const committee = isLastOnes ? this.#keptCommittee(last) : await this.#currentCommittee().catch(() => null);
    return {
      epoch: this.epoch,
      committee: committee === null ? null : committeeHash(committee),
      epochWaitsFor: this.#change.reason,
      height: this.#store.last?.height ?? 0,
      finalHeight: this.#finalHeight,
      checkpointHeight: this.#store.checkpointHeight,
      row: this.#store.read.seq,
      equivocations: this.#store.equivocations(EQUIVOCATIONS_SHOWN),
      absent: this.#absent,
      waitsFor: this.#waitsFor,
    };
  }

  /** Goes on with what a crash has left, or what has failed. */
  override async alarm(): Promise<void> {
    this.#alarmAt = Number.NEGATIVE_INFINITY;
    await this.#goOn();
    if (this.#waitsFor === null) return;
    const [now, next] = [Date.now(), this.#pause.next_ms()];
    const asked = [this.#votes, this.#change, this.#goingOn].map(({ until }) => until).filter((at) => at > now);
    await this.#ensureAlarm(Math.min(now + next, ...asked));
  }

  /** Waits in tests only. */
  protected step(_point: SequencerPoint): Promise<void> | undefined {
    return undefined;
  }

  #goOn(): Promise<void> {
    this.#hasNews = true;
    this.#advancing ??= this.#advance();
    return this.#advancing;
  }

  /** Members as they are reached. Tests take some away. */
  protected present(members: readonly CommitteeMember[]): readonly CommitteeMember[] {
    return members;
  }

  /** Reads the journal to its end, as it is then, or a good part of it, and lets the committee decide. */
  async #advance(): Promise<void> {
    try {
      for (let parts = 0; this.#hasNews; parts++) {
        if (parts === PARTS_MAX) {
          // It goes on at once: it waits for nothing.
          this.#waitsFor = null;
          return await this.#ensureAlarm(Date.now() + 1);
        }
        this.#hasNews = false;
        if (await this.#readOnOrFinalize()) this.#hasNews = true;
        await this.#finalizeOpen();
      }
      if (this.#toldHeight < this.#finalHeight) this.#tellFinal();
      this.#waitsFor = null;
      this.#pause.end();
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      this.#waitsFor = reason;
      if (error instanceof AskedLater) return;
      log(error instanceof JournalBroken ? 'error' : 'warn', 'no blocks are made', { reason });
    } finally {
      this.#handingOver ??= this.#handOver().finally(() => {
        this.#handingOver = null;
      });
      this.ctx.waitUntil(Promise.all([this.#handingOver, this.#followMoved()]));
      // In the turn in which nothing new was found: who calls from here on begins anew.
      this.#advancing = null;
    }
  }

  /** How long whoever asks for a proof, or for committees, waits for what is under way. */
  protected get proofWait_ms(): number {
    return PROOF_WAIT_MS;
  }

  /** It is done, or that takes too long to wait for. */
  async #inTime(done: Promise<void>): Promise<void> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, this.proofWait_ms);
    });
    await Promise.race([done, late]);
    clearTimeout(timer);
  }

  /** As `#readOn`. Where nothing can be read, blocks that are there become final first, unless the journal is not the one that they were made of. */
  async #readOnOrFinalize(): Promise<boolean> {
    try {
      return await this.#readOn();
    } catch (error) {
      if (!(error instanceof JournalBroken)) await this.#finalizeOpen();
      throw error;
    }
  }

  /** Makes blocks of the next part of the journal. @returns whether there was one */
  async #readOn(): Promise<boolean> {
    const rows = await this.#rowsAfter(this.#store.read.seq);
    if (rows.length === 0) return false;
    const committee = await this.#committeeOfNext();
    const maker = new BlockMaker(
      committeeHash(committee),
      this.#store.last,
      this.#store.read,
      this.env.SETTLEMENT_SALT_KEY,
    );
    const made = rows.map((row) => maker.add(row)).concat(maker.end());
    await this.step('before_append');
    this.#store.append(
      made.filter((block): block is MadeBlock => block !== null),
      maker.read,
    );
    return true;
  }

  async #rowsAfter(seq: number): Promise<readonly StoredRow[]> {
    const part = await ledgerOf(this.env).journalPartAfter(seq);
    if (part.type === 'rows') return part.rows;
    const segmentText = async (key: string) => (await this.env.LEDGER_JOURNAL.get(key))?.text() ?? null;
    const rows = await segmentRows({ segmentText }, part.key, part.segment);
    return rows.filter((row) => row.seq > seq);
  }

  /** @throws Error when fewer than 16 members vote */
  async #finalizeOpen(): Promise<void> {
    for (;;) {
      const chain = this.#store.open(WINDOW_BLOCKS_MAX);
      const [first, tip] = [chain[0], chain.at(-1)];
      if (first === undefined || tip === undefined) return;
      if (this.isTooEarly('votes', this.#votes.until)) throw new AskedLater(this.#votes.reason ?? '');
      const committee = this.#keptCommittee(first);
      const { members, verify } = await this.#membersOf(committee);
      const { final } = this.#store;
      const certificate = final === null ? null : this.#store.certificateOver(final.height);
      await this.step('before_vote');
      const proposal = { final, certificate, chain };
      const [taking, voting] = [new Set<number>(), new Set<number>()];
      const asked = this.present(members).map((member, number) => noting(member, () => taking.add(number)));
      const proof = await decide(asked, committee, proposal, verify, {
        voted: (member) => voting.add(member),
        stray: (vote) => this.#keepStray(vote, first.committee),
      });
      // Where one has voted, 16 were there to be heard: who has not voted with it has not done its part.
      const present = voting.size > 0 ? voting : taking;
      this.#noteAbsent(
        committee,
        MEMBERS.filter((member) => !present.has(member)),
      );
      if (proof === null) {
        const reason = `block ${tip.height} has not enough votes`;
        this.#votes.failed(reason, Date.now());
        throw new Error(reason);
      }
      this.#votes.end();
      await this.step('before_finalize');
      this.#store.finalize(tip, proof);
      this.#proveEquivocations(committee, proof);
      await this.step('after_finalize');
      this.#tellFinal();
    }
  }

  /** Whether it is before a time. Tests do not wait. */
  protected isTooEarly(_for: 'votes' | 'change', until: number): boolean {
    return Date.now() < until;
  }

  /** Whoever replaces members has to know of them while the committee still decides. */
  #noteAbsent({ epoch }: Committee, absent: readonly number[]): void {
    this.#absent = absent;
    const members = absent.join(' ');
    if (members === '') this.#absentLogged.members = '';
    if (members === this.#absentLogged.members || Date.now() < this.#absentLogged.at + ABSENT_LOG_MS) return;
    this.#absentLogged = { members, at: Date.now() };
    const level = absent.length >= COMMITTEE_SIZE - QUORUM ? 'error' : 'warn';
    log(level, 'members take no part in votes', { epoch, members });
  }

  /** A vote for an earlier block of the chain proves nothing; nor does one of a height that no block has, or of one too far back. */
  #keepStray(vote: Vote, committee: Hash): void {
    const to = this.#store.last?.height ?? 0;
    const provable = { from: Math.max(1, to - EQUIVOCATION_HEADERS_MAX + 1), to };
    if (vote.height < provable.from || vote.height > provable.to) return;
    const [header] = this.#store.headers(vote.height, vote.height);
    if (header === undefined || blockHash(header) !== vote.hash) this.#store.keepStray(committee, vote, provable);
  }

  /** Who votes for the chain after having signed a block beside it has voted for two blocks. */
  #proveEquivocations(committee: Committee, { height, hash, votes }: QuorumCertificate): void {
    const of = committeeHash(committee);
    for (const stray of this.#store.openStrays(of)) {
      const own = votes.find(({ member }) => member === stray.member);
      if (own === undefined || stray.height > height || height - stray.height >= EQUIVOCATION_HEADERS_MAX) continue;
      const proof = findEquivocation([stray, { ...own, height, hash }], (from) => this.#store.headers(from, height));
      if (proof === null) continue;
      this.#store.keepEquivocation(of, stray.member, proof);
      log('error', 'a member has voted for two blocks', { epoch: committee.epoch, member: stray.member });
    }
  }

  get #finalHeight(): number {
    return this.#store.final?.height ?? 0;
  }

  /** Each instance tells of what was final before it: a call of the one before may have been lost with it. Lost again, recorder and checkpointer find the blocks by themselves. */
  #tellFinal(): void {
    this.#toldHeight = this.#finalHeight;
    for (const [reader, wake] of Object.entries({ recorder: wakeRecorder, checkpointer: wakeCheckpointer })) {
      const failed = (error: unknown) => log('warn', `the ${reader} was not woken`, { reason: String(error) });
      this.ctx.waitUntil(wake(this.env).catch(failed));
    }
  }

  #keptCommittee(block: BlockHeader | undefined): Committee {
    const committee = this.#store.committee(block?.committee ?? '');
    if (committee === null) throw new Error(`block ${block?.height} is of a committee that is not here`);
    return committee;
  }

  #finality(id: string): Finality {
    const place = this.#store.place(id);
    if (place === null || place.height > this.#finalHeight) return { state: 'pending' };
    const [header] = this.#store.headers(place.height, place.height);
    if (header === undefined) throw new Error(`block ${place.height} is missing`);
    const state = place.height <= this.#store.checkpointHeight ? 'checkpoint_final' : 'final';
    const members = this.#store.membersOf(header.committee);
    return { state, block: { height: header.height, slot: header.slot, hash: blockHash(header) }, members };
  }

  /** Where members of committees that are formed from here on live, as the deployment says. Tests change it. */
  protected get places(): Parameters<typeof memberPlaces>[0] {
    return this.env;
  }

  get #areMembersHosted(): boolean {
    return areMembersHosted(this.places);
  }

  /** Of the committee that votes on blocks that are made from here on. Tests change it. */
  protected get epoch(): number {
    const epoch = Number(this.env.CONSENSUS_EPOCH);
    if (!Number.isSafeInteger(epoch) || epoch < 1) throw new Error('CONSENSUS_EPOCH is no number above 0');
    return epoch;
  }

  /**
   * The committee of the blocks that are made next: that of the deployment's epoch once it may have one. Until then that of the last block goes on, so that trades become final meanwhile.
   *
   * @throws Error where neither would make a block final: one that names a committee needs it for good
   */
  async #committeeOfNext(): Promise<Committee> {
    const { last } = this.#store;
    const formed = await this.#changing(() => inTime(() => this.#currentCommittee(), FORM_WAIT_MS));
    if (formed !== null && committeeHash(formed) === last?.committee) return this.#changed(formed);
    // A committee that is not followed yet may still be gone back to.
    await this.#finalizeOpen();
    if (formed !== null && (await this.#changing(() => this.#askBeforeFirst(formed))) !== null)
      return this.#changed(formed);
    const reason = this.#change.reason ?? '';
    if (last === null) throw new AskedLater(reason);
    const present = this.#keptCommittee(last);
    await this.#askToGoOn(present, last, reason);
    return present;
  }

  /** A step towards the committee of a new epoch; null where it fails, or has failed a short time ago. */
  async #changing<Found>(step: () => Promise<Found>): Promise<Found | null> {
    if (this.isTooEarly('change', this.#change.until)) return null;
    try {
      return await step();
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      this.#change.failed(reason, Date.now());
      log('warn', 'no block is made of a new epoch', { reason });
      return null;
    }
  }

  #changed(committee: Committee): Committee {
    this.#change.end();
    this.#goingOn.end();
    return committee;
  }

  /**
   * Whoever replaces a committee may do so because it is going: it gets no block that it would not make final.
   *
   * @param reason why the committee of the new epoch has no block
   */
  async #askToGoOn(present: Committee, last: BlockHeader, reason: string): Promise<void> {
    if (this.isTooEarly('votes', this.#goingOn.until)) throw new AskedLater(this.#goingOn.reason ?? '');
    const asked = await this.#willing(present, last, null);
    if (asked.willing.length >= QUORUM) return this.#goingOn.end();
    const both = `${reason}. Nor does the committee of the last block go on, of epoch ${present.epoch}: ${saidOf(asked)}`;
    this.#goingOn.failed(both, Date.now());
    throw new Error(both);
  }

  /** Who of a committee would vote on what follows the last block. */
  async #willing(committee: Committee, last: BlockHeader | null, before: Committee | null): Promise<Willingness> {
    const hash = committeeHash(committee);
    if (committeeHash((await this.#embedded(committee.epoch)).committee) === hash)
      return { willing: MEMBERS, refuse: [] };
    // By another seed.
    if (this.#store.membersOf(hash) === 'embedded') return { willing: [], refuse: [] };
    const shown = this.#store.namedUpTo(committee.epoch, SHOWN_COMMITTEES_MAX);
    const reached = { committee, places: this.#store.placesOf(hash) };
    return hostedWilling(this.places, reached, { last, before, shown });
  }

  /** The committee that votes on blocks that are made from here on: formed once an epoch, and kept. */
  async #currentCommittee(): Promise<Committee> {
    const { epoch } = this;
    this.#refuseEpoch(epoch);
    const kept = this.#store.committeeOf(epoch);
    if (kept !== null) return kept;
    if (this.#areMembersHosted) this.#refuseEquivocators(epoch);
    const committee = this.#areMembersHosted
      ? { epoch, keys: await Promise.all(MEMBERS.map((member) => hostedMember(this.places, member).publicKey(epoch))) }
      : (await this.#embedded(epoch)).committee;
    const fault = committeeFault(committee);
    if (fault !== null) throw new Error(`no committee of epoch ${epoch}: ${fault}`);
    // Checkpoints have no gap: a committee that one member gives no keys for them would keep back all that come after. Keys that follow from a seed are there.
    if (this.#areMembersHosted) await checkpointerOf(this.env).meet(committee, memberPlaces(this.places));
    if (this.#areMembersHosted)
      this.#store.keepCommittee(committee, hostedPlaces(this.places), memberPlaces(this.places));
    else this.#store.keepCommittee(committee, 'embedded', null);
    return committee;
  }

  /**
   * Blocks that name a committee have to be made final by it, so it is asked before the first one: its members vote on what follows the last block where they believe who has made that final.
   *
   * @throws Error where fewer than 16 would
   */
  async #askBeforeFirst(committee: Committee): Promise<void> {
    const { epoch } = committee;
    const hash = committeeHash(committee);
    if (committeeHash((await this.#embedded(epoch)).committee) === hash) {
      this.#handoverAt = 0;
      return;
    }
    if (!this.#store.isNamed(hash)) await this.#handOverTo(committee);
    const { last } = this.#store;
    const before = last === null ? null : this.#keptCommittee(last);
    const asked = await this.#willing(committee, last, before);
    if (asked.willing.length < QUORUM)
      throw new Error(
        `no block of epoch ${epoch}: ${saidOf(asked)}. A higher CONSENSUS_EPOCH with other places for the others, or with who was there before, goes on`,
      );
    this.#handoverAt = 0;
  }

  /** Members that have voted in an epoch vote in none before it, nor on what follows a later one: blocks of one would wait for good. From one that is too far off nobody comes back. */
  #refuseEpoch(epoch: number): void {
    const last = this.#store.last === null ? null : this.#keptCommittee(this.#store.last);
    const lastEpoch = last?.epoch ?? 0;
    if (epoch > lastEpoch + EPOCHS_AHEAD_MAX)
      throw new Error(`CONSENSUS_EPOCH is ${epoch}, and is ${lastEpoch + EPOCHS_AHEAD_MAX} at most by now`);
    if (last === null || epoch >= lastEpoch) return;
    const kept = this.#store.committeeOf(epoch);
    const isHosted = kept === null ? this.#areMembersHosted : this.#store.membersOf(committeeHash(kept)) !== 'embedded';
    if (isHosted || this.#store.membersOf(committeeHash(last)) !== 'embedded')
      throw new Error(`CONSENSUS_EPOCH is ${epoch}, and the last block is of epoch ${lastEpoch}`);
  }

  /** Who is proved to have voted for two blocks is in no later committee. */
  #refuseEquivocators(epoch: number): void {
    const places = memberPlaces(this.places).map(placeName);
    for (const { committee, proof } of this.#store.equivocations(EQUIVOCATIONS_SHOWN)) {
      const { member } = proof.votes[0];
      const place = this.#store.placesOf(committee)?.[member];
      const taken = place === undefined ? -1 : places.indexOf(placeName(place, member));
      if (taken !== -1)
        throw new Error(
          `no committee of epoch ${epoch}: member ${taken} has voted for two blocks, and needs another place`,
        );
    }
  }

  /** A member of the last block's committee is where the deployment says once it signs there with its key; until then it is where it was. */
  async #followMoved(): Promise<void> {
    const hash = this.#store.last?.committee ?? '';
    const [committee, noted] = [this.#store.committee(hash), this.#store.placesOf(hash)];
    if (Date.now() < this.#movedAt || committee === null || noted === null) return;
    const present = this.#presentPlaces();
    const moved = MEMBERS.filter((member) => present !== null && present[member] !== noted[member]);
    if (present === null || moved.length === 0) return;
    this.#movedAt = Date.now() + HANDOVER_RETRY_MS;
    const places = [...noted];
    await Promise.all(
      moved.map(async (member) => {
        const place = present[member];
        if (place !== undefined && (await isMemberAt(this.places, committee, member, place))) places[member] = place;
      }),
    );
    if (places.some((place, member) => place !== noted[member])) this.#store.notePlaces(hash, places);
  }

  /** Null where the deployment names no places, or wrongly: that keeps committees from being formed, and those that are there from nothing. */
  #presentPlaces(): MemberPlaces | null {
    try {
      return this.#areMembersHosted ? memberPlaces(this.places) : null;
    } catch {
      return null;
    }
  }

  /** Members of the committee by which blocks were made, of this epoch or of one before, as they are reached. */
  async #membersOf(committee: Committee): Promise<ReachedMembers> {
    const hash = committeeHash(committee);
    const embedded = await this.#embedded(committee.epoch);
    if (committeeHash(embedded.committee) === hash) return embedded;
    if (this.#store.membersOf(hash) === 'embedded')
      throw new Error(`CONSENSUS_SEED is not that of the committee ${hash}`);
    const { final } = this.#store;
    const before = final === null || final.committee === hash ? null : this.#store.committee(final.committee);
    const reached = { committee, places: this.#store.placesOf(hash) };
    const shown = this.#store.namedUpTo(committee.epoch, SHOWN_COMMITTEES_MAX);
    const members = hostedMembers(this.places, reached, before, shown);
    return { members, verify: verifyEd25519 };
  }

  /** Has each committee that is not named be named by the one before it. Blocks do not wait for it; where too few answer it is tried again. */
  async #handOver(): Promise<void> {
    if (Date.now() < this.#handoverAt) return;
    this.#handoverAt = Number.POSITIVE_INFINITY;
    const unnamed = this.#store.unnamed(HANDOVERS_MAX);
    const named: boolean[] = [];
    for (const next of unnamed) named.push(await this.#handOverTo(next));
    if (named.includes(true) || unnamed.length === 0) this.#handoverPause.end();
    if (unnamed.length === HANDOVERS_MAX || named.includes(false))
      this.#handoverAt = Math.min(this.#handoverAt, Date.now() + this.#handoverPause.next_ms());
  }

  /** @returns whether the committee before has named this one */
  async #handOverTo(next: Committee): Promise<boolean> {
    const hash = committeeHash(next);
    this.#store.noteHandoverTry(hash, Date.now());
    try {
      const before = this.#store.committeeBefore(hash);
      if (before === null || before.epoch >= next.epoch) return true;
      const handover = { before: committeeHash(before), signatures: await this.#namedBy(before, next) };
      const fault = await handoverFault(handover, before, next, verifyEd25519);
      if (fault !== null) throw new Error(fault);
      this.#store.keepHandover(hash, handover);
      return true;
    } catch (error) {
      log('warn', 'a committee is not named by the one before', { epoch: next.epoch, reason: String(error) });
      return false;
    }
  }

  /** Signatures of a committee's members that another one comes after it. One that members give wrongly is left out. */
  async #namedBy(before: Committee, next: Committee): Promise<Handover['signatures']> {
    const hash = committeeHash(before);
    const message = handoverMessage(hash, committeeHash(next));
    const embedded = await this.#embedded(before.epoch);
    if (committeeHash(embedded.committee) === hash)
      return Promise.all(embedded.keys.map(async (key, member) => ({ member, signature: await key.sign(message) })));
    if (this.#store.membersOf(hash) === 'embedded')
      throw new Error(`CONSENSUS_SEED is not that of the committee ${hash}`);
    const reached = { committee: before, places: this.#store.placesOf(hash) };
    const successors = await this.#successorsOf(reached, next);
    const given = await hostedHandover(this.places, reached, next, successors);
    const isOwn = await Promise.all(
      given.map(({ member, signature }) => verifyEd25519(before.keys[member] ?? '', message, signature)),
    );
    return given.filter((_, at) => isOwn[at]);
  }

  /** Who of a committee goes on in the next. A word that does not hold is left out, since members refuse all with it. */
  async #successorsOf(reached: Parameters<typeof hostedSuccessors>[1], next: Committee): Promise<Successor[]> {
    const told = await hostedSuccessors(this.places, reached, next);
    const strangers = told.map((successor) => strangersOf([successor], reached.committee, next, verifyEd25519));
    const isTrue = (await Promise.all(strangers)).map(({ ok }) => ok);
    return told.filter((_, at) => isTrue[at]);
  }

  #embedded(epoch: number): Promise<EmbeddedCommittee> {
    const known = this.#committees.get(epoch);
    if (known !== undefined) return known;
    const seed = Uint8Array.from(Buffer.from(this.env.CONSENSUS_SEED, 'base64url'));
    const made = embeddedCommittee(seed, epoch, this.#store);
    this.#committees.set(epoch, made);
    made.catch(() => this.#committees.delete(epoch));
    return made;
  }

  /** So that what is under way goes on, whatever happens to this instance. An earlier alarm stays. */
  async #ensureAlarm(at: number): Promise<void> {
    if (this.#alarmAt > Date.now() && this.#alarmAt <= at) return;
    this.#alarmAt = at;
    await this.ctx.storage.setAlarm(at);
  }
}

/** What members have said of voting: who refuses has to be replaced, and who is away may come back. */
function saidOf({ willing, refuse }: Willingness): string {
  const away = MEMBERS.filter((member) => !willing.includes(member) && !refuse.includes(member));
  const named = (members: readonly number[]) => (members.length === 0 ? 'none' : members.join(' '));
  return `${willing.length} of its members would vote and not ${QUORUM} (refuse: ${named(refuse)}; away: ${named(away)})`;
}

/** A member that says so where it takes part. */
function noting(member: CommitteeMember, takesPart: () => void): CommitteeMember {
  return {
    consider: async (proposal) => {
      const preferred = await member.consider(proposal);
      if (preferred !== null) takesPart();
      return preferred;
    },
    endRound: (round, heard) => member.endRound(round, heard),
  };
}
