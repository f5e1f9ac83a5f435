import { type FixMessage, textOf } from '../codec/fix-message.ts';
import { MSG_TYPE } from '../codec/msg-types.ts';
import { TAG } from '../codec/tags.ts';
import type { Outgoing } from './application.ts';
import { BUSINESS_REJ, businessReject } from './business-reject.ts';
import type { DeskContext } from './desk-context.ts';
import { executionReport } from './execution-report.ts';
import { isUnanswered, type Unanswered } from './order-placement.ts';
import { otherOrder } from './order-target.ts';
import { refusedField } from './refused-field.ts';
import type { TrackedOrder } from './tracked-order.ts';

/** OrderStatusRequest: any ClOrdID that a request about the order had will do. */
export async function reportStatus(context: DeskContext, message: FixMessage): Promise<Outgoing[]> {
  const ignored = refusedField(message);
  if (ignored !== null) return [businessReject(message, BUSINESS_REJ.OTHER, ignored.text)];
  const clOrdId = textOf(message, TAG.ClOrdID) ?? '';
  const ordStatusReqId = textOf(message, TAG.OrdStatusReqID);
  // Either may name it alone: the id where the order has no ClOrdID that the peer knows.
  const named = context.desk.findByClOrdId(clOrdId);
  const order = named ?? (await byOrderId(context, textOf(message, TAG.OrderID))) ?? (await context.find(clOrdId));
  if (isUnanswered(order)) return [businessReject(message, BUSINESS_REJ.NOT_AVAILABLE, order.unanswered)];
  if (order !== null && otherOrder(message, order) === null) {
    const text = (await context.refresh(order)) ? null : 'as it was last told: the exchange could not be asked';
    const current = context.desk.find(order.orderId) ?? order;
    return [executionReport(current, { execType: 'status', execId: '0', ordStatusReqId, text, time_ms: Date.now() })];
  }
  return [
    {
      type: MSG_TYPE.ExecutionReport,
      body: [
        [TAG.OrderID, 'NONE'],
        [TAG.ClOrdID, clOrdId],
        ...(ordStatusReqId === null ? [] : ([[TAG.OrdStatusReqID, ordStatusReqId]] as const)),
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

async function byOrderId(
  { desk, findById }: DeskContext,
  orderId: string | null,
): Promise<TrackedOrder | null | Unanswered> {
  return orderId === null ? null : (desk.find(orderId) ?? (await findById(orderId)));
}
