import { z } from 'zod';
import type { CheckpointMember } from '../../domain/consensus/checkpoints/checkpoint-member.ts';
import { COMMITTEE_SIZE, type Committee } from '../../domain/consensus/committee.ts';
import type { Handover } from '../../domain/consensus/handover.ts';
import type { CommitteeMember } from '../../domain/consensus/member.ts';
import type { HostedMember } from '../../domain/consensus/member-host.ts';
import type { CommitteeMembers } from '../../protocol/receipts/committees-document.ts';
import { remoteMember } from './remote-member.ts';

/** Who answers nothing for so long is away. */
const ANSWER_WAIT_MS = 3_000;
/** Checkpoints have a thousand headers, and their signatures take ten milliseconds. */
const CHECKPOINT_WAIT_MS = 10_000;

/** Where members live that are not embedded: by their numbers, `object` or the address of a process. */
const Places = z.array(z.union([z.literal('object'), z.url({ protocol: /^https?$/ })])).length(COMMITTEE_SIZE);

interface MembersEnv {
  readonly VALIDATOR?: { getByName(name: string): unknown };
  /** `embedded`, `objects`, or `Places` as JSON. */
  readonly CONSENSUS_MEMBERS?: string;
  /** Opens members in processes of their own. */
  readonly CONSENSUS_MEMBER_TOKEN?: string;
}

/** Where members live that are not embedded, as it is published. */
export function hostedPlaces({ CONSENSUS_MEMBERS: members = '' }: MembersEnv): CommitteeMembers {
  return members.startsWith('[') ? 'places' : 'objects';
}

/** Whether members of committees that are formed live elsewhere than in the sequencer's object. */
export function areMembersHosted({ CONSENSUS_MEMBERS: members = 'embedded' }: MembersEnv): boolean {
  return members !== 'embedded';
}

/**
 * A member in its object, or in its process. An object's stub is a fresh one: after an exception it stays broken.
 *
 * @throws Error where CONSENSUS_MEMBERS does not say where it is
 */
export function hostedMember(env: MembersEnv, member: number): HostedMember {
  const { VALIDATOR: validators, CONSENSUS_MEMBERS: members = 'embedded', CONSENSUS_MEMBER_TOKEN: token = '' } = env;
  const place = members.startsWith('[') ? Places.parse(JSON.parse(members))[member] : 'object';
  if (place !== undefined && place !== 'object') return remoteMember(place, token);
  if (validators === undefined) throw new Error('there are no objects of members here');
  return validators.getByName(String(member)) as HostedMember;
}

/** A committee whose members are elsewhere, as its votes are asked for. */
export function hostedMembers(env: MembersEnv, committee: Committee, before: Committee | null): CommitteeMember[] {
  return committee.keys.map((_, member) => ({
    consider: (proposal) =>
      inTime(() => hostedMember(env, member).consider(committee, before, proposal), ANSWER_WAIT_MS),
    endRound: (round, heard) =>
      inTime(() => hostedMember(env, member).endRound(committee, round, heard), ANSWER_WAIT_MS),
  }));
}

/** The same members, as checkpoints are signed. */
export function hostedSigners(env: MembersEnv, committee: Committee): CheckpointMember[] {
  return committee.keys.map((_, member) => ({
    sign: (proposal) => inTime(() => hostedMember(env, member).signCheckpoint(committee, proposal), CHECKPOINT_WAIT_MS),
  }));
}

/** Who of a committee whose members are elsewhere names the next one, by their numbers. */
export async function hostedHandover(
  env: MembersEnv,
  committee: Committee,
  next: Committee,
): Promise<Handover['signatures']> {
  const asked = committee.keys.map(async (_, member) => {
    const ask = () => hostedMember(env, member).signHandover(committee, next);
    const signature = await inTime(ask, ANSWER_WAIT_MS).catch(() => null);
    return signature === null ? [] : [{ member, signature }];
  });
  return (await Promise.all(asked)).flat();
}

/** @throws Error where the answer does not come */
async function inTime<Answer>(ask: () => Promise<Answer>, ms: number): Promise<Answer> {
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
