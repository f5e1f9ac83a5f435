import { create } from '@bufbuild/protobuf';
import type { RestOrderChange } from './rest-answers.ts';
import { type CancelResponse, CancelResponseSchema } from './trading_pb.ts';

/** What a cancellation has made of an order, as CancelResponse. */
export function cancelResponseOf(change: RestOrderChange): CancelResponse {
  return create(CancelResponseSchema, {
    orderId: change.order_id,
    status: change.status,
    timestamp: BigInt(change.updated_at),
    symbol: change.symbol,
    size: change.size,
    filledSize: change.filled_size,
    ...(change.remaining_size === undefined ? {} : { remainingSize: change.remaining_size }),
    ...(change.price === null ? {} : { price: change.price }),
    ...(change.average_price === null ? {} : { averagePrice: change.average_price }),
  });
}
