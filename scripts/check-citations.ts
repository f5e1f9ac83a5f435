/**
 * `npm run check:citations`: every page, heading and row of docs/conformance.md that a file cites must be there, and no file may name a
 * document that is not in git (docs/design/README.md#how-to-cite).
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { citationProblems } from './citations/citation-problems.ts';
import { conformanceDocument } from './conformance/document.ts';

/** They name the documents of the specification, or are examples of citations. */
const NOT_READ = [
  'docs/conformance.md',
  'scripts/check-conformance.ts',
  'scripts/citations/',
  'scripts/conformance/',
  'test/node/citations.test.ts',
  'test/node/conformance.test.ts',
];

const paths = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '-z'], {
  encoding: 'utf8',
});
const files = new Map(
  paths
    .split('\0')
    .filter((path) => path !== '' && existsSync(path))
    .map((path) => [path, readFileSync(path, 'utf8')] as const)
    .filter(([, text]) => !text.includes('\0')),
);
const rowIds = new Set(conformanceDocument(files.get('docs/conformance.md') ?? '').rows.map((row) => row.id));

const problems = citationProblems({ files, rowIds, notRead: NOT_READ });
for (const problem of problems) console.error(`citations: ${problem}`);
console.log(`citations: ${files.size} files, ${rowIds.size} rows, ${problems.length} problems`);
if (problems.length > 0) process.exit(1);
