import { type SettlementRecord, settlementHash } from '../partner/settlement-record.ts';
import { type BlockHeader, blockHash } from './block.ts';
import type { Hash } from './bytes.ts';
import { certificateFault, type QuorumCertificate } from './certificate.ts';
import { type Committee, committeeFault, committeeHash } from './committee.ts';
import { rootByPath } from './merkle-tree.ts';
import type { VerifySignature } from './vote.ts';

/** All that somebody needs to see for themselves, offline, that a trade is settled for good. */
export interface Receipt {
  readonly settlement: SettlementRecord;
  /** Place of the settlement in its block, and the way from there to the block's root. */
  readonly inclusion: { readonly index: number; readonly path: readonly Hash[] };
  /** The settlement's block, and those after it up to the one that the certificate is over. */
  readonly headers: readonly BlockHeader[];
  readonly certificate: QuorumCertificate;
  readonly committee: Committee;
}

/**
 * Null where the receipt proves that the settlement stands in a final block; else why not. It proves it to those who trust the committee: who it
 * is must be known from elsewhere, by its hash.
 */
export async function receiptFault(receipt: Receipt, verify: VerifySignature): Promise<string | null> {
  const { settlement, inclusion, headers, certificate, committee } = receipt;
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
  const hash = (await settlementHash(settlement)).slice(2);
  if (rootByPath(hash, inclusion.index, block.settlements, inclusion.path) !== block.settlementsRoot)
    return `inclusion: the settlement does not stand at place ${inclusion.index} of block ${block.height}`;
  if (certificate.height !== last.height || certificate.hash !== blockHash(last))
    return `certificate: it is not over block ${last.height}`;
  const fault = await certificateFault(certificate, committee, verify);
  return fault === null ? null : `certificate: ${fault}`;
}
