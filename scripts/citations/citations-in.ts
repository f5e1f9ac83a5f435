/** What a line of a file refers to. */
export type Citation =
  /** A page, by the target of a Markdown link: relative to the citing page, or that page itself where `path` is empty. */
  | { readonly kind: 'link'; readonly line: number; readonly path: string; readonly anchor: string | null }
  /** A page, named in a comment or in text. */
  | { readonly kind: 'page'; readonly line: number; readonly path: string; readonly anchor: string | null }
  /** A row of docs/conformance.md. */
  | { readonly kind: 'row'; readonly line: number; readonly id: string }
  /** A document that is known not to be in git. */
  | { readonly kind: 'outside'; readonly line: number; readonly text: string };

const LINK = /\[[^\]]*\]\(([^)\s#:]*)(?:#([^)\s]*))?\)/g;
/** Not behind a character that makes it part of an address, of a placeholder or of a longer path. */
const PAGE = /(?<![\w./:<>{}-])((?:[\w.-]+\/)*[\w-]+\.md)\b(?:#([\p{L}\p{N}_-]+))?/gu;
const ROW = /\b[XPE]-[A-Z]+-\d+\b/g;
const OUTSIDE = /\b(?:DESIGN|STYLE)\b|\bspec\//g;

/** Everything that a file cites, line by line. Links are read in Markdown alone. */
export function citationsIn(text: string, { isMarkdown }: { readonly isMarkdown: boolean }): Citation[] {
  const found: Citation[] = [];
  for (const [index, whole] of text.split('\n').entries()) {
    const line = index + 1;
    let rest = whole;
    if (isMarkdown) {
      for (const [, path = '', anchor = null] of whole.matchAll(LINK))
        if (path.endsWith('.md') || (path === '' && anchor !== null)) found.push({ kind: 'link', line, path, anchor });
      rest = whole.replace(LINK, '');
    }
    for (const [, path = '', anchor = null] of rest.matchAll(PAGE)) found.push({ kind: 'page', line, path, anchor });
    for (const [id] of whole.matchAll(ROW)) found.push({ kind: 'row', line, id });
    for (const [outside] of whole.matchAll(OUTSIDE)) found.push({ kind: 'outside', line, text: outside });
  }
  return found;
}
