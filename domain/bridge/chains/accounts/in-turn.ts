/** Calls of one indexer at the same time. */
const AT_ONCE = 8;

/** What is needed of each, one after another, a few at a time. */
export async function inTurn<Of, Found>(all: readonly Of[], look: (one: Of) => Promise<Found>): Promise<Found[]> {
  const found: Found[] = [];
  for (let start = 0; start < all.length; start += AT_ONCE)
    found.push(...(await Promise.all(all.slice(start, start + AT_ONCE).map(look))));
  return found;
}
