import { fromScaled } from '../../domain/money/scaled.ts';
import { type ApiError, apiError } from '../../protocol/errors/api-error.ts';
import type { TransferError } from '../ledger/transfers.ts';
import { noSuchAccount, noSuchAsset } from './not-found.ts';
import { outcomeUnknown } from './outcome-unknown.ts';

/** @param scale of the asset */
export function transferError(error: TransferError, scale: number): ApiError {
  switch (error.reason) {
    case 'account_not_found':
      return noSuchAccount();
    case 'asset_not_found':
      return noSuchAsset();
    case 'id_conflict':
      return apiError('CONFLICT', 'the id stands for another transfer');
    case 'lots_do_not_sum':
      return apiError('VALIDATION_ERROR', 'the lots do not sum to the amount', {
        expected: fromScaled(error.expected, scale),
        found: fromScaled(error.found, scale),
      });
    case 'balance_too_large':
      return apiError('VALIDATION_ERROR', 'the balance would be too large');
    case 'goes_by_register':
      return apiError('CONFLICT', 'shares of this asset come and go by its register', { reason: error.reason });
    case 'too_many_lots':
      return apiError('CONFLICT', 'the account, or the asset, would have too many lots; nothing was done', {
        reason: error.reason,
        lotsMax: error.lotsMax,
      });
    case 'ledger_full':
      return apiError('SERVICE_UNAVAILABLE', 'the ledger takes no more for the moment; nothing was done', {
        reason: error.reason,
      });
    case 'outcome_unknown':
      return outcomeUnknown({ reason: error.reason });
    case 'unsettled':
      return apiError('INSUFFICIENT_BALANCE', 'shares that have not settled may not leave the account', {
        reason: error.reason,
        required: fromScaled(error.required, scale),
        available: fromScaled(error.available, scale),
      });
    case 'insufficient_balance':
      return apiError('INSUFFICIENT_BALANCE', 'not enough is available', {
        required: fromScaled(error.required, scale),
        available: fromScaled(error.available, scale),
      });
  }
}
