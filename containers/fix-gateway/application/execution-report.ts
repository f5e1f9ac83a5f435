import { decimalText, roundDecimal } from '../codec/decimal.ts';
import type { Field, FixMessage } from '../codec/fix-message.ts';
import { textOf } from '../codec/fix-message.ts';
import { MSG_TYPE } from '../codec/msg-types.ts';
import { TAG } from '../codec/tags.ts';
import { writeTimestamp } from '../codec/timestamp.ts';
import type { Outgoing } from './application.ts';
import { cumQtyOf, leavesQtyOf, ordStatusOf, type TrackedOrder, totalOf } from './tracked-order.ts';
import type { WireFill, WireListedFill } from './wire.ts';

/** ExecType(150). */
type ExecType = 'new' | 'cancelled' | 'replaced' | 'expired' | 'rejected' | 'restated' | 'status' | 'triggered';

const EXEC_TYPES: Readonly<Record<ExecType, string>> = {
  new: '0',
  cancelled: '4',
  replaced: '5',
  rejected: '8',
  expired: 'C',
  restated: 'D',
  status: 'I',
  // Of FIX 5.0: 4.4 has no report of a stop that has reached its price.
  triggered: 'L',
};

/** What a report adds to the state of its order. */
export interface ReportTerms {
  readonly execType: ExecType;
  readonly execId: string;
  readonly origClOrdId?: string | null;
  readonly text?: string | null;
  /** Of the OrderStatusRequest that a report answers. */
  readonly ordStatusReqId?: string | null;
  /** ExecRestatementReason(378) of ExecType D. */
  readonly restatement?: string | null;
  readonly time_ms: number;
}

/** ExecutionReport(8) of a change that is no fill. */
export function executionReport(order: TrackedOrder, terms: ReportTerms): Outgoing {
  const { execType, execId, origClOrdId = null, text = null, ordStatusReqId = null, restatement = null } = terms;
  const more = [...optional(TAG.OrdStatusReqID, ordStatusReqId), ...optional(TAG.ExecRestatementReason, restatement)];
  return report(order, EXEC_TYPES[execType], execId, terms.time_ms, origClOrdId, more, text);
}

/** ExecID of a fill follows from the trade, so that a repetition can be told. */
function fillExecId({ trade_id, side }: WireFill): string {
  return `${trade_id}-${side === 'buy' ? 'B' : 'S'}`;
}

/** ExecutionReport(8) of a fill, which `order` includes. */
export function fillReport(order: TrackedOrder, fill: WireFill): Outgoing {
  const last: Field[] = [
    [TAG.LastQty, decimalText(fill.size)],
    [TAG.LastPx, decimalText(fill.price)],
    [TAG.LastLiquidityInd, fill.liquidity === 'maker' ? '1' : '2'],
  ];
  return report(order, 'F', fillExecId(fill), fill.timestamp, null, last, null);
}

/** ExecutionReport(8) of a fill that was taken back or corrected, which `order` includes (FIX 4.4 volume 4, appendix D, matrices J). */
export function adjustmentReport(order: TrackedOrder, fill: WireListedFill): Outgoing {
  const { size, corrected_price: price, adjusted_at: time_ms } = fill;
  const execType = price === null ? 'H' : 'G';
  const last: Field[] = [
    [TAG.ExecRefID, fillExecId(fill)],
    [TAG.LastQty, price === null ? '0' : decimalText(size)],
    [TAG.LastPx, decimalText(price ?? 0)],
  ];
  return report(order, execType, `${fillExecId(fill)}-${execType}`, time_ms ?? fill.timestamp, null, last, null);
}

/** ExecutionReport(8) of a NewOrderSingle that has placed nothing. */
export function rejectedReport(
  request: FixMessage,
  terms: { orderId: string | null; execId: string; reason: string; text: string; time_ms: number },
): Outgoing {
  return {
    type: MSG_TYPE.ExecutionReport,
    body: [
      [TAG.OrderID, terms.orderId ?? 'NONE'],
      [TAG.ClOrdID, textOf(request, TAG.ClOrdID) ?? ''],
      [TAG.ExecID, terms.execId],
      [TAG.ExecType, '8'],
      [TAG.OrdStatus, '8'],
      [TAG.OrdRejReason, terms.reason],
      [TAG.Symbol, textOf(request, TAG.Symbol) ?? ''],
      [TAG.Side, textOf(request, TAG.Side) ?? ''],
      ...optional(TAG.OrderQty, textOf(request, TAG.OrderQty)),
      [TAG.LeavesQty, '0'],
      [TAG.CumQty, '0'],
      [TAG.AvgPx, '0'],
      [TAG.TransactTime, writeTimestamp(terms.time_ms)],
      [TAG.Text, terms.text],
    ],
  };
}

function report(
  order: TrackedOrder,
  execType: string,
  execId: string,
  time_ms: number,
  origClOrdId: string | null,
  more: readonly Field[],
  text: string | null,
): Outgoing {
  const cumQty = cumQtyOf(order);
  return {
    type: MSG_TYPE.ExecutionReport,
    body: [
      [TAG.OrderID, order.orderId],
      [TAG.ClOrdID, order.clOrdId],
      ...optional(TAG.OrigClOrdID, origClOrdId),
      [TAG.ExecID, execId],
      [TAG.ExecType, execType],
      [TAG.OrdStatus, ordStatusOf(order)],
      [TAG.Symbol, order.symbol],
      [TAG.Side, order.side === 'buy' ? '1' : '2'],
      [TAG.OrderQty, decimalText(totalOf(order))],
      [TAG.OrdType, order.ordType],
      ...optional(TAG.Price, decimal(order.price)),
      ...optional(TAG.StopPx, decimal(order.stopPrice)),
      [TAG.TimeInForce, order.timeInForce],
      ...optional(TAG.ExpireTime, order.expiresAt === null ? null : writeTimestamp(order.expiresAt)),
      ...optional(TAG.ExecInst, order.postOnly ? '6' : null),
      ...optional(TAG.MaxFloor, decimal(order.maxFloor)),
      ...more,
      [TAG.LeavesQty, decimalText(leavesQtyOf(order))],
      [TAG.CumQty, decimalText(cumQty)],
      [TAG.AvgPx, cumQty === 0 ? '0' : decimalText(roundDecimal(order.notional / cumQty))],
      [TAG.TransactTime, writeTimestamp(time_ms)],
      ...optional(TAG.Text, text),
    ],
  };
}

function decimal(value: number | null): string | null {
  return value === null ? null : decimalText(value);
}

function optional(tag: number, value: string | null): Field[] {
  return value === null || value === '' ? [] : [[tag, value]];
}
