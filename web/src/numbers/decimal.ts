import type { Decimal } from '../../../clients/sdk/numbers/decimal.ts';

export * from '../../../clients/sdk/numbers/decimal.ts';

/** A decimal as a chart draws it: the one way from money to a float, for pixels alone. */
export function toPixels(value: Decimal): number {
  return Number(value);
}
