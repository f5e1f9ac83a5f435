import type { PackedChunk } from './packed-chunk.ts';

/**
 * What an order book object writes into D1, as structured rows (DESIGN 8: `Ledger.commit(shard, part)` with rows, not SQL). They
 * travel packed (packed-rows.ts); statements know their fields by the names in the lists below, which follow the tuples. Amounts are
 * scaled integers, times Unix milliseconds.
 */

/** As many names as the row has fields. */
type Fields<Row extends readonly unknown[]> = { readonly [Position in keyof Row]: string };

export type TradeRow = [
  id: string,
  sequence: number,
  price: number,
  quantity: number,
  notional: number,
  takerSide: string,
  buyOrder: string,
  sellOrder: string,
  buyer: string,
  seller: string,
  buyerFee: number,
  sellerFee: number,
  executedAt: number,
];

export const TRADE_FIELDS = [
  'id',
  'sequence',
  'price',
  'quantity',
  'notional',
  'takerSide',
  'buyOrder',
  'sellOrder',
  'buyer',
  'seller',
  'buyerFee',
  'sellerFee',
  'executedAt',
] as const satisfies Fields<TradeRow>;

/** Postings of a fill beyond cash, asset and fees: allowances and position limits, against boundary:limits. */
export type LimitPostingRow = [transaction: string, line: number, account: string, asset: string, amount: number];

export const LIMIT_POSTING_FIELDS = [
  'transaction',
  'line',
  'account',
  'asset',
  'amount',
] as const satisfies Fields<LimitPostingRow>;

/** Whole state of an order after a chunk of effects. */
export type OrderStateRow = [
  id: string,
  open: 0 | 1,
  status: string,
  filled: number,
  filledNotional: number,
  fee: number,
  reserve: number,
  allowance: number,
  position: number,
  restricted: 0 | 1,
  quantity: number,
  price: number | null,
  code: string | null,
  updatedAt: number,
  executedAt: number | null,
  cancelledAt: number | null,
];

export const ORDER_STATE_FIELDS = [
  'id',
  'open',
  'status',
  'filled',
  'filledNotional',
  'fee',
  'reserve',
  'allowance',
  'position',
  'restricted',
  'quantity',
  'price',
  'code',
  'updatedAt',
  'executedAt',
  'cancelledAt',
] as const satisfies Fields<OrderStateRow>;

/** Change of one balance; `bought` adds to its cost, `sold` (a quantity) takes its share of the cost away first. */
export type BalanceDeltaRow = [
  account: string,
  asset: string,
  boundary: 0 | 1,
  available: number,
  held: number,
  bought: number,
  sold: number,
];

export const BALANCE_DELTA_FIELDS = [
  'account',
  'asset',
  'boundary',
  'available',
  'held',
  'bought',
  'sold',
] as const satisfies Fields<BalanceDeltaRow>;

/** A lot that a buyer received. */
export type LotRow = [
  id: string,
  account: string,
  quantity: number,
  cost: number,
  acquiredAt: number,
  restrictionEndsAt: number | null,
  offeringType: string | null,
];

export const LOT_FIELDS = [
  'id',
  'account',
  'quantity',
  'cost',
  'acquiredAt',
  'restrictionEndsAt',
  'offeringType',
] as const satisfies Fields<LotRow>;

/** What a reservation gave up: `consumed` left with a fill, `released` went back to the lot. */
export type ReservationDeltaRow = [reservationId: string, lotId: string, consumed: number, released: number];

export const RESERVATION_DELTA_FIELDS = [
  'reservationId',
  'lotId',
  'consumed',
  'released',
] as const satisfies Fields<ReservationDeltaRow>;

export type BarRow = [
  interval: string,
  bucket: number,
  open: number,
  high: number,
  low: number,
  close: number,
  volume: number,
  quoteVolume: number,
  trades: number,
];

export const BAR_FIELDS = [
  'interval',
  'bucket',
  'open',
  'high',
  'low',
  'close',
  'volume',
  'quoteVolume',
  'trades',
] as const satisfies Fields<BarRow>;

/** Effects that settle together or not at all; balanced in themselves, so that L1–L3 hold between any two chunks. */
export interface SettlementChunk {
  readonly trades: TradeRow[];
  readonly limitPostings: LimitPostingRow[];
  readonly orders: OrderStateRow[];
  readonly balances: BalanceDeltaRow[];
  readonly lots: LotRow[];
  readonly reservations: ReservationDeltaRow[];
  /** Ids of amendments whose extra hold has moved into its order or gone back. */
  readonly amendments: string[];
  readonly bars: BarRow[];
}

