import { DAY_MS } from '../../../domain/calendar/durations.ts';
import { err, ok, type Result } from '../../../domain/result.ts';
import { CLIENT_ORDER_ID } from '../../../protocol/order-entry/client-order-id.ts';
import { type FixMessage, textOf } from '../codec/fix-message.ts';
import { TAG } from '../codec/tags.ts';
import { readTimestamp } from '../codec/timestamp.ts';
import { named, refusedField } from './refused-field.ts';

/** Body of POST /v1/orders. */
export interface OrderRequest {
  readonly symbol: string;
  readonly side: 'buy' | 'sell';
  readonly type: string;
  readonly size: number;
  readonly price: number | null;
  readonly stop_price: number | null;
  readonly time_in_force: string | null;
  readonly expires_at: number | null;
  readonly client_order_id: string;
  /** MaxFloor: what the book shows; the field is left out where it shows all. */
  readonly display_size?: number;
}

/** Why a NewOrderSingle asks for nothing that the exchange could do. */
export interface OrderRefusal {
  /** OrdRejReason(103). */
  readonly reason: string;
  readonly text: string;
}

/** Said of a ClOrdID that is none here. */
export const CL_ORD_ID_FORM = 'ClOrdID must be 1 to 64 visible ASCII characters without spaces';

const PARTICIPATE_DONT_INITIATE = '6';
const UNSUPPORTED = '11';
const OTHER = '99';
const INCORRECT_QUANTITY = '13';

/**
 * What a NewOrderSingle asks of the exchange (docs/fix.md). OrdType 1, 2, 3, 4 and J are market, limit, stop_loss, stop_loss_limit and
 * take_profit; TimeInForce 0 ends with the UTC day, 1 (or none), 3, 4 and 6 are GTC, IOC, FOK and GTD; ExecInst 6 is post-only; MaxFloor 0 hides the order,
 * a smaller one than OrderQty makes an iceberg. A field that would have to be ignored refuses the order, and fields that the type of order
 * does not have go on to the exchange, which refuses them.
 */
export function orderRequestOf(message: FixMessage): Result<OrderRequest, OrderRefusal> {
  const ignored = refusedField(message);
  if (ignored !== null) return refused(UNSUPPORTED, ignored.text);
  const side = { '1': 'buy', '2': 'sell' }[textOf(message, TAG.Side) ?? ''] as 'buy' | 'sell' | undefined;
  if (side === undefined) return refused(UNSUPPORTED, 'Side must be 1 (buy) or 2 (sell)');
  const type = typeOf(message);
  if (type === null) return refused(UNSUPPORTED, 'OrdType must be 1, 2, 3, 4 or J');
  const size = numberOf(message, TAG.OrderQty);
  if (size === null) return refused(INCORRECT_QUANTITY, 'OrderQty is missing');
  if (!(size > 0)) return refused(INCORRECT_QUANTITY, `${named(TAG.OrderQty, String(size))} is not above 0`);
  const clientOrderId = textOf(message, TAG.ClOrdID) ?? '';
  if (!CLIENT_ORDER_ID.test(clientOrderId)) return refused(OTHER, CL_ORD_ID_FORM);
  const displaySize = numberOf(message, TAG.MaxFloor);
  const time = timeInForceOf(message, type);
  if (!time.ok) return time;
  return ok({
    symbol: (textOf(message, TAG.Symbol) ?? '').slice(0, 64),
    side,
    type,
    size,
    price: numberOf(message, TAG.Price),
    stop_price: numberOf(message, TAG.StopPx),
    time_in_force: time.value.timeInForce,
    expires_at: time.value.expiresAt,
    client_order_id: clientOrderId,
    ...(displaySize === null ? {} : { display_size: displaySize }),
  });
}

function typeOf(message: FixMessage): string | null {
  const types: Readonly<Record<string, string>> = {
    '1': 'market',
    '2': 'limit',
    '3': 'stop_loss',
    '4': 'stop_loss_limit',
    J: 'take_profit',
  };
  return types[textOf(message, TAG.OrdType) ?? ''] ?? null;
}

interface TimeInForce {
  readonly timeInForce: string | null;
  readonly expiresAt: number | null;
}

function timeInForceOf(message: FixMessage, type: string): Result<TimeInForce, OrderRefusal> {
  const value = textOf(message, TAG.TimeInForce);
  const expireTime = textOf(message, TAG.ExpireTime);
  if (expireTime !== null && value !== '6')
    return refused(UNSUPPORTED, `${named(TAG.ExpireTime, expireTime)} asks for TimeInForce 6`);
  if (isPostOnly(message)) {
    if (type !== 'limit' || (value ?? '1') !== '1')
      return refused(UNSUPPORTED, 'ExecInst 6 asks for a limit GTC order');
    return ok({ timeInForce: 'POST_ONLY', expiresAt: null });
  }
  switch (value) {
    case null:
      return ok({ timeInForce: null, expiresAt: null });
    case '0':
      return dayOf(message, type);
    case '1':
      return ok({ timeInForce: 'GTC', expiresAt: null });
    case '3':
      return ok({ timeInForce: 'IOC', expiresAt: null });
    case '4':
      return ok({ timeInForce: 'FOK', expiresAt: null });
    case '6': {
      const expiresAt = readTimestamp(expireTime ?? '');
      if (expiresAt === null) return refused(OTHER, 'TimeInForce 6 asks for ExpireTime');
      return ok({ timeInForce: 'GTD', expiresAt });
    }
    default:
      return refused(UNSUPPORTED, `${named(TAG.TimeInForce, value)} is not offered: it must be 0, 1, 3, 4 or 6`);
  }
}

/** A market order never outlives its arrival, a limit ends with the UTC day, and nothing ends a stop. */
function dayOf(message: FixMessage, type: string): Result<TimeInForce, OrderRefusal> {
  if (type === 'market') return ok({ timeInForce: null, expiresAt: null });
  if (type !== 'limit')
    return refused(
      UNSUPPORTED,
      `${named(TAG.TimeInForce, '0')} is not offered for stops: they take 1, or none, until cancelled`,
    );
  const sent = readTimestamp(textOf(message, TAG.SendingTime) ?? '') ?? 0;
  return ok({ timeInForce: 'GTD', expiresAt: sent - (sent % DAY_MS) + DAY_MS });
}

/** ExecInst 6; other instructions are refused before. */
export function isPostOnly(message: FixMessage): boolean {
  return (textOf(message, TAG.ExecInst) ?? '').split(' ').includes(PARTICIPATE_DONT_INITIATE);
}

/** A decimal field; the dictionary has checked its form. */
export function numberOf(message: FixMessage, tag: number): number | null {
  const text = textOf(message, tag);
  return text === null ? null : Number(text);
}

function refused(reason: string, text: string): Result<never, OrderRefusal> {
  return err({ reason, text });
}
