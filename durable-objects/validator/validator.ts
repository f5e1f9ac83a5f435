import { DurableObject } from 'cloudflare:workers';
import type { BlockHeader } from '../../domain/consensus/block.ts';
import type { Hash } from '../../domain/consensus/bytes.ts';
import blsModule from '../../domain/consensus/checkpoints/bls.wasm';
import { wasmBls } from '../../domain/consensus/checkpoints/bls-wasm.ts';
import type { CheckpointCrypto } from '../../domain/consensus/checkpoints/checkpoint-crypto.ts';
import type { MemberCheckpointKeys } from '../../domain/consensus/checkpoints/checkpoint-keys.ts';
import type { CheckpointProposal } from '../../domain/consensus/checkpoints/checkpoint-member.ts';
import type { CheckpointVote } from '../../domain/consensus/checkpoints/checkpoint-vote.ts';
import { nobleMlDsa } from '../../domain/consensus/checkpoints/ml-dsa-noble.ts';
import type { Committee } from '../../domain/consensus/committee.ts';
import type { PublishedCommittee, Successor } from '../../domain/consensus/handover.ts';
import type { Proposal, RoundEnd } from '../../domain/consensus/member.ts';
import { type HostedMember, MemberHost } from '../../domain/consensus/member-host.ts';
import { ValidatorStore } from './validator-store.ts';

/** One member of committees, in an object of its own. */
export class Validator extends DurableObject<Env> implements HostedMember {
  #suites: CheckpointCrypto | null = null;
  readonly #host = new MemberHost(
    new ValidatorStore(this.ctx.storage),
    () => {
      this.#suites ??= { bls: wasmBls(blsModule), mlDsa: nobleMlDsa };
      return this.#suites;
    },
    () => Date.now(),
  );

  async publicKey(epoch: number): Promise<string> {
    return this.#host.publicKey(epoch);
  }

  async wouldVote(
    committee: Committee,
    last: BlockHeader | null,
    before: Committee | null,
    shown: readonly PublishedCommittee[],
  ): Promise<boolean> {
    return this.#host.wouldVote(committee, last, before, shown);
  }

  async consider(
    committee: Committee,
    before: Committee | null,
    proposal: Proposal,
    shown: readonly PublishedCommittee[] = [],
  ): Promise<Hash | null> {
    return this.#host.consider(committee, before, proposal, shown);
  }

  async endRound(committee: Committee, round: number, heard: readonly (readonly [number, Hash])[]): Promise<RoundEnd> {
    return this.#host.endRound(committee, round, heard);
  }

  async checkpointKeys(committee: Committee): Promise<MemberCheckpointKeys> {
    return this.#host.checkpointKeys(committee);
  }

  async signCheckpoint(committee: Committee, proposal: CheckpointProposal): Promise<CheckpointVote | null> {
    return this.#host.signCheckpoint(committee, proposal);
  }

  async signSuccessor(committee: Committee, epoch: number): Promise<Omit<Successor, 'member'>> {
    return this.#host.signSuccessor(committee, epoch);
  }

  async signHandover(committee: Committee, next: Committee, successors: readonly Successor[]): Promise<string> {
    return this.#host.signHandover(committee, next, successors);
  }
}
