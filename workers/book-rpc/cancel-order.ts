import { cancelResponseOf } from '../../domain/rpc/cancel-response-of.ts';
import type { CancelRequest, CancelResponse } from '../../domain/rpc/trading_pb.ts';
import { bookError } from '../book/book-error.ts';
import { orderChangeOf } from '../book/order-change.ts';
import { type AppContext, principalOf } from '../middleware/app-env.ts';
import { cancelOrder as cancelEnteredOrder } from '../order-entry/cancel-order.ts';
import { marketScalesOf } from '../order-entry/market-scales-of.ts';
import { refuse } from './connect-error-of.ts';

/** CancelOrder, as DELETE /v1/orders/{order_id} does it. */
export async function cancelOrder(c: AppContext, { orderId, symbol }: CancelRequest): Promise<CancelResponse> {
  const outcome = await cancelEnteredOrder({ env: c.env, principal: principalOf(c) }, orderId, symbol ?? null);
  if (!outcome.ok) return refuse(bookError(outcome.failure));
  return cancelResponseOf(orderChangeOf(outcome.report, await marketScalesOf(c.env, outcome.symbol)));
}
