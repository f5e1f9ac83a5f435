import { err, ok, type Result } from '../../../domain/result.ts';
import { decimalText } from '../codec/decimal.ts';
import { type FixMessage, textOf } from '../codec/fix-message.ts';
import { MSG_TYPE } from '../codec/msg-types.ts';
import { TAG } from '../codec/tags.ts';
import { writeTimestamp } from '../codec/timestamp.ts';
import type { Outgoing } from './application.ts';
import type { CallerHeaders, Exchange, ExchangeAnswer } from './exchange.ts';
import { executionReport } from './execution-report.ts';
import type { OrderDesk } from './order-desk.ts';
import { numberOf } from './order-request.ts';
import { cxlRejReason } from './reject-reasons.ts';
import { ordStatusOf, type TrackedOrder } from './tracked-order.ts';
import type { WireOrderChange } from './wire.ts';

export interface DeskContext {
  readonly desk: OrderDesk;
  readonly exchange: Exchange;
  readonly caller: CallerHeaders;
  /** An order of the account that the session does not know, by its ClOrdID; it is tracked from then on. */
  find(clOrdId: string): Promise<TrackedOrder | null>;
  /** Learns of what was passed over. */
  reconcile(): void;
}

/** A call without an answer is repeated: cancelling and amending to a total may be done twice. */
const ATTEMPTS_MAX = 5;
const RETRY_MS = 500;
const DUPLICATE = '6';
const UNKNOWN_ORDER = '1';
const BROKER_OPTION = '2';

/** OrderCancelRequest: cancels, and reports once every fill before has been. */
export async function cancelOrder(context: DeskContext, message: FixMessage): Promise<Outgoing[]> {
  const target = await targetOf(context, message);
  if (!target.ok) return [cancelReject(message, '1', target.error)];
  const order = target.value;
  const answer = await context.desk.changing(order.orderId, () =>
    repeat(() => context.exchange.call('DELETE', `/v1/orders/${order.orderId}`, context.caller)),
  );
  if (answer.type !== 'ok') {
    context.reconcile();
    return [refusal(message, '1', order, answer)];
  }
  const { filled_size: filled } = answer.body as WireOrderChange;
  const current = context.desk.find(order.orderId) ?? order;
  context.desk.end(current, { status: 'cancelled', filled, reason: null, clOrdId: textOf(message, TAG.ClOrdID) });
  return [];
}

/** OrderCancelReplaceRequest: OrderQty is the total, Price the limit; what is not named stays. */
export async function amendOrder(context: DeskContext, message: FixMessage): Promise<Outgoing[]> {
  const target = await targetOf(context, message);
  if (!target.ok) return [cancelReject(message, '2', target.error)];
  const order = target.value;
  const size = numberOf(message, TAG.OrderQty);
  const price = numberOf(message, TAG.Price);
  const change = {
    size: size === order.size ? null : size,
    price: price === order.price && size !== order.size ? null : price,
  };
  const answer = await context.desk.changing(order.orderId, () =>
    repeat(() => context.exchange.call('PATCH', `/v1/orders/${order.orderId}`, context.caller, change)),
  );
  context.reconcile();
  if (answer.type !== 'ok') return [refusal(message, '2', order, answer)];
  const amended = answer.body as WireOrderChange;
  const clOrdId = textOf(message, TAG.ClOrdID) ?? '';
  const current = context.desk.find(order.orderId) ?? order;
  const changed = context.desk.change(current, { clOrdId, size: amended.size, price: amended.price });
  const execId = `${order.orderId}-R-${clOrdId}`;
  const terms = { execType: 'replaced', execId, origClOrdId: order.clOrdId, time_ms: Date.now() } as const;
  return [executionReport(changed, terms)];
}

/** OrderMassCancelRequest: by symbol (1) or everything (7), of one side when Side is given. */
export async function massCancel({ desk, exchange, caller }: DeskContext, message: FixMessage): Promise<Outgoing[]> {
  const type = textOf(message, TAG.MassCancelRequestType) ?? '';
  const side = { '1': 'buy', '2': 'sell' }[textOf(message, TAG.Side) ?? ''];
  const symbol = textOf(message, TAG.Symbol);
  if ((type !== '1' && type !== '7') || (type === '1' && symbol === null)) {
    return [massReport(message, '0', [], ['0', 'MassCancelRequestType must be 1 with a Symbol, or 7'])];
  }
  const query = new URLSearchParams({ ...(type === '1' ? { symbol: symbol ?? '' } : {}), ...(side ? { side } : {}) });
  const answer = await repeat(() => exchange.call('DELETE', `/v1/orders?${query}`, caller));
  if (answer.type === 'unknown') return [massReport(message, '0', [], ['99', 'the exchange is out of reach'])];
  if (answer.type === 'refused') {
    const reason = answer.code === 'INVALID_SYMBOL' ? '1' : '99';
    return [massReport(message, '0', [], [reason, `${answer.code}: ${answer.message}`])];
  }
  const { order_ids: ids } = answer.body as { order_ids: string[] };
  const affected = ids.map((id) => [desk.find(id)?.clOrdId ?? id, id] as const);
  return [massReport(message, type, affected, null)];
}

