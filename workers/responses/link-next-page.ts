import type { AppContext } from '../middleware/app-env.ts';

/** Adds `Link: <…>; rel="next"` (RFC 8288) to the answer: this request, with the cursor that the next page begins behind. */
export function linkNextPage(c: AppContext, cursor: string | number): void {
  const url = new URL(c.req.url);
  url.searchParams.set('cursor', String(cursor));
  c.header('Link', `<${url.href}>; rel="next"`);
}
