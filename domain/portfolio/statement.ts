/** What an account has of an asset now, in scaled units. */
export interface Standing {
  readonly asset: string;
  readonly amount: number;
}

/** What movements of one kind have come to, in scaled units: within a span of time, and since its end. */
export interface MovedAmount<Kind extends string> {
  readonly asset: string;
  readonly kind: Kind;
  readonly within: number;
  readonly since: number;
}

/** How an asset has moved over a span. `opening` and what has moved come to `closing`, exactly. */
export interface AssetStatement<Kind extends string> {
  readonly asset: string;
  readonly opening: number;
  readonly closing: number;
  /** By kind, what came to nothing left out. */
  readonly moved: readonly { readonly kind: Kind; readonly amount: number }[];
}

/**
 * Takes what an account has now back to the end and the beginning of a span. Balances are the sum of movements (docs/design/money.md#invariants), so
 * the closing of one span is the opening of the one that begins where it ends. What neither had nor moved anything is left out.
 */
export function assetStatements<Kind extends string>(
  now: readonly Standing[],
  moved: readonly MovedAmount<Kind>[],
): AssetStatement<Kind>[] {
  const standing = new Map(now.map(({ asset, amount }) => [asset, amount]));
  const byAsset = Map.groupBy(moved, ({ asset }) => asset);
  return [...new Set([...standing.keys(), ...byAsset.keys()])].toSorted().flatMap((asset) => {
    const movements = byAsset.get(asset) ?? [];
    const closing = (standing.get(asset) ?? 0) - sum(movements, ({ since }) => since);
    const opening = closing - sum(movements, ({ within }) => within);
    const kinds = movements.filter(({ within }) => within !== 0).map(({ kind, within }) => ({ kind, amount: within }));
    const isEmpty = opening === 0 && closing === 0 && kinds.length === 0;
    return isEmpty ? [] : [{ asset, opening, closing, moved: kinds }];
  });
}

function sum<Row>(rows: readonly Row[], amountOf: (row: Row) => number): number {
  return rows.reduce((all, row) => all + amountOf(row), 0);
}
