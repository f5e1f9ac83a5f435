import { orderBodyOf } from '../../domain/rpc/order-body-of.ts';
import { orderResponseOf } from '../../domain/rpc/order-response-of.ts';
import type { RestOrder } from '../../domain/rpc/rest-answers.ts';
import type { OrderRequest, OrderResponse } from '../../domain/rpc/trading_pb.ts';
import type { UnaryOutcome } from './answer-unary.ts';
import type { CallContext } from './call-context.ts';
import type { Exchange } from './exchange.ts';

/** PlaceOrder: POST /v1/orders. */
export async function placeOrder(
  exchange: Exchange,
  request: OrderRequest,
  { headers, signal }: CallContext,
): Promise<UnaryOutcome<OrderResponse>> {
  const body = JSON.stringify(orderBodyOf(request));
  const answer = await exchange.call({ method: 'POST', path: '/v1/orders', headers, body, signal });
  return answer.ok ? { ...answer, message: orderResponseOf(answer.body as RestOrder) } : answer;
}
