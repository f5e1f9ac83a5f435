import { uuidv7 } from 'uuidv7';
import { placeOrder as enterOrder } from '../../../application/order-entry/place-order.ts';
import { err, ok, type Result } from '../../../domain/result.ts';
import { type ApiError, apiError } from '../../../protocol/errors/api-error.ts';
import { issueDetails } from '../../../protocol/errors/issue-details.ts';
import { orderBodyOf } from '../../../protocol/rpc/order-body-of.ts';
import { orderNumberFailure } from '../../../protocol/rpc/order-number-failure.ts';
import { orderResponseOf } from '../../../protocol/rpc/order-response-of.ts';
import type { RestOrder } from '../../../protocol/rpc/rest-answers.ts';
import type { OrderRequest, OrderResponse } from '../../../protocol/rpc/trading_pb.ts';
import { type AppContext, principalOf } from '../../middleware/app-env.ts';
import { bookError } from '../book-error.ts';
import { placedOrder } from '../order.ts';
import { OrderRequestBody, orderRequestOf } from '../order-request-body.ts';
import { answerOnce } from './answer-once.ts';
import { connectErrorOf, refuse } from './connect-error-of.ts';

/** PlaceOrder, as POST /v1/orders does it; one that carries a client_order_id is placed once, however often it is repeated. */
export async function placeOrder(c: AppContext, message: OrderRequest): Promise<OrderResponse> {
  const failure = orderNumberFailure(message);
  if (failure !== null) throw connectErrorOf(failure);
  const body = OrderRequestBody.safeParse(orderBodyOf(message));
  if (!body.success)
    return refuse(apiError('VALIDATION_ERROR', 'the request is malformed', issueDetails(body.error.issues)));
  const { data } = body;
  const isNamed = (data.client_order_id ?? null) !== null;
  const outcome = isNamed
    ? await answerOnce(c, data, (orderId) => placeUnder(c, data, orderId))
    : await placeUnder(c, data, uuidv7());
  return outcome.ok ? orderResponseOf(outcome.value) : refuse(outcome.error);
}

async function placeUnder(
  c: AppContext,
  body: OrderRequestBody,
  orderId: string,
): Promise<Result<RestOrder, ApiError>> {
  const asked = orderRequestOf(body, orderId);
  if (!asked.ok) return asked;
  const outcome = await enterOrder({ env: c.env, principal: principalOf(c) }, asked.value);
  if (!outcome.ok) return err(bookError(outcome.error.failure, outcome.error.orderId));
  return ok(placedOrder(outcome.value, asked.value.clientOrderId));
}
