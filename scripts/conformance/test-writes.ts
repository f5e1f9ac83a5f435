import { SyntaxKind } from 'typescript/unstable/ast';
import { placedTests, type TestTitle, type Token, tokensOf } from './test-titles.ts';

/** Begins a statement at the level of the module, by which the one before it has ended. */
const DECLARES: ReadonlySet<string> = new Set([
  ...['function', 'const', 'let', 'class', 'interface', 'type', 'export'],
  ...['describe', 'suite', 'it', 'test', 'beforeAll', 'beforeEach', 'afterAll', 'afterEach'],
]);
const SQL_WRITE = /\b(?:INSERT (?:OR \w+ )?INTO|UPDATE|DELETE FROM)\s+"?([a-z_]+)"?(?=[\s("])/;
const OPENS = '([{';
const CLOSES = ')]}';

export interface WritingTest extends TestTitle {
  /** Tables that the test writes by its own statements, or by those of functions of the file that it calls. */
  readonly writes: readonly string[];
}

/** The tests of a file. What is written before they begin, or by helpers of other files, is who and what is there, and is not looked at. */
export function testsOf(source: string): WritingTest[] {
  const tokens = tokensOf(source);
  const functions = functionsOf(tokens);
  return placedTests(tokens).map(({ from, end, ...test }) => ({
    ...test,
    writes: writesIn(tokens, functions, { from, end }),
  }));
}

interface Range {
  readonly from: number;
  readonly end: number;
}

/** Of the module itself, by name, each up to where the next statement begins. */
function functionsOf(tokens: readonly Token[]): Map<string, Range> {
  const found = new Map<string, Range>();
  let open: { readonly name: string; readonly from: number } | null = null;
  let depth = 0;
  for (const [at, { text, kind }] of tokens.entries()) {
    if (isSign(kind) && OPENS.includes(text)) depth += 1;
    if (isSign(kind) && CLOSES.includes(text)) depth -= 1;
    if (depth > 0 || !DECLARES.has(text) || kind === SyntaxKind.StringLiteral) continue;
    if (open !== null) found.set(open.name, { from: open.from, end: at });
    const name = tokens[at + 1]?.text ?? '';
    open = text === 'function' || text === 'const' ? { name, from: at + 2 } : null;
  }
  if (open !== null) found.set(open.name, { from: open.from, end: tokens.length });
  return found;
}

function isSign(kind: SyntaxKind): boolean {
  return kind !== SyntaxKind.StringLiteral && kind !== SyntaxKind.NoSubstitutionTemplateLiteral;
}

function writesIn(
  tokens: readonly Token[],
  functions: ReadonlyMap<string, Range>,
  { from, end }: Range,
  seen = new Set<string>(),
): string[] {
  const writes: string[] = [];
  for (let at = from; at < end; at += 1) {
    const token = tokens[at];
    if (token === undefined) break;
    const text = (ahead: number) => tokens[at + ahead]?.text;
    if (!isSign(token.kind)) {
      const table = SQL_WRITE.exec(token.text)?.[1];
      if (table !== undefined) writes.push(table);
      continue;
    }
    const isMember = text(-1) === '.';
    if (isMember && text(1) === '(') {
      const isWrite =
        token.text === 'insert' ||
        (token.text === 'update' && text(3) === ')' && text(5) === 'set') ||
        (token.text === 'delete' && text(3) === ')' && text(5) === 'where');
      if (isWrite) writes.push(text(2) ?? '');
    }
    const range = isMember || seen.has(token.text) ? undefined : functions.get(token.text);
    if (range !== undefined) {
      seen.add(token.text);
      writes.push(...writesIn(tokens, functions, range, seen));
    }
    if (!isMember && token.text === 'sqlBatch') writes.push('sqlBatch');
  }
  return writes;
}
