import { closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Hash } from '../../domain/consensus/bytes.ts';
import type { SignedCheckpoint } from '../../domain/consensus/checkpoints/checkpoint-vote.ts';
import { type Committee, committeeHash } from '../../domain/consensus/committee.ts';
import type {
  BelievedCommittee,
  CommitteeVote,
  MemberMemory,
  NamedCommittee,
} from '../../domain/consensus/member-host.ts';
import type { VotedFor } from '../../domain/consensus/validator.ts';

interface Kept {
  /** Of epochs, in hexadecimal. */
  readonly seeds: Readonly<Record<string, string>>;
  readonly committees: Readonly<Record<string, Committee>>;
  /** Committees whose certificates it believes. */
  readonly believed: readonly BelievedCommittee[];
  readonly namedSteps: readonly NamedCommittee[];
  /** By the committee's hash. */
  readonly votes: Readonly<Record<Hash, VotedFor>>;
  readonly checkpoints: Readonly<Record<Hash, SignedCheckpoint>>;
}

/**
 * A member's memory in a file that nobody else may read. Each change is on disk before it returns: written beside the file, and put in its place. One that
 * does not get there has not happened.
 */
export class MemoryFile implements MemberMemory {
  readonly #path: string;
  #kept: Kept;

  /** @throws Error where there is a file that is none of a member */
  constructor(path: string) {
    this.#path = path;
    const kept = existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Partial<Kept>) : null;
    if (kept !== null && [kept.seeds, kept.committees, kept.votes, kept.checkpoints].includes(undefined))
      throw new Error(`${path} is no member’s memory`);
    this.#kept = { seeds: {}, committees: {}, votes: {}, checkpoints: {}, believed: [], namedSteps: [], ...kept };
  }

  seed(epoch: number): Uint8Array | null {
    const known = this.#kept.seeds[epoch];
    return known === undefined ? null : Uint8Array.from(Buffer.from(known, 'hex'));
  }

  makeSeed(epoch: number): Uint8Array {
    const seed = crypto.getRandomValues(new Uint8Array(32));
    this.#keep({ seeds: { ...this.#kept.seeds, [epoch]: Buffer.from(seed).toString('hex') } });
    return seed;
  }

  get seeds(): number {
    return Object.keys(this.#kept.seeds).length;
  }

  meets(committee: Committee): boolean {
    const known = this.#kept.committees[committee.epoch];
    if (known !== undefined) return committeeHash(known) === committeeHash(committee);
    this.#keep({ committees: { ...this.#kept.committees, [committee.epoch]: committee } });
    return true;
  }

  believe(step: BelievedCommittee): void {
    const hash = committeeHash(step.committee);
    const others = this.#kept.believed.filter(({ committee }) => committeeHash(committee) !== hash);
    this.#keep({ believed: [...others, step] });
  }

  believed(): readonly BelievedCommittee[] {
    return this.#kept.believed;
  }

  keepNamed(named: NamedCommittee): void {
    const isIt = ({ before, next }: NamedCommittee) => before === named.before && next === named.next;
    const at = Math.min(named.at, this.#kept.namedSteps.find(isIt)?.at ?? named.at);
    this.#keep({ namedSteps: [...this.#kept.namedSteps.filter((each) => !isIt(each)), { ...named, at }] });
  }

  namedAfter(before: Hash): readonly NamedCommittee[] {
    return this.#kept.namedSteps.filter((named) => named.before === before);
  }

  get hasVoted(): boolean {
    return Object.keys(this.#kept.votes).length > 0;
  }

  lastVote(): CommitteeVote | null {
    const { committees, votes } = this.#kept;
    const given = Object.values(committees).flatMap((committee) => {
      const vote = votes[committeeHash(committee)];
      return vote === undefined ? [] : [{ ...vote, epoch: committee.epoch }];
    });
    return given.reduce<CommitteeVote | null>((last, vote) => (vote.epoch > (last?.epoch ?? 0) ? vote : last), null);
  }

  keepVote(committee: Hash, vote: VotedFor): void {
    this.#keep({ votes: { ...this.#kept.votes, [committee]: vote } });
  }

  checkpoint(committee: Hash): SignedCheckpoint | null {
    return this.#kept.checkpoints[committee] ?? null;
  }

  keepCheckpoint(committee: Hash, signed: SignedCheckpoint): void {
    this.#keep({ checkpoints: { ...this.#kept.checkpoints, [committee]: signed } });
  }

  #keep(change: Partial<Kept>): void {
    const kept = { ...this.#kept, ...change };
    this.#write(JSON.stringify(kept));
    this.#kept = kept;
  }

  #write(text: string): void {
    const next = `${this.#path}.next`;
    const file = openSync(next, 'w', 0o600);
    try {
      // To its end: one write may write a part.
      writeFileSync(file, text);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(next, this.#path);
    const folder = openSync(dirname(this.#path), 'r');
    try {
      fsyncSync(folder);
    } finally {
      closeSync(folder);
    }
  }
}
