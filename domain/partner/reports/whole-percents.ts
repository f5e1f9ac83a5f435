/**
 * Shares of a whole in whole percent, which add up to 100: each is cut off, and what is missing goes to those that lost the most, the first of
 * them first. Zeros where there is no whole.
 *
 * @param counts safe integers from 0; their sum times 100 is one, too
 */
export function wholePercents(counts: readonly number[]): number[] {
  const whole = counts.reduce((sum, count) => sum + count, 0);
  if (whole === 0) return counts.map(() => 0);
  const percents = counts.map((count) => Math.floor((count * 100) / whole));
  const missing = 100 - percents.reduce((sum, percent) => sum + percent, 0);
  const lost = counts.map((count, at) => ({ at, rest: (count * 100) % whole })).sort((a, b) => b.rest - a.rest);
  for (const { at } of lost.slice(0, missing)) percents[at] = (percents[at] ?? 0) + 1;
  return percents;
}
