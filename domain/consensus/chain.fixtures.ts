import {
  type AdjustmentRecord,
  adjustmentRecordHash,
  partyOpening,
  type SettledTrade,
  type SettlementRecord,
  settlementRecord,
  settlementRecordHash,
} from '../settlement/settlement-record.ts';
import { type Block, type BlockHeader, blockHash, booksRoot, GENESIS } from './block.ts';
import type { Hash } from './bytes.ts';
import type { QuorumCertificate } from './certificate.ts';
import { COMMITTEE_SIZE, type Committee, committeeHash, QUORUM } from './committee.ts';
import { type MemberKey, memberKey } from './ed25519.ts';
import { inclusionPath, merkleRoot } from './merkle-tree.ts';
import type { Receipt, RecordProof } from './receipt.ts';
import { type Vote, voteMessage } from './vote.ts';

/** A committee whose keys are known, and what it votes for. */
export class SigningCommittee {
  readonly committee: Committee;
  readonly keys: readonly MemberKey[];

  private constructor(keys: readonly MemberKey[], epoch: number) {
    this.keys = keys;
    this.committee = { epoch, keys: keys.map(({ publicKey }) => publicKey) };
  }

  /** @param first byte of the first member's key */
  static async of(first = 1, epoch = 1): Promise<SigningCommittee> {
    const keys = Array.from({ length: COMMITTEE_SIZE }, (_, member) =>
      memberKey(new Uint8Array(32).fill(first + member)),
    );
    return new SigningCommittee(await Promise.all(keys), epoch);
  }

  get hash(): Hash {
    return committeeHash(this.committee);
  }

  async vote(member: number, header: BlockHeader): Promise<Vote> {
    const hash = blockHash(header);
    const key = this.keys[member];
    if (key === undefined) throw new Error(`no member ${member}`);
    return {
      member,
      height: header.height,
      hash,
      signature: await key.sign(voteMessage(this.hash, header.height, hash)),
    };
  }

  async certificate(
    header: BlockHeader,
    members: readonly number[] = firstMembers(QUORUM),
  ): Promise<QuorumCertificate> {
    const votes = await Promise.all(members.map((member) => this.vote(member, header)));
    return {
      height: header.height,
      hash: blockHash(header),
      votes: votes.map(({ member, signature }) => ({ member, signature })),
    };
  }
}

export function firstMembers(count: number): number[] {
  return Array.from({ length: count }, (_, member) => member);
}

const SALT_KEY = 'a key of the fixtures';

export function trade(number: number): SettledTrade {
  return {
    tradeId: `019ff000-0000-7000-8000-${String(number).padStart(12, '0')}`,
    assetId: '019ff000-0000-7000-9000-000000000002',
    currency: 'usd',
    quantity: 250 + number,
    price: 4_812,
    notional: 1_203_000 + number * 4_812,
    buyer: '019ff000-0000-7000-a000-000000000003',
    seller: '019ff000-0000-7000-a000-000000000004',
    executedAt: 1_800_000_000_123 + number,
  };
}

export function settlement(number: number): SettlementRecord {
  return settlementRecord(SALT_KEY, trade(number));
}

/** A bust of the trade of this number, or its correction to a price. */
export function adjustment(number: number, price = 0): AdjustmentRecord {
  const { tradeId, quantity, executedAt } = trade(number);
  const adjustmentId = `019ff000-0000-7000-b000-${String(number).padStart(12, '0')}`;
  return { adjustmentId, tradeId, price, notional: price * quantity, adjustedAt: executedAt + 60_000 };
}

type FixtureRecord = SettlementRecord | AdjustmentRecord;

function hashOf(record: FixtureRecord): Hash {
  return 'adjustmentId' in record ? adjustmentRecordHash(record) : settlementRecordHash(record);
}

/** A block with these records that follows another one, null for the first. */
export function blockOf(committee: Hash, parent: BlockHeader | null, records: readonly FixtureRecord[]): Block {
  const settlements = records.map(hashOf);
  const books = [{ book: 'ACME-USD', batch: (parent?.height ?? 0) + 1, settledTo: 10 }];
  const header: BlockHeader = {
    committee,
    height: (parent?.height ?? 0) + 1,
    parent: parent === null ? GENESIS : blockHash(parent),
    slot: (parent?.slot ?? 1_800_000_000_000) + 1,
    firstRow: (parent?.lastRow ?? 0) + 1,
    lastRow: (parent?.lastRow ?? 0) + 3,
    journalHash: 'd'.repeat(64),
    settlements: settlements.length,
    settlementsRoot: merkleRoot(settlements),
    booksRoot: booksRoot(books),
  };
  return { header, body: { settlements, books } };
}

/** The receipt of one of a block's records, whose certificate is over the last of these headers. */
export async function receiptOf(
  signing: SigningCommittee,
  records: readonly SettlementRecord[],
  index: number,
  headers: readonly BlockHeader[],
): Promise<Receipt> {
  const record = records[index];
  if (record === undefined) throw new Error('no such receipt');
  const known = trade(record.quantity - 250);
  return {
    settlement: record,
    parties: [partyOpening(SALT_KEY, known, 'buyer'), partyOpening(SALT_KEY, known, 'seller')],
    ...(await proofOf(signing, records, index, headers)),
  };
}

/** What shows that one of a block's records is final. */
export async function proofOf(
  signing: SigningCommittee,
  records: readonly FixtureRecord[],
  index: number,
  headers: readonly BlockHeader[],
): Promise<RecordProof> {
  const last = headers.at(-1);
  if (last === undefined) throw new Error('no such proof');
  return {
    inclusion: { index, path: inclusionPath(records.map(hashOf), index) },
    headers,
    certificate: await signing.certificate(last),
    committee: signing.committee,
  };
}