/** OrderStatusRequest. */
export async function reportStatus(context: DeskContext, message: FixMessage): Promise<Outgoing[]> {
  const clOrdId = textOf(message, TAG.ClOrdID) ?? '';
  const known = context.desk.find(textOf(message, TAG.OrderID)) ?? context.desk.findByClOrdId(clOrdId);
  const order = known ?? (await context.find(clOrdId));
  if (order !== null) return [executionReport(order, { execType: 'status', execId: '0', time_ms: Date.now() })];
  return [
    {
      type: MSG_TYPE.ExecutionReport,
      body: [
        [TAG.OrderID, 'NONE'],
        [TAG.ClOrdID, clOrdId],
        [TAG.ExecID, '0'],
        [TAG.ExecType, 'I'],
        [TAG.OrdStatus, '8'],
        [TAG.OrdRejReason, '5'],
        [TAG.Symbol, textOf(message, TAG.Symbol) ?? ''],
        [TAG.Side, textOf(message, TAG.Side) ?? ''],
        [TAG.LeavesQty, '0'],
        [TAG.CumQty, '0'],
        [TAG.AvgPx, '0'],
        [TAG.Text, 'unknown order'],
      ],
    },
  ];
}

/** Why a request is about no order that it may change; `reason` is a CxlRejReason(102). */
interface TargetRefusal {
  readonly order: TrackedOrder | null;
  readonly reason: string;
  readonly text: string;
}

async function targetOf(
  { desk, find }: DeskContext,
  message: FixMessage,
): Promise<Result<TrackedOrder, TargetRefusal>> {
  const original = textOf(message, TAG.OrigClOrdID) ?? '';
  const order = desk.find(textOf(message, TAG.OrderID)) ?? desk.findByClOrdId(original) ?? (await find(original));
  if (order === null) return err({ order, reason: UNKNOWN_ORDER, text: 'unknown order' });
  if (desk.findByClOrdId(textOf(message, TAG.ClOrdID)) !== null)
    return err({ order, reason: DUPLICATE, text: 'ClOrdID was used before' });
  return ok(order);
}

function refusal(
  message: FixMessage,
  responseTo: string,
  order: TrackedOrder,
  answer: Exclude<ExchangeAnswer, { type: 'ok' }>,
): Outgoing {
  if (answer.type === 'unknown')
    return cancelReject(message, responseTo, {
      order,
      reason: BROKER_OPTION,
      text: 'the exchange is out of reach: ask for the status',
    });
  const reason = cxlRejReason(answer.code);
  return cancelReject(message, responseTo, { order, reason, text: `${answer.code}: ${answer.message}` });
}

/** OrderCancelReject(9). @param responseTo 1 for a cancel request, 2 for a replace request. */
function cancelReject(message: FixMessage, responseTo: string, { order, reason, text }: TargetRefusal): Outgoing {
  return {
    type: MSG_TYPE.OrderCancelReject,
    body: [
      [TAG.OrderID, order?.orderId ?? 'NONE'],
      [TAG.ClOrdID, textOf(message, TAG.ClOrdID) ?? ''],
      [TAG.OrigClOrdID, textOf(message, TAG.OrigClOrdID) ?? ''],
      [TAG.OrdStatus, order === null ? '8' : ordStatusOf(order)],
      [TAG.CxlRejResponseTo, responseTo],
      [TAG.CxlRejReason, reason],
      [TAG.TransactTime, writeTimestamp(Date.now())],
      [TAG.Text, text],
    ],
  };
}

function massReport(
  message: FixMessage,
  response: string,
  affected: readonly (readonly [clOrdId: string, orderId: string])[],
  rejection: readonly [reason: string, text: string] | null,
): Outgoing {
  const clOrdId = textOf(message, TAG.ClOrdID) ?? '';
  return {
    type: MSG_TYPE.OrderMassCancelReport,
    body: [
      [TAG.ClOrdID, clOrdId],
      [TAG.OrderID, clOrdId],
      [TAG.MassCancelRequestType, textOf(message, TAG.MassCancelRequestType) ?? ''],
      [TAG.MassCancelResponse, response],
      ...(rejection === null ? [] : ([[TAG.MassCancelRejectReason, rejection[0]]] as const)),
      [TAG.TotalAffectedOrders, decimalText(affected.length)],
      ...(affected.length === 0 ? [] : ([[TAG.NoAffectedOrders, String(affected.length)]] as const)),
      ...affected.flatMap(([original, orderId]) => [
        [TAG.OrigClOrdID, original] as const,
        [TAG.AffectedOrderID, orderId] as const,
      ]),
      [TAG.TransactTime, writeTimestamp(Date.now())],
      ...(rejection === null ? [] : ([[TAG.Text, rejection[1]]] as const)),
    ],
  };
}

/** Repeats a call that has no answer. */
export async function repeat(call: () => Promise<ExchangeAnswer>): Promise<ExchangeAnswer> {
  for (let attempt = 1; ; attempt++) {
    const answer = await call();
    if (answer.type !== 'unknown' || attempt === ATTEMPTS_MAX) return answer;
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  }
}
