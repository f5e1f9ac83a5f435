import { cancelResponseOf } from '../../domain/rpc/cancel-response-of.ts';
import type { CancelRequest, CancelResponse } from '../../domain/rpc/trading_pb.ts';
import { bookError } from '../book/book-error.ts';
import { marketOf } from '../book/market-of.ts';
import { orderChangeOf } from '../book/order-change.ts';
import { type AppContext, principalOf } from '../middleware/app-env.ts';
import { cancelOrder as cancelEnteredOrder } from '../order-entry/cancel-order.ts';
import { refuse } from './connect-error-of.ts';

/** CancelOrder, as DELETE /v1/orders/{order_id} does it. */
export async function cancelOrder(c: AppContext, { orderId, symbol }: CancelRequest): Promise<CancelResponse> {
  const outcome = await cancelEnteredOrder({ env: c.env, principal: principalOf(c) }, orderId, symbol ?? null);
  if (!outcome.ok) return refuse(bookError(outcome.failure));
  return cancelResponseOf(orderChangeOf(outcome.report, await marketOf(c.env, outcome.symbol)));
}
