/**
 * Holds docs/conformance.md and docs/decisions/outside-review.md to the tests and, with docs/conformance-prose.md, the first to the specifications:
 * `node scripts/check-conformance.ts [--report <vitest's JSON report>] [folder of specifications]`.
 * The specifications are no part of the checkout; without them only ids and test titles are checked. With the report of a full run,
 * every test that the document names must have run and passed.
 */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ARRANGED } from './conformance/arranged.ts';
import { arrangedProblems, conformanceProblems, type KnownTest } from './conformance/check.ts';
import { conformanceDocument } from './conformance/document.ts';
import {
  proseEntries,
  proseProblems,
  type SpecificationSentence,
  specificationSentences,
} from './conformance/prose.ts';
import { reviewEntries, reviewProblems } from './conformance/review.ts';
import { type SpecificationRow, specificationRows } from './conformance/specification.ts';
import { testResults } from './conformance/test-report.ts';
import { testsOf } from './conformance/test-writes.ts';

const SPECIFICATIONS = ['exchange', 'partner', 'events'].map((name) => `${name}.md`);
const TEST_FILES = '{domain,protocol,data,durable-objects,application,workers,containers,test}/**/*.test.ts';

const { values, positionals } = parseArgs({ options: { report: { type: 'string' } }, allowPositionals: true });
const [folder = '../shared/spec'] = positionals;
const document = conformanceDocument(readFileSync('docs/conformance.md', 'utf8'));
const tests: KnownTest[] = globSync(TEST_FILES).flatMap((file) =>
  testsOf(readFileSync(file, 'utf8')).map((test) => ({ ...test, file })),
);

const specifications = new Map<string, SpecificationRow[]>();
const sentences = new Map<string, SpecificationSentence[]>();
for (const file of SPECIFICATIONS) {
  const path = join(folder, file);
  if (existsSync(path)) {
    const specification = readFileSync(path, 'utf8');
    specifications.set(file, specificationRows(specification));
    sentences.set(file, specificationSentences(specification));
  } else console.log(`conformance: ${path} is not here, so its rows and sentences are not compared`);
}

const results = values.report === undefined ? null : testResults(readFileSync(values.report, 'utf8'), process.cwd());
const isDataMissing = !existsSync('../shared/data');
if (results !== null && isDataMissing) console.log('conformance: ../shared/data is not here, so tests may be skipped');
const evidence = { tests, specifications, results, isDataMissing, arranged: ARRANGED };
const problems = [...conformanceProblems(document, evidence), ...arrangedProblems(ARRANGED, tests)];
const prose = proseEntries(readFileSync('docs/conformance-prose.md', 'utf8'));
const ofProse = proseProblems(prose, document.rows, sentences);
for (const problem of problems) console.error(`conformance: ${problem}`);
for (const problem of ofProse) console.error(`conformance-prose: ${problem}`);
const ofReview = reviewProblems(reviewEntries(readFileSync('docs/decisions/outside-review.md', 'utf8')), evidence);
for (const problem of ofReview) console.error(`outside-review: ${problem}`);
const proved = document.rows.filter((row) => row.tests.length > 0).length;
const ran = results === null ? 'without a report of a run' : `${results.length} results read`;
console.log(
  `conformance: ${document.rows.length} rows, ${proved} proved by tests, ${prose.length} sentences of prose, ${tests.length} titles read, ${ran}`,
);
if (problems.length + ofProse.length + ofReview.length > 0) process.exit(1);
