import { isErrorCode } from '../../../protocol/errors/error-code.ts';
import type { OrderEntryFailure } from '../order-entry-failure.ts';

/** Why an order was rejected, of which report and ledger say only the code. */
export function failureOfRejection(code: string | null): OrderEntryFailure {
  switch (code) {
    case 'POST_ONLY_WOULD_TAKE':
      return { reason: 'post_only_would_take' };
    case 'FOK_NOT_FILLABLE':
      return { reason: 'fok_not_fillable' };
    case 'ASSET_NOT_TRADEABLE':
      return { reason: 'market_not_open', status: 'halted' };
    default:
      return { reason: 'rejected_before', code: code !== null && isErrorCode(code) ? code : 'INTERNAL_ERROR' };
  }
}
