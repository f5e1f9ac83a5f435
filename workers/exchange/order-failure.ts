import { orderStateOf } from '../../domain/order-state/order-state.ts';
import { type ApiError, type FailureResponse, failure } from '../middleware/api-error.ts';
import type { AppContext } from '../middleware/app-env.ts';
import { orderEntryError } from '../order-entry/order-entry-error.ts';
import type { OrderEntryFailure } from '../order-entry/order-entry-failure.ts';

/** Answers a failure of order entry in the words of profile A: its limit price is `limitPrice`, its states are those of exchange.md. */
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
