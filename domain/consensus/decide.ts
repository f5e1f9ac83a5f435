import { blockHash } from './block.ts';
import { type Hash, isHash } from './bytes.ts';
import type { QuorumCertificate } from './certificate.ts';
import { type Committee, committeeHash, QUORUM, ROUNDS_MAX } from './committee.ts';
import type { CommitteeMember, Proposal } from './member.ts';
import { type VerifySignature, type Vote, voteMessage } from './vote.ts';

/** What comes in while a committee decides. */
export interface DecisionListener {
  /** A member has voted for the chain's last block. */
  voted(member: number): void;
  /** A vote for another block that its member has signed: one for a block that is not of the chain is half a proof of equivocation. */
  stray(vote: Vote): void;
}

const NOBODY: DecisionListener = { voted: () => undefined, stray: () => undefined };

/**
 * Lets a committee decide on a chain, in up to ten rounds. Who does not answer is away.
 *
 * @param members in the order of their numbers
 * @param listener hears what comes in
 * @returns the proof that the last block of the chain is final; null where fewer than 16 have voted for it: asked again, they may
 */
export async function decide(
  members: readonly CommitteeMember[],
  committee: Committee,
  proposal: Proposal,
  verify: VerifySignature,
  listener: DecisionListener = NOBODY,
): Promise<QuorumCertificate | null> {
  const tip = proposal.chain.at(-1);
  if (tip === undefined) return null;
  const [of, hash] = [committeeHash(committee), blockHash(tip)];
  const message = voteMessage(of, tip.height, hash);
  const isVote = async (vote: Vote | null, member: number): Promise<boolean> => {
    const key = committee.keys[member];
    if (vote === null || key === undefined || vote.member !== member) return false;
    if (vote.hash === hash) return verify(key, message, vote.signature);
    if (isHash(vote.hash) && (await verify(key, voteMessage(of, vote.height, vote.hash), vote.signature)))
      listener.stray(vote);
    return false;
  };
  const votes = new Map<number, string>();
  let preferred: (Hash | null)[] = await Promise.all(
    members.map((member) => member.consider(proposal).catch(() => null)),
  );
  for (let round = 0; round < ROUNDS_MAX && votes.size < QUORUM; round++) {
    const heard = preferred.flatMap((of, member): [number, Hash][] => (of === null ? [] : [[member, of]]));
    if (heard.length < QUORUM) return null;
    const silent = { preferred: null, vote: null };
    const ends = await Promise.all(members.map((member) => member.endRound(round, heard).catch(() => silent)));
    const checked = await Promise.all(ends.map(({ vote }, member) => isVote(vote, member)));
    for (const [member, { vote }] of ends.entries()) {
      if (vote === null || !checked[member]) continue;
      votes.set(member, vote.signature);
      listener.voted(member);
    }
    preferred = ends.map((end) => end.preferred);
  }
  if (votes.size < QUORUM) return null;
  const inOrder = [...votes].sort(([one], [other]) => one - other);
  return { height: tip.height, hash, votes: inOrder.map(([member, signature]) => ({ member, signature })) };
}
