import { decimalText } from '../codec/decimal.ts';
import { type FixMessage, textOf } from '../codec/fix-message.ts';
import { MSG_TYPE } from '../codec/msg-types.ts';
import { TAG } from '../codec/tags.ts';
import { writeTimestamp } from '../codec/timestamp.ts';
import type { Outgoing } from './application.ts';
import type { DeskContext } from './desk-context.ts';
import { whyUnanswered } from './order-placement.ts';
import { refusedField } from './refused-field.ts';
import { repeat } from './repeat.ts';

/** MassCancelRequestType(530). */
const OF_A_SECURITY = '1';
const ALL = '7';
/** MassCancelRejectReason(532): not supported, unknown security, and what has no reason of its own. */
const REJECT = { UNSUPPORTED: '0', UNKNOWN_SECURITY: '1', OTHER: '99' } as const;

type Rejection = readonly [reason: string, text: string];

/** OrderMassCancelRequest: of a symbol (1) or of everything (7), of one side when Side is given. */
export async function massCancel(
  { desk, exchange, caller }: Pick<DeskContext, 'desk' | 'exchange' | 'caller'>,
  message: FixMessage,
): Promise<Outgoing[]> {
  const rejection = rejectionOf(message);
  if (rejection !== null) return [report(message, '0', [], rejection)];
  const type = textOf(message, TAG.MassCancelRequestType) ?? '';
  const symbol = textOf(message, TAG.Symbol);
  const side = { '1': 'buy', '2': 'sell' }[textOf(message, TAG.Side) ?? ''];
  const query = new URLSearchParams({ ...(symbol === null ? {} : { symbol }), ...(side ? { side } : {}) });
  const answer = await repeat(() => exchange.call('DELETE', `/v1/orders?${query}`, caller));
  if (answer.type === 'unknown') return [report(message, '0', [], [REJECT.OTHER, 'the exchange is out of reach'])];
  if (answer.type === 'refused') {
    const reason = answer.code === 'INVALID_SYMBOL' ? REJECT.UNKNOWN_SECURITY : REJECT.OTHER;
    return [report(message, '0', [], [reason, whyUnanswered(answer)])];
  }
  const { order_ids: ended, pending_order_ids: pending } = answer.body as Record<
    'order_ids' | 'pending_order_ids',
    string[]
  >;
  const affected = [...ended, ...pending].map((id) => [desk.find(id)?.clOrdId ?? id, id] as const);
  const waiting = pending.length === 0 ? null : `the last ${pending.length} end once their broker has confirmed it`;
  return [report(message, type, affected, null, waiting)];
}

/** What a mass cancel says must narrow it down, and nothing of it be passed over: it would cancel too much. */
function rejectionOf(message: FixMessage): Rejection | null {
  const ignored = refusedField(message);
  if (ignored !== null) return [REJECT.OTHER, ignored.text];
  const type = textOf(message, TAG.MassCancelRequestType) ?? '';
  const hasSymbol = textOf(message, TAG.Symbol) !== null;
  if ((type === OF_A_SECURITY && hasSymbol) || (type === ALL && !hasSymbol)) return null;
  return [REJECT.UNSUPPORTED, 'MassCancelRequestType must be 1 with a Symbol, or 7 without'];
}

function report(
  message: FixMessage,
  response: string,
  affected: readonly (readonly [clOrdId: string, orderId: string])[],
  rejection: Rejection | null,
  waiting: string | null = null,
): Outgoing {
  const clOrdId = textOf(message, TAG.ClOrdID) ?? '';
  const text = rejection?.[1] ?? waiting;
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
      ...(text === null ? [] : ([[TAG.Text, text]] as const)),
    ],
  };
}
