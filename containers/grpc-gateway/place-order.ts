import { createHash } from 'node:crypto';
import { err, ok } from '../../domain/result.ts';
import { orderBodyOf } from '../../protocol/rpc/order-body-of.ts';
import { orderNumberFailure } from '../../protocol/rpc/order-number-failure.ts';
import { orderResponseOf } from '../../protocol/rpc/order-response-of.ts';
import type { RestOrder } from '../../protocol/rpc/rest-answers.ts';
import { type RpcFailure, rpcFailure } from '../../protocol/rpc/rpc-failure.ts';
import type { OrderRequest, OrderResponse } from '../../protocol/rpc/trading_pb.ts';
import type { UnaryOutcome } from './answer-unary.ts';
import type { CallContext } from './call-context.ts';
import type { Exchange } from './exchange.ts';

/**
 * PlaceOrder: POST /v1/orders. One that carries a client_order_id is placed once, however often it is repeated: without an idempotency-key
 * of the caller's own it has one that follows from what it asks for.
 */
export async function placeOrder(
  exchange: Exchange,
  request: OrderRequest,
  { headers, signal }: CallContext,
): Promise<UnaryOutcome<OrderResponse>> {
  const failure = orderNumberFailure(request);
  if (failure !== null) return { result: err(failure), headers: {} };
  const body = JSON.stringify(orderBodyOf(request));
  const isNamed = request.clientOrderId !== undefined && headers['idempotency-key'] === undefined;
  const key = `client-order:${createHash('sha256').update(body).digest('hex')}`;
  const { result, headers: answered } = await exchange.call({
    method: 'POST',
    path: '/v1/orders',
    headers: isNamed ? { ...headers, 'idempotency-key': key } : headers,
    body,
    signal,
  });
  if (result.ok) return { result: ok(orderResponseOf(result.value as RestOrder)), headers: answered };
  return { result: isNamed && isStillPlaced(result.error) ? STILL_PLACED : result, headers: answered };
}

const STILL_PLACED = err(rpcFailure('SERVICE_UNAVAILABLE', 'the order is still being placed: repeat the call'));

/** The conflict is not with another order, but with an earlier call for this one. */
function isStillPlaced({ code, details }: RpcFailure): boolean {
  return code === 'CONFLICT' && !('existing_order_id' in details);
}
