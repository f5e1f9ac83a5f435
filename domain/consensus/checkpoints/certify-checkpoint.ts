import { QUORUM } from '../committee.ts';
import { checkpointHash } from './checkpoint.ts';
import {
  type CheckpointCertificate,
  checkpointCertificate,
  checkpointCertificateFault,
} from './checkpoint-certificate.ts';
import type { CheckpointCrypto } from './checkpoint-crypto.ts';
import type { CheckpointKeys } from './checkpoint-keys.ts';
import type { CheckpointMember, CheckpointProposal } from './checkpoint-member.ts';
import { type CheckpointVote, checkpointVoteFault } from './checkpoint-vote.ts';

/**
 * Lets a committee sign a checkpoint. It asks as many members as signatures are missing, and others in the place of those who are away or sign wrongly.
 *
 * @param members in the order of their numbers
 * @param keys the committee's, held to `checkpointKeysFault`
 * @returns null where fewer than 16 have signed: asked again, they may
 */
export async function certifyCheckpoint(
  members: readonly CheckpointMember[],
  proposal: CheckpointProposal,
  keys: CheckpointKeys,
  crypto: CheckpointCrypto,
): Promise<CheckpointCertificate | null> {
  const { checkpoint } = proposal;
  const hash = checkpointHash(checkpoint);
  let votes: CheckpointVote[] = [];
  let next = 0;
  while (votes.length < QUORUM && next < members.length) {
    const asked = members.slice(next, next + QUORUM - votes.length);
    const answers = await Promise.all(asked.map((member) => member.sign(proposal).catch(() => null)));
    for (const [at, vote] of answers.entries())
      if (vote?.member === next + at && vote.number === checkpoint.number && vote.hash === hash) votes.push(vote);
    next += asked.length;
    if (votes.length < QUORUM) continue;
    const certificate = checkpointCertificate(votes, crypto);
    // One check of the whole takes a third of those of each vote, which are to find who has signed wrongly.
    if (certificate !== null && checkpointCertificateFault(certificate, checkpoint, keys, crypto) === null)
      return certificate;
    votes = votes.filter((vote) => checkpointVoteFault(vote, checkpoint, keys, crypto) === null);
  }
  return null;
}
