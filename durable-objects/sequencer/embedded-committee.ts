import type { BlockHeader } from '../../domain/consensus/block.ts';
import { toHex } from '../../domain/consensus/bytes.ts';
import { COMMITTEE_SIZE, type Committee, committeeHash } from '../../domain/consensus/committee.ts';
import { type MemberKey, memberKey, verifyEd25519 } from '../../domain/consensus/ed25519.ts';
import { Member } from '../../domain/consensus/member.ts';
import { memberSecrets } from '../../domain/consensus/member-secrets.ts';
import type { VerifySignature } from '../../domain/consensus/vote.ts';
import type { BlockStore } from './block-store.ts';

/** A committee all of whose members live in the sequencer's own object, and whose keys come from one seed. */
export interface EmbeddedCommittee {
  readonly committee: Committee;
  readonly members: readonly Member[];
  readonly keys: readonly MemberKey[];
  /** Verifies signatures; those that were just made here it knows. */
  readonly verify: VerifySignature;
}

/** Signatures that are remembered: those of a few votes. */
const SIGNATURES_MAX = 256;

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
  const made = new Set<string>();
  const keys: MemberKey[] = await Promise.all(
    numbers.map(async (number) => remembering(await memberKey(memberSecrets(seed, epoch, number).ed25519), made)),
  );
  const verify: VerifySignature = async (key, message, signature) =>
    made.has(nameOf(key, message, signature)) || verifyEd25519(key, message, signature);
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
  return { committee, members, keys, verify };
}

function nameOf(key: string, message: Uint8Array, signature: string): string {
  return `${key} ${toHex(message)} ${signature}`;
}

/** A key whose signatures stand among those that were made. */
function remembering({ publicKey, sign }: MemberKey, made: Set<string>): MemberKey {
  return {
    publicKey,
    sign: async (message) => {
      const signature = await sign(message);
      if (made.size >= SIGNATURES_MAX) made.clear();
      made.add(nameOf(publicKey, message, signature));
      return signature;
    },
  };
}
