import { err, ok, type Result } from '../result.ts';
import {
  type PartyOpening,
  partyCommitment,
  type SettlementRecord,
  settlementRecordHash,
} from '../settlement/settlement-record.ts';
import { type BlockHeader, blockHash } from './block.ts';
import type { Hash } from './bytes.ts';
import { certificateFault, type QuorumCertificate } from './certificate.ts';
import type { CheckpointCrypto } from './checkpoints/checkpoint-crypto.ts';
import { type CheckpointProof, checkpointProofFault } from './checkpoints/checkpoint-proof.ts';
import { type Committee, committeeFault, committeeHash } from './committee.ts';
import { rootByPath } from './merkle-tree.ts';
import type { VerifySignature } from './vote.ts';

/** All that somebody needs to see for themselves, offline, that a trade is settled for good. */
export interface Receipt {
  readonly settlement: SettlementRecord;
  /** Which accounts its commitments are to, as far as whoever asked for the receipt may know. */
  readonly parties: readonly PartyOpening[];
  /** Place of the settlement in its block, and the way from there to the block's root. */
  readonly inclusion: { readonly index: number; readonly path: readonly Hash[] };
  /** The settlement's block, and those after it up to the one that the certificate is over. */
  readonly headers: readonly BlockHeader[];
  readonly certificate: QuorumCertificate;
  readonly committee: Committee;
  /** That the settlement's block stands in a checkpoint. Absent where none is certified yet. */
  readonly checkpoint?: CheckpointProof | undefined;
}

/** What is proved of a trade: its block has the votes of a quorum; and its checkpoint has a hybrid certificate, too. */
export type ProvedFinality = 'final' | 'checkpoint_final';

/** What a receipt proves, all of it; an error that says what is wrong, also where only its checkpoint is. */
export async function receiptFinality(
  receipt: Receipt,
  verify: VerifySignature,
  crypto: CheckpointCrypto,
): Promise<Result<ProvedFinality, string>> {
  const fault = await receiptFault(receipt, verify);
  if (fault !== null) return err(fault);
  const { checkpoint, headers, committee } = receipt;
  const [block] = headers;
  if (checkpoint === undefined || block === undefined) return ok('final');
  const wrong = await checkpointProofFault(checkpoint, block, committee, crypto, verify);
  return wrong === null ? ok('checkpoint_final') : err(wrong);
}

/**
 * Null where the receipt proves that the settlement stands in a final block; else why not. It proves it to those who trust the committee: who it
 * is must be known from elsewhere, by its hash. Of a checkpoint it says nothing: `receiptFinality` does.
 */
export async function receiptFault(receipt: Receipt, verify: VerifySignature): Promise<string | null> {
  const { settlement, parties, inclusion, headers, certificate, committee } = receipt;
  const wrong = committeeFault(committee);
  if (wrong !== null) return `committee: ${wrong}`;
  const [block, last] = [headers[0], headers.at(-1)];
  if (block === undefined || last === undefined) return 'headers: there is none';
  const ofCommittee = committeeHash(committee);
  for (const [at, header] of headers.entries()) {
    if (header.committee !== ofCommittee) return `headers: block ${header.height} is of another committee`;
    const parent = headers[at - 1];
    if (parent !== undefined && header.parent !== blockHash(parent))
      return `headers: block ${header.height} does not follow`;
  }
  const stranger = parties.find((opening) => partyCommitment(opening) !== settlement[`${opening.party}Commitment`]);
  if (stranger !== undefined) return `parties: the settlement is not of this ${stranger.party}`;
  const hash = settlementRecordHash(settlement);
  if (rootByPath(hash, inclusion.index, block.settlements, inclusion.path) !== block.settlementsRoot)
    return `inclusion: the settlement does not stand at place ${inclusion.index} of block ${block.height}`;
  if (certificate.height !== last.height || certificate.hash !== blockHash(last))
    return `certificate: it is not over block ${last.height}`;
  const fault = await certificateFault(certificate, committee, verify);
  return fault === null ? null : `certificate: ${fault}`;
}
