import { ok } from '../../domain/result.ts';
import { cancelResponseOf } from '../../protocol/rpc/cancel-response-of.ts';
import type { RestOrderChange } from '../../protocol/rpc/rest-answers.ts';
import type { CancelRequest, CancelResponse } from '../../protocol/rpc/trading_pb.ts';
import type { UnaryOutcome } from './answer-unary.ts';
import type { CallContext } from './call-context.ts';
import type { Exchange } from './exchange.ts';

/** CancelOrder: DELETE /v1/orders/{order_id}. */
export async function cancelOrder(
  exchange: Exchange,
  { orderId, symbol }: CancelRequest,
  { headers, signal }: CallContext,
): Promise<UnaryOutcome<CancelResponse>> {
  const query = symbol === undefined ? '' : `?symbol=${encodeURIComponent(symbol)}`;
  const path = `/v1/orders/${encodeURIComponent(orderId)}${query}`;
  const answer = await exchange.call({ method: 'DELETE', path, headers, signal });
  const { result } = answer;
  return { ...answer, result: result.ok ? ok(cancelResponseOf(result.value as RestOrderChange)) : result };
}
