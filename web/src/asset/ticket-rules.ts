import type { Market } from '../api/queries.ts';
import {
  add,
  compare,
  type Decimal,
  divide,
  floorTo,
  isMultiple,
  multiply,
  sign,
  smaller,
  subtract,
} from '../numbers/decimal.ts';

export type Side = 'buy' | 'sell';
export type OrderType =
  | 'market'
  | 'limit'
  | 'stop_loss'
  | 'stop_loss_limit'
  | 'take_profit'
  | 'take_profit_limit'
  | 'limit_maker';
export type TimeInForce = 'GTC' | 'IOC' | 'FOK' | 'GTD' | 'POST_ONLY';

/** What a market asks of an order; the limits are null where nobody says them before a refusal. */
export interface Rules {
  readonly tick: Decimal | null;
  readonly lot: Decimal | null;
  readonly sizeMin: Decimal | null;
  readonly sizeMax: Decimal | null;
  readonly band: { readonly low: Decimal; readonly high: Decimal } | null;
  readonly priceDecimals: number;
  readonly takerFeeBps: Decimal | null;
  readonly timesByType: Readonly<Partial<Record<OrderType, readonly TimeInForce[]>>>;
}

export interface TicketForm {
  readonly side: Side;
  readonly type: OrderType;
  readonly timeInForce: TimeInForce;
  /** As read from what was typed; null where that is no number. */
  readonly size: Decimal | null;
  readonly price: Decimal | null;
  readonly stopPrice: Decimal | null;
  /** Unix milliseconds. */
  readonly expiresAt: number | null;
}

/** Which field is wrong, and in what. */
export type Flaw =
  | { readonly field: 'size' | 'price' | 'stopPrice'; readonly flaw: 'missing' }
  | { readonly field: 'size' | 'price' | 'stopPrice'; readonly flaw: 'not_positive' }
  | { readonly field: 'size' | 'price' | 'stopPrice'; readonly flaw: 'step'; readonly step: Decimal }
  | { readonly field: 'size'; readonly flaw: 'below'; readonly limit: Decimal }
  | { readonly field: 'size'; readonly flaw: 'above'; readonly limit: Decimal }
  | { readonly field: 'price'; readonly flaw: 'band'; readonly low: Decimal; readonly high: Decimal }
  | { readonly field: 'expiresAt'; readonly flaw: 'past' };

export function rulesOfMarket(market: Market): Rules {
  const band = market.price_band;
  return {
    tick: market.tick_size,
    lot: market.lot_size,
    sizeMin: market.size_min,
    sizeMax: market.size_max,
    band: band === null ? null : { low: band.low, high: band.high },
    priceDecimals: Number(market.price_decimals),
    takerFeeBps: market.taker_fee_bps,
    timesByType: market.order_types as Rules['timesByType'],
  };
}

/** Of an asset that is executed elsewhere: the API says no more of it before an order. */
export const ROUTED_RULES: Rules = {
  tick: null,
  lot: null,
  sizeMin: null,
  sizeMax: null,
  band: null,
  priceDecimals: 2,
  takerFeeBps: null,
  timesByType: { market: ['IOC'], limit: ['GTC', 'IOC', 'FOK', 'GTD'] },
};

/** Of an indication of interest, which is a limit that binds nobody. */
export const INDICATION_RULES: Rules = { ...ROUTED_RULES, timesByType: { limit: ['GTC'] } };

export function needsPrice(type: OrderType): boolean {
  return type === 'limit' || type === 'limit_maker' || type === 'stop_loss_limit' || type === 'take_profit_limit';
}

export function needsStopPrice(type: OrderType): boolean {
  return type.startsWith('stop_loss') || type.startsWith('take_profit');
}

/** Null where nothing is wrong that can be seen before sending. */
export function flawOf(form: TicketForm, rules: Rules, now: number): Flaw | null {
  const sized = amountFlaw('size', form.size, rules.lot);
  if (sized !== null) return sized;
  const size = form.size ?? '0';
  if (rules.sizeMin !== null && compare(size, rules.sizeMin) < 0)
    return { field: 'size', flaw: 'below', limit: rules.sizeMin };
  if (rules.sizeMax !== null && compare(size, rules.sizeMax) > 0)
    return { field: 'size', flaw: 'above', limit: rules.sizeMax };
  if (needsStopPrice(form.type)) {
    const stop = amountFlaw('stopPrice', form.stopPrice, rules.tick);
    if (stop !== null) return stop;
  }
  if (needsPrice(form.type)) {
    const priced = amountFlaw('price', form.price, rules.tick);
    if (priced !== null) return priced;
    const price = form.price ?? '0';
    const { band } = rules;
    if (band !== null && (compare(price, band.low) < 0 || compare(price, band.high) > 0)) {
      return { field: 'price', flaw: 'band', ...band };
    }
  }
  if (form.timeInForce === 'GTD' && (form.expiresAt === null || form.expiresAt <= now))
    return { field: 'expiresAt', flaw: 'past' };
  return null;
}

function amountFlaw(field: 'size' | 'price' | 'stopPrice', value: Decimal | null, step: Decimal | null): Flaw | null {
  if (value === null) return { field, flaw: 'missing' };
  if (sign(value) <= 0) return { field, flaw: 'not_positive' };
  return step !== null && !isMultiple(value, step) ? { field, flaw: 'step', step } : null;
}

/**
 * The largest size that what is available allows, cut to the lot: of a sale the holdings, of a purchase the cash at `price` with the fee.
 * Null where there is no price to reckon with.
 */
export function largestSize(side: Side, available: Decimal, price: Decimal | null, rules: Rules): Decimal | null {
  const most = side === 'sell' ? available : affordable(available, price, rules);
  if (most === null) return null;
  const capped = rules.sizeMax === null ? most : smaller(most, rules.sizeMax);
  return floorTo(capped, rules.lot ?? '0.000001');
}

function affordable(cash: Decimal, price: Decimal | null, { takerFeeBps }: Rules): Decimal | null {
  if (price === null || sign(price) <= 0) return null;
  const withFee = divide(add('10000', takerFeeBps ?? '0'), '10000', 8);
  return divide(cash, multiply(price, withFee), 8);
}

/** A part of it in hundredths, cut to the lot. */
export function partOf(size: Decimal, percent: number, lot: Decimal | null): Decimal {
  return floorTo(divide(multiply(size, String(percent)), '100', 12), lot ?? '0.000001');
}

/** One tick or lot more or less, not below it. */
export function stepped(value: Decimal | null, step: Decimal, direction: 1 | -1): Decimal {
  const before = value === null ? '0' : floorTo(value, step);
  const after = direction === 1 ? add(before, step) : subtract(before, step);
  return sign(after) > 0 ? after : step;
}
