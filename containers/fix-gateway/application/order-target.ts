import { ownId } from '../../../domain/identity/own-id.ts';
import { err, ok, type Result } from '../../../domain/result.ts';
import { CLIENT_ORDER_ID } from '../../../protocol/order-entry/client-order-id.ts';
import { type FixMessage, textOf } from '../codec/fix-message.ts';
import { MSG_TYPE } from '../codec/msg-types.ts';
import { TAG } from '../codec/tags.ts';
import { writeTimestamp } from '../codec/timestamp.ts';
import type { Outgoing } from './application.ts';
import { BUSINESS_REJ, businessReject } from './business-reject.ts';
import type { DeskContext } from './desk-context.ts';
import { isUnanswered, type Unanswered } from './order-placement.ts';
import { CL_ORD_ID_FORM } from './order-request.ts';
import { named, refusedField } from './refused-field.ts';
import { ordStatusOf, type TrackedOrder } from './tracked-order.ts';

/** CxlRejReason(102). */
export const CXL_REJ = { UNKNOWN_ORDER: '1', BROKER_OPTION: '2', DUPLICATE: '6', OTHER: '99' } as const;

/** Why a request about an order is refused; `reason` is a CxlRejReason(102). */
export interface TargetRefusal {
  /** Null where the request names none that stands. */
  readonly order: TrackedOrder | null;
  readonly reason: string;
  readonly text: string;
}

/**
 * The order that a cancel or replace request means. OrigClOrdID, Symbol, Side and OrderID where it is there must all name it, and OrigClOrdID
 * by the last ClOrdID that a request about it was accepted under: whoever names an earlier one does not know the order as it stands.
 */
export async function orderTarget(
  { desk, find }: DeskContext,
  message: FixMessage,
): Promise<Result<TrackedOrder, TargetRefusal | Unanswered>> {
  const ignored = refusedField(message);
  const original = textOf(message, TAG.OrigClOrdID) ?? '';
  const orderId = textOf(message, TAG.OrderID);
  const order = desk.find(orderId) ?? desk.findByClOrdId(original) ?? (await find(original));
  if (order !== null && isUnanswered(order)) return err(order);
  if (ignored !== null) return err({ order, reason: CXL_REJ.OTHER, text: ignored.text });
  if (order === null) return unknown('unknown order');
  // It becomes the order's own, is stored, and stands in every report of it.
  if (!CLIENT_ORDER_ID.test(textOf(message, TAG.ClOrdID) ?? ''))
    return err({ order, reason: CXL_REJ.OTHER, text: CL_ORD_ID_FORM });
  if (desk.findByClOrdId(textOf(message, TAG.ClOrdID)) !== null)
    return err({ order, reason: CXL_REJ.DUPLICATE, text: 'ClOrdID was used before' });
  const other = otherOrder(message, order);
  if (other !== null) return unknown(`${named(other, textOf(message, other) ?? '')} is not that of the order`);
  // Of an order that has ended the exchange says that it is too late.
  if (order.ended || original === order.clOrdId) return ok(order);
  return unknown(`${named(TAG.OrigClOrdID, original)} is not the last ClOrdID of the order, which is ${order.clOrdId}`);
}

/** The first field by which a message names another order than this one, or null. */
export function otherOrder(message: FixMessage, order: TrackedOrder): number | null {
  const names: readonly (readonly [tag: number, value: string])[] = [
    [TAG.OrderID, order.orderId],
    [TAG.Symbol, order.symbol],
    [TAG.Side, order.side === 'buy' ? '1' : '2'],
  ];
  const isNamed = (tag: number, value: string): boolean => {
    const stated = textOf(message, tag) ?? value;
    return (tag === TAG.OrderID ? ownId(stated) : stated) === value;
  };
  return names.find(([tag, value]) => !isNamed(tag, value))?.[0] ?? null;
}

function unknown(text: string): Result<never, TargetRefusal> {
  return err({ order: null, reason: CXL_REJ.UNKNOWN_ORDER, text });
}

/** Where nobody knows whether there is such an order, an OrderCancelReject would have to say how it stands: the request is to be made again. */
export function targetReject(
  message: FixMessage,
  responseTo: '1' | '2',
  refusal: TargetRefusal | Unanswered,
): Outgoing {
  return isUnanswered(refusal)
    ? businessReject(message, BUSINESS_REJ.NOT_AVAILABLE, refusal.unanswered)
    : cancelReject(message, responseTo, refusal);
}

/** OrderCancelReject(9). @param responseTo 1 for a cancel request, 2 for a replace request. */
export function cancelReject(
  message: FixMessage,
  responseTo: '1' | '2',
  { order, reason, text }: TargetRefusal,
): Outgoing {
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
