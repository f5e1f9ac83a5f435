import { ByteWriter, fromHex, type Hash, sha256, toHex } from '../bytes.ts';
import { type Committee, committeeHash } from '../committee.ts';
import type { MemberKey } from '../ed25519.ts';
import type { VerifySignature } from '../vote.ts';
import {
  BLS_PUBLIC_KEY_BYTES,
  BLS_SIGNATURE_BYTES,
  type BlsKeyPair,
  type CheckpointCrypto,
  ML_DSA_PUBLIC_KEY_BYTES,
  type MlDsaKeyPair,
} from './checkpoint-crypto.ts';

/** What one member signs checkpoints with. All in lower-case hexadecimal. */
export interface MemberCheckpointKeys {
  /** BLS12-381 public key, 48 bytes. */
  readonly bls: string;
  /** Proof that the member has the secret of `bls`, 96 bytes: without it a key may be made of others' keys so that it signs for them. */
  readonly proof: string;
  /** ML-DSA-65 public key (FIPS 204), 1,952 bytes. */
  readonly mlDsa: string;
  /** The member's Ed25519 signature over both keys, 64 bytes: who knows the committee knows by it whose keys they are. */
  readonly endorsement: string;
}

/** A committee's keys for checkpoints. */
export interface CheckpointKeys {
  readonly epoch: number;
  /** Hash of the committee. */
  readonly committee: Hash;
  /** By the member's number in the committee. */
  readonly members: readonly MemberCheckpointKeys[];
}

/** Names the keys: SHA-256 over epoch, committee and all public keys. */
export function checkpointKeysHash({ epoch, committee, members }: CheckpointKeys): Hash {
  const writer = new ByteWriter().tag('edge.checkpoint-keys.v1').u32(epoch).hash(committee).u32(members.length);
  for (const { bls, mlDsa } of members) writer.bytes(fromHex(bls)).bytes(fromHex(mlDsa));
  return toHex(sha256(writer.end()));
}

/** The keys of a member that are told to others. */
export async function memberCheckpointKeys(
  committee: Hash,
  member: number,
  { bls, mlDsa, ed25519 }: { readonly bls: BlsKeyPair; readonly mlDsa: MlDsaKeyPair; readonly ed25519: MemberKey },
): Promise<MemberCheckpointKeys> {
  return {
    bls: toHex(bls.publicKey),
    proof: toHex(bls.prove()),
    mlDsa: toHex(mlDsa.publicKey),
    endorsement: await ed25519.sign(endorsementMessage(committee, member, bls.publicKey, mlDsa.publicKey)),
  };
}

/** Null where they are the keys of this committee, which is one; else what is wrong. */
export async function checkpointKeysFault(
  keys: CheckpointKeys,
  committee: Committee,
  { bls }: Pick<CheckpointCrypto, 'bls'>,
  verify: VerifySignature,
): Promise<string | null> {
  const { members } = keys;
  if (keys.epoch !== committee.epoch || keys.committee !== committeeHash(committee))
    return 'they are of another committee';
  if (members.length !== committee.keys.length)
    return `there are those of ${members.length} members and not of ${committee.keys.length}`;
  for (const [member, own] of members.entries()) {
    const fault = sizeFault(own);
    if (fault !== null) return `member ${member}: ${fault}`;
  }
  if (new Set(members.map((own) => own.bls)).size !== members.length) return 'two members have one BLS key';
  if (new Set(members.map(({ mlDsa }) => mlDsa)).size !== members.length) return 'two members have one ML-DSA key';
  for (const [member, own] of members.entries()) {
    const key = fromHex(own.bls);
    if (!bls.isProved(key, fromHex(own.proof))) return `member ${member}: it does not prove its BLS key`;
    const message = endorsementMessage(keys.committee, member, key, fromHex(own.mlDsa));
    if (!(await verify(committee.keys[member] ?? '', message, own.endorsement)))
      return `member ${member}: it has not signed its keys`;
  }
  return null;
}

function sizeFault({ bls, proof, mlDsa }: MemberCheckpointKeys): string | null {
  if (!isHex(bls, BLS_PUBLIC_KEY_BYTES)) return `its BLS key is not ${BLS_PUBLIC_KEY_BYTES} bytes`;
  if (!isHex(proof, BLS_SIGNATURE_BYTES)) return `its proof is not ${BLS_SIGNATURE_BYTES} bytes`;
  if (!isHex(mlDsa, ML_DSA_PUBLIC_KEY_BYTES)) return `its ML-DSA key is not ${ML_DSA_PUBLIC_KEY_BYTES} bytes`;
  return null;
}

/** Whether a text is so many bytes in lower-case hexadecimal. */
export function isHex(text: string, bytes: number): boolean {
  return text.length === 2 * bytes && /^[0-9a-f]*$/.test(text);
}

function endorsementMessage(
  committee: Hash,
  member: number,
  bls: Uint8Array,
  mlDsa: Uint8Array,
): Uint8Array<ArrayBuffer> {
  return new ByteWriter().tag('edge.checkpoint-key.v1').hash(committee).u32(member).bytes(bls).bytes(mlDsa).end();
}
