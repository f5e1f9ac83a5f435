/**
 * `npm run simulated` writes docs/simulated.md from the settings of each environment; with `--check` it fails where the page says something else.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { readEnvironment } from './deploy/read-environment.ts';
import { simulatedTable } from './deploy/simulated-parts.ts';

const PAGE = 'docs/simulated.md';
const TABLE = /(?<=<!-- settings -->\n\n)[\s\S]*?(?=\n\n<!-- end of settings -->)/;

const page = readFileSync(PAGE, 'utf8');
const written = page.replace(TABLE, () => simulatedTable((name) => readEnvironment('wrangler.toml', name)));
if (!TABLE.test(page)) throw new Error(`${PAGE} has no place for the table`);
if (!process.argv.includes('--check')) writeFileSync(PAGE, written);
else if (written !== page) {
  console.error(`simulated: ${PAGE} says other than wrangler.toml; write it by npm run simulated`);
  process.exit(1);
} else console.log(`simulated: ${PAGE} says what wrangler.toml does`);
