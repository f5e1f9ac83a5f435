import type { BreakKind } from '../ledger/records.ts';
import { type BookMarket, isWholeNotional, notional } from '../markets/market.ts';
import { type ScaledError, toScaled } from '../money/scaled.ts';
import type { Side } from '../orders/order.ts';
import { err, ok, type Result } from '../result.ts';

/** What a break says of its execution, in the market's units; null where it does not say it, or it does not fit. */
export interface ToldTerms {
  readonly kind: BreakKind;
  readonly executionId: string | null;
  readonly side: Side | null;
  readonly price: number | null;
  readonly quantity: number | null;
}

/** What whoever books it says: JSON numbers; null for what is left out. */
export interface StatedTerms {
  readonly side: Side | null;
  readonly price: number | null;
  readonly quantity: number | null;
}

/** An execution in full, in the market's units. */
export interface BookingTerms {
  readonly executionId: string;
  readonly side: Side;
  readonly price: number;
  readonly quantity: number;
  readonly notional: number;
}

type Field = keyof StatedTerms;

export type BookingError =
  /** The break tells of no execution, or of one that counts. */
  | { readonly reason: 'no_execution' }
  /** Neither the break says it nor whoever books it. */
  | { readonly reason: 'not_stated'; readonly field: Field }
  /** The break says otherwise. */
  | { readonly reason: 'told_otherwise'; readonly field: Field }
  | { readonly reason: 'not_representable'; readonly field: Field; readonly error: ScaledError }
  | { readonly reason: 'not_positive'; readonly field: Field }
  | { readonly reason: 'notional_not_whole' };

/** Of executions that were applied, or that are none. */
const WITHOUT_EXECUTION: ReadonlySet<BreakKind> = new Set([
  'bust',
  'correction',
  'filled_differs',
  'unknown_replacement',
] as const satisfies readonly BreakKind[]);

export function tellsOfExecution({ kind, executionId }: Pick<ToldTerms, 'kind' | 'executionId'>): boolean {
  return executionId !== null && !WITHOUT_EXECUTION.has(kind);
}

/** The execution of a break as it is to be booked: what the break says stands, what it leaves open is stated. */
export function bookingTerms(
  told: ToldTerms,
  stated: StatedTerms,
  market: Pick<BookMarket, 'priceScale' | 'quantityScale' | 'quoteScale'>,
): Result<BookingTerms, BookingError> {
  const { executionId } = told;
  if (executionId === null || !tellsOfExecution(told)) return err({ reason: 'no_execution' });
  const side = told.side ?? stated.side;
  if (side === null) return err({ reason: 'not_stated', field: 'side' });
  if ((stated.side ?? side) !== side) return err({ reason: 'told_otherwise', field: 'side' });
  const price = amountOf('price', told, stated, market.priceScale);
  if (!price.ok) return price;
  const quantity = amountOf('quantity', told, stated, market.quantityScale);
  if (!quantity.ok) return quantity;
  if (!isWholeNotional(market, price.value, quantity.value)) return err({ reason: 'notional_not_whole' });
  const value = notional(market, price.value, quantity.value);
  return ok({ executionId, side, price: price.value, quantity: quantity.value, notional: value });
}

function amountOf(
  field: 'price' | 'quantity',
  told: ToldTerms,
  stated: StatedTerms,
  scale: number,
): Result<number, BookingError> {
  const known = told[field];
  const wanted = stated[field];
  if (wanted === null) return known === null ? err({ reason: 'not_stated', field }) : ok(known);
  const scaled = toScaled(wanted, scale);
  if (!scaled.ok) return err({ reason: 'not_representable', field, error: scaled.error });
  if (scaled.value <= 0) return err({ reason: 'not_positive', field });
  return scaled.value === (known ?? scaled.value) ? scaled : err({ reason: 'told_otherwise', field });
}