/** An order asking for admission, or (code set) one that the book has refused and only records. */
export type OrderRow = [
  id: string,
  account: string,
  owner: string,
  keyId: string | null,
  side: string,
  type: string,
  timeInForce: string,
  quantity: number,
  price: number | null,
  stopPrice: number | null,
  expiresAt: number | null,
  clientOrderId: string | null,
  status: string,
  reserveAsset: string,
  reserve: number,
  allowanceAsset: string | null,
  allowance: number,
  positionAsset: string | null,
  position: number,
  factsVersion: number,
  rulesVersion: number,
  createdAt: number,
  code: string | null,
];

export const ORDER_FIELDS = [
  'id',
  'account',
  'owner',
  'keyId',
  'side',
  'type',
  'timeInForce',
  'quantity',
  'price',
  'stopPrice',
  'expiresAt',
  'clientOrderId',
  'status',
  'reserveAsset',
  'reserve',
  'allowanceAsset',
  'allowance',
  'positionAsset',
  'position',
  'factsVersion',
  'rulesVersion',
  'createdAt',
  'code',
] as const satisfies Fields<OrderRow>;

/** The extra hold that an amendment asks for. */
export type AmendmentRow = [
  id: string,
  orderId: string,
  account: string,
  reserveAsset: string,
  reserve: number,
  allowanceAsset: string | null,
  allowance: number,
  positionAsset: string | null,
  position: number,
  factsVersion: number,
  rulesVersion: number,
  createdAt: number,
];

export const AMENDMENT_FIELDS = [
  'id',
  'orderId',
  'account',
  'reserveAsset',
  'reserve',
  'allowanceAsset',
  'allowance',
  'positionAsset',
  'position',
  'factsVersion',
  'rulesVersion',
  'createdAt',
] as const satisfies Fields<AmendmentRow>;

/** A chunk with its rows as they travel. */
export interface SentChunk {
  readonly rows: SettlementChunk;
  readonly packed: PackedChunk;
}

/** One D1 batch of a book: fence, settled effects, admissions. */
export interface BookBatch {
  readonly book: string;
  readonly owner: string;
  /** The number this batch moves the fence to. */
  readonly batch: number;
  /** Outbox sequence settled before and after this batch. */
  readonly settledFrom: number;
  readonly settledTo: number;
  readonly baseAsset: string;
  readonly quoteAsset: string;
  readonly tracksLots: boolean;
  /** Whether fills are written to domain_events (private securities: settlement audit, webhooks). */
  readonly emitsEvents: boolean;
  readonly chunks: readonly SentChunk[];
  readonly orders: readonly OrderRow[];
  readonly amendments: readonly AmendmentRow[];
}

/** Why a row was not admitted, as the ledger found it in the same batch. */
type AdmissionRefusal =
  | 'account_frozen'
  | 'key_revoked'
  | 'halted'
  | 'stale'
  | 'duplicate_client_order_id'
  | 'allowance'
  | 'position'
  | 'balance'
  /** The id stands in the ledger from an earlier batch. */
  | 'exists';

export interface RefusedRow {
  readonly id: string;
  readonly refusal: AdmissionRefusal;
  /** What was available of the asset that fell short. */
  readonly available: number;
  /** Of the row that stands in the way: its id, state and fills. */
  readonly existing: ExistingOrder | null;
}

export interface ExistingOrder {
  readonly id: string;
  readonly account: string;
  readonly status: string;
  readonly quantity: number;
  readonly price: number | null;
  readonly filled: number;
  readonly filledNotional: number;
  readonly restricted: boolean;
  readonly code: string | null;
  readonly updatedAt: number;
}

/** A lot that an admitted sell has reserved, oldest first. */
export interface ReservedLot {
  readonly reservationId: string;
  readonly lotId: string;
  readonly quantity: number;
  readonly restrictionEndsAt: number | null;
  readonly offeringType: string | null;
}

export interface AdmissionResults {
  /** Every row not listed here was admitted. */
  readonly refused: RefusedRow[];
  readonly lots: ReservedLot[];
}

/** What D1 admitted under a batch that the journal does not have: released on recovery, never matched late. */
export interface UnjournaledHold {
  readonly kind: 'order' | 'amendment';
  readonly id: string;
  readonly account: string;
  readonly reserveAsset: string;
  readonly reserve: number;
  readonly allowanceAsset: string | null;
  readonly allowance: number;
  readonly positionAsset: string | null;
  readonly position: number;
  readonly quantity: number;
  readonly price: number | null;
  readonly lots: { lotId: string; quantity: number }[];
}

export interface Ownership {
  readonly batch: number;
  readonly settled: number;
  readonly unjournaled: UnjournaledHold[];
}
