/** A page of a list, and the cursor of the next one; null for the last. */
export interface PageOf<T> {
  readonly rows: readonly T[];
  readonly next: string | null;
}

export function pageOf<T>(call: Promise<{ data?: { data: readonly T[] }; response: Response }>): Promise<PageOf<T>> {
  return pageWith(call, ({ data }) => data);
}

/** The same of an answer that calls its rows otherwise. */
export async function pageWith<Body, T>(
  call: Promise<{ data?: Body; response: Response }>,
  rowsIn: (body: Body) => readonly T[],
): Promise<PageOf<T>> {
  const { data, response } = await call;
  return { rows: data === undefined ? [] : rowsIn(data), next: nextCursor(response.headers.get('link')) };
}

/** The cursor of the address that a Link header calls the next page. @internal */
export function nextCursor(link: string | null): string | null {
  const next = /<([^>]*)>\s*;\s*rel="?next"?/.exec(link ?? '')?.[1];
  if (next === undefined) return null;
  return new URLSearchParams(next.slice(next.indexOf('?') + 1)).get('cursor');
}
