import type { BrokerOrder, BrokerOrderStatus, BrokerOrderTerms, BrokerRefusal } from '../broker/broker-client.ts';
import { decimalToScaled, scaledToDecimal } from '../money/decimal-text.ts';
import type { Side } from '../orders/order.ts';
import type { PrimeEvent } from '../prime/prime-event.ts';
import { err, ok, type Result } from '../result.ts';
import { PRIME_PRICE_SCALE, PRIME_QUANTITY_SCALE, type PrimeSymbol, primeLevels } from './prime-book.ts';

const CLIENT_ORDER_ID_MAX = 48;
/** Lots of one order. */
const LOTS_MAX = 10_000_000;

/** An order as the sandbox prime keeps it, in scaled integers. */
export interface PrimeOrder {
  readonly sequence: number;
  readonly clientOrderId: string;
  readonly side: Side;
  readonly timeInForce: BrokerOrderTerms['timeInForce'];
  readonly quantity: number;
  readonly limit: number;
  readonly status: BrokerOrderStatus;
  readonly filled: number;
}

/** What a coin's market is beside its open orders. */
export interface PrimeState {
  readonly orders: number;
  readonly events: number;
  readonly executions: number;
  /** Held for the exchange: below zero when short. */
  readonly position: number;
}

export const NEW_PRIME: PrimeState = { orders: 0, events: 0, executions: 0, position: 0 };

/** What a call came to. */
export interface PrimeChange {
  readonly state: PrimeState;
  readonly order: PrimeOrder;
  readonly events: readonly PrimeEvent[];
}

type NewOrder = Omit<PrimeOrder, 'sequence' | 'status' | 'filled'>;

/** The terms of an order in scaled integers. Limits alone are taken: the exchange sends an order at market as a limit at its collar. */
export function primeOrderOf(terms: BrokerOrderTerms, { tick, lot }: PrimeSymbol): Result<NewOrder, BrokerRefusal> {
  const { clientOrderId, side, type, timeInForce } = terms;
  if (clientOrderId.length === 0 || clientOrderId.length > CLIENT_ORDER_ID_MAX) return invalid('client order id');
  if (type !== 'limit' || terms.limitPrice === null || terms.stopPrice !== null) return invalid('type');
  const quantity = scaled(terms.quantity, PRIME_QUANTITY_SCALE);
  if (quantity === null || quantity % lot !== 0 || quantity > LOTS_MAX * lot) return invalid('quantity');
  const limit = scaled(terms.limitPrice, PRIME_PRICE_SCALE);
  if (limit === null || limit % tick !== 0) return invalid('limit price');
  return ok({ clientOrderId, side, timeInForce, quantity, limit });
}

/** Takes an order that no other has the id of, and fills what the book gives at once. */
export function takeOrder(symbol: string, deal: PrimeSymbol, state: PrimeState, asked: NewOrder, at_ms: number) {
  const order: PrimeOrder = { ...asked, sequence: state.orders, status: 'open', filled: 0 };
  return carryOn(symbol, deal, { ...state, orders: state.orders + 1 }, order, at_ms);
}

/** Fills what the book gives at a moment. The rest of an order that never rests ends. */
export function carryOn(
  symbol: string,
  deal: PrimeSymbol,
  state: PrimeState,
  order: PrimeOrder,
  at_ms: number,
): PrimeChange {
  const { side, limit, quantity, timeInForce } = order;
  const within = primeLevels(deal, side, at_ms).filter(({ price }) =>
    side === 'buy' ? price <= limit : price >= limit,
  );
  const displayed = within.reduce((sum, level) => sum + level.quantity, 0);
  const events: PrimeEvent[] = [];
  let [next, carried] = [state, order];
  for (const level of timeInForce === 'fok' && displayed < quantity ? [] : within) {
    const part = Math.min(level.quantity, quantity - carried.filled);
    if (part === 0) break;
    const filled = carried.filled + part;
    next = {
      ...next,
      events: next.events + 1,
      executions: next.executions + 1,
      position: next.position + (side === 'buy' ? part : -part),
    };
    carried = { ...carried, filled, status: filled === quantity ? 'filled' : 'open' };
    events.push({
      type: 'TRANSFER',
      id: eventId(symbol, next),
      clientOrderId: order.clientOrderId,
      symbol,
      executionId: `${symbol}-P${next.executions}`,
      side: side === 'buy' ? 'BUY' : 'SELL',
      quantity: scaledToDecimal(part, PRIME_QUANTITY_SCALE),
      price: scaledToDecimal(level.price, PRIME_PRICE_SCALE),
      executedAt: new Date(at_ms).toISOString(),
      orderComplete: filled === quantity,
    });
  }
  if (carried.status !== 'open' || timeInForce === 'gtc') return { state: next, order: carried, events };
  const ended = endOrder(symbol, next, carried, at_ms);
  return { ...ended, events: [...events, ...ended.events] };
}

/** Ends an open order. */
export function endOrder(symbol: string, state: PrimeState, order: PrimeOrder, at_ms: number): PrimeChange {
  const next = { ...state, events: state.events + 1 };
  const done: PrimeEvent = {
    type: 'ORDER_DONE',
    id: eventId(symbol, next),
    clientOrderId: order.clientOrderId,
    symbol,
    reason: 'cancelled',
    filledQuantity: scaledToDecimal(order.filled, PRIME_QUANTITY_SCALE),
    endedAt: new Date(at_ms).toISOString(),
    detail: null,
  };
  return { state: next, order: { ...order, status: 'canceled' }, events: [done] };
}

export function shownOrder(symbol: string, order: PrimeOrder): BrokerOrder {
  return {
    clientOrderId: order.clientOrderId,
    symbol,
    side: order.side,
    type: 'limit',
    timeInForce: order.timeInForce,
    quantity: scaledToDecimal(order.quantity, PRIME_QUANTITY_SCALE),
    limitPrice: scaledToDecimal(order.limit, PRIME_PRICE_SCALE),
    stopPrice: null,
    status: order.status,
    filled: scaledToDecimal(order.filled, PRIME_QUANTITY_SCALE),
    revision: 0,
  };
}

export function isSameOrder(known: PrimeOrder, { side, timeInForce, quantity, limit }: NewOrder): boolean {
  return (
    known.side === side && known.timeInForce === timeInForce && known.quantity === quantity && known.limit === limit
  );
}

/** Ids sort in the order of the events. */
function eventId(symbol: string, { events }: PrimeState): string {
  return `${symbol}-E${events}`;
}

function scaled(text: string, scale: number): number | null {
  const read = decimalToScaled(text, scale);
  return read.ok && read.value > 0 ? read.value : null;
}

function invalid(what: string) {
  return err({ reason: 'refused', code: 'invalid_order', detail: `the ${what} cannot be taken` } as const);
}
