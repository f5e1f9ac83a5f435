import type {
  BrokerOrder,
  BrokerOrderStatus,
  BrokerOrderTerms,
  BrokerOrderType,
  BrokerRefusal,
  BrokerTimeInForce,
  Decimal,
} from '../broker/broker-client.ts';
import { decimalToScaled, scaledToDecimal } from '../money/decimal-text.ts';
import type { Side } from '../orders/order.ts';
import { err, ok, type Result } from '../result.ts';
import { tickAt } from './displayed-books.ts';
import { type PriceProcess, SANDBOX_SCALE } from './price-process.ts';

/** Shares of one order. */
const SHARES_MAX = 1_000_000;
const PRICE_MAX = 1_000_000 * 10 ** SANDBOX_SCALE;
const CLIENT_ORDER_ID_MAX = 48;

/** Of a symbol, what its prices must be multiples of. */
type Tick = Pick<PriceProcess, 'tick'>;

/** An order's terms in integers scaled by SANDBOX_SCALE. */
export interface SandboxTerms {
  readonly clientOrderId: string;
  readonly side: Side;
  readonly type: BrokerOrderType;
  readonly timeInForce: BrokerTimeInForce;
  readonly quantity: number;
  readonly limit: number | null;
  readonly stop: number | null;
}

/** A slice of the router's plan on its way to a venue. */
interface SliceUnderWay {
  readonly venue: string;
  readonly quantity: number;
  readonly limit: number;
  readonly arrivesAt_ms: number;
}

/** An order as the sandbox keeps it: plain data, so that storage holds all that its future depends on. */
export interface SandboxOrder {
  readonly sequence: number;
  /** As it was submitted: the same request again is the same order. */
  readonly placed: SandboxTerms;
  /** As it stands, after replacements. */
  readonly terms: SandboxTerms;
  readonly status: BrokerOrderStatus;
  /** Of the last replacement that was carried out. */
  readonly revision: number;
  /** Of the last replacement that was asked for. */
  readonly revisionAsked: number;
  readonly filled: number;
  /** Whether a stop has been reached; true of orders without one. */
  readonly isTriggered: boolean;
  /** When the order is routed next; null while it rests, waits for its stop or has slices under way. */
  readonly routeAt_ms: number | null;
  readonly slices: readonly SliceUnderWay[];
  /** How often it has been routed without resting in between. */
  readonly rounds: number;
  readonly cancelAt_ms: number | null;
  readonly replacement: SandboxReplacement | null;
  /** What each venue was sent and what it filled: the router's report, venue by venue. */
  readonly venues: Readonly<Record<string, VenueReport>>;
}

interface SandboxReplacement {
  readonly revision: number;
  readonly quantity: number;
  readonly limit: number | null;
  readonly at_ms: number;
}

export interface VenueReport {
  readonly sent: number;
  readonly filled: number;
}

/** When something happens to the order next; null while it rests or waits for its stop. What is asked of it waits for slices under way. */
export function dueOf({ slices, cancelAt_ms, replacement, routeAt_ms }: SandboxOrder): number | null {
  let due_ms = Number.POSITIVE_INFINITY;
  if (slices.length > 0) {
    for (const { arrivesAt_ms } of slices) due_ms = Math.min(due_ms, arrivesAt_ms);
    return due_ms;
  }
  due_ms = Math.min(cancelAt_ms ?? due_ms, replacement?.at_ms ?? due_ms, routeAt_ms ?? due_ms);
  return due_ms === Number.POSITIVE_INFINITY ? null : due_ms;
}

export function termsOf(order: BrokerOrderTerms, process: Tick): Result<SandboxTerms, BrokerRefusal> {
  const { clientOrderId, side, type, timeInForce } = order;
  if (clientOrderId.length === 0 || clientOrderId.length > CLIENT_ORDER_ID_MAX) return invalid('client order id');
  const quantity = quantityOf(order.quantity);
  if (quantity === null) return invalid('quantity');
  const limit = order.limitPrice === null ? null : priceOf(order.limitPrice, process);
  const hasLimit = type === 'limit' || type === 'stop_limit';
  if (hasLimit !== (limit !== null) || hasLimit !== (order.limitPrice !== null)) return invalid('limit price');
  const stop = order.stopPrice === null ? null : priceOf(order.stopPrice, process);
  const hasStop = type === 'stop' || type === 'stop_limit';
  if (hasStop !== (stop !== null) || hasStop !== (order.stopPrice !== null)) return invalid('stop price');
  return ok({ clientOrderId, side, type, timeInForce, quantity, limit, stop });
}

/** Null for what is no quantity of an order. */
export function quantityOf(text: Decimal): number | null {
  const read = decimalToScaled(text, SANDBOX_SCALE);
  return read.ok && read.value > 0 && read.value <= SHARES_MAX * 10 ** SANDBOX_SCALE ? read.value : null;
}

/** Null for what is no price on the tick. */
export function priceOf(text: Decimal, process: Tick): number | null {
  const read = decimalToScaled(text, SANDBOX_SCALE);
  if (!read.ok || read.value <= 0 || read.value > PRICE_MAX) return null;
  return read.value % tickAt(process, read.value) === 0 ? read.value : null;
}

export function orderOf(symbol: string, { terms, status, filled, revision }: SandboxOrder): BrokerOrder {
  const { limit, stop, quantity, ...rest } = terms;
  return {
    ...rest,
    symbol,
    quantity: decimalOf(quantity),
    limitPrice: limit === null ? null : decimalOf(limit),
    stopPrice: stop === null ? null : decimalOf(stop),
    status,
    filled: decimalOf(filled),
    revision,
  };
}

export function isSameRequest(a: SandboxTerms, b: SandboxTerms): boolean {
  return (
    a.side === b.side &&
    a.type === b.type &&
    a.timeInForce === b.timeInForce &&
    a.quantity === b.quantity &&
    a.limit === b.limit &&
    a.stop === b.stop
  );
}

export function decimalOf(scaled: number): Decimal {
  return scaledToDecimal(scaled, SANDBOX_SCALE);
}

function invalid(what: string) {
  return err({ reason: 'refused', code: 'invalid_order', detail: `the ${what} cannot be taken` } as const);
}
