/**
 * Holds the mutants to the source: prints each whose text no longer occurs once in its file, or whose test file is gone, and exits 1. `npm run mutants`
 * runs them.
 */
import { existsSync, readFileSync } from 'node:fs';
import { MUTANTS } from './mutants/list.ts';
import { fits, type Mutant } from './mutants/mutant.ts';

function problemOf(mutant: Mutant): string | null {
  const gone = [mutant.file, ...mutant.tests].find((path) => !existsSync(path));
  if (gone !== undefined) return `${gone} is gone`;
  return fits(mutant, readFileSync(mutant.file, 'utf8')) ? null : 'its text does not occur once in the file';
}

let problems = 0;
for (const mutant of MUTANTS) {
  const problem = problemOf(mutant);
  if (problem === null) continue;
  problems += 1;
  console.error(`${mutant.rule} (${mutant.file}): ${problem}`);
}
console.log(`mutants: ${MUTANTS.length}, ${problems} problems`);
process.exitCode = problems > 0 ? 1 : 0;
