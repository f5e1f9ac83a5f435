import { z } from 'zod';
import type { BlockHeader } from '../../domain/consensus/block.ts';
import type { CheckpointMember } from '../../domain/consensus/checkpoints/checkpoint-member.ts';
import { COMMITTEE_SIZE, type Committee, committeeHash } from '../../domain/consensus/committee.ts';
import { verifyEd25519 } from '../../domain/consensus/ed25519.ts';
import {
  type Handover,
  type PublishedCommittee,
  type Successor,
  successorMessage,
} from '../../domain/consensus/handover.ts';
import type { CommitteeMember } from '../../domain/consensus/member.ts';
import type { HostedMember } from '../../domain/consensus/member-host.ts';
import type { CommitteeMembers } from '../../protocol/receipts/committees-document.ts';
import { remoteMember } from './remote-member.ts';

/** Who answers nothing for so long is away. */
const ANSWER_WAIT_MS = 3_000;
/** Checkpoints have a thousand headers, and their signatures take ten milliseconds. */
const CHECKPOINT_WAIT_MS = 10_000;

const OBJECT = /^object(:[a-z0-9-]{1,40})?$/;

/** Where members live that are not embedded, by their numbers: `object`, `object:NAME` where the one of the member's number has been replaced, or the address of a process. */
const Places = z.array(z.union([z.string().regex(OBJECT), z.url({ protocol: /^https?$/ })])).length(COMMITTEE_SIZE);

/** Tokens of processes by their addresses. */
const Tokens = z.record(z.string(), z.string());

export type MemberPlaces = readonly string[];

interface MembersEnv {
  readonly VALIDATOR?: { getByName(name: string): unknown };
  /** `embedded`, `objects`, or `Places` as JSON. */
  readonly CONSENSUS_MEMBERS?: string;
  /** Opens members in processes of their own: one text for all of them, or `Tokens` as JSON. */
  readonly CONSENSUS_MEMBER_TOKEN?: string;
}

/** Where members live that are not embedded, as it is published: a list of objects is one of objects. */
export function hostedPlaces(env: MembersEnv): CommitteeMembers {
  return memberPlaces(env).every((place) => OBJECT.test(place)) ? 'objects' : 'places';
}

/** Whether members of committees that are formed live elsewhere than in the sequencer's object. */
export function areMembersHosted({ CONSENSUS_MEMBERS: members = 'embedded' }: MembersEnv): boolean {
  return members !== 'embedded';
}

/** Where each member is, as `CONSENSUS_MEMBERS` says: its object unless another place is named. @throws Error where it does not say so for each */
export function memberPlaces({ CONSENSUS_MEMBERS: members = 'embedded' }: MembersEnv): MemberPlaces {
  if (members.startsWith('[')) return Places.parse(JSON.parse(members));
  if (members !== 'embedded' && members !== 'objects') throw new Error('CONSENSUS_MEMBERS names no members');
  return Array(COMMITTEE_SIZE).fill('object');
}

/** A name of the place where a member is: whoever is asked there is the same member, whatever its number is. */
export function placeName(place: string, member: number): string {
  if (!OBJECT.test(place)) return place;
  return `object:${place.split(':')[1] ?? member}`;
}

/**
 * A member in its object, or in its process. An object's stub is a fresh one: after an exception it stays broken.
 *
 * @param place where it is asked; where `CONSENSUS_MEMBERS` says that it is, if none is named
 * @throws Error where nothing says where it is, or by which token it is opened
 */
export function hostedMember(env: MembersEnv, member: number, place = memberPlaces(env)[member]): HostedMember {
  if (place !== undefined && !OBJECT.test(place)) return remoteMember(place, tokenOf(env, place));
  const { VALIDATOR: validators } = env;
  if (validators === undefined) throw new Error('there are no objects of members here');
  return validators.getByName(placeName(place ?? 'object', member).slice('object:'.length)) as HostedMember;
}

/** @throws Error where there is none of it */
function tokenOf({ CONSENSUS_MEMBER_TOKEN: token = '' }: MembersEnv, address: string): string {
  if (!token.startsWith('{')) return token;
  const own = new Map(Object.entries(Tokens.parse(JSON.parse(token)))).get(address);
  if (own === undefined) throw new Error(`CONSENSUS_MEMBER_TOKEN has none of ${address}`);
  return own;
}

/** A committee as its members are reached. */
interface Reached {
  readonly committee: Committee;
  /** Where they were when it was the present one; null where that was not noted. */
  readonly places: MemberPlaces | null;
}

