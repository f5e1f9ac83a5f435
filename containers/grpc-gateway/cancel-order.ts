import { err, ok } from '../../domain/result.ts';
import { cancelResponseOf } from '../../protocol/rpc/cancel-response-of.ts';
import type { RestOrderChange } from '../../protocol/rpc/rest-answers.ts';
import { rpcFailure } from '../../protocol/rpc/rpc-failure.ts';
import type { CancelRequest, CancelResponse } from '../../protocol/rpc/trading_pb.ts';
import type { UnaryOutcome } from './answer-unary.ts';
import type { CallContext } from './call-context.ts';
import type { Exchange } from './exchange.ts';
import { isPathSegment } from './is-path-segment.ts';

const NOT_FOUND = rpcFailure('ORDER_NOT_FOUND', 'order not found');

/** CancelOrder: DELETE /v1/orders/{order_id}. */
export async function cancelOrder(
  exchange: Exchange,
  { orderId, symbol }: CancelRequest,
  { headers, signal }: CallContext,
): Promise<UnaryOutcome<CancelResponse>> {
  if (!isPathSegment(orderId)) return { result: err(NOT_FOUND), headers: {} };
  const query = symbol === undefined ? '' : `?symbol=${encodeURIComponent(symbol)}`;
  const path = `/v1/orders/${encodeURIComponent(orderId)}${query}`;
  const answer = await exchange.call({ method: 'DELETE', path, headers, signal });
  const { result } = answer;
  return { ...answer, result: result.ok ? ok(cancelResponseOf(result.value as RestOrderChange)) : result };
}
