import { createHash, createHmac } from 'node:crypto';

/** What a trade settles, as it can never change: scaled integers, ids, and Unix milliseconds. */
export interface SettledTrade {
  readonly tradeId: string;
  readonly assetId: string;
  readonly currency: string;
  readonly quantity: number;
  readonly price: number;
  readonly notional: number;
  /** Accounts. */
  readonly buyer: string;
  readonly seller: string;
  readonly executedAt: number;
}

/** A settled trade as others may see it: who bought and who sold stand in it as commitments. */
export interface SettlementRecord extends Omit<SettledTrade, 'buyer' | 'seller'> {
  /** `partyCommitment`s. */
  readonly buyerCommitment: string;
  readonly sellerCommitment: string;
}

/** A trade that was taken back, or settled at another price. Once a trade. */
export interface AdjustmentRecord {
  readonly adjustmentId: string;
  readonly tradeId: string;
  /** What the trade stands at from here on; both 0 where it was taken back. */
  readonly price: number;
  readonly notional: number;
  readonly adjustedAt: number;
}

export type Party = 'buyer' | 'seller';

/** What shows that a commitment is to this account. */
export interface PartyOpening {
  readonly party: Party;
  readonly account: string;
  /** 32 bytes in hexadecimal. */
  readonly salt: string;
}

/** The order of the fields in the text that is hashed. Another order, or another field, is another version. */
const SETTLEMENT_FIELDS = [
  'tradeId',
  'assetId',
  'currency',
  'quantity',
  'price',
  'notional',
  'buyerCommitment',
  'sellerCommitment',
  'executedAt',
] as const satisfies readonly (keyof SettlementRecord)[];

const ADJUSTMENT_FIELDS = [
  'adjustmentId',
  'tradeId',
  'price',
  'notional',
  'adjustedAt',
] as const satisfies readonly (keyof AdjustmentRecord)[];

/**
 * The salt of one side of a trade. It follows from a key that only the venue has, so it is stored nowhere.
 *
 * @param key secret SETTLEMENT_SALT_KEY, the same for good
 */
function partySalt(key: string, tradeId: string, party: Party): string {
  return createHmac('sha256', key).update(`edge.party.salt.v1\n${tradeId}\n${party}`).digest('hex');
}

/** SHA-256 over a salt and an account: it says nothing of the account to those who have no salt. */
export function partyCommitment({ account, salt }: Pick<PartyOpening, 'account' | 'salt'>): string {
  return textHash(['edge.party.v1', salt, account]);
}

/** What opens the commitment to one side of a trade. */
export function partyOpening(key: string, trade: SettledTrade, party: Party): PartyOpening {
  return { party, account: trade[party], salt: partySalt(key, trade.tradeId, party) };
}

export function settlementRecord(key: string, trade: SettledTrade): SettlementRecord {
  const { tradeId, assetId, currency, quantity, price, notional, executedAt } = trade;
  const [buyer, seller] = [partyOpening(key, trade, 'buyer'), partyOpening(key, trade, 'seller')];
  return {
    tradeId,
    assetId,
    currency,
    quantity,
    price,
    notional,
    buyerCommitment: partyCommitment(buyer),
    sellerCommitment: partyCommitment(seller),
    executedAt,
  };
}

/**
 * SHA-256, in hexadecimal, of the canonical text of a settlement: version and values, one a line, in UTF-8.
 *
 * @throws Error where a value has a line end: two records could share a text
 */
export function settlementRecordHash(record: SettlementRecord): string {
  return textHash(['settlement.v2', ...SETTLEMENT_FIELDS.map((field) => String(record[field]))]);
}

/** As `settlementRecordHash`, of an adjustment. */
export function adjustmentRecordHash(record: AdjustmentRecord): string {
  return textHash(['adjustment.v1', ...ADJUSTMENT_FIELDS.map((field) => String(record[field]))]);
}

/** `blockchain_transaction_id` of a trade: the 32 bytes under which the registry on chain knows its settlement. */
export function settlementHash(key: string, trade: SettledTrade): `0x${string}` {
  return `0x${settlementRecordHash(settlementRecord(key, trade))}`;
}

function textHash(lines: readonly string[]): string {
  if (lines.some((line) => line.includes('\n'))) throw new Error('a value of a record has a line end');
  return createHash('sha256').update(lines.join('\n')).digest('hex');
}
