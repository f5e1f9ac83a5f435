import { orderBodyOf } from '../../domain/rpc/order-body-of.ts';
import { orderResponseOf } from '../../domain/rpc/order-response-of.ts';
import type { OrderRequest, OrderResponse } from '../../domain/rpc/trading_pb.ts';
import { bookError } from '../book/book-error.ts';
import { placedOrder } from '../book/order.ts';
import { OrderRequestBody, orderRequestOf } from '../book/order-request-body.ts';
import { apiError } from '../middleware/api-error.ts';
import { type AppContext, principalOf } from '../middleware/app-env.ts';
import { placeOrder as enterOrder } from '../order-entry/place-order.ts';
import { refuse } from './connect-error-of.ts';

/** PlaceOrder, as POST /v1/orders does it. */
export async function placeOrder(c: AppContext, message: OrderRequest, orderId: string): Promise<OrderResponse> {
  const body = OrderRequestBody.safeParse(orderBodyOf(message));
  if (!body.success)
    return refuse(apiError('VALIDATION_ERROR', 'the request is malformed', { issues: body.error.issues }));
  const asked = orderRequestOf(body.data, orderId);
  if (!asked.ok) return refuse(asked.error);
  const outcome = await enterOrder({ env: c.env, principal: principalOf(c) }, asked.request);
  if (!outcome.ok) return refuse(bookError(outcome.failure, outcome.orderId));
  return orderResponseOf(placedOrder(outcome.report, outcome.terms, asked.request.clientOrderId, outcome.market));
}
