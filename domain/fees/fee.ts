import { checked } from '../money/arithmetic.ts';

const BPS = 10_000;

/**
 * The fee of a part of an order, in quote units. Fees accumulate over an order as a numerator in 1/10,000 quote units and are charged as
 * F(after) − F(before), F rounding up (docs/design/money.md#fees). So many small fills never cost more than one large one, and a reserve
 * made by the same rule always suffices.
 *
 * @param numerator of what went before; only its part below a whole quote unit counts
 * @returns the fee, and the numerator after it, below a whole quote unit: however much an order trades, it stays exact
 */
export function chargeFee(numerator: number, notional: number, feeBps: number): { fee: number; numerator: number } {
  const before = numerator % BPS;
  const [whole, rest] = wholeAndRest(notional, feeBps, before);
  return { fee: whole + roundUp(rest) - roundUp(before), numerator: rest };
}

function wholeAndRest(notional: number, feeBps: number, before: number): [whole: number, rest: number] {
  const after = notional * feeBps + before;
  if (after <= Number.MAX_SAFE_INTEGER) return [Math.floor(after / BPS), after % BPS];
  const exact = BigInt(notional) * BigInt(feeBps) + BigInt(before);
  return [checked(Number(exact / BigInt(BPS))), Number(exact % BigInt(BPS))];
}

function roundUp(part: number): number {
  return part > 0 ? 1 : 0;
}
