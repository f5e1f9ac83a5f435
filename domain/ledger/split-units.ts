import { mulDivCeil, mulDivFloor } from '../money/arithmetic.ts';

/** What becomes of a part of the smallest unit that a holder is left with. @internal */
export const SPLIT_FRACTIONS = ['round_up', 'cash_in_lieu'] as const;

type SplitFractions = (typeof SPLIT_FRACTIONS)[number];

/** So many for so many: 3-for-2 is `from` 2 `to` 3, a reverse split 1-for-10 is `from` 10 `to` 1. */
export interface SplitRatio {
  readonly from: number;
  readonly to: number;
  /** Of each holder: the part counts as a whole unit, or as nothing, for which the issuer pays. */
  readonly fractions: SplitFractions;
}

/**
 * Of either side of a ratio. Those of exchanges and spin-offs are published with up to nine digits (10461724 for 10000000), and the rest that a ratio leaves
 * times its other side has 63 bits.
 */
export const SPLIT_RATIO_MAX = 1_000_000_000;

export function isSplitRatio({ from, to }: Pick<SplitRatio, 'from' | 'to'>): boolean {
  const isCount = (value: number) => Number.isSafeInteger(value) && value >= 1 && value <= SPLIT_RATIO_MAX;
  return isCount(from) && isCount(to) && from !== to;
}

/** Whether units of another asset may take the place of units so: one for one, too. */
export function isConversionRatio({ from, to }: Pick<SplitRatio, 'from' | 'to'>): boolean {
  return from === to ? from === 1 : isSplitRatio({ from, to });
}

/** Every unit of everybody ends: what a merger does. */
export const ALL_END: SplitRatio = { from: 1, to: 0, fractions: 'cash_in_lieu' };

export function endsAll({ from, to }: Pick<SplitRatio, 'from' | 'to'>): boolean {
  return from === ALL_END.from && to === ALL_END.to;
}

/** What units come to, as whole units. @throws RangeError when they leave the range of exact amounts */
export function splitUnits(units: number, { from, to, fractions }: SplitRatio): number {
  return fractions === 'round_up' ? mulDivCeil(units, to, from) : mulDivFloor(units, to, from);
}

/** The part of a unit that whole units leave over, in `from`ths: 0 to `from` − 1. */
function splitRemainder(units: number, { from, to }: Pick<SplitRatio, 'from' | 'to'>): number {
  return Number((BigInt(units % from) * BigInt(to)) % BigInt(from));
}

/**
 * What the lots of a holding come to, which sum to what the holding comes to: each its whole units, and the units that are left to those with the
 * largest remainders, of equal ones to the oldest.
 *
 * @param lots oldest first
 */
export function splitLots(lots: readonly number[], ratio: SplitRatio): number[] {
  const whole = lots.map((units) => mulDivFloor(units, ratio.to, ratio.from));
  const total = splitUnits(
    lots.reduce((sum, units) => sum + units, 0),
    ratio,
  );
  const left = total - whole.reduce((sum, units) => sum + units, 0);
  const remainders = lots.map((units, at) => ({ at, remainder: splitRemainder(units, ratio) }));
  remainders.sort((one, other) => other.remainder - one.remainder || one.at - other.at);
  for (const { at } of remainders.slice(0, left)) whole[at] = (whole[at] as number) + 1;
  return whole;
}
