import type { Comparison } from './comparison.ts';

/** How many of how many went wrong. */
export interface Rate {
  readonly wrong: number;
  readonly of: number;
}

export interface ErrorRates {
  /** Different people from the threshold on. */
  readonly falseMatch: Rate;
  /** One person below it. */
  readonly falseNonMatch: Rate;
}

export function errorRates(comparisons: readonly Comparison[], threshold: number): ErrorRates {
  const same = comparisons.filter(({ isSame }) => isSame);
  const different = comparisons.filter(({ isSame }) => !isSame);
  return {
    falseMatch: { wrong: different.filter(({ score }) => score >= threshold).length, of: different.length },
    falseNonMatch: { wrong: same.filter(({ score }) => score < threshold).length, of: same.length },
  };
}

/** Standard normal deviate of a two-sided 95 %. */
const Z = 1.96;

/** Upper end of the 95 % interval of a rate (Wilson, 1927): what it may be, for all that was seen. 1 where nothing was. */
export function upperBound({ wrong, of }: Rate): number {
  if (of === 0) return 1;
  const share = wrong / of;
  const spread = Z * Math.sqrt((share * (1 - share)) / of + Z ** 2 / (4 * of ** 2));
  return Math.min(1, (share + Z ** 2 / (2 * of) + spread) / (1 + Z ** 2 / of));
}
