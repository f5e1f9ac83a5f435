import { DurableObject } from 'cloudflare:workers';
import { GrowingPause } from '../../domain/calendar/growing-pause.ts';
import { blockHash } from '../../domain/consensus/block.ts';
import blsModule from '../../domain/consensus/checkpoints/bls.wasm';
import { wasmBls } from '../../domain/consensus/checkpoints/bls-wasm.ts';
import { certifyCheckpoint } from '../../domain/consensus/checkpoints/certify-checkpoint.ts';
import {
  CHECKPOINT_BLOCKS_MAX,
  type Checkpoint,
  checkpointHash,
  checkpointOf,
} from '../../domain/consensus/checkpoints/checkpoint.ts';
import type { CheckpointCrypto } from '../../domain/consensus/checkpoints/checkpoint-crypto.ts';
import {
  type CheckpointKeys,
  checkpointKeysFault,
  checkpointKeysHash,
} from '../../domain/consensus/checkpoints/checkpoint-keys.ts';
import type { CheckpointMember } from '../../domain/consensus/checkpoints/checkpoint-member.ts';
import type { CheckpointProof } from '../../domain/consensus/checkpoints/checkpoint-proof.ts';
import { nobleMlDsa } from '../../domain/consensus/checkpoints/ml-dsa-noble.ts';
import { type Committee, committeeHash } from '../../domain/consensus/committee.ts';
import { verifyEd25519 } from '../../domain/consensus/ed25519.ts';
import { inclusionPath } from '../../domain/consensus/merkle-tree.ts';
import { log } from '../log/log.ts';
import { wakeRecorder } from '../recorder/api.ts';
import { sequencerOf } from '../sequencer/api.ts';
import { hostedMember, hostedSigners, type MemberPlaces } from '../validator/api.ts';
import { CHECKPOINTS_PAGE, type CheckpointerApi, type CheckpointerStatus } from './api.ts';
import { CheckpointArchive } from './checkpoint-archive.ts';
import { CheckpointStore } from './checkpoint-store.ts';
import { embeddedSigners, type Signers } from './embedded-signers.ts';

/** From one checkpoint to the next while nobody asks for one: its signatures take a sixth of a second and 110 kB. */
const EVERY_MS = 10_000;
/** The least from one checkpoint to the next, however many ask. A checkpoint of as many blocks as there may be is followed at once. */
const ON_DEMAND_MS = 2_000;
/** How long a proof waits for a checkpoint that is being made. */
const PROOF_WAIT_MS = 2_000;
/** Until it tries again by itself what has failed, or what a crash has left: each try reads up to a thousand headers and asks all members. */
const RETRY_MS = 5_000;
const RETRY_MS_MAX = 300_000;

/** Where the checkpointer can be killed; tests kill it at each. */
export type CheckpointerPoint =
  | 'before_propose'
  | 'before_sign'
  | 'before_archive'
  | 'before_certify'
  | 'after_certify';

/** Makes checkpoints of final blocks, one after another, and has their committee sign them. */
export class Checkpointer extends DurableObject<Env> implements CheckpointerApi {
  readonly #store = new CheckpointStore(this.ctx.storage);
  readonly #archive = new CheckpointArchive(this.env.CHECKPOINTS);
  readonly #signers = new Map<string, Promise<Signers>>();
  #crypto: CheckpointCrypto | null = null;
  #making: Promise<void> | null = null;
  /** When the last one was begun, whatever became of it: what fails is asked for no oftener than what succeeds. */
  #triedAt = 0;
  /** Whether the last one had as many blocks as it may have. */
  #isBehind = false;
  #waitsFor: string | null = null;
  readonly #pause = new GrowingPause(RETRY_MS, RETRY_MS_MAX);
  /** When what has failed is tried again by itself; 0 where nothing has. */
  #retryAt = 0;
  #alarmAt = Number.POSITIVE_INFINITY;
  /** Height that the sequencer was told, by this instance. */
  #toldHeight = 0;

