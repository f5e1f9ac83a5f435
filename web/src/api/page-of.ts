/** A page of a list, and the cursor of the next one; null for the last. */
export interface PageOf<T> {
  readonly rows: readonly T[];
  readonly next: string | null;
}

export async function pageOf<T>(
  call: Promise<{ data?: { data: readonly T[] }; response: Response }>,
): Promise<PageOf<T>> {
  const { data, response } = await call;
  return { rows: data?.data ?? [], next: nextCursor(response.headers.get('link')) };
}

/** The cursor of the address that a Link header calls the next page. @internal */
export function nextCursor(link: string | null): string | null {
  const next = /<([^>]*)>\s*;\s*rel="?next"?/.exec(link ?? '')?.[1];
  if (next === undefined) return null;
  return new URLSearchParams(next.slice(next.indexOf('?') + 1)).get('cursor');
}
