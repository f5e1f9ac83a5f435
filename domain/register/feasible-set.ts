/** Shares that go from one account to another in the register; scaled units. */
export interface RegisterMove {
  readonly id: string;
  readonly from: string;
  readonly to: string;
  readonly units: number;
  /** It may be left out. */
  readonly isOptional: boolean;
}

/** What moves add to each account together, or take from it. */
export function netOf(moves: readonly RegisterMove[]): Map<string, number> {
  const net = new Map<string, number>();
  for (const { from, to, units } of moves) {
    net.set(from, (net.get(from) ?? 0) - units);
    net.set(to, (net.get(to) ?? 0) + units);
  }
  return net;
}

/**
 * Of moves, those that may be recorded at once, though in no order one by one: together they leave nobody with less than nothing. Where somebody would be
 * left so, the last optional move that takes from them is left out, until nobody is. Null where one who is left so gives by moves alone that are not
 * optional.
 *
 * @param registered what an account is registered with
 */
export function feasibleSet(
  moves: readonly RegisterMove[],
  registered: (account: string) => number,
): readonly RegisterMove[] | null {
  let kept = moves;
  for (;;) {
    const short = new Set(
      [...netOf(kept)].filter(([account, change]) => registered(account) + change < 0).map(([account]) => account),
    );
    if (short.size === 0) return kept;
    const out = kept.findLast(({ from, isOptional }) => isOptional && short.has(from));
    if (out === undefined) return null;
    kept = kept.filter((move) => move !== out);
  }
}
