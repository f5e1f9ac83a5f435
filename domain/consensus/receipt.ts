import { err, ok, type Result } from '../result.ts';
import {
  type AdjustmentRecord,
  adjustmentRecordHash,
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

/** What shows that a record stands in a final block. */
export interface RecordProof {
  /** Place of the record in its block, and the way from there to the block's root. */
  readonly inclusion: { readonly index: number; readonly path: readonly Hash[] };
  /** The record's block, and those after it up to the one that the certificate is over. */
  readonly headers: readonly BlockHeader[];
  readonly certificate: QuorumCertificate;
  readonly committee: Committee;
  /** That the record's block stands in a checkpoint. Absent where none is certified yet. */
  readonly checkpoint?: CheckpointProof | undefined;
}

/** What was made of the trade since: taken back, or settled at another price. Once a trade. */
export interface ProvedAdjustment extends RecordProof {
  readonly record: AdjustmentRecord;
}

/** All that somebody needs to see for themselves, offline, that a trade is recorded for good, and what was made of it until the receipt was. */
export interface Receipt extends RecordProof {
  readonly settlement: SettlementRecord;
  /** Which accounts its commitments are to, as far as whoever asked for the receipt may know. */
  readonly parties: readonly PartyOpening[];
  /** Absent where the trade stood as it was when the receipt was made. */
  readonly adjustment?: ProvedAdjustment | undefined;
}

/** What is proved of a record: its block has the votes of a quorum; and its checkpoint has a hybrid certificate, too. */
export type ProvedFinality = 'final' | 'checkpoint_final';

/**
 * What a receipt proves, all of it: with an adjustment, what both records are; an error that says what is wrong, also where only a checkpoint is. It proves it to those who trust
 * the committees: who they are must be known from elsewhere, by their hashes.
 */
export async function receiptFinality(
  receipt: Receipt,
  verify: VerifySignature,
  crypto: CheckpointCrypto,
): Promise<Result<ProvedFinality, string>> {
  const fault = await receiptFault(receipt, verify);
  if (fault !== null) return err(fault);
  const { adjustment } = receipt;
  const trade = await finalityOf(receipt, verify, crypto);
  if (!trade.ok || adjustment === undefined) return trade;
  const adjusted = await finalityOf(adjustment, verify, crypto);
  if (!adjusted.ok) return err(`adjustment: ${adjusted.error}`);
  return ok(trade.value === adjusted.value ? trade.value : 'final');
}

/** Of a record whose block is final. */
async function finalityOf(
  { checkpoint, headers, committee }: RecordProof,
  verify: VerifySignature,
  crypto: CheckpointCrypto,
): Promise<Result<ProvedFinality, string>> {
  const [block] = headers;
  if (checkpoint === undefined || block === undefined) return ok('final');
  const wrong = await checkpointProofFault(checkpoint, block, committee, crypto, verify);
  return wrong === null ? ok('checkpoint_final') : err(wrong);
}

/** Null where the receipt proves that its records stand in final blocks; else why not. Of checkpoints it says nothing: `receiptFinality` does. */
export async function receiptFault(receipt: Receipt, verify: VerifySignature): Promise<string | null> {
  const { settlement, parties, adjustment } = receipt;
  const stranger = parties.find((opening) => partyCommitment(opening) !== settlement[`${opening.party}Commitment`]);
  if (stranger !== undefined) return `parties: the settlement is not of this ${stranger.party}`;
  const fault = await recordFault(settlementRecordHash(settlement), receipt, verify);
  if (fault !== null || adjustment === undefined) return fault;
  const wrong = await adjustmentFault(receipt, adjustment, verify);
  return wrong === null ? null : `adjustment: ${wrong}`;
}

async function adjustmentFault(
  { settlement, headers }: Receipt,
  adjustment: ProvedAdjustment,
  verify: VerifySignature,
): Promise<string | null> {
  const { record } = adjustment;
  if (record.tradeId !== settlement.tradeId) return 'it is of another trade';
  if ((adjustment.headers[0]?.height ?? 0) < (headers[0]?.height ?? 0)) return 'its block is before that of its trade';
  return recordFault(adjustmentRecordHash(record), adjustment, verify);
}

async function recordFault(hash: Hash, proof: RecordProof, verify: VerifySignature): Promise<string | null> {
  const { inclusion, headers, certificate, committee } = proof;
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
  if (rootByPath(hash, inclusion.index, block.settlements, inclusion.path) !== block.settlementsRoot)
    return `inclusion: the record does not stand at place ${inclusion.index} of block ${block.height}`;
  if (certificate.height !== last.height || certificate.hash !== blockHash(last))
    return `certificate: it is not over block ${last.height}`;
  const fault = await certificateFault(certificate, committee, verify);
  return fault === null ? null : `certificate: ${fault}`;
}
