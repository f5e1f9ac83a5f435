/** Digits of a displayed average; more would show the noise of the double. */
const DIGITS = 12;

/**
 * Price per unit that an amount comes to, as a JSON number for display. An average need not be a whole number of ticks, so it is
 * rounded to 12 significant digits; nothing is computed from it.
 *
 * @param amount quote units, scaled by `amountScale`
 * @param quantity scaled by `quantityScale`; 0 gives 0
 */
export function averagePrice(amount: number, amountScale: number, quantity: number, quantityScale: number): number {
  if (quantity === 0) return 0;
  return rounded((amount / quantity) * 10 ** (quantityScale - amountScale));
}

/** `value` to 12 significant digits. */
export function rounded(value: number): number {
  return Number(value.toPrecision(DIGITS));
}
