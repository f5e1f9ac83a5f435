import { type BlockHeader, blockHash } from './block.ts';
import type { Hash } from './bytes.ts';
import type { Committee } from './committee.ts';
import { committeeHash } from './committee.ts';
import { type VerifySignature, type Vote, voteMessage } from './vote.ts';

/** Proof that a member has voted for two blocks of which neither stands on the other. */
export interface Equivocation {
  /** Both of one member; the first is not higher than the second. */
  readonly votes: readonly [Vote, Vote];
  /** Headers of the second vote's chain, from the height of the first vote to its block. One where both heights are the same. */
  readonly chain: readonly BlockHeader[];
}

/** Null where it proves that; else why not. */
export async function equivocationFault(
  { votes: [first, second], chain }: Equivocation,
  committee: Committee,
  verify: VerifySignature,
): Promise<string | null> {
  if (first.member !== second.member) return 'the votes are of two members';
  const key = committee.keys[first.member];
  if (key === undefined) return `the committee has no member ${first.member}`;
  const [from, to] = [chain[0], chain.at(-1)];
  if (from?.height !== first.height) return 'the chain does not begin at the height of the first vote';
  if (to === undefined || to.height !== second.height || blockHash(to) !== second.hash)
    return 'the chain does not end with the block of the second vote';
  if (!chain.every((header, at) => at === 0 || follows(header, chain[at - 1]))) return 'the chain is broken';
  if (blockHash(from) === first.hash) return 'the second block stands on the first';
  for (const { height, hash, signature } of [first, second]) {
    const message = voteMessage(committeeHash(committee), height, hash);
    if (!(await verify(key, message, signature))) return `the vote at height ${height} is not signed by the member`;
  }
  return null;
}

function follows(header: BlockHeader, parent: BlockHeader | undefined): boolean {
  return parent !== undefined && header.height === parent.height + 1 && header.parent === blockHash(parent);
}

/**
 * The two of these votes that prove equivocation of their member, if any; votes are valid.
 *
 * @param chainOf headers from a height to a block, where that block and all between are known
 */
export function findEquivocation(
  votes: readonly Vote[],
  chainOf: (fromHeight: number, hash: Hash) => readonly BlockHeader[] | null,
): Equivocation | null {
  const byHeight = [...votes].sort((one, other) => one.height - other.height);
  for (const [at, second] of byHeight.entries()) {
    for (const first of byHeight.slice(0, at)) {
      if (first.member !== second.member) continue;
      const chain = chainOf(first.height, second.hash);
      const [from] = chain ?? [];
      if (chain !== null && from !== undefined && blockHash(from) !== first.hash)
        return { votes: [first, second], chain };
    }
  }
  return null;
}
