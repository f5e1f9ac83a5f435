import type { BrokerEvent, BrokerExecution, BrokerOrderDone, Decimal } from '../broker/broker-client.ts';
import { err, ok, type Result } from '../result.ts';

/** What the prime broker tells by webhook, and again to whoever asks for it (docs/design/prime.md#events). */
export type PrimeEvent = PrimeTransfer | PrimeOrderDone;

interface PrimeEventOfOrder {
  /** Stable: the same event has the same id, however often and whichever way it comes. */
  readonly id: string;
  readonly clientOrderId: string;
  /** Of the asset. */
  readonly symbol: string;
}

/** An execution: what it moved between the exchange and the prime broker. */
interface PrimeTransfer extends PrimeEventOfOrder {
  readonly type: 'TRANSFER';
  readonly executionId: string;
  readonly side: 'BUY' | 'SELL';
  readonly quantity: Decimal;
  readonly price: Decimal;
  readonly executedAt: string;
  /** Nothing of the order is left after it. */
  readonly orderComplete: boolean;
}

/** The order has ended without being filled whole. */
interface PrimeOrderDone extends PrimeEventOfOrder {
  readonly type: 'ORDER_DONE';
  readonly reason: 'cancelled' | 'rejected' | 'expired';
  readonly filledQuantity: Decimal;
  readonly endedAt: string;
  readonly detail: string | null;
}

/** Why a text is no event that is understood. */
export type UnreadableEvent =
  | { readonly reason: 'malformed'; readonly field: string }
  | { readonly reason: 'unknown_type'; readonly id: string; readonly type: string };

const TEXT_MAX = 200;
const DECIMAL = /^\d{1,24}(?:\.\d{1,24})?$/;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z$/;

/** An event as JSON says it. Fields that are not named here are let be. */
export function primeEventOf(json: unknown): Result<PrimeEvent, UnreadableEvent> {
  if (typeof json !== 'object' || json === null) return malformed('body');
  const fields = json as Readonly<Record<string, unknown>>;
  const { id, type, clientOrderId, symbol } = fields;
  if (!isName(id)) return malformed('id');
  if (!isName(type)) return malformed('type');
  if (type !== 'TRANSFER' && type !== 'ORDER_DONE') return err({ reason: 'unknown_type', id, type });
  if (!isName(clientOrderId)) return malformed('clientOrderId');
  if (!isName(symbol)) return malformed('symbol');
  return type === 'TRANSFER'
    ? transferOf({ id, clientOrderId, symbol }, fields)
    : orderDoneOf({ id, clientOrderId, symbol }, fields);
}

/** The same as the books hear it of any broker. */
export function brokerEventOf(event: PrimeEvent): BrokerEvent {
  const { id, symbol, clientOrderId } = event;
  if (event.type === 'TRANSFER') {
    const execution: BrokerExecution = {
      type: event.orderComplete ? 'fill' : 'partial_fill',
      id,
      symbol,
      clientOrderId,
      at_ms: Date.parse(event.executedAt),
      executionId: event.executionId,
      side: event.side === 'BUY' ? 'buy' : 'sell',
      venue: null,
      price: event.price,
      quantity: event.quantity,
    };
    return execution;
  }
  const done: BrokerOrderDone = {
    type: 'done',
    id,
    symbol,
    clientOrderId,
    at_ms: Date.parse(event.endedAt),
    reason: event.reason === 'cancelled' ? 'canceled' : event.reason,
    filled: event.filledQuantity,
    detail: event.detail,
  };
  return done;
}

function transferOf(of: PrimeEventOfOrder, fields: Readonly<Record<string, unknown>>) {
  const { executionId, side, quantity, price, executedAt, orderComplete } = fields;
  if (!isName(executionId)) return malformed('executionId');
  if (side !== 'BUY' && side !== 'SELL') return malformed('side');
  if (!isDecimal(quantity)) return malformed('quantity');
  if (!isDecimal(price)) return malformed('price');
  if (!isTime(executedAt)) return malformed('executedAt');
  if (typeof orderComplete !== 'boolean') return malformed('orderComplete');
  return ok({ type: 'TRANSFER', ...of, executionId, side, quantity, price, executedAt, orderComplete } as const);
}

function orderDoneOf(of: PrimeEventOfOrder, fields: Readonly<Record<string, unknown>>) {
  const { reason, filledQuantity, endedAt, detail = null } = fields;
  if (reason !== 'cancelled' && reason !== 'rejected' && reason !== 'expired') return malformed('reason');
  if (!isDecimal(filledQuantity)) return malformed('filledQuantity');
  if (!isTime(endedAt)) return malformed('endedAt');
  if (detail !== null && typeof detail !== 'string') return malformed('detail');
  const words = detail === null ? null : detail.slice(0, TEXT_MAX);
  return ok({ type: 'ORDER_DONE', ...of, reason, filledQuantity, endedAt, detail: words } as const);
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && value.length > 0 && value.length <= TEXT_MAX;
}

function isDecimal(value: unknown): value is Decimal {
  return typeof value === 'string' && DECIMAL.test(value);
}

function isTime(value: unknown): value is string {
  return typeof value === 'string' && TIME.test(value) && !Number.isNaN(Date.parse(value));
}

function malformed(field: string) {
  return err({ reason: 'malformed', field } as const);
}
