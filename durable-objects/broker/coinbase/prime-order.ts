import type {
  BrokerOrder,
  BrokerOrderStatus,
  BrokerOrderTerms,
  BrokerTimeInForce,
} from '../../../domain/broker/broker-client.ts';
import { recordOf } from '../ask-http.ts';
import { plainDecimal } from '../read-values.ts';

/** An order of the portfolio. */
export interface PrimeOrder {
  /** Coinbase's. */
  readonly id: string;
  readonly order: BrokerOrder;
}

const QUOTE = '-USD';

const TIMES_IN_FORCE: Readonly<Record<BrokerTimeInForce, string>> = {
  gtc: 'GOOD_UNTIL_CANCELLED',
  ioc: 'IMMEDIATE_OR_CANCEL',
  fok: 'FILL_OR_KILL',
};

/** Whatever else it says is a state of an order that may still trade. */
const FINAL_STATUSES: Readonly<Record<string, BrokerOrderStatus>> = {
  FILLED: 'filled',
  CANCELLED: 'canceled',
  EXPIRED: 'expired',
  FAILED: 'rejected',
  REJECTED: 'rejected',
};

/** Markets at the prime broker quote in dollars. */
export function productOf(symbol: string): string {
  return `${symbol}${QUOTE}`;
}

/** Of a product in dollars; null of any other. */
export function symbolOf(product: unknown): string | null {
  return typeof product === 'string' && product.endsWith(QUOTE) ? product.slice(0, -QUOTE.length) : null;
}

/** Null where it is no order that the exchange can have placed. */
export function readPrimeOrder(body: unknown): PrimeOrder | null {
  const read = recordOf(body);
  if (read === null) return null;
  const { id, client_order_id: clientOrderId, side, type, status } = read;
  const symbol = symbolOf(read.product_id);
  const timeInForce = timeInForceOf(read.time_in_force);
  const [quantity, limitPrice] = [plainDecimal(read.base_quantity), plainDecimal(read.limit_price)];
  // Of an order that nothing has filled of it may be empty.
  const filled = read.filled_quantity === '' ? '0' : plainDecimal(read.filled_quantity ?? '0');
  if (typeof id !== 'string' || typeof clientOrderId !== 'string' || typeof status !== 'string' || symbol === null)
    return null;
  if ((side !== 'BUY' && side !== 'SELL') || type !== 'LIMIT' || timeInForce === null) return null;
  if (quantity === null || limitPrice === null || filled === null) return null;
  return {
    id,
    order: {
      clientOrderId,
      symbol,
      side: side === 'BUY' ? 'buy' : 'sell',
      type: 'limit',
      timeInForce,
      quantity,
      limitPrice,
      stopPrice: null,
      status: FINAL_STATUSES[status] ?? 'open',
      filled,
      revision: 0,
    },
  };
}

/** What is sent for an order; null for one that is no limit, which no market hands over. */
export function bodyOf(order: BrokerOrderTerms): Readonly<Record<string, string>> | null {
  if (order.type !== 'limit' || order.limitPrice === null) return null;
  return {
    product_id: productOf(order.symbol),
    side: order.side === 'buy' ? 'BUY' : 'SELL',
    client_order_id: order.clientOrderId,
    type: 'LIMIT',
    base_quantity: order.quantity,
    limit_price: order.limitPrice,
    time_in_force: TIMES_IN_FORCE[order.timeInForce],
  };
}

export function isSameRequest(a: BrokerOrderTerms, b: BrokerOrderTerms): boolean {
  return (
    a.symbol === b.symbol &&
    a.side === b.side &&
    a.type === b.type &&
    a.timeInForce === b.timeInForce &&
    plainDecimal(a.quantity) === plainDecimal(b.quantity) &&
    plainDecimal(a.limitPrice) === plainDecimal(b.limitPrice)
  );
}

function timeInForceOf(value: unknown): BrokerTimeInForce | null {
  for (const [ours, theirs] of Object.entries(TIMES_IN_FORCE)) if (theirs === value) return ours as BrokerTimeInForce;
  return null;
}
