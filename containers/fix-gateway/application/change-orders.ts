import { addDecimals } from '../codec/decimal.ts';
import { type FixMessage, textOf } from '../codec/fix-message.ts';
import { TAG } from '../codec/tags.ts';
import type { Outgoing } from './application.ts';
import type { DeskContext } from './desk-context.ts';
import type { ExchangeAnswer } from './exchange.ts';
import { executionReport } from './execution-report.ts';
import { whyUnanswered } from './order-placement.ts';
import { numberOf } from './order-request.ts';
import { CXL_REJ, cancelReject, orderTarget, targetReject } from './order-target.ts';
import { named } from './refused-field.ts';
import { cxlRejReason } from './reject-reasons.ts';
import { repeat } from './repeat.ts';
import { firstFixedTerm, type TrackedOrder, totalOf } from './tracked-order.ts';
import type { WireOrder, WireOrderChange } from './wire.ts';

const CANCEL = '1';
const REPLACE = '2';

/** OrderCancelRequest: cancels, and reports once every fill before has been. */
export async function cancelOrder(context: DeskContext, message: FixMessage): Promise<Outgoing[]> {
  const target = await orderTarget(context, message);
  if (!target.ok) return [targetReject(message, CANCEL, target.error)];
  const order = target.value;
  const answer = await context.desk.changing(order.orderId, () =>
    repeatedChange(
      context,
      order,
      () => context.exchange.call('DELETE', pathOf(order), context.caller),
      ({ status, reason }) => status === 'cancelled' && reason === BY_ACCOUNT,
    ),
  );
  if (answer.type !== 'ok') {
    context.reconcile();
    return [refusal(message, CANCEL, order, answer)];
  }
  const current = context.desk.find(order.orderId) ?? order;
  // Memory and exchange disagree.
  if (current.ended) context.reconcile();
  const ended = { ...(answer.body as WireOrderChange), status: 'cancelled', reason: null } as const;
  context.desk.end(current, ended, textOf(message, TAG.ClOrdID));
  return [];
}

/** OrderCancelReplaceRequest: OrderQty is the total, Price the limit, StopPx the trigger; what is not named stays. */
export async function amendOrder(context: DeskContext, message: FixMessage): Promise<Outgoing[]> {
  const target = await orderTarget(context, message);
  if (!target.ok) return [targetReject(message, REPLACE, target.error)];
  const order = target.value;
  const fixed = firstFixedTerm(message, order);
  if (fixed !== null) {
    const text = `${named(fixed, textOf(message, fixed) ?? '')} is not that of the order, and cannot be changed`;
    return [cancelReject(message, REPLACE, { order, reason: CXL_REJ.OTHER, text })];
  }
  const size = numberOf(message, TAG.OrderQty);
  const price = numberOf(message, TAG.Price);
  const stopPrice = numberOf(message, TAG.StopPx);
  const isMoved = stopPrice !== null && stopPrice !== order.stopPrice;
  const isResized = size !== null && size !== totalOf(order);
  const change = {
    // The exchange goes on to count what it has taken off.
    size: isResized ? addDecimals(size, order.takenOff) : null,
    // A request that changes nothing asks for the price that stands.
    price: price === order.price && (isResized || isMoved) ? null : price,
    ...(isMoved ? { stop_price: stopPrice } : {}),
  };
  const answer = await context.desk.changing(order.orderId, () =>
    repeatedChange(
      context,
      order,
      () => context.exchange.call('PATCH', pathOf(order), context.caller, change),
      (found) =>
        (change.size ?? found.size) === found.size &&
        (change.price ?? found.price) === found.price &&
        (change.stop_price ?? found.stop_price) === found.stop_price,
    ),
  );
  context.reconcile();
  if (answer.type !== 'ok') return [refusal(message, REPLACE, order, answer)];
  const amended = answer.body as WireOrderChange;
  const clOrdId = textOf(message, TAG.ClOrdID) ?? '';
  const current = context.desk.find(order.orderId) ?? order;
  const changed = context.desk.change(current, {
    clOrdId,
    ...(isMoved ? { stopPrice } : {}),
    standing: { ...amended, reason: null },
  });
  const execId = `${order.orderId}-R-${clOrdId}`;
  const terms = { execType: 'replaced', execId, origClOrdId: order.clOrdId, time_ms: Date.now() } as const;
  return [executionReport(changed, terms)];
}

/** The reason of an order that its account has cancelled. */
const BY_ACCOUNT = 'user';

const pathOf = ({ orderId }: TrackedOrder) => `/v1/orders/${orderId}`;

/**
 * Asks for a change until there is an answer. What is refused after an attempt without one may be done by that attempt: then the order as it is read is the
 * answer.
 */
async function repeatedChange(
  { exchange, caller }: DeskContext,
  order: TrackedOrder,
  ask: () => Promise<ExchangeAnswer>,
  isDone: (order: WireOrder) => boolean,
): Promise<ExchangeAnswer> {
  let attempts = 0;
  const answer = await repeat(() => {
    attempts += 1;
    return ask();
  });
  if (answer.type !== 'refused' || attempts === 1) return answer;
  const found = await repeat(() => exchange.call('GET', pathOf(order), caller));
  return found.type === 'ok' && isDone(found.body as WireOrder) ? found : answer;
}

function refusal(
  message: FixMessage,
  responseTo: '1' | '2',
  order: TrackedOrder,
  answer: Exclude<ExchangeAnswer, { type: 'ok' }>,
): Outgoing {
  if (answer.type === 'unknown')
    return cancelReject(message, responseTo, {
      order,
      reason: CXL_REJ.BROKER_OPTION,
      text: 'the exchange is out of reach: ask for the status',
    });
  const reason = cxlRejReason(answer.code, answer.details);
  return cancelReject(message, responseTo, { order, reason, text: whyUnanswered(answer) });
}
