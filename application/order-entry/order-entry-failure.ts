import type { WiderOwner } from '../../domain/ledger/outcomes.ts';
import type { AccreditationFailure } from '../../domain/order-entry/accreditation-failure.ts';
import type { InstrumentFailure } from '../../domain/order-entry/instrument-failure.ts';
import type { KeyLimitsFailure } from '../../domain/order-entry/key-limits-failure.ts';
import type { NoRate } from '../../domain/order-entry/limit-currency.ts';
import type { UnscalableField } from '../../domain/order-entry/scale-terms.ts';
import type { TermsFailure } from '../../domain/order-entry/terms-failure.ts';
import type { TraderFailure } from '../../domain/order-entry/trader-of.ts';
import type { OrderStatus } from '../../domain/orders/order.ts';
import type { ComplianceFailure } from '../../domain/partner/compliance.ts';
import type { ResaleRefusalRule } from '../../domain/resale/resale-rule.ts';
import type { BookRefusal } from '../../durable-objects/order-book/api.ts';
import type { ErrorCode } from '../../protocol/errors/error-code.ts';

/** Why an order was not placed, cancelled or amended. Amounts are JSON numbers in the units of the door, times Unix milliseconds. */
export type OrderEntryFailure =
  | TraderFailure
  | InstrumentFailure
  | AccreditationFailure
  | KeyLimitsFailure
  | NoRate
  | { readonly reason: 'key_revoked' }
  /** A check of a partner's investor has not passed, or has ended. */
  | ({ readonly reason: 'check_not_passed' } & ComplianceFailure)
  | { readonly reason: 'asset_not_found'; readonly assetId: string }
  | { readonly reason: 'symbol_not_found'; readonly symbol: string }
  | ({ readonly reason: 'number_not_representable' } & UnscalableField)
  | { readonly reason: 'invalid_terms'; readonly failure: TermsFailure }
  | { readonly reason: 'investment_limit_exceeded'; readonly required: number; readonly available: number }
  | {
      readonly reason: 'resale_restricted';
      readonly restrictionEndsAt: number | null;
      /** That hold the lots back. */
      readonly rules: readonly ResaleRefusalRule[];
    }
  | {
      readonly reason: 'insufficient_balance';
      /** Symbol, as balances name it. */
      readonly asset: string;
      readonly required: number;
      readonly available: number;
    }
  | {
      readonly reason: 'risk_limit_exceeded';
      readonly limit: 'position' | 'daily_notional' | 'daily_loss';
      readonly required: number;
      readonly available: number;
    }
  /** The account may not come to have so much of what the order brings. */
  | {
      readonly reason: 'holding_too_large';
      readonly asset: string;
      readonly required: number;
      readonly available: number;
    }
  /** An amendment under a limit that its order, placed before or through another credential, does not draw on. */
  | { readonly reason: 'outside_limit'; readonly limit: 'investment' | 'position' | 'daily' }
  /** Sell in smaller parts. */
  | { readonly reason: 'too_many_lots'; readonly lotsMax: number }
  | { readonly reason: 'no_reference_price' }
  | { readonly reason: 'notional_too_large' }
  | { readonly reason: 'outside_price_band'; readonly low: number; readonly high: number }
  | { readonly reason: 'post_only_would_take' }
  | { readonly reason: 'fok_not_fillable' }
  /** A repeated request met its order, which had been rejected with this code; the details are gone. */
  | { readonly reason: 'rejected_before'; readonly code: ErrorCode }
  | { readonly reason: 'duplicate_client_order_id'; readonly existingOrderId: string }
  /** An old request repeated: its order was never placed, and its id is too old to be placed now. Final. */
  | { readonly reason: 'request_too_old' }
  | { readonly reason: 'order_not_found' }
  | { readonly reason: 'order_not_cancellable'; readonly status: OrderStatus }
  | Extract<BookRefusal, { reason: 'order_not_modifiable' }>
  | {
      readonly reason: 'invalid_amendment';
      readonly detail: Extract<BookRefusal, { reason: 'invalid_amendment' }>['detail'];
    }
  /** The read model is too far behind for more orders, or the ledger holds as much as it may; nothing was done. */
  | { readonly reason: 'backlog' }
  | { readonly reason: 'ledger_full' }
  /** Of the account, its investor or partner over all accounts, or of the book. */
  | {
      readonly reason: 'too_many_open_orders';
      readonly of: Extract<BookRefusal, { reason: 'too_many_open_orders' }>['of'];
      readonly openOrdersMax: number;
    }
  /** The account takes as much of the ledger as one may. */
  | {
      readonly reason: 'account_quota';
      readonly of: Extract<BookRefusal, { reason: 'account_quota' }>['of'];
      readonly quota: number;
      readonly whose?: WiderOwner;
    }
  /** The ledger is out of reach; nothing was or will be done. */
  | { readonly reason: 'unavailable' }
  /** The book went away and stayed away: what it was sent may have been done. */
  | { readonly reason: 'outcome_unknown' };