  async wake(): Promise<void> {
    // Blocks become final all the time: what fails is tried no sooner for them.
    await this.#ensureAlarm(Math.max(Date.now(), this.#store.certifiedAt + EVERY_MS, this.#retryAt));
  }

  async meet(committee: Committee, places: MemberPlaces): Promise<void> {
    await this.#signersOf(committee, places);
  }

  async proof(height: number): Promise<CheckpointProof | null> {
    const isTried = Date.now() - Math.max(this.#triedAt, this.#store.certifiedAt) < ON_DEMAND_MS;
    if (this.#store.over(height) === null && !isTried) await this.#madeInTime();
    const checkpoint = this.#store.over(height);
    if (checkpoint === null) return null;
    const keys = this.#store.keys(checkpoint.keys);
    const archived = await this.#archive.get(checkpoint.number);
    if (keys === null || archived === null) {
      log('error', 'a checkpoint is not whole any more', { number: checkpoint.number });
      return null;
    }
    const path = inclusionPath(archived.blocks, height - checkpoint.firstHeight);
    return { checkpoint, path, certificate: archived.certificate, keys };
  }

  async checkpoints(after: number): Promise<Checkpoint[]> {
    return this.#store.certifiedAfter(after, CHECKPOINTS_PAGE);
  }

  async status(): Promise<CheckpointerStatus> {
    const { last } = this.#store;
    return { number: last?.number ?? 0, lastHeight: last?.lastHeight ?? 0, waitsFor: this.#waitsFor };
  }

  /** Makes what is due, and goes on with what a crash has left or what has failed. */
  override async alarm(): Promise<void> {
    this.#alarmAt = Number.POSITIVE_INFINITY;
    const due = this.#store.certifiedAt + EVERY_MS;
    const isDue = this.#isBehind || this.#store.open !== null || Date.now() >= due;
    if (!isDue) return this.#ensureAlarm(due);
    const wasUnderWay = this.#making !== null;
    await this.#make();
    // One that a reader has had made may lack what this alarm was set for.
    if (wasUnderWay) await this.#ensureAlarm(this.#store.certifiedAt + EVERY_MS);
    if (this.#waitsFor === null) return;
    this.#retryAt = Date.now() + this.#pause.next_ms();
    await this.#setAlarm(this.#retryAt);
  }

  /** Waits in tests only. */
  protected step(_point: CheckpointerPoint): Promise<void> | undefined {
    return undefined;
  }

  /** Members as they are reached. Tests take some away. */
  protected present(members: readonly CheckpointMember[]): readonly CheckpointMember[] {
    return members;
  }

  #make(): Promise<void> {
    if (this.#making === null) {
      this.#triedAt = Date.now();
      this.#making = this.#makeNext();
    }
    return this.#making;
  }

  async #makeNext(): Promise<void> {
    try {
      await this.#tellSequencer();
      const made = await this.#makeOne();
      this.#isBehind = made !== null && made.lastHeight - made.firstHeight + 1 === CHECKPOINT_BLOCKS_MAX;
      if (this.#isBehind) await this.#ensureAlarm(Date.now() + 1);
      this.#waitsFor = null;
      this.#retryAt = 0;
      this.#pause.end();
    } catch (error) {
      this.#waitsFor = error instanceof Error ? error.message : String(error);
      log('warn', 'no checkpoint is made', { reason: this.#waitsFor });
    } finally {
      this.#making = null;
    }
  }

  /** The checkpoint of the blocks that have become final since the last; null where there are none. */
  async #makeOne(): Promise<Checkpoint | null> {
    const { last: parent, open } = this.#store;
    const after = parent?.lastHeight ?? 0;
    const count = open === null ? CHECKPOINT_BLOCKS_MAX : open.lastHeight - after;
    const run = await sequencerOf(this.env).certifiedRun(after, count);
    if (run === null) return null;
    await this.#ensureAlarm(Date.now() + RETRY_MS);
    const { blocks, certificate, committee, places } = run;
    const { keys, members } = await this.#signersOf(committee, places);
    const checkpoint = checkpointOf(checkpointKeysHash(keys), parent, blocks);
    await this.step('before_propose');
    if (open === null) this.#store.propose(checkpoint);
    else if (checkpointHash(open) !== checkpointHash(checkpoint))
      throw new Error(`checkpoint ${open.number} was proposed over other blocks`);
    await this.step('before_sign');
    const proposal = { checkpoint, parent, blocks, certificate };
    const signed = await certifyCheckpoint(this.present(members), proposal, keys, this.#suites());
    if (signed === null) throw new Error(`checkpoint ${checkpoint.number} has not enough signatures`);
    await this.step('before_archive');
    await this.#archive.keep({ number: checkpoint.number, blocks: blocks.map(blockHash), certificate: signed });
    await this.step('before_certify');
    this.#store.certify(checkpoint, Date.now());
    await this.step('after_certify');
    await this.#tellSequencer();
    await wakeRecorder(this.env).catch(() => undefined);
    return checkpoint;
  }

  /** Told again by each instance: it may have been lost with the one before. */
  async #tellSequencer(): Promise<void> {
    const height = this.#store.last?.lastHeight ?? 0;
    if (height === this.#toldHeight) return;
    await sequencerOf(this.env).noteCheckpointed(height);
    this.#toldHeight = height;
  }

  /** How long whoever asks for a proof waits for a checkpoint. */
  protected get proofWait_ms(): number {
    return PROOF_WAIT_MS;
  }

  async #madeInTime(): Promise<void> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, this.proofWait_ms);
    });
    await Promise.race([this.#make(), late]);
    clearTimeout(timer);
  }

  #signersOf(committee: Committee, places: MemberPlaces | null): Promise<Signers> {
    const hash = committeeHash(committee);
    const known = this.#signers.get(hash);
    if (known !== undefined) return known;
    const made = this.#findSigners(committee, places);
    this.#signers.set(hash, made);
    made.catch(() => this.#signers.delete(hash));
    return made;
  }

  /** They live here, where their keys follow from the seed, and else in objects or processes of their own. */
  async #findSigners(committee: Committee, places: MemberPlaces | null): Promise<Signers> {
    const seed = Uint8Array.from(Buffer.from(this.env.CONSENSUS_SEED, 'base64url'));
    const embedded = await embeddedSigners(seed, committee, this.#store, this.#suites());
    if (embedded !== null) return embedded;
    const keys = this.#store.keysOf(committeeHash(committee)) ?? (await this.#keysOfHosted(committee, places));
    return { keys, members: hostedSigners(this.env, { committee, places }) };
  }

  /** All twenty have to be there once. */
  async #keysOfHosted(committee: Committee, places: MemberPlaces | null): Promise<CheckpointKeys> {
    const told = committee.keys.map((_, member) =>
      hostedMember(this.env, member, places?.[member]).checkpointKeys(committee),
    );
    const members = await Promise.all(told);
    const keys = { epoch: committee.epoch, committee: committeeHash(committee), members };
    const fault = await checkpointKeysFault(keys, committee, this.#suites(), verifyEd25519);
    if (fault !== null) throw new Error(`keys for checkpoints: ${fault}`);
    this.#store.keepKeys(keys);
    return keys;
  }

  /** Made where it is first wanted: an object that only answers does not start the module. */
  #suites(): CheckpointCrypto {
    this.#crypto ??= { bls: wasmBls(blsModule), mlDsa: nobleMlDsa };
    return this.#crypto;
  }

  /** An earlier alarm stays. */
  async #ensureAlarm(at: number): Promise<void> {
    if (this.#alarmAt <= at && this.#alarmAt > Date.now()) return;
    await this.#setAlarm(at);
  }

  async #setAlarm(at: number): Promise<void> {
    this.#alarmAt = Math.max(at, Date.now() + 1);
    await this.ctx.storage.setAlarm(this.#alarmAt);
  }
}
