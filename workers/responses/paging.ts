import type { AppContext } from '../middleware/app-env.ts';
import { linkNextPage } from './link-next-page.ts';
import { wholeNumber } from './whole-number.ts';

/** Largest `limit` (docs/design/identity.md#other-limits-of-callers). */
const LIMIT_MAX = 1_000;
/** A list without `limit` is whole up to here; what is longer continues in its Link header. */
const WHOLE_LIST_MAX = 10_000;

/** Query of every list: without `limit` it is whole up to a bound, with it a page. Either goes on in the Link header. */
export const limitQuery = wholeNumber(1, LIMIT_MAX)
  .optional()
  .openapi({
    description: `Page size, up to ${LIMIT_MAX}. Without it the list has up to ${WHOLE_LIST_MAX} rows. Where it goes on, the next page is in the Link header.`,
  });

/** Rows that a page shows at most. */
export function pageSize(limit: number | undefined): number {
  return limit ?? WHOLE_LIST_MAX;
}

/** Rows to read for a page: one more than it shows, to know whether there is a next one. */
export function rowsToRead(limit: number | undefined): number {
  return pageSize(limit) + 1;
}

/** Cuts what was read to the page, and links the next one, which begins behind `cursorOf` its last row. */
export function pageOf<Row>(
  c: AppContext,
  rows: readonly Row[],
  limit: number | undefined,
  cursorOf: (last: Row) => string,
): readonly Row[] {
  const page = rows.slice(0, pageSize(limit));
  const last = page.at(-1);
  if (rows.length > page.length && last !== undefined) linkNextPage(c, cursorOf(last));
  return page;
}
