import { describe, expect, it } from 'vitest';
import { anchorsOf } from '../../scripts/citations/anchors-of.ts';
import { citationProblems } from '../../scripts/citations/citation-problems.ts';
import { citationsIn } from '../../scripts/citations/citations-in.ts';

describe('anchors of a page', () => {
  it.each([
    ['## The fence', 'the-fence'],
    ['### `journal` and snake_case', 'journal-and-snake_case'],
    ["## A buyer's lot, 5,000 bars (at most)", 'a-buyers-lot-5000-bars-at-most'],
    ['## [Limits](limits.md) — ends', 'limits--ends'],
    ['## No price above 2^53 ÷ 4', 'no-price-above-253--4'],
    ['# Städte #', 'städte'],
  ])('%s has #%s', (heading, anchor) => {
    expect([...anchorsOf(`text\n\n${heading}\n`)]).toEqual([anchor]);
  });

  it('are counted where a heading stands again', () => {
    expect([...anchorsOf('# States\n## States\n## States')]).toEqual(['states', 'states-1', 'states-2']);
  });

  it('are not made of code, and not of what only begins like a heading', () => {
    expect([...anchorsOf('```sh\n# a comment\n```\n    # indented\n#none\n## One')]).toEqual(['one']);
  });
});

describe('citations of a file', () => {
  it('are pages, rows and documents outside, each with its line', () => {
    const source = [
      '/** Takes holds (docs/design/money.md#holds). See docs/fix.md. */',
      '// X-AEP-35 to X-AEP-38; DESIGN, part 8',
      "const folder = 'spec/part';",
    ].join('\n');
    expect(citationsIn(source, { isMarkdown: false })).toEqual([
      { kind: 'page', line: 1, path: 'docs/design/money.md', anchor: 'holds' },
      { kind: 'page', line: 1, path: 'docs/fix.md', anchor: null },
      { kind: 'row', line: 2, id: 'X-AEP-35' },
      { kind: 'row', line: 2, id: 'X-AEP-38' },
      { kind: 'outside', line: 2, text: 'DESIGN' },
      { kind: 'outside', line: 3, text: 'spec/' },
    ]);
  });

  it('are not addresses, placeholders, headers or code', () => {
    const source = [
      'https://example.com/docs/a.md',
      'docs/design/<page>.md#<heading>',
      'header X-API-Key',
      'const file = path + name.mdx; designs.STYLES',
    ].join('\n');
    expect(citationsIn(source, { isMarkdown: false })).toEqual([]);
  });

  it('in Markdown are also links, whose words are no path', () => {
    expect(
      citationsIn('[money.md](../money.md#fees), [here](#top), [out](https://x.org/a.md)', { isMarkdown: true }),
    ).toEqual([
      { kind: 'link', line: 1, path: '../money.md', anchor: 'fees' },
      { kind: 'link', line: 1, path: '', anchor: 'top' },
    ]);
  });
});

const PAGES: [string, string][] = [
  ['docs/a.md', '# A\n## One'],
  ['docs/design/b.md', '# B\n## Two'],
];

function problemsOf(file: string, text: string, notRead: string[] = []): string[] {
  return citationProblems({ files: new Map([...PAGES, [file, text]]), rowIds: new Set(['X-ORD-01']), notRead });
}

describe('a citation', () => {
  it.each([
    ['domain/x.ts', '// docs/a.md, docs/design/b.md#two, X-ORD-01'],
    ['docs/c.md', '[a](a.md#one), [b](design/b.md), docs/a.md, [own](#third)\n# Third'],
    ['docs/design/c.md', '[a](../a.md#one), b.md'],
  ])('in %s resolves: %s', (file, text) => {
    expect(problemsOf(file, text)).toEqual([]);
  });

  it.each([
    ['domain/x.ts', 'one\n// docs/none.md', 'domain/x.ts:2: docs/none.md is not in git'],
    ['domain/x.ts', '// docs/a.md#two', 'domain/x.ts:1: docs/a.md has no heading #two'],
    ['docs/x.ts', '// a.md', 'docs/x.ts:1: a.md is not in git'],
    ['domain/x.ts', '// X-ORD-02', 'domain/x.ts:1: docs/conformance.md has no row X-ORD-02'],
    ['wrangler.toml', '# STYLE, Tests', 'wrangler.toml:1: STYLE names a document that is not in git'],
    ['docs/c.md', '[b](b.md)', 'docs/c.md:1: b.md is not in git'],
    ['docs/c.md', '[own](#none)', 'docs/c.md:1: docs/c.md has no heading #none'],
  ])('in %s does not resolve: %s', (file, text, problem) => {
    expect(problemsOf(file, text)).toEqual([problem]);
  });

  it('is not looked at where a file, or its folder, is left out', () => {
    expect(problemsOf('test/x.ts', '// docs/none.md', ['test/x.ts'])).toEqual([]);
    expect(problemsOf('test/x.ts', '// docs/none.md', ['test/'])).toEqual([]);
    expect(problemsOf('test/x.ts', '// docs/none.md', ['test'])).toHaveLength(1);
  });
});
