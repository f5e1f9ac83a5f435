import { z } from 'zod';
import { COMMITTEE_SIZE } from '../../domain/consensus/committee.ts';
import type { Receipt, RecordProof } from '../../domain/consensus/receipt.ts';
import { CheckpointDocument, checkpointDocument } from './checkpoint-document.ts';
import { Count, Hash, hexOf, Member } from './fields.ts';

/** Of the document: another field, or another meaning of one, is another version. */
const RECEIPT_VERSION = 'edge.receipt.v1';

/** A vote is over the end of a window of blocks: those of the largest window that a member looks at. */
const RECEIPT_HEADERS_MAX = 256;

/** A text of a record is one printable word: a line end is what parts its values, and what a terminal obeys, or words of a verdict, are no id. */
const Id = z.string().regex(/^[\x21-\x7e]{1,100}$/, 'not one printable word of up to 100 characters');

const Settlement = z.strictObject({
  tradeId: Id,
  assetId: Id,
  currency: Id,
  quantity: Count,
  price: Count,
  notional: Count,
  buyerCommitment: Hash,
  sellerCommitment: Hash,
  executedAt: Count,
});

const Party = z.strictObject({ party: z.enum(['buyer', 'seller']), account: Id, salt: Hash });

export const Header = z.strictObject({
  committee: Hash,
  height: Count,
  parent: Hash,
  slot: Count,
  firstRow: Count,
  lastRow: Count,
  journalHash: Hash,
  settlements: Count.max(0xffff_ffff),
  settlementsRoot: Hash,
  booksRoot: Hash,
});

export const BlockCertificate = z.strictObject({
  height: Count,
  hash: Hash,
  votes: z.array(z.strictObject({ member: Member, signature: hexOf(64) })).max(COMMITTEE_SIZE),
});

export const CommitteeDocument = z.strictObject({
  epoch: Count.max(0xffff_ffff),
  keys: z.array(Hash).length(COMMITTEE_SIZE),
});

const PROOF = {
  inclusion: z.strictObject({ index: Count, path: z.array(Hash).max(32) }),
  headers: z.array(Header).min(1).max(RECEIPT_HEADERS_MAX),
  certificate: BlockCertificate,
  committee: CommitteeDocument,
  checkpoint: CheckpointDocument.optional(),
};

const Adjustment = z.strictObject({
  record: z.strictObject({ adjustmentId: Id, tradeId: Id, price: Count, notional: Count, adjustedAt: Count }),
  ...PROOF,
});

/**
 * A receipt as it is handed out and kept: what proves, without asking anybody but for who the committee is, that a trade is recorded for good, and what was made of it until the
 * receipt was made. Numbers are scaled integers, as the ledger has them; times are Unix milliseconds; hashes, keys and signatures are in lower-case hexadecimal.
 */
export const ReceiptDocument = z.strictObject({
  version: z.literal(RECEIPT_VERSION),
  settlement: Settlement,
  parties: z.array(Party).max(2),
  ...PROOF,
  adjustment: Adjustment.optional(),
});

export type ReceiptDocument = z.infer<typeof ReceiptDocument>;

export function receiptDocument({ settlement, parties, adjustment, ...proof }: Receipt): ReceiptDocument {
  return {
    version: RECEIPT_VERSION,
    settlement,
    parties: [...parties],
    ...proofDocument(proof),
    ...(adjustment !== undefined && { adjustment: { record: adjustment.record, ...proofDocument(adjustment) } }),
  };
}

function proofDocument({ inclusion, headers, certificate, committee, checkpoint }: RecordProof) {
  return {
    inclusion: { ...inclusion, path: [...inclusion.path] },
    headers: [...headers],
    certificate: { ...certificate, votes: [...certificate.votes] },
    committee: { ...committee, keys: [...committee.keys] },
    ...(checkpoint !== undefined && { checkpoint: checkpointDocument(checkpoint) }),
  };
}
