import { describe, expect, it } from 'vitest';
import type { Arranged } from '../../scripts/conformance/arranged.ts';
import { arrangedProblems, conformanceProblems, type KnownTest } from '../../scripts/conformance/check.ts';
import { conformanceDocument } from '../../scripts/conformance/document.ts';
import { proseEntries, proseProblems, specificationSentences } from '../../scripts/conformance/prose.ts';
import { reviewEntries, reviewProblems } from '../../scripts/conformance/review.ts';
import { specificationRows } from '../../scripts/conformance/specification.ts';
import { testResults } from '../../scripts/conformance/test-report.ts';
import { testsOf } from '../../scripts/conformance/test-writes.ts';

function titlesOf(source: string) {
  return testsOf(source).map(({ title, suites, hasCases }) => ({ title, suites, hasCases }));
}

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
    expect(titlesOf(source)).toEqual([
      { title: "a suite > it's a test", suites: ['a suite'], hasCases: false },
      { title: `a suite > refuses \${nested(\`\${1}\`)} here`, suites: ['a suite'], hasCases: true },
      { title: 'a suite > runs beside others', suites: ['a suite'], hasCases: false },
      { title: 'behind the suite', suites: [], hasCases: false },
    ]);
  });

  it('have cases where they, or their suites, have a place for values', () => {
    const source = [
      "describe.each(['a', 'b'])('way %s', () => { it('is followed', () => {}); });",
      "it.for([{ rail: 'private' }])('rail $rail', () => {});",
      "it('costs 5 % or 100%', () => {});",
    ].join('\n');
    expect(titlesOf(source)).toEqual([
      { title: 'way %s > is followed', suites: ['way %s'], hasCases: true },
      { title: 'rail $rail', suites: [], hasCases: true },
      { title: 'costs 5 % or 100%', suites: [], hasCases: false },
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
    expect(titlesOf(source)).toEqual([{ title: 'counts', suites: [], hasCases: false }]);
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

const TESTS: readonly KnownTest[] = [
  ...[
    'orders > lists orders',
    'orders > cancels',
    'says so',
    'twice > says so',
    'once > says it',
    'twice > says it',
  ].map((title) => ({ title, suites: title.split(' > ').slice(0, -1), file: 'orders.test.ts', hasCases: false })),
  { title: 'refuses %s (%d)', suites: [], file: 'orders.test.ts', hasCases: true },
];

function withSuites(file: string, ...suites: readonly string[][]): KnownTest[] {
  return suites.map((path) => ({
    title: [...path, 'is held'].join(' > '),
    suites: path,
    file,
    hasCases: path.some((suite) => suite.includes('%s')),
  }));
}

function problemsOf(...rows: string[]): string[] {
  const specifications = new Map([['x.md', specificationRows(SPECIFICATION)]]);
  return conformanceProblems(conformanceDocument(documentOf(...rows)), {
    tests: TESTS,
    specifications,
    results: null,
    isDataMissing: false,
  });
}

/** Of a document with one row, after a run that ended as given. */
function problemsAfter(test: string, ...ran: readonly [title: string, status: string][]): string[] {
  return problemsOfRun({ test, ran, isDataMissing: false });
}

function problemsOfRun({
  test,
  ran,
  isDataMissing,
}: {
  test: string;
  ran: readonly (readonly [title: string, status: string])[];
  isDataMissing: boolean;
}): string[] {
  const results = ran.map(([title, status]) => ({ file: 'orders.test.ts', title, status }));
  return conformanceProblems(conformanceDocument(documentOf(`| X-ORD-01 | a row | \`${test}\` |`)), {
    tests: TESTS,
    specifications: new Map(),
    results,
    isDataMissing,
  });
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
      'line 9: X-ORD-05 may mean any of ["orders.test.ts: once > says it","orders.test.ts: twice > says it"]',
    ]);
    expect(problemsOf(...COMPLETE, '| X-ORD-05 | more | `says so` |')).toEqual([]);
  });

  it('fails on a title that stands in two files', () => {
    const tests = [...TESTS, { title: 'orders > cancels', suites: ['orders'], file: 'book.test.ts', hasCases: false }];
    const document = conformanceDocument(documentOf('| X-ORD-01 | a row | `orders > cancels` |'));
    expect(
      conformanceProblems(document, { tests, specifications: new Map(), results: null, isDataMissing: false }),
    ).toEqual([
      'line 5: X-ORD-01 may mean any of ["orders.test.ts: orders > cancels","book.test.ts: orders > cancels"]',
    ]);
  });

  it('fails on a row that rests only on a title with cases, unless it names one or another test', () => {
    expect(problemsOf(...COMPLETE, '| X-ORD-05 | more | `refuses %s (%d)` |')).toEqual([
      'line 9: X-ORD-05 rests only on tests whose cases may go; name a case of: refuses %s (%d)',
    ]);
    expect(problemsOf(...COMPLETE, '| X-ORD-05 | more | `refuses a size (3)` |')).toEqual([]);
    expect(problemsOf(...COMPLETE, '| X-ORD-05 | more | `refuses %s (%d)`<br>`says so` |')).toEqual([]);
    expect(problemsOf(...COMPLETE, '| X-ORD-05 | more | `refuses a size` |')).toEqual([
      'line 9: X-ORD-05 names a test that does not exist: refuses a size',
    ]);
  });

  it('fails on a case that stands in a suite of the file which does not hold the test', () => {
    const tests = [
      ...withSuites('walk.test.ts', ['%s'], ['doors', 'each %s']),
      { title: 'the walk > covers all', suites: ['the walk'], file: 'walk.test.ts', hasCases: false },
      { title: 'doors > locks > open', suites: ['doors', 'locks'], file: 'walk.test.ts', hasCases: false },
    ];
    const problems = (title: string, known: readonly KnownTest[] = tests) =>
      conformanceProblems(conformanceDocument(documentOf(`| X-ORD-01 | a row | \`${title}\` |`)), {
        tests: known,
        specifications: new Map(),
        results: null,
        isDataMissing: false,
      });
    expect(problems('the walk > is held')).toEqual([
      'line 5: X-ORD-01 names a test that "the walk" of walk.test.ts does not hold: the walk > is held',
    ]);
    expect(problems('locks > is held')).toHaveLength(1);
    expect(problems('doors > locks > is held')).toHaveLength(1);
    for (const held of ['POST /v1/orders > is held', 'doors > each lock > is held', 'walks > is held'])
      expect(problems(held), held).toEqual([]);
    // A case of another file may be called like the suite.
    expect(problems('the walk > is held', [...tests, ...withSuites('other.test.ts', ['%s'])])).toEqual([]);
  });

  it('fails on a row of more than one sentence', () => {
    expect(problemsOf(...COMPLETE, '| X-ORD-05 | 2. one; another | not yet |')).toEqual([
      'line 9: X-ORD-05 is more than one sentence',
    ]);
    expect(problemsOf(...COMPLETE, '| X-ORD-05 | one. Another | not yet |')).toHaveLength(1);
    expect(problemsOf(...COMPLETE, '| X-ORD-05 | 2. under /v1.0 | not yet |')).toEqual([]);
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

describe('the report of a run', () => {
  it('is read as a title and a status for each test of each file', () => {
    const assertionResults = [
      { ancestorTitles: ['orders', 'twice'], title: 'says so', status: 'passed' },
      { ancestorTitles: [], title: 'cancels', status: 'skipped' },
    ];
    const json = JSON.stringify({ testResults: [{ name: '/tree/test/orders.test.ts', assertionResults }] });
    expect(testResults(json, '/tree')).toEqual([
      { file: 'test/orders.test.ts', title: 'orders > twice > says so', status: 'passed' },
      { file: 'test/orders.test.ts', title: 'cancels', status: 'skipped' },
    ]);
  });

  it('proves a row whose test passed', () => {
    expect(problemsAfter('orders > cancels', ['orders > cancels', 'passed'])).toEqual([]);
    expect(problemsAfter('refuses a size (3)', ['refuses a size (3)', 'passed'])).toEqual([]);
  });

  it.each(['failed', 'skipped', 'pending', 'todo'])('proves no row whose test was %s', (status) => {
    expect(problemsAfter('orders > cancels', ['orders > cancels', status])).toEqual([
      `line 5: X-ORD-01 names a test that did not pass (${status}): orders > cancels`,
    ]);
  });

  it('proves no row whose test, or whose case of it, did not run', () => {
    expect(problemsAfter('orders > cancels', ['says so', 'passed'])).toEqual([
      'line 5: X-ORD-01 names a test that did not run: orders > cancels',
    ]);
    expect(problemsAfter('refuses a size (3)', ['refuses a price (3)', 'passed'])).toEqual([
      'line 5: X-ORD-01 names a test that did not run: refuses a size (3)',
    ]);
  });

  it('takes a skipped test where its data is missing, and no failed one', () => {
    const of = (status: string) => problemsOfRun({ test: 'says so', ran: [['says so', status]], isDataMissing: true });
    expect(of('skipped')).toEqual([]);
    expect(of('failed')).toEqual(['line 5: X-ORD-01 names a test that did not pass (failed): says so']);
  });

  it('proves a row that names a title with cases by all of them', () => {
    const row = documentOf('| X-ORD-01 | a row | `refuses %s (%d)`<br>`says so` |');
    const results = ['refuses a size (3)', 'refuses a price (3)', 'says so'].map((title, at) => ({
      file: 'orders.test.ts',
      title,
      status: at === 1 ? 'skipped' : 'passed',
    }));
    const evidence = { tests: TESTS, specifications: new Map(), results, isDataMissing: false };
    expect(conformanceProblems(conformanceDocument(row), evidence)).toEqual([
      'line 5: X-ORD-01 names a test that did not pass (skipped): refuses a price (3)',
    ]);
  });
});

describe('what a test writes into tables', () => {
  const source = [
    'const at = (id: string) => db.update(orders).set({ id });',
    'async function arrange(): Promise<{ id: string }> {',
    '  await env.DB.prepare(`UPDATE trades SET at = ?1`).run();',
    '  at("x");',
    '}',
    "test('reads', async () => { seen.delete(id); cache.update(rows); expect(sql('SELECT * FROM orders')); });",
    "test('writes', async () => { await db.insert(events).values([]); await arrange(); });",
    "test('batches', async () => { await sqlBatch(db, [event]); });",
    "test('takes away', async () => { await db.delete(timeline).where(all); });",
  ].join('\n');

  it('is read from its statements and from those of functions of the file', () => {
    expect(testsOf(source).map(({ title, writes }) => [title, writes])).toEqual([
      ['reads', []],
      ['writes', ['events', 'trades', 'orders']],
      ['batches', ['sqlBatch']],
      ['takes away', ['timeline']],
    ]);
  });

  it('is what the product should have written, unless it is arranged', () => {
    const tests = testsOf(source).map((test) => ({ ...test, file: 'a.test.ts' }));
    const why = 'a day ago';
    const problems = (title: string, arranged: readonly Arranged[] = []) =>
      conformanceProblems(conformanceDocument(documentOf(`| X-ORD-01 | a row | \`${title}\` |`)), {
        tests,
        specifications: new Map(),
        results: null,
        isDataMissing: false,
        arranged,
      });
    expect(problems('reads')).toEqual([]);
    expect(problems('takes away')).toEqual([
      'line 5: X-ORD-01 rests on a test that writes timeline itself, which the product should: takes away',
    ]);
    expect(problems('takes away', [{ file: 'a.test.ts', table: 'timeline', why }])).toEqual([]);
    expect(problems('takes away', [{ file: 'b.test.ts', table: 'timeline', why }])).toHaveLength(1);
    expect(problems('writes')).toHaveLength(3);
    expect(arrangedProblems([{ file: 'a.test.ts', table: 'users', why }], tests)).toEqual([
      'no test of a.test.ts writes users itself any more (scripts/conformance/arranged.ts)',
    ]);
    expect(arrangedProblems([{ file: 'a.test.ts', table: 'orders', why }], tests)).toEqual([]);
  });
});

describe('what a review from outside has found', () => {
  const problems = (...rows: string[]) =>
    reviewProblems(reviewEntries(['| number | fault | what became of it |', '|---|---|---|', ...rows].join('\n')), {
      tests: TESTS,
      specifications: new Map(),
      results: null,
      isDataMissing: false,
    });

  it('is answered by tests that exist, by a decision or a page, or by what is open', () => {
    for (const answer of ['`says so`', '`says so`<br>and words', '[open](../next.md)', 'not yet: nobody has built it'])
      expect(problems(`| X-01 | It lost an order. | ${answer} |`), answer).toEqual([]);
    expect(problems('| X-01 | It lost an order. | `never written` |')).toEqual([
      'line 3: X-01 names a test that does not exist: never written',
    ]);
    for (const none of ['', 'mended', 'not yet'])
      expect(problems(`| X-01 | It lost an order. | ${none} |`), none).toEqual([
        'line 3: X-01 has no answer: name a test, link a decision or a page, or say `not yet: …`',
      ]);
  });

  it('has a number of its own and a fault', () => {
    expect(problems('| X-01 | | `says so` |', '| X-01 | Again. | `says so` |', '| Z-9 | Odd. | `says so` |')).toEqual([
      'line 3: X-01 names no fault',
      'line 4: X-01 stands on line 3 already',
      'line 5: Z-9 is no number of a finding',
    ]);
    expect(problems('| C-27.18 | A part of one. | `says so` |')).toEqual([]);
  });
});

describe('sentences of prose', () => {
  const PROSE = [
    '# Title',
    'The order rests (e.g. `GTC`). It ends by a cancel.',
    '',
    '| id | row |',
    '|---|---|',
    '1. Times: not shown.',
    '- `core` is a name.',
  ].join('\n');
  const sentences = new Map([['a.md', specificationSentences(PROSE)]]);
  const rows = conformanceDocument(
    '## a.md\n| id | row | tests |\n|---|---|---|\n| X-AAA-01 | it rests | not yet |',
  ).rows;
  const list = (...lines: string[]) =>
    proseEntries(['## a', '', '| sentence | answer |', '|---|---|', ...lines].join('\n'));
  const whole = [
    '| The order rests (e.g. `GTC`). | X-AAA-01 |',
    '| It ends by a cancel. | X-AAA-01: another reading of it |',
    '| Times: not shown. | choice: [Times](decisions/api.md#times) |',
    '| `core` is a name. | no demand |',
  ];

  it('are read from paragraphs and lists, and not from tables and headings', () => {
    expect(specificationSentences(PROSE)).toEqual([
      { text: 'The order rests (e.g. `GTC`).', line: 2 },
      { text: 'It ends by a cancel.', line: 2 },
      { text: 'Times: not shown.', line: 6 },
      { text: '`core` is a name.', line: 7 },
    ]);
  });

  it('C-29: each has an entry, and each entry quotes one', () => {
    expect(proseProblems(list(...whole), rows, sentences)).toEqual([]);
    expect(proseProblems(list(...whole.slice(1)), rows, sentences)).toEqual([
      'a.md:2: no entry for "The order rests (e.g. `GTC`)."',
    ]);
    expect(proseProblems(list(...whole, '| It ends by two cancels. | no demand |'), rows, sentences)).toEqual([
      'line 9: a.md does not say "It ends by two cancels."',
    ]);
    expect(proseProblems(list(...whole, whole[3]!), rows, sentences)).toEqual([
      'line 9: a.md does not say "`core` is a name."',
    ]);
  });

  it('C-29: an answer is rows that exist, a choice that is linked, or a word for neither', () => {
    const answered = (answer: string) => proseProblems(list(`| It ends by a cancel. | ${answer} |`), rows, new Map());
    for (const answer of ['X-AAA-01', 'X-AAA-01: more', 'no demand', 'no demand: a title', 'not yet: nobody built it'])
      expect(answered(answer), answer).toEqual([]);
    expect(answered('X-AAA-02')).toEqual(['line 5: no row X-AAA-02']);
    expect(answered('X-AAA-01, X-AAA-03: more')).toEqual(['line 5: no row X-AAA-03']);
    for (const answer of ['', 'proved elsewhere', 'choice: ours', 'not yet', 'X-AAA-01 and more'])
      expect(answered(answer), answer).toEqual([
        `line 5: name rows, a choice with its decision, \`no demand\` or \`not yet: …\`: ${answer}`,
      ]);
  });
});
