import type { SettledTrade } from '../../data/orders/trade-adjustments.ts';
import type { MissingReturn } from '../../domain/ledger/outcomes.ts';
import { fromScaled } from '../../domain/money/scaled.ts';
import { err, ok, type Result } from '../../domain/result.ts';
import { orderBookOf } from '../../durable-objects/order-book/api.ts';
import { type ApiError, apiError } from '../../protocol/errors/api-error.ts';
import {
  adjustTrade,
  type MadeAdjustment,
  type TradeAdjustmentError,
  type TradeAdjustmentRequest,
} from '../ledger/adjust-trade.ts';
import { outcomeUnknown } from './outcome-unknown.ts';

/** Takes a trade back or corrects its price, and has its book tell those who follow it. */
export async function adjustTradeByOperator(
  env: Env,
  request: Omit<TradeAdjustmentRequest, 'now'>,
): Promise<Result<MadeAdjustment, ApiError>> {
  const made = await adjustTrade(env, { ...request, now: Date.now() });
  if (!made.ok) return err(adjustmentError(made.error));
  const { trade, market, adjustment } = made.value;
  try {
    await orderBookOf(env, market.symbol).tellAdjustment({ trade, adjustment });
  } catch {
    // Feeds are told again when the same request is repeated; fills and trades show it in any case.
  }
  return ok(made.value);
}

function adjustmentError(error: TradeAdjustmentError): ApiError {
  switch (error.reason) {
    case 'trade_not_found':
      return apiError('NOT_FOUND', 'trade does not exist');
    case 'price_not_representable':
    case 'price_not_on_tick':
    case 'price_too_large':
    case 'price_unchanged':
      return apiError('VALIDATION_ERROR', 'price is none that the trade can stand at', { reason: error.reason });
    case 'already_adjusted':
      return apiError('CONFLICT', 'the trade was taken back or corrected before', { reason: error.reason });
    case 'not_returnable':
      return apiError('CONFLICT', 'a side no longer has available what must go back; nothing was done', {
        reason: error.reason,
        missing: error.missing.map((missing) => missingView(missing, error.of)),
      });
    case 'lots_unknown':
      return apiError('CONFLICT', 'the trade is too long ago: the shares that it moved are not known any more', {
        reason: error.reason,
      });
    case 'split_since':
      return apiError('CONFLICT', 'the shares of the trade have been split since, or are being split', {
        reason: error.reason,
      });
    case 'dividend_since':
      return apiError('CONFLICT', 'the buyer has a dividend by its shares: it is reversed or settled otherwise first', {
        reason: error.reason,
        corporateActionId: error.dividend,
      });
    case 'balance_too_large':
      return apiError('CONFLICT', 'a side would have more than amounts are exact in; nothing was done', {
        reason: error.reason,
      });
    case 'ledger_full':
      return apiError('SERVICE_UNAVAILABLE', 'the ledger takes no more for the moment; nothing was done', {
        reason: error.reason,
      });
    case 'outcome_unknown':
      return outcomeUnknown({ reason: error.reason });
  }
}

function missingView({ side, account, asset, required, available }: MissingReturn, { market }: SettledTrade) {
  const scale = asset === market.baseAsset ? market.quantityScale : market.quoteScale;
  return {
    side,
    accountId: account,
    assetId: asset,
    required: fromScaled(required, scale),
    available: fromScaled(available, scale),
  };
}
