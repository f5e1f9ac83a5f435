import { z } from '@hono/zod-openapi';
import type { AppContext } from '../middleware/app-env.ts';

/** Answers that go on. */
const cut = new WeakSet<AppContext>();

/** Adds `Link: <…>; rel="next"` (RFC 8288) to the answer: this request, with the cursor that the next page begins behind, in the query's field of that name. */
export function linkNextPage(c: AppContext, cursor: string | number, name: 'cursor' | 'after' = 'cursor'): void {
  const url = new URL(c.req.url);
  url.searchParams.set(name, String(cursor));
  c.header('Link', `<${url.href}>; rel="next"`);
  cut.add(c);
}

/** Beside the list in an answer of the partner profile. */
export const moreView = {
  has_more: z.literal(true).optional().openapi({
    description: 'The list goes on: the next page is in the Link header. Left out where it ends here.',
  }),
};

/** What `moreView` says of the answer; asked once its next page is linked. */
export function moreOf(c: AppContext): { readonly has_more?: true } {
  return cut.has(c) ? { has_more: true } : {};
}
