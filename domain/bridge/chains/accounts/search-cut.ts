/** There is more than is looked through, so that what was not found may be there all the same. */
export class SearchCut extends Error {
  override readonly name = 'SearchCut';

  constructor() {
    super('there are more transactions than are looked through');
  }
}

/** What a search finds, up to where it is cut. @throws SearchCut where it is cut and has found nothing: nobody may take that for an absence */
export async function foundIn<Found>(search: AsyncIterable<Found>): Promise<Found[]> {
  const found: Found[] = [];
  try {
    for await (const one of search) found.push(one);
  } catch (error) {
    if (!(error instanceof SearchCut) || found.length === 0) throw error;
  }
  return found;
}
