import type { AccountBalance, OrderAdmission, OrderState, Trade } from './records.ts';
import type { AdjustedTrade, TradeTerms } from './transactions.ts';

/** An order as it entered the ledger; `code` says why it was rejected at once. */
export type EnteredOrder = Pick<
  OrderAdmission,
  | 'id'
  | 'side'
  | 'type'
  | 'timeInForce'
  | 'quantity'
  | 'price'
  | 'stopPrice'
  | 'expiresAt'
  | 'clientOrderId'
  | 'status'
  | 'createdAt'
  | 'code'
>;

/** What one row of the journal says to one account, in scaled integers. */
export type AccountEvent =
  | { readonly type: 'entered'; readonly book: string; readonly order: EnteredOrder }
  /** The account's side of an execution; both, one after the other, where it is buyer and seller. */
  | { readonly type: 'traded'; readonly book: string; readonly side: 'buy' | 'sell'; readonly trade: Trade }
  | {
      readonly type: 'changed';
      readonly book: string;
      readonly state: OrderState;
      /** Another trigger that the order has; left out where it is the same. */
      readonly stopPrice?: number;
    }
  /** The account's side of a trade that was taken back (`to` is null) or corrected. */
  | {
      readonly type: 'adjusted';
      readonly book: string;
      readonly side: 'buy' | 'sell';
      readonly trade: AdjustedTrade;
      readonly to: TradeTerms | null;
    }
  /** As it is after the row. */
  | { readonly type: 'balance'; readonly balance: AccountBalance };

/** The events of one account in one row of the ledger's journal. */
export interface AccountRow {
  /** The row's. */
  readonly seq: number;
  readonly time: number;
  readonly events: readonly AccountEvent[];
  /** Further events of the same row follow: a long one is told in parts. */
  readonly goesOn: boolean;
}

/** Where an account stood when it began to be followed: every row after `seq` is told of. */
export interface AccountOpening {
  readonly seq: number;
  readonly balances: readonly AccountBalance[];
}
