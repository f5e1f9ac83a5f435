/**
 * Holds docs/conformance.md to the tests and to the specifications: `node scripts/check-conformance.ts [folder of specifications]`.
 * The specifications are no part of the checkout; without them only ids and test titles are checked.
 */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { conformanceProblems } from './conformance/check.ts';
import { conformanceDocument } from './conformance/document.ts';
import { type SpecificationRow, specificationRows } from './conformance/specification.ts';
import { testTitles } from './conformance/test-titles.ts';

const SPECIFICATIONS = ['exchange.md', 'partner.md', 'events.md'];
const TEST_FILES = '{domain,protocol,data,durable-objects,application,workers,containers,test}/**/*.test.ts';

const folder = process.argv[2] ?? '../shared/spec';
const document = conformanceDocument(readFileSync('docs/conformance.md', 'utf8'));
const titles = new Set(globSync(TEST_FILES).flatMap((file) => testTitles(readFileSync(file, 'utf8'))));

const specifications = new Map<string, SpecificationRow[]>();
for (const file of SPECIFICATIONS) {
  const path = join(folder, file);
  if (existsSync(path)) specifications.set(file, specificationRows(readFileSync(path, 'utf8')));
  else console.log(`conformance: ${path} is not here, so its rows are not compared`);
}

const problems = conformanceProblems(document, titles, specifications);
for (const problem of problems) console.error(`conformance: ${problem}`);
const proved = document.rows.filter((row) => row.tests.length > 0).length;
console.log(`conformance: ${document.rows.length} rows, ${proved} proved by tests, ${titles.size} titles read`);
if (problems.length > 0) process.exit(1);
