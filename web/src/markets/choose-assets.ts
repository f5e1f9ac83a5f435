import { compare } from '../numbers/decimal.ts';

export type SortKey = 'symbol' | 'name' | 'price' | 'change';

/** As it stands in the address, so that a link shows the same. */
export interface Chosen {
  readonly rail?: string | undefined;
  readonly category?: string | undefined;
  readonly search?: string | undefined;
  readonly only?: 'watched' | 'held' | 'tradeable' | undefined;
  readonly sort?: SortKey | undefined;
  readonly order?: 'asc' | 'desc' | undefined;
}

interface Listed {
  readonly id: string;
  readonly symbol: string;
  readonly name: string;
  readonly type: string;
  readonly price: string | null;
  readonly changesPercentage: string | null;
}

interface Known {
  readonly categoriesOfRail: ReadonlyMap<string, readonly string[]>;
  readonly held: ReadonlySet<string>;
  readonly watched: ReadonlySet<string>;
}

export function chooseAssets<T extends Listed>(assets: readonly T[], chosen: Chosen, known: Known): T[] {
  const wanted = chosen.search?.trim().toLowerCase() ?? '';
  const categories = chosen.rail === undefined ? null : (known.categoriesOfRail.get(chosen.rail) ?? []);
  const fitting = assets.filter(
    ({ id, symbol, name, type }) =>
      (categories === null || categories.includes(type)) &&
      (chosen.category === undefined || type === chosen.category) &&
      (chosen.only !== 'held' || known.held.has(id)) &&
      (chosen.only !== 'watched' || known.watched.has(id)) &&
      (wanted === '' || symbol.toLowerCase().includes(wanted) || name.toLowerCase().includes(wanted)),
  );
  const direction = chosen.order === 'desc' ? -1 : 1;
  return fitting.sort((a, b) => direction * byKey(chosen.sort ?? 'symbol', a, b));
}

function byKey(key: SortKey, a: Listed, b: Listed): number {
  if (key === 'price') return compare(a.price ?? '0', b.price ?? '0');
  if (key === 'change') return compare(a.changesPercentage ?? '0', b.changesPercentage ?? '0');
  return a[key].localeCompare(b[key]);
}
