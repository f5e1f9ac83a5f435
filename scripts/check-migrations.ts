/** `npm run check:migrations`: every migration after the stated ones only adds (docs/decisions/deployment.md#migrations-only-add). */
import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { losses } from './migrations/additive.ts';

/** The last migrations that were written before the rule. */
const BEFORE_THE_RULE = { exchange: '0013', events: '0006' };

let checked = 0;
const problems = Object.entries(BEFORE_THE_RULE).flatMap(([database, last]) =>
  globSync(`migrations/${database}/*.sql`)
    .filter((file) => basename(file).slice(0, 4) > last)
    .toSorted()
    .flatMap((file) => {
      checked += 1;
      return losses(readFileSync(file, 'utf8')).map((loss) => `${file} ${loss}`);
    }),
);
for (const problem of problems) console.error(`migrations: ${problem}`);
console.log(`migrations: ${checked} since the rule, ${problems.length} problems`);
if (problems.length > 0) process.exit(1);
