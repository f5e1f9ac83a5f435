/** The cursor of the page after an answer's, by its Link header (RFC 8288); null where the list ends with this page. */
export function nextCursorOf(link: string | null | undefined): string | null {
  const target = /<([^>]+)>; rel="next"/.exec(link ?? '')?.[1];
  return target === undefined ? null : (URL.parse(target)?.searchParams.get('cursor') ?? null);
}