/** Asks a member where it was, and where it does not answer so there, where it is by now. */
async function ask<Answer>(
  env: MembersEnv,
  places: MemberPlaces | null,
  member: number,
  wait_ms: number,
  question: (member: HostedMember) => Promise<Answer>,
): Promise<Answer> {
  const noted = places?.[member];
  const present = presentPlaces(env)?.[member];
  const askAt = (place: string | undefined) => inTime(async () => question(hostedMember(env, member, place)), wait_ms);
  if (noted === undefined || noted === present) return askAt(present);
  return present === undefined ? askAt(noted) : askAt(noted).catch(() => askAt(present));
}

/** Null where the deployment does not say, which keeps no committee of before from voting. */
function presentPlaces(env: MembersEnv): MemberPlaces | null {
  try {
    return memberPlaces(env);
  } catch {
    return null;
  }
}

/** Whether a place signs with the key that a member has in a committee. */
export async function isMemberAt(
  env: MembersEnv,
  committee: Committee,
  member: number,
  place: string,
): Promise<boolean> {
  const { epoch, keys } = committee;
  const from = keys[member] ?? '';
  const signed = async () => hostedMember(env, member, place).signSuccessor(committee, epoch);
  const own = await inTime(signed, ANSWER_WAIT_MS).catch(() => null);
  const message = successorMessage(committeeHash(committee), epoch, { from, to: from });
  return own !== null && own.key === from && verifyEd25519(from, message, own.signature);
}

/** A committee whose members are elsewhere, as its votes are asked for. */
export function hostedMembers(
  env: MembersEnv,
  { committee, places }: Reached,
  before: Committee | null,
  shown: readonly PublishedCommittee[],
): CommitteeMember[] {
  return committee.keys.map((_, member) => ({
    consider: (proposal) =>
      ask(env, places, member, ANSWER_WAIT_MS, (hosted) => hosted.consider(committee, before, proposal, shown)),
    endRound: (round, heard) =>
      ask(env, places, member, ANSWER_WAIT_MS, (hosted) => hosted.endRound(committee, round, heard)),
  }));
}

/** The same members, as checkpoints are signed. */
export function hostedSigners(env: MembersEnv, { committee, places }: Reached): CheckpointMember[] {
  return committee.keys.map((_, member) => ({
    sign: (proposal) =>
      ask(env, places, member, CHECKPOINT_WAIT_MS, (hosted) => hosted.signCheckpoint(committee, proposal)),
  }));
}

/** What members of a committee say of voting on what follows a block, by their numbers. Who is in neither list is away. */
export interface Willingness {
  readonly willing: readonly number[];
  /** They do not believe the committee, or who has made the block before final: asked again, they will say the same. */
  readonly refuse: readonly number[];
}

/** Who of a committee's members would vote on what follows a block, as `HostedMember.wouldVote`. */
export async function hostedWilling(
  env: MembersEnv,
  { committee, places }: Reached,
  { last, before, shown }: { last: BlockHeader | null; before: Committee | null; shown: readonly PublishedCommittee[] },
): Promise<Willingness> {
  const would = (hosted: HostedMember) => hosted.wouldVote(committee, last, before, shown);
  const asked = committee.keys.map((_, member) => ask(env, places, member, ANSWER_WAIT_MS, would).catch(() => null));
  const answers = await Promise.all(asked);
  const saying = (answer: boolean) => [...answers.keys()].filter((member) => answers[member] === answer);
  return { willing: saying(true), refuse: saying(false) };
}

/** Who of a committee whose members are elsewhere goes on in the next one, by their numbers. */
export async function hostedSuccessors(
  env: MembersEnv,
  { committee, places }: Reached,
  { epoch, keys }: Committee,
): Promise<Successor[]> {
  const asked = committee.keys.map(async (_, member) => {
    const goesOn = (hosted: HostedMember) => hosted.signSuccessor(committee, epoch);
    const own = await ask(env, places, member, ANSWER_WAIT_MS, goesOn).catch(() => null);
    return own === null || !keys.includes(own.key) ? [] : [{ member, ...own }];
  });
  return (await Promise.all(asked)).flat();
}

/** Who of a committee whose members are elsewhere names the next one, by their numbers. */
export async function hostedHandover(
  env: MembersEnv,
  { committee, places }: Reached,
  next: Committee,
  successors: readonly Successor[],
): Promise<Handover['signatures']> {
  const asked = committee.keys.map(async (_, member) => {
    const named = (hosted: HostedMember) => hosted.signHandover(committee, next, successors);
    const signature = await ask(env, places, member, ANSWER_WAIT_MS, named).catch(() => null);
    return signature === null ? [] : [{ member, signature }];
  });
  return (await Promise.all(asked)).flat();
}

/** @throws Error where the answer does not come */
export async function inTime<Answer>(ask: () => Promise<Answer>, ms: number): Promise<Answer> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer in ${ms} ms`)), ms);
  });
  try {
    return await Promise.race([ask(), late]);
  } finally {
    clearTimeout(timer);
  }
}
