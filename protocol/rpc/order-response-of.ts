import { create } from '@bufbuild/protobuf';
import type { RestOrder } from './rest-answers.ts';
import { type OrderResponse, OrderResponseSchema } from './trading_pb.ts';

/** An order of the order-book profile as OrderResponse: null becomes a field that is not set. */
export function orderResponseOf(order: RestOrder): OrderResponse {
  return create(OrderResponseSchema, {
    orderId: order.order_id,
    status: order.status,
    timestamp: BigInt(order.created_at),
    symbol: order.symbol,
    side: order.side,
    type: order.type,
    size: order.size,
    filledSize: order.filled_size,
    ...(order.remaining_size === undefined ? {} : { remainingSize: order.remaining_size }),
    timeInForce: order.time_in_force,
    ...(order.price === null ? {} : { price: order.price }),
    ...(order.average_price === null ? {} : { averagePrice: order.average_price }),
    ...(order.stop_price === null ? {} : { stopPrice: order.stop_price }),
    ...(order.expires_at === null ? {} : { expiresAt: BigInt(order.expires_at) }),
    ...(order.client_order_id === null ? {} : { clientOrderId: order.client_order_id }),
    ...(order.reason === null ? {} : { reason: order.reason }),
  });
}
