import type {
  BrokerOrder,
  BrokerOrderStatus,
  BrokerOrderTerms,
  BrokerOrderType,
  BrokerTimeInForce,
  Decimal,
} from '../../../domain/broker/broker-client.ts';
import { decimalToScaled, scaledToDecimal } from '../../../domain/money/decimal-text.ts';
import { recordOf } from '../ask-http.ts';
import { PLACES, plainDecimal, timeOf } from '../read-values.ts';

/** An order of Alpaca's, one link of a chain of replacements: each of them is an order of its own there. */
export interface AlpacaOrder {
  readonly id: string;
  /** As the exchange gave it: without the mark of a replacement. */
  readonly clientOrderId: string;
  readonly revision: number;
  readonly status: string;
  readonly replacedBy: string | null;
  readonly terms: BrokerOrderTerms;
  readonly filled: Decimal;
  /** When it ended, Unix milliseconds; null while it has not. */
  readonly endedAt_ms: number | null;
}

const TYPES: Readonly<Record<string, BrokerOrderType>> = {
  market: 'market',
  limit: 'limit',
  stop: 'stop',
  stop_limit: 'stop_limit',
};

const TIMES_IN_FORCE: Readonly<Record<string, BrokerTimeInForce>> = { gtc: 'gtc', ioc: 'ioc', fok: 'fok' };

/** Whatever else Alpaca says is a state of an order that may still trade. */
const FINAL_STATUSES: Readonly<Record<string, BrokerOrderStatus>> = {
  filled: 'filled',
  canceled: 'canceled',
  expired: 'expired',
  rejected: 'rejected',
};

/** States in which Alpaca takes no replacement yet. */
const PASSING_STATUSES: ReadonlySet<string> = new Set(['accepted', 'pending_new', 'pending_cancel', 'pending_replace']);

/** What stands in Alpaca's order object; null where it is no order that the exchange can have placed. */
export function readAlpacaOrder(body: unknown): AlpacaOrder | null {
  const order = recordOf(body);
  if (order === null) return null;
  const { id, client_order_id, symbol, side, status, replaced_by } = order;
  const type = TYPES[String(order.type)];
  const timeInForce = TIMES_IN_FORCE[String(order.time_in_force)];
  const quantity = plainDecimal(order.qty);
  const filled = plainDecimal(order.filled_qty);
  if (typeof id !== 'string' || typeof client_order_id !== 'string' || typeof symbol !== 'string') return null;
  if (typeof status !== 'string' || (side !== 'buy' && side !== 'sell')) return null;
  if (type === undefined || timeInForce === undefined || quantity === null || filled === null) return null;
  const { clientOrderId, revision } = namesOf(client_order_id);
  return {
    id,
    clientOrderId,
    revision,
    status,
    replacedBy: typeof replaced_by === 'string' ? replaced_by : null,
    terms: {
      clientOrderId,
      symbol,
      side,
      type,
      timeInForce,
      quantity,
      limitPrice: plainDecimal(order.limit_price),
      stopPrice: plainDecimal(order.stop_price),
    },
    filled,
    endedAt_ms:
      timeOf(order.canceled_at) ?? timeOf(order.expired_at) ?? timeOf(order.failed_at) ?? timeOf(order.filled_at),
  };
}

/** A replacement is an order of its own, under the exchange's id with the number of the replacement. */
export function nameOfRevision(clientOrderId: string, revision: number): string {
  return revision === 0 ? clientOrderId : `${clientOrderId}~${revision}`;
}

function namesOf(name: string): { readonly clientOrderId: string; readonly revision: number } {
  const [, clientOrderId, revision] = /^(.+)~(\d{1,6})$/.exec(name) ?? [];
  return clientOrderId === undefined
    ? { clientOrderId: name, revision: 0 }
    : { clientOrderId, revision: Number(revision) };
}

/** The whole order, from its links, the first one first. What they have filled adds up. */
export function orderOfChain(chain: readonly AlpacaOrder[]): BrokerOrder | null {
  const last = chain.at(-1);
  if (last === undefined) return null;
  return {
    ...last.terms,
    status: FINAL_STATUSES[last.status] ?? 'open',
    filled: sumOf(chain.map(({ filled }) => filled)),
    revision: last.revision,
  };
}

export function isPassing({ status }: AlpacaOrder): boolean {
  return PASSING_STATUSES.has(status);
}

export function isSameRequest(a: BrokerOrderTerms, b: BrokerOrderTerms): boolean {
  return (
    a.symbol === b.symbol &&
    a.side === b.side &&
    a.type === b.type &&
    a.timeInForce === b.timeInForce &&
    plainDecimal(a.quantity) === plainDecimal(b.quantity) &&
    plainDecimal(a.limitPrice) === plainDecimal(b.limitPrice) &&
    plainDecimal(a.stopPrice) === plainDecimal(b.stopPrice)
  );
}

function sumOf(decimals: readonly Decimal[]): Decimal {
  let sum = 0;
  for (const decimal of decimals) {
    const read = decimalToScaled(decimal, PLACES);
    sum += read.ok ? read.value : 0;
  }
  return scaledToDecimal(sum, PLACES);
}
