import { describe, expect, it } from 'vitest';
import { conformanceProblems } from '../../scripts/conformance/check.ts';
import { conformanceDocument } from '../../scripts/conformance/document.ts';
import { specificationRows } from '../../scripts/conformance/specification.ts';
import { testTitles } from '../../scripts/conformance/test-titles.ts';

describe('titles of a test file', () => {
  it('are read from suites and tests, with any quotes and from curried calls', () => {
    const source = [
      "describe('a suite', () => {",
      '  it("it\'s a test", () => {});',
      `  it.each<[string]>([["x"], [f("(")]])(\`refuses \${nested(\`\${1}\`)} here\`, () => {});`,
      "  test.concurrent('runs beside others', async () => {});",
      '});',
      "it('behind the suite', () => {});",
    ].join('\n');
    expect(testTitles(source)).toEqual([
      'a suite',
      "a suite > it's a test",
      `a suite > refuses \${nested(\`\${1}\`)} here`,
      'a suite > runs beside others',
      'behind the suite',
    ]);
  });

  it('are not read from comments, strings, regular expressions, members or what is skipped', () => {
    const source = [
      "// it('in a comment')",
      "const text = \"it('in a string')\"; const expression = /it\\('in an expression'/;",
      "runner.it('a member');",
      "describe.skip('skipped', () => { it('inside what is skipped', () => {}); });",
      "it.todo('still to do');",
      'const half = a / 2; it(`counts`, () => {}); const other = b / 3;',
    ].join('\n');
    expect(testTitles(source)).toEqual(['counts']);
  });
});

const SPECIFICATION = [
  '## Endpoints',
  '### Orders',
  '| Method | Path | Purpose |',
  '|---|---|---|',
  '| GET | /orders | list |',
  '| GET | /orders/{id} | one |',
  '| DELETE | /orders/{id} | `cancel` |',
  '',
  '1. Orders are checked.',
].join('\n');

function documentOf(...rows: string[]): string {
  return ['## x.md', '### Endpoints / Orders', '| id | row | tests |', '|---|---|---|', ...rows].join('\n');
}

const COMPLETE = [
  '| X-ORD-01 | GET · /orders | `lists orders` |',
  '| X-ORD-02 | GET · /orders/{id} | not yet |',
  '| X-ORD-03 | DELETE · /orders/{id}: cancels | `orders > cancels`<br>`twice > says so` |',
  '| X-ORD-04 | 1. orders are checked | not yet |',
];

function problemsOf(...rows: string[]): string[] {
  const titles = new Set([
    'orders',
    'orders > lists orders',
    'orders > cancels',
    'says so',
    'twice > says so',
    'once > says it',
    'twice > says it',
  ]);
  const specifications = new Map([['x.md', specificationRows(SPECIFICATION)]]);
  return conformanceProblems(conformanceDocument(documentOf(...rows)), titles, specifications);
}

describe('the conformance document', () => {
  it('has no problem when every row of the specification stands in it and every test exists', () => {
    expect(problemsOf(...COMPLETE)).toEqual([]);
  });

  it('fails on a row of the specification that it does not have', () => {
    expect(problemsOf(...COMPLETE.slice(0, 3))).toEqual(['x.md:9: no row for "1." under "Endpoints / Orders"']);
    expect(problemsOf(...COMPLETE.slice(1))).toEqual(['x.md:5: no row for "GET · /orders" under "Endpoints / Orders"']);
  });

  it('fails on a test that does not exist', () => {
    expect(problemsOf(...COMPLETE, '| X-ORD-05 | more | `never written` |')).toEqual([
      'line 9: X-ORD-05 names a test that does not exist: never written',
    ]);
  });

  it('fails on a title that several tests end with, unless it is the whole of one', () => {
    expect(problemsOf(...COMPLETE, '| X-ORD-05 | more | `says it` |')).toEqual([
      'line 9: X-ORD-05 may mean any of ["once > says it","twice > says it"]',
    ]);
    expect(problemsOf(...COMPLETE, '| X-ORD-05 | more | `says so` |')).toEqual([]);
  });

  it('fails on an id given twice, on a malformed id and on an empty cell', () => {
    expect(problemsOf(...COMPLETE, '| X-ORD-01 | again | not yet |', '| X1 | odd |  |')).toEqual([
      'line 10: "X1" is no row id',
      'line 10: X1 names no test; say `not yet` where there is none',
      'line 9: X-ORD-01 stands on line 5 already',
      'line 10: X1 names a test that does not exist: ',
    ]);
  });
});
