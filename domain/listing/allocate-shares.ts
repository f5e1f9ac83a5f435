/** How an issuer's shares are dealt out where more are wanted than offered. */
export const ALLOCATIONS = ['pro_rata', 'time_priority'] as const;

export type Allocation = (typeof ALLOCATIONS)[number];

/** Scaled integers. */
export interface OfferedShares {
  readonly offered: number;
  /** Shares are dealt out in multiples of this; above 0. */
  readonly lotSize: number;
  readonly allocation: Allocation;
}

/**
 * What each indication gets of the shares offered, in whole lots, in the order of `wanted`, which is that of arrival. Where all can be
 * served, all are. Else, pro rata, each gets its part of the lots rounded down, and the lots that are left go to the largest remainders, the
 * earlier of two alike first; by time, each gets what it wants until nothing is left.
 */
export function allocateShares(wanted: readonly number[], { offered, lotSize, allocation }: OfferedShares): number[] {
  const lots = wanted.map((quantity) => Math.floor(quantity / lotSize));
  const lotsOffered = Math.floor(offered / lotSize);
  const dealt = allocation === 'pro_rata' ? dealProRata(lots, lotsOffered) : dealByTime(lots, lotsOffered);
  return dealt.map((count) => count * lotSize);
}

function dealByTime(lots: readonly number[], offered: number): number[] {
  let left = offered;
  return lots.map((wanted) => {
    const dealt = Math.min(wanted, left);
    left -= dealt;
    return dealt;
  });
}

function dealProRata(lots: readonly number[], offered: number): number[] {
  const demand = lots.reduce((sum, wanted) => sum + BigInt(wanted), 0n);
  if (demand <= BigInt(offered)) return [...lots];
  const parts = lots.map((wanted, at) => {
    const product = BigInt(wanted) * BigInt(offered);
    return { at, dealt: Number(product / demand), remainder: product % demand };
  });
  const left = offered - parts.reduce((sum, { dealt }) => sum + dealt, 0);
  const byRemainder = parts.toSorted((a, b) =>
    a.remainder === b.remainder ? a.at - b.at : a.remainder > b.remainder ? -1 : 1,
  );
  for (const part of byRemainder.slice(0, left)) part.dealt += 1;
  return parts.map(({ dealt }) => dealt);
}
