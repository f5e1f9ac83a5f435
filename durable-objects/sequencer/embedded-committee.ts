import type { BlockHeader } from '../../domain/consensus/block.ts';
import { COMMITTEE_SIZE, type Committee, committeeHash } from '../../domain/consensus/committee.ts';
import { type MemberKey, memberKey } from '../../domain/consensus/ed25519.ts';
import { Member } from '../../domain/consensus/member.ts';
import { memberSecrets } from '../../domain/consensus/member-secrets.ts';
import type { BlockStore } from './block-store.ts';

/** A committee all of whose members live in the sequencer's own object, and whose keys come from one seed. */
export interface EmbeddedCommittee {
  readonly committee: Committee;
  readonly members: readonly Member[];
  readonly keys: readonly MemberKey[];
}

/**
 * @param seed secret CONSENSUS_SEED: 32 random bytes
 * @param epoch from 1
 */
export async function embeddedCommittee(
  seed: Uint8Array,
  epoch: number,
  store: BlockStore,
): Promise<EmbeddedCommittee> {
  const numbers = Array.from({ length: COMMITTEE_SIZE }, (_, number) => number);
  const keys: MemberKey[] = await Promise.all(
    numbers.map((number) => memberKey(memberSecrets(seed, epoch, number).ed25519)),
  );
  const committee: Committee = { epoch, keys: keys.map(({ publicKey }) => publicKey) };
  const hash = committeeHash(committee);
  // What is final stands in the store that the members share with the sequencer.
  const provesFinal = async (final: BlockHeader) => final.height <= (store.final?.height ?? 0);
  const members = keys.map((key, number) => {
    const votes = {
      last: () => store.vote(hash, number),
      save: (vote: { height: number; hash: string }) => store.keepVote(hash, number, vote),
    };
    return new Member({ number, committee: hash, key, votes, provesFinal });
  });
  return { committee, members, keys };
}
