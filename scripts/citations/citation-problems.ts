import { posix } from 'node:path';
import { anchorsOf } from './anchors-of.ts';
import { type Citation, citationsIn } from './citations-in.ts';

interface Cited {
  /** Text of every file in git, by its path from the root. */
  readonly files: ReadonlyMap<string, string>;
  /** Ids of the rows of docs/conformance.md. */
  readonly rowIds: ReadonlySet<string>;
  /** Files that may be cited, but whose own citations are not looked at; a folder ends with a slash. */
  readonly notRead: readonly string[];
}

/** What is cited and does not resolve, as `<file>:<line>: <why>`. */
export function citationProblems({ files, rowIds, notRead }: Cited): string[] {
  const anchors = new Map(
    [...files].filter(([file]) => isMarkdown(file)).map(([file, text]) => [file, anchorsOf(text)]),
  );

  const problemOf = (file: string, citation: Citation): string | null => {
    switch (citation.kind) {
      case 'row':
        return rowIds.has(citation.id) ? null : `docs/conformance.md has no row ${citation.id}`;
      case 'outside':
        return `${citation.text} names a document that is not in git`;
      case 'link':
      case 'page': {
        const page = pathsMeant(file, citation).find((path) => anchors.has(path));
        if (page === undefined) return `${citation.path} is not in git`;
        if (citation.anchor === null || anchors.get(page)?.has(citation.anchor)) return null;
        return `${page} has no heading #${citation.anchor}`;
      }
    }
  };

  const problems: string[] = [];
  for (const [file, text] of files) {
    if (notRead.some((path) => file === path || (path.endsWith('/') && file.startsWith(path)))) continue;
    for (const citation of citationsIn(text, { isMarkdown: isMarkdown(file) })) {
      const problem = problemOf(file, citation);
      if (problem !== null) problems.push(`${file}:${citation.line}: ${problem}`);
    }
  }
  return problems;
}

/** A link counts from the page that has it, a path from the root. A page may also name its neighbours by a path from itself. */
function pathsMeant(file: string, { kind, path }: Extract<Citation, { path: string }>): string[] {
  if (path === '') return [file];
  const fromFile = posix.join(posix.dirname(file), path);
  if (kind === 'link') return [fromFile];
  return isMarkdown(file) ? [posix.normalize(path), fromFile] : [posix.normalize(path)];
}

function isMarkdown(file: string): boolean {
  return file.endsWith('.md');
}
