import { DAY_MS } from '../calendar/durations.ts';
import type { Market } from '../markets/market.ts';
import type { OrderTerms, OrderType, TimeInForce } from '../orders/order.ts';
import { ALLOWED_TIME_IN_FORCE } from './allowed-time-in-force.ts';

type TermsField = 'quantity' | 'price' | 'stopPrice' | 'expiresAt' | 'hidden' | 'displayQuantity';

/** Why terms cannot be an order of the market. Limits are scaled integers, times Unix milliseconds. */
export type TermsFailure =
  | { readonly reason: 'type_not_allowed'; readonly type: OrderType; readonly allowed: readonly OrderType[] }
  | { readonly reason: 'time_in_force_not_allowed'; readonly type: OrderType; readonly allowed: readonly TimeInForce[] }
  | { readonly reason: 'missing_field'; readonly field: TermsField }
  | { readonly reason: 'unexpected_field'; readonly field: TermsField }
  | { readonly reason: 'not_on_tick'; readonly field: 'price' | 'stopPrice'; readonly tickSize: number }
  | { readonly reason: 'not_on_lot'; readonly field: 'quantity' | 'displayQuantity'; readonly lotSize: number }
  | { readonly reason: 'below_minimum'; readonly quantityMin: number }
  | { readonly reason: 'above_maximum'; readonly quantityMax: number }
  /** It could rest, and comes to less than an order that rests has to; in units of what the market quotes in. */
  | { readonly reason: 'below_least_notional'; readonly notionalMin: number }
  | { readonly reason: 'display_above_quantity' }
  /** An iceberg trades slice by slice, each a fill of its own. */
  | { readonly reason: 'too_many_slices'; readonly slicesMax: number }
  | { readonly reason: 'expiry_not_in_future'; readonly now: number }
  | { readonly reason: 'expiry_too_far'; readonly expiresAt_max: number };

/** How far ahead a GTD order may expire. */
const GTD_HORIZON_MS = 366 * DAY_MS;

const TAKES_PRICE: ReadonlySet<OrderType> = new Set(['limit', 'stop_loss_limit', 'take_profit_limit', 'limit_maker']);
const TAKES_STOP_PRICE: ReadonlySet<OrderType> = new Set([
  'stop_loss',
  'stop_loss_limit',
  'take_profit',
  'take_profit_limit',
]);

/**
 * What an order that may rest comes to at least, in units of what its market quotes in: each takes room that everybody shares, so room must not be had for
 * next to nothing. A holding that is worth less is sold by an order that does not rest. A unit of an asset with more decimals than dollars on a chain
 * have (6) is worth a lot: of that a small part is enough.
 */
const RESTING_NOTIONAL_MIN = 1;
const RESTING_NOTIONAL_MIN_OF_COINS = 0.0001;
const QUOTE_DECIMALS_OF_CURRENCIES_MAX = 6;

/** Of a market of the venue; an indication on an asset without a market has none. */
type NotionalScales = Pick<Market, 'priceScale' | 'quantityScale' | 'quoteScale'>;

/** In units of the quote asset. */
export function restingNotionalMin({ quoteScale }: Pick<Market, 'quoteScale'>): number {
  return quoteScale > QUOTE_DECIMALS_OF_CURRENCIES_MAX ? RESTING_NOTIONAL_MIN_OF_COINS : RESTING_NOTIONAL_MIN;
}

/** Whether so much at this price is too little to rest. */
export function isBelowLeastNotional(market: NotionalScales, price: number, quantity: number): boolean {
  const wholes = 10 ** (market.priceScale + market.quantityScale);
  return price * quantity < restingNotionalMin(market) * wholes;
}

/** Slices of an iceberg: bounds the fills that one order can make of another. */
const SLICES_MAX = 1_000;

/** @param displayQuantity null for an order that shows its whole quantity */
export function hasTooManySlices(quantity: number, displayQuantity: number | null): boolean {
  return displayQuantity !== null && Math.ceil(quantity / displayQuantity) > SLICES_MAX;
}

