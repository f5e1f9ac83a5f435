import { z } from 'zod';
import { CHECKPOINT_BLOCKS_MAX } from '../../domain/consensus/checkpoints/checkpoint.ts';
import { BLS_SIGNATURE_BYTES, ML_DSA_SIGNATURE_BYTES } from '../../domain/consensus/checkpoints/checkpoint-crypto.ts';
import { COMMITTEE_SIZE, ROUNDS_MAX } from '../../domain/consensus/committee.ts';
import { DECISION_HEADERS_MAX } from '../../domain/consensus/member.ts';
import { SHOWN_COMMITTEES_MAX } from '../../domain/consensus/member-host.ts';
import { Checkpoint, MemberKeys } from '../receipts/checkpoint-document.ts';
import { NamedCommittee } from '../receipts/committees-document.ts';
import { Count, Hash, hexOf, Member } from '../receipts/fields.ts';
import { BlockCertificate, CommitteeDocument, Header } from '../receipts/receipt-document.ts';

const Epoch = Count.min(1).max(0xffff_ffff);
const OwnSuccessor = { key: Hash, signature: hexOf(64), proof: hexOf(64) };

/**
 * What a member in a process of its own is asked, and what it answers: `POST /v1/<call>` with a JSON list of arguments, under a bearer token. 200 has the
 * answer; 400 says what is wrong with the question, 401 that the token is, 409 why the member has no part in it.
 */
export const MEMBER_CALLS = {
  publicKey: { asked: z.tuple([Epoch]), answered: Hash },
  wouldVote: {
    asked: z.tuple([
      CommitteeDocument,
      Header.nullable(),
      CommitteeDocument.nullable(),
      z.array(NamedCommittee).max(SHOWN_COMMITTEES_MAX),
    ]),
    answered: z.boolean(),
  },
  consider: {
    asked: z.tuple([
      CommitteeDocument,
      CommitteeDocument.nullable(),
      z.strictObject({
        final: Header.nullable(),
        certificate: BlockCertificate.nullable(),
        chain: z.array(Header).max(DECISION_HEADERS_MAX),
      }),
      z.array(NamedCommittee).max(SHOWN_COMMITTEES_MAX).optional(),
    ]),
    answered: Hash.nullable(),
  },
  endRound: {
    asked: z.tuple([
      CommitteeDocument,
      Count.max(ROUNDS_MAX - 1),
      z.array(z.tuple([Member, Hash])).max(COMMITTEE_SIZE),
    ]),
    answered: z.strictObject({
      preferred: Hash.nullable(),
      vote: z.strictObject({ member: Member, height: Count, hash: Hash, signature: hexOf(64) }).nullable(),
    }),
  },
  checkpointKeys: { asked: z.tuple([CommitteeDocument]), answered: MemberKeys },
  signCheckpoint: {
    asked: z.tuple([
      CommitteeDocument,
      z.strictObject({
        checkpoint: Checkpoint,
        parent: Checkpoint.nullable(),
        blocks: z.array(Header).max(CHECKPOINT_BLOCKS_MAX),
        certificate: BlockCertificate.nullable(),
      }),
    ]),
    answered: z
      .strictObject({
        member: Member,
        number: Count,
        hash: Hash,
        bls: hexOf(BLS_SIGNATURE_BYTES),
        mlDsa: hexOf(ML_DSA_SIGNATURE_BYTES),
      })
      .nullable(),
  },
  signSuccessor: { asked: z.tuple([CommitteeDocument, Epoch]), answered: z.strictObject(OwnSuccessor) },
  signHandover: {
    asked: z.tuple([
      CommitteeDocument,
      CommitteeDocument,
      z.array(z.strictObject({ member: Member, ...OwnSuccessor })).max(COMMITTEE_SIZE),
    ]),
    answered: hexOf(64),
  },
} as const;

export type MemberCall = keyof typeof MEMBER_CALLS;

/** A thousand headers have some 700 kB. */
export const MEMBER_CALL_BYTES_MAX = 2_000_000;
