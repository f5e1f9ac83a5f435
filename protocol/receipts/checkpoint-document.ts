import { z } from 'zod';
import {
  BLS_PUBLIC_KEY_BYTES,
  BLS_SIGNATURE_BYTES,
  ML_DSA_PUBLIC_KEY_BYTES,
  ML_DSA_SIGNATURE_BYTES,
} from '../../domain/consensus/checkpoints/checkpoint-crypto.ts';
import type { CheckpointProof } from '../../domain/consensus/checkpoints/checkpoint-proof.ts';
import { COMMITTEE_SIZE } from '../../domain/consensus/committee.ts';
import { Count, Hash, hexOf, Member } from './fields.ts';

export const Checkpoint = z.strictObject({
  committee: Hash,
  keys: Hash,
  number: Count,
  parent: Hash,
  firstHeight: Count,
  lastHeight: Count,
  lastBlock: Hash,
  blocksRoot: Hash,
});

const Certificate = z.strictObject({
  number: Count,
  hash: Hash,
  bls: z.strictObject({ members: z.array(Member).max(COMMITTEE_SIZE), signature: hexOf(BLS_SIGNATURE_BYTES) }),
  mlDsa: z.array(z.strictObject({ member: Member, signature: hexOf(ML_DSA_SIGNATURE_BYTES) })).max(COMMITTEE_SIZE),
});

export const MemberKeys = z.strictObject({
  bls: hexOf(BLS_PUBLIC_KEY_BYTES),
  proof: hexOf(BLS_SIGNATURE_BYTES),
  mlDsa: hexOf(ML_DSA_PUBLIC_KEY_BYTES),
  endorsement: hexOf(64),
});

/** The part of a receipt that proves its block to stand in a certified checkpoint. */
export const CheckpointDocument = z.strictObject({
  checkpoint: Checkpoint,
  path: z.array(Hash).max(32),
  certificate: Certificate,
  keys: z.strictObject({
    epoch: Count.max(0xffff_ffff),
    committee: Hash,
    members: z.array(MemberKeys).length(COMMITTEE_SIZE),
  }),
});

export function checkpointDocument({
  checkpoint,
  path,
  certificate,
  keys,
}: CheckpointProof): z.infer<typeof CheckpointDocument> {
  const { bls, mlDsa } = certificate;
  return {
    checkpoint,
    path: [...path],
    certificate: { ...certificate, bls: { ...bls, members: [...bls.members] }, mlDsa: [...mlDsa] },
    keys: { ...keys, members: [...keys.members] },
  };
}
