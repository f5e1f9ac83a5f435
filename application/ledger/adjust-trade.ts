import type { OperatorAction } from '../../data/audit/trail/operator-events.ts';
import { database } from '../../data/database.ts';
import { findSettledTrade, type SettledTrade, type TradeAdjustmentRow } from '../../data/orders/trade-adjustments.ts';
import { dividendSince } from '../../data/partner/actions/dividend-since.ts';
import type { MissingReturn } from '../../domain/ledger/outcomes.ts';
import type { TradeTerms } from '../../domain/ledger/transactions.ts';
import { notional } from '../../domain/markets/market.ts';
import { mulDivCeil } from '../../domain/money/arithmetic.ts';
import { toScaled } from '../../domain/money/scaled.ts';
import { isNotionalExact, PRICE_MAX } from '../../domain/order-entry/exact-notional.ts';
import { err, ok, type Result } from '../../domain/result.ts';
import type { LedgerEnv } from './ledger-env.ts';
import { operatorEvent } from './operator-event.ts';
import { projected } from './projected.ts';
import { settleBooks } from './settle-before-read.ts';
import { transact } from './transact.ts';

export interface TradeAdjustmentRequest {
  readonly tradeId: string;
  /** What it should have been dealt at, as a JSON number; null takes it back. */
  readonly price: number | null;
  readonly reason: string;
  /** Somebody has settled otherwise what the trade brought of dividends: it is taken back though they stand. */
  readonly dividendsSettled?: boolean;
  readonly action: OperatorAction;
  /** Unix milliseconds. */
  readonly now: number;
}

interface PriceError {
  readonly reason: 'price_not_representable' | 'price_not_on_tick' | 'price_too_large' | 'price_unchanged';
}

export type TradeAdjustmentError =
  | { readonly reason: 'trade_not_found' }
  | PriceError
  /** Another action has taken it back or corrected it. */
  | { readonly reason: 'already_adjusted' }
  | { readonly reason: 'not_returnable'; readonly missing: readonly MissingReturn[]; readonly of: SettledTrade }
  | { readonly reason: 'lots_unknown' }
  /** Its shares have been split since, or are being split. */
  | { readonly reason: 'split_since' }
  /** The buyer is entitled to this dividend by its shares, or was paid it. */
  | { readonly reason: 'dividend_since'; readonly dividend: string }
  /** A side would have more than amounts are exact in. */
  | { readonly reason: 'balance_too_large' }
  | { readonly reason: 'ledger_full' }
  /** It may have been done: the same action finds out. */
  | { readonly reason: 'outcome_unknown' };

export interface MadeAdjustment extends SettledTrade {
  readonly adjustment: TradeAdjustmentRow;
}

/** Takes a trade back or corrects its price, with who did it and why; once a trade. When this answers `ok`, D1 shows it. */
export async function adjustTrade(
  env: LedgerEnv,
  { tradeId, price, reason, dividendsSettled = false, action, now }: TradeAdjustmentRequest,
): Promise<Result<MadeAdjustment, TradeAdjustmentError>> {
  const db = database(env.DB);
  if (!(await projected(env))) return err({ reason: 'outcome_unknown' });
  const found = await findSettledTrade(db, tradeId);
  if (found === null) return err({ reason: 'trade_not_found' });
  if (found.adjustment !== null) return standing(found, action);
  const dividend = price === null ? await dividendSince(db, tradeId) : null;
  if (dividend !== null && !dividendsSettled) return err({ reason: 'dividend_since', dividend });
  const { trade, market, sellKey, rate } = found;
  // What a cancel has given back counts as available.
  await Promise.all([settleBooks(env, trade.buyer), settleBooks(env, trade.seller)]);
  const corrected = price === null ? ok(null) : correctedTerms(found, price);
  if (!corrected.ok) return corrected;
  const to = corrected.value;
  const type = to === null ? 'bust' : 'correction';
  const outcome = await transact(env, {
    kind: 'adjust_trade',
    id: action.id,
    book: market.symbol,
    baseAsset: market.baseAsset,
    quoteAsset: market.quoteAsset,
    tracksLots: market.tracksLots,
    trade,
    to,
    sellKey,
    ...(rate === null ? {} : { rate }),
    reason,
    createdAt: now,
    event: operatorEvent({
      action,
      type: `operator.trade_${type}`,
      subject: trade.id,
      createdAt: now,
      details: {
        reason,
        symbol: market.symbol,
        buyer: trade.buyer,
        seller: trade.seller,
        ...(dividend === null ? {} : { dividendsSettled }),
      },
      change: { before: termsOf(trade), after: to },
    }),
  });
  switch (outcome.type) {
    case 'not_returnable':
      return err({ reason: 'not_returnable', missing: outcome.missing, of: found });
    case 'done':
    case 'already_adjusted':
    case 'id_conflict': {
      if (!(await projected(env))) return err({ reason: 'outcome_unknown' });
      const made = await findSettledTrade(db, tradeId);
      return made === null ? err({ reason: 'outcome_unknown' }) : standing(made, action);
    }
    default:
      return err({ reason: outcome.type });
  }
}

function standing(
  { adjustment, ...found }: SettledTrade,
  action: OperatorAction,
): Result<MadeAdjustment, TradeAdjustmentError> {
  if (adjustment === null || adjustment.id !== action.id) return err({ reason: 'already_adjusted' });
  return ok({ ...found, adjustment });
}

function correctedTerms(found: SettledTrade, price: number): Result<TradeTerms, PriceError> {
  const { trade, market } = found;
  const scaled = toScaled(price, market.priceScale);
  if (!scaled.ok) return err({ reason: 'price_not_representable' });
  if (scaled.value % market.tickSize !== 0) return err({ reason: 'price_not_on_tick' });
  if (scaled.value > PRICE_MAX || !isNotionalExact(market, scaled.value, trade.quantity))
    return err({ reason: 'price_too_large' });
  if (scaled.value === trade.price) return err({ reason: 'price_unchanged' });
  return ok(termsAt(found, scaled.value));
}

/** The same trade at another price; its fees follow its notional, rounded up. */
function termsAt({ trade, market }: SettledTrade, price: number): TradeTerms {
  const value = notional(market, price, trade.quantity);
  return {
    price,
    quantity: trade.quantity,
    notional: value,
    buyerFee: mulDivCeil(trade.buyerFee, value, trade.notional),
    sellerFee: Math.min(value, mulDivCeil(trade.sellerFee, value, trade.notional)),
  };
}

function termsOf({ price, quantity, notional: value, buyerFee, sellerFee }: TradeTerms): TradeTerms {
  return { price, quantity, notional: value, buyerFee, sellerFee };
}
