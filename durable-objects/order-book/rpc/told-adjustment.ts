import type { AdjustmentType } from '../../../domain/ledger/adjustment-type.ts';
import type { AdjustedTrade, TradeTerms } from '../../../domain/ledger/transactions.ts';

/** A trade of the book that was taken back or corrected, as its feeds tell of it. */
export interface ToldAdjustment {
  readonly trade: AdjustedTrade;
  /** What it stands at. */
  readonly adjustment: Pick<TradeTerms, 'price' | 'buyerFee' | 'sellerFee'> & {
    readonly type: AdjustmentType;
    /** Unix milliseconds. */
    readonly createdAt: number;
  };
}
