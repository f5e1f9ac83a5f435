import type { Hash } from './bytes.ts';
import { type Committee, committeeHash, QUORUM } from './committee.ts';
import { type VerifySignature, type Vote, voteMessage } from './vote.ts';

/** Proof that a block is final: votes of at least 16 members of the committee over one hash. */
export interface QuorumCertificate {
  readonly height: number;
  readonly hash: Hash;
  /** By member, ascending. */
  readonly votes: readonly Pick<Vote, 'member' | 'signature'>[];
}

/** Null where it proves that the block is final; else why not. Every vote of it must hold, also beyond the quorum. */
export async function certificateFault(
  { height, hash, votes }: QuorumCertificate,
  committee: Committee,
  verify: VerifySignature,
): Promise<string | null> {
  if (votes.length < QUORUM) return `it has ${votes.length} votes and not ${QUORUM}`;
  if (votes.some(({ member }, at) => at > 0 && member <= (votes[at - 1]?.member ?? -1)))
    return 'its votes have no order';
  const message = voteMessage(committeeHash(committee), height, hash);
  const checks = votes.map(async ({ member, signature }) => {
    const key = committee.keys[member];
    if (key === undefined) return `the committee has no member ${member}`;
    return (await verify(key, message, signature)) ? null : `the vote of member ${member} is not signed by it`;
  });
  return (await Promise.all(checks)).find((fault) => fault !== null) ?? null;
}
