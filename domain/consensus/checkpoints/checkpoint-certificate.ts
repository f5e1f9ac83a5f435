import { fromHex, type Hash, toHex } from '../bytes.ts';
import { QUORUM } from '../committee.ts';
import { type Checkpoint, checkpointHash } from './checkpoint.ts';
import { BLS_SIGNATURE_BYTES, type CheckpointCrypto } from './checkpoint-crypto.ts';
import { type CheckpointKeys, checkpointKeysHash, isHex } from './checkpoint-keys.ts';
import { type CheckpointVote, checkpointMessage, isBlsOf, isMlDsaOf } from './checkpoint-vote.ts';

/**
 * Proof that a committee has signed a checkpoint, in two parts that both must hold: one breaks with the elliptic curve, the other with the lattice. The
 * second is a multi-signature, not a threshold scheme: signatures of 16 members, each by itself.
 */
export interface CheckpointCertificate {
  readonly number: number;
  readonly hash: Hash;
  /** One aggregate of BLS signatures, and whose they are, ascending. */
  readonly bls: { readonly members: readonly number[]; readonly signature: string };
  /** ML-DSA-65 signatures by member, ascending. */
  readonly mlDsa: readonly { readonly member: number; readonly signature: string }[];
}

/** Of these votes for one checkpoint, of different members; null of none, and where a BLS signature is none. One that is not its member's spoils the aggregate. */
export function checkpointCertificate(
  votes: readonly CheckpointVote[],
  { bls }: Pick<CheckpointCrypto, 'bls'>,
): CheckpointCertificate | null {
  const ascending = votes.toSorted((one, other) => one.member - other.member);
  const [first] = ascending;
  if (first === undefined || !ascending.every((vote) => isHex(vote.bls, BLS_SIGNATURE_BYTES))) return null;
  const aggregate = bls.aggregate(ascending.map((vote) => fromHex(vote.bls)));
  if (aggregate === null) return null;
  return {
    number: first.number,
    hash: first.hash,
    bls: { members: ascending.map(({ member }) => member), signature: toHex(aggregate) },
    mlDsa: ascending.map(({ member, mlDsa }) => ({ member, signature: mlDsa })),
  };
}

/**
 * Null where it proves that the committee has signed the checkpoint; else why not. Every signature of it must hold, also beyond the quorum.
 *
 * @param keys the committee's, held to `checkpointKeysFault`: the aggregate proves nothing of keys without proofs
 */
export function checkpointCertificateFault(
  { number, hash, bls, mlDsa }: CheckpointCertificate,
  checkpoint: Checkpoint,
  keys: CheckpointKeys,
  crypto: CheckpointCrypto,
): string | null {
  if (checkpoint.committee !== keys.committee || checkpoint.keys !== checkpointKeysHash(keys))
    return 'the keys are of another committee';
  if (number !== checkpoint.number || hash !== checkpointHash(checkpoint)) return 'it is over another checkpoint';
  const fault =
    membersFault('BLS', bls.members, keys) ??
    membersFault(
      'ML-DSA',
      mlDsa.map(({ member }) => member),
      keys,
    );
  if (fault !== null) return fault;
  const message = checkpointMessage(checkpoint);
  const blsKeys = bls.members.map((member) => keys.members[member]?.bls ?? '');
  if (!isBlsOf(blsKeys, message, bls.signature, crypto)) return 'its BLS signature is not its members’';
  for (const { member, signature } of mlDsa) {
    if (!isMlDsaOf(keys.members[member]?.mlDsa ?? '', message, signature, crypto))
      return `the ML-DSA signature of member ${member} is not signed by it`;
  }
  return null;
}

function membersFault(scheme: string, members: readonly number[], keys: CheckpointKeys): string | null {
  if (members.length < QUORUM) return `it has ${members.length} ${scheme} signatures and not ${QUORUM}`;
  if (members.some((member, at) => at > 0 && member <= (members[at - 1] ?? -1)))
    return `its ${scheme} signatures have no order`;
  const stranger = members.find((member) => keys.members[member] === undefined);
  return stranger === undefined ? null : `the committee has no member ${stranger}`;
}