/** The first rule of the market, or of the order type, that the terms break; null when there is none. Its numbers are positive. */
export function termsFailure(
  terms: OrderTerms,
  market: Pick<Market, 'tickSize' | 'lotSize' | 'quantityMin' | 'quantityMax'> & Partial<NotionalScales>,
  now: number,
): TermsFailure | null {
  return (
    timeInForceFailure(terms) ??
    presenceFailure(terms) ??
    quantityFailure(terms, market) ??
    priceFailure(terms, market) ??
    notionalFailure(terms, market) ??
    expiryFailure(terms, now)
  );
}

function timeInForceFailure({ type, timeInForce }: OrderTerms): TermsFailure | null {
  const allowed = ALLOWED_TIME_IN_FORCE[type];
  return allowed.includes(timeInForce) ? null : { reason: 'time_in_force_not_allowed', type, allowed };
}

/** Each type has exactly its fields: a price that would be ignored is a mistake that costs money. */
function presenceFailure(terms: OrderTerms): TermsFailure | null {
  const rests = TAKES_PRICE.has(terms.type);
  return (
    presence('price', terms.price !== null, rests) ??
    presence('stopPrice', terms.stopPrice !== null, TAKES_STOP_PRICE.has(terms.type)) ??
    presence('expiresAt', terms.expiresAt !== null, terms.timeInForce === 'GTD') ??
    (terms.hidden && !rests ? { reason: 'unexpected_field', field: 'hidden' } : null) ??
    (terms.displayQuantity !== null && (!rests || terms.hidden)
      ? { reason: 'unexpected_field', field: 'displayQuantity' }
      : null)
  );
}

function presence(field: TermsField, present: boolean, wanted: boolean): TermsFailure | null {
  if (present === wanted) return null;
  return { reason: wanted ? 'missing_field' : 'unexpected_field', field };
}

function quantityFailure(
  { quantity, displayQuantity }: OrderTerms,
  market: Pick<Market, 'lotSize' | 'quantityMin' | 'quantityMax'>,
): TermsFailure | null {
  if (quantity % market.lotSize !== 0) return { reason: 'not_on_lot', field: 'quantity', lotSize: market.lotSize };
  if (quantity < market.quantityMin) return { reason: 'below_minimum', quantityMin: market.quantityMin };
  if (quantity > market.quantityMax) return { reason: 'above_maximum', quantityMax: market.quantityMax };
  if (displayQuantity === null) return null;
  if (displayQuantity % market.lotSize !== 0)
    return { reason: 'not_on_lot', field: 'displayQuantity', lotSize: market.lotSize };
  if (displayQuantity > quantity) return { reason: 'display_above_quantity' };
  return hasTooManySlices(quantity, displayQuantity) ? { reason: 'too_many_slices', slicesMax: SLICES_MAX } : null;
}

function priceFailure(terms: OrderTerms, { tickSize }: Pick<Market, 'tickSize'>): TermsFailure | null {
  for (const field of ['price', 'stopPrice'] as const) {
    const price = terms[field];
    if (price === null) continue;
    if (price % tickSize !== 0) return { reason: 'not_on_tick', field, tickSize };
  }
  return null;
}

/** A stop without a limit costs what it is triggered at, more or less. What ends at once takes no room. */
function notionalFailure(
  { type, timeInForce, quantity, price, stopPrice }: OrderTerms,
  { priceScale, quantityScale, quoteScale }: Partial<NotionalScales>,
): TermsFailure | null {
  if (priceScale === undefined || quantityScale === undefined || quoteScale === undefined) return null;
  const scales = { priceScale, quantityScale, quoteScale };
  const at = price ?? stopPrice;
  const rests = type !== 'market' && timeInForce !== 'IOC' && timeInForce !== 'FOK';
  if (!rests || at === null || !isBelowLeastNotional(scales, at, quantity)) return null;
  return { reason: 'below_least_notional', notionalMin: restingNotionalMin(scales) };
}

function expiryFailure({ expiresAt }: OrderTerms, now: number): TermsFailure | null {
  if (expiresAt === null) return null;
  if (expiresAt <= now) return { reason: 'expiry_not_in_future', now };
  return expiresAt > now + GTD_HORIZON_MS ? { reason: 'expiry_too_far', expiresAt_max: now + GTD_HORIZON_MS } : null;
}
