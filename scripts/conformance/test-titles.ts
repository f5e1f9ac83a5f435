import { SyntaxKind } from 'typescript/unstable/ast';
import { createScanner } from 'typescript/unstable/ast/scanner';
import { hasPlaceholder } from './title-pattern.ts';

export interface Token {
  readonly kind: SyntaxKind;
  /** Source text; of a string its value, of a template what stands between the backticks. */
  readonly text: string;
}

const SUITE_FUNCTIONS: ReadonlySet<string> = new Set(['describe', 'suite']);
const TEST_FUNCTIONS: ReadonlySet<string> = new Set([...SUITE_FUNCTIONS, 'it', 'test']);
/** What takes arguments of its own before the call that carries the title: `it.each(rows)('title', …)`. */
const CURRIED: ReadonlySet<string> = new Set(['each', 'for', 'skipIf', 'runIf']);
const NOT_RUN: ReadonlySet<string> = new Set(['skip', 'todo']);

/** After these a slash divides; after anything else it begins a regular expression. */
const ENDS_OPERAND: ReadonlySet<SyntaxKind> = new Set([
  SyntaxKind.Identifier,
  SyntaxKind.NumericLiteral,
  SyntaxKind.BigIntLiteral,
  SyntaxKind.StringLiteral,
  SyntaxKind.NoSubstitutionTemplateLiteral,
  SyntaxKind.RegularExpressionLiteral,
  SyntaxKind.CloseParenToken,
  SyntaxKind.CloseBracketToken,
  SyntaxKind.ThisKeyword,
]);

export function tokensOf(source: string): Token[] {
  const scanner = createScanner(true);
  scanner.setText(source);
  const tokens: Token[] = [];

  /** Steps over `${…}` parts, nested templates included, to the closing backtick. */
  const finishTemplate = (): void => {
    let depth = 0;
    for (;;) {
      let kind = scanner.scan();
      if (kind === SyntaxKind.EndOfFile) return;
      if (kind === SyntaxKind.TemplateHead) finishTemplate();
      else if (kind === SyntaxKind.OpenBraceToken) depth += 1;
      else if (kind === SyntaxKind.CloseBraceToken) {
        if (depth > 0) depth -= 1;
        else {
          kind = scanner.reScanTemplateToken(false);
          if (kind === SyntaxKind.TemplateTail) return;
        }
      }
    }
  };

  for (let kind = scanner.scan(); kind !== SyntaxKind.EndOfFile; kind = scanner.scan()) {
    const previous = tokens.at(-1);
    if (kind === SyntaxKind.SlashToken || kind === SyntaxKind.SlashEqualsToken) {
      if (previous === undefined || !ENDS_OPERAND.has(previous.kind)) kind = scanner.reScanSlashToken();
    }
    if (kind === SyntaxKind.TemplateHead) {
      const start = scanner.getTokenStart();
      finishTemplate();
      tokens.push({
        kind: SyntaxKind.NoSubstitutionTemplateLiteral,
        text: source.slice(start + 1, scanner.getTokenEnd() - 1),
      });
    } else if (kind === SyntaxKind.StringLiteral || kind === SyntaxKind.NoSubstitutionTemplateLiteral) {
      tokens.push({ kind, text: scanner.getTokenValue() });
    } else {
      tokens.push({ kind, text: scanner.getTokenText() });
    }
  }
  return tokens;
}

/** Index behind the parenthesis that closes the one at `open`. */
function behindClosing(tokens: readonly Token[], open: number): number {
  let depth = 0;
  for (let i = open; i < tokens.length; i += 1) {
    const kind = tokens[i]?.kind;
    if (kind === SyntaxKind.OpenParenToken) depth += 1;
    if (kind === SyntaxKind.CloseParenToken) {
      depth -= 1;
      if (depth === 0) return i + 1;
    }
  }
  return tokens.length;
}

/** Index of the next opening parenthesis at or after `from`: type arguments may stand before it. */
function nextOpening(tokens: readonly Token[], from: number): number {
  let i = from;
  if (tokens[i]?.kind === SyntaxKind.LessThanToken) {
    while (i < tokens.length && tokens[i]?.kind !== SyntaxKind.OpenParenToken) i += 1;
  }
  return i;
}

/** Between the titles of a suite and of what stands in it. */
export const TITLE_SEPARATOR = ' > ';

export interface TestTitle {
  /** The titles of the suites and the test's own, as they stand in the source: a template keeps its `${…}`. */
  readonly title: string;
  /** The suites that hold it, the outermost first, each as it stands in the source. */
  readonly suites: readonly string[];
  /** Whether the test runs once for each row of a table, so that a row may go and the title stays. */
  readonly hasCases: boolean;
}

/** A test where it stands among the tokens of its file, from its title's parenthesis up to behind the closing one. */
interface PlacedTest extends TestTitle {
  readonly from: number;
  readonly end: number;
}

/**
 * Titles of the tests that a test file runs. A test that is skipped or still to do proves nothing and is left out, with everything
 * inside it.
 */
export function placedTests(tokens: readonly Token[]): PlacedTest[] {
  const titles: PlacedTest[] = [];
  let suites: { readonly title: string; readonly hasCases: boolean; readonly end: number }[] = [];
  let i = 0;
  while (i < tokens.length) {
    const call = testCallAt(tokens, i);
    if (call === null) {
      i += 1;
      continue;
    }
    const end = behindClosing(tokens, call.open);
    if (call.modifiers.some((modifier) => NOT_RUN.has(modifier))) {
      i = end;
      continue;
    }
    suites = [...suites.filter((suite) => suite.end > i), { ...call, end }];
    if (!call.isSuite)
      titles.push({
        title: suites.map((suite) => suite.title).join(TITLE_SEPARATOR),
        suites: suites.slice(0, -1).map((suite) => suite.title),
        hasCases: suites.some((suite) => suite.hasCases),
        from: call.open,
        end,
      });
    i = call.open + 1;
  }
  return titles;
}

interface TestCall {
  readonly title: string;
  readonly isSuite: boolean;
  readonly hasCases: boolean;
  readonly modifiers: readonly string[];
  /** Index of the parenthesis that the title stands behind. */
  readonly open: number;
}

function testCallAt(tokens: readonly Token[], i: number): TestCall | null {
  const name = tokens[i];
  if (name?.kind !== SyntaxKind.Identifier || !TEST_FUNCTIONS.has(name.text)) return null;
  if (tokens[i - 1]?.kind === SyntaxKind.DotToken) return null;
  const modifiers: string[] = [];
  let at = i + 1;
  while (tokens[at]?.kind === SyntaxKind.DotToken) {
    const modifier = tokens[at + 1]?.text ?? '';
    modifiers.push(modifier);
    at += 2;
    if (CURRIED.has(modifier)) at = behindClosing(tokens, nextOpening(tokens, at));
  }
  const title = tokens[at + 1];
  const isText = title?.kind === SyntaxKind.StringLiteral || title?.kind === SyntaxKind.NoSubstitutionTemplateLiteral;
  if (tokens[at]?.kind !== SyntaxKind.OpenParenToken || !isText) return null;
  return {
    title: title.text,
    isSuite: SUITE_FUNCTIONS.has(name.text),
    hasCases: hasPlaceholder(title.text),
    modifiers,
    open: at,
  };
}
