import type { OrderEntryFailure } from '../../application/order-entry/order-entry-failure.ts';
import { orderStateOf } from '../../domain/order-state/order-state.ts';
import type { ApiError } from '../../protocol/errors/api-error.ts';
import type { AppContext } from '../middleware/app-env.ts';
import { type FailureResponse, failure } from '../responses/failure.ts';
import { orderEntryError } from '../responses/order-entry-error.ts';

/** Answers a failure of order entry in the words of profile A: its price is `limitPrice`, its states are those of X-AST-01 to X-AST-12. */
export function orderFailure(c: AppContext, reason: OrderEntryFailure, orderId: string | null = null): FailureResponse {
  const error: ApiError = orderEntryError(reason, orderId);
  return failure(c, { ...error, details: { ...error.details, ...inWordsOfProfile(reason, error.details) } });
}

function inWordsOfProfile(reason: OrderEntryFailure, { field }: ApiError['details']): ApiError['details'] {
  if (field === 'price') return { field: 'limitPrice' };
  switch (reason.reason) {
    case 'order_not_cancellable':
    case 'order_not_modifiable':
      return { status: orderStateOf(reason.status) };
    default:
      return {};
  }
}
