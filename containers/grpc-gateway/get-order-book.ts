import { err, ok } from '../../domain/result.ts';
import { orderBookResponseOf } from '../../protocol/rpc/order-book-response-of.ts';
import type { RestOrderBook } from '../../protocol/rpc/rest-answers.ts';
import { rpcFailure } from '../../protocol/rpc/rpc-failure.ts';
import type { OrderBookRequest, OrderBookResponse } from '../../protocol/rpc/trading_pb.ts';
import type { UnaryOutcome } from './answer-unary.ts';
import type { CallContext } from './call-context.ts';
import type { Exchange } from './exchange.ts';
import { isPathSegment } from './is-path-segment.ts';

/** GetOrderBook: GET /v1/orderbook/{symbol}. */
export async function getOrderBook(
  exchange: Exchange,
  { symbol, depth }: OrderBookRequest,
  { headers, signal }: CallContext,
): Promise<UnaryOutcome<OrderBookResponse>> {
  if (!isPathSegment(symbol))
    return { result: err(rpcFailure('INVALID_SYMBOL', 'trading pair unsupported', { symbol })), headers: {} };
  const path = `/v1/orderbook/${encodeURIComponent(symbol)}${depth === undefined ? '' : `?depth=${depth}`}`;
  const answer = await exchange.call({ method: 'GET', path, headers, signal });
  const { result } = answer;
  return { ...answer, result: result.ok ? ok(orderBookResponseOf(result.value as RestOrderBook)) : result };
}
