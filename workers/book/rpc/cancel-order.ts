import { cancelOrder as cancelEnteredOrder } from '../../../application/order-entry/cancel-order.ts';
import { marketScalesOf } from '../../../application/order-entry/market-scales-of.ts';
import { ownId } from '../../../domain/identity/own-id.ts';
import { cancelResponseOf } from '../../../protocol/rpc/cancel-response-of.ts';
import type { CancelRequest, CancelResponse } from '../../../protocol/rpc/trading_pb.ts';
import { type AppContext, principalOf } from '../../middleware/app-env.ts';
import { bookError } from '../book-error.ts';
import { orderChangeOf } from '../order-change.ts';
import { refuse } from './connect-error-of.ts';

/** CancelOrder, as DELETE /v1/orders/{order_id} does it. */
export async function cancelOrder(c: AppContext, { orderId, symbol }: CancelRequest): Promise<CancelResponse> {
  const outcome = await cancelEnteredOrder({ env: c.env, principal: principalOf(c) }, ownId(orderId), symbol ?? null);
  if (!outcome.ok) return refuse(bookError(outcome.error));
  const { report, symbol: market, terms } = outcome.value;
  return cancelResponseOf(orderChangeOf(report, await marketScalesOf(c.env, market), terms));
}
