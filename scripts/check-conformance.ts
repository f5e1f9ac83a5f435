/**
 * Holds docs/conformance.md to the tests and to the specifications:
 * `node scripts/check-conformance.ts [--report <vitest's JSON report>] [folder of specifications]`.
 * The specifications are no part of the checkout; without them only ids and test titles are checked. With the report of a full run,
 * every test that the document names must have run and passed.
 */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { conformanceProblems, type KnownTest } from './conformance/check.ts';
import { conformanceDocument } from './conformance/document.ts';
import { type SpecificationRow, specificationRows } from './conformance/specification.ts';
import { testResults } from './conformance/test-report.ts';
import { testTitles } from './conformance/test-titles.ts';

const SPECIFICATIONS = ['exchange', 'partner', 'events'].map((name) => `${name}.md`);
const TEST_FILES = '{domain,protocol,data,durable-objects,application,workers,containers,test}/**/*.test.ts';

const { values, positionals } = parseArgs({ options: { report: { type: 'string' } }, allowPositionals: true });
const [folder = '../shared/spec'] = positionals;
const document = conformanceDocument(readFileSync('docs/conformance.md', 'utf8'));
const tests: KnownTest[] = globSync(TEST_FILES).flatMap((file) =>
  testTitles(readFileSync(file, 'utf8')).map((test) => ({ ...test, file })),
);

const specifications = new Map<string, SpecificationRow[]>();
for (const file of SPECIFICATIONS) {
  const path = join(folder, file);
  if (existsSync(path)) specifications.set(file, specificationRows(readFileSync(path, 'utf8')));
  else console.log(`conformance: ${path} is not here, so its rows are not compared`);
}

const results = values.report === undefined ? null : testResults(readFileSync(values.report, 'utf8'), process.cwd());
const isDataMissing = !existsSync('../shared/data');
if (results !== null && isDataMissing) console.log('conformance: ../shared/data is not here, so tests may be skipped');
const problems = conformanceProblems(document, { tests, specifications, results, isDataMissing });
for (const problem of problems) console.error(`conformance: ${problem}`);
const proved = document.rows.filter((row) => row.tests.length > 0).length;
const ran = results === null ? 'without a report of a run' : `${results.length} results read`;
console.log(
  `conformance: ${document.rows.length} rows, ${proved} proved by tests, ${tests.length} titles read, ${ran}`,
);
if (problems.length > 0) process.exit(1);
