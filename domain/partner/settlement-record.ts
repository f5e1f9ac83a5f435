/** What a trade settles, as it can never change: scaled integers, ids, and Unix milliseconds. */
export interface SettlementRecord {
  readonly tradeId: string;
  readonly assetId: string;
  readonly currency: string;
  readonly quantity: number;
  readonly price: number;
  readonly notional: number;
  readonly buyer: string;
  readonly seller: string;
  readonly executedAt: number;
}

/** The order of the fields in the text that is hashed. Another order, or another field, is another version. */
const FIELDS = [
  'tradeId',
  'assetId',
  'currency',
  'quantity',
  'price',
  'notional',
  'buyer',
  'seller',
  'executedAt',
] as const satisfies readonly (keyof SettlementRecord)[];

const VERSION = 'settlement.v1';

/**
 * The canonical text of a settlement: version and values, one a line, in UTF-8. Its SHA-256 is `blockchain_transaction_id`, the 32 bytes under
 * which the registry on chain knows the settlement. No value has a line end, so no two settlements share a text.
 */
function settlementRecordText(record: SettlementRecord): string {
  const values = FIELDS.map((field) => String(record[field]));
  if (values.some((value) => value.includes('\n'))) throw new Error('a value of a settlement has a line end');
  return [VERSION, ...values].join('\n');
}

export async function settlementHash(record: SettlementRecord): Promise<`0x${string}`> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(settlementRecordText(record)));
  return `0x${Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}
