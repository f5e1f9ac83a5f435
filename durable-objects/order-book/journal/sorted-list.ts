/**
 * A list of two kinds of things, each kind by itself: the many of one shape, and the few others, each with its place in the list. So the many
 * can be packed together.
 */
export interface SortedList<Many, Few> {
  readonly many: readonly Many[];
  readonly few: readonly (readonly [at: number, item: Few])[];
}

export function sorted<Many, Few>(
  list: readonly (Many | Few)[],
  isMany: (item: Many | Few) => item is Many,
): SortedList<Many, Few> {
  const many: Many[] = [];
  const few: [at: number, item: Few][] = [];
  for (let at = 0; at < list.length; at++) {
    const item = list[at] as Many | Few;
    if (isMany(item)) many.push(item);
    else few.push([at, item as Few]);
  }
  return { many, few };
}

/** The list of a `sorted`. */
export function unsorted<Many, Few>({ many, few }: SortedList<Many, Few>): (Many | Few)[] {
  if (few.length === 0) return [...many];
  const list: (Many | Few)[] = [];
  let next = 0;
  for (const [at, item] of few) {
    while (list.length < at) list.push(many[next++] as Many);
    list.push(item);
  }
  while (next < many.length) list.push(many[next++] as Many);
  return list;
}
