import type { SettlesOtherwise } from '../../data/markets/markets.ts';
import type { RoutedMarketError } from '../../domain/markets/routed-market-error.ts';
import { type ApiError, apiError } from '../../protocol/errors/api-error.ts';
import type { MarketChangeError } from '../ledger/change-market.ts';
import { noSuchAsset, noSuchMarket } from './not-found.ts';
import { outcomeUnknown } from './outcome-unknown.ts';

/** Why a market did not get the rules that an operator stated. */
export function marketChangeError(error: MarketChangeError | RoutedMarketError | SettlesOtherwise): ApiError {
  switch (error.reason) {
    case 'market_not_found':
      return noSuchMarket();
    case 'market_closed':
      return apiError('CONFLICT', 'the market is closed for good');
    case 'outcome_unknown':
      return outcomeUnknown({ reason: error.reason });
    case 'asset_not_found':
      return noSuchAsset();
    case 'notional_not_whole':
    case 'not_positive':
    case 'not_on_lot':
    case 'not_on_tick':
    case 'minimum_above_maximum':
    case 'fee_out_of_range':
    case 'hours_without_broker':
    case 'asset_not_routed':
    case 'not_as_broker':
    case 'quote_scale_too_small':
    case 'asset_routed_elsewhere':
    case 'asset_not_pre_ipo':
    case 'quote_not_cash':
    case 'settles_otherwise':
    case 'band_without_trading': {
      const { reason, ...details } = error;
      return apiError('VALIDATION_ERROR', `the market's rules are refused: ${reason.replaceAll('_', ' ')}`, {
        reason,
        ...details,
      });
    }
  }
}
